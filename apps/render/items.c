// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/items.h"

#include "render/shapes.h"

#include <stdlib.h>

#define SMALL_SHAPE 16   // pixels of radius up to which fewer triangles are enough
#define TINY_TRIANGLE 24 // square pixels, on average, below which light per vertex is enough

void createShapeBuffers(ShapeBuffers* b)
{
    Shape shape;
    for (int i = 0; i < shapeCount; ++i) {
        if (i == shapeOctahedron) {
            makeOctahedron(&shape);
        } else {
            makeCapsule(&shape, i == shapeCapsule ? 32 : 12, i == shapeCapsule ? 7 : 3);
        }
        b->counts[i] = shape.triangle_count;
        glGenBuffers(1, &b->vertices[i]);
        glBindBuffer(GL_ARRAY_BUFFER, b->vertices[i]);
        glBufferData(GL_ARRAY_BUFFER, 16 * (GLsizeiptr)shape.vertex_count, shape.vertices,
                     GL_STATIC_DRAW);
        glGenBuffers(1, &b->triangles[i]);
        glBindBuffer(GL_ARRAY_BUFFER, b->triangles[i]);
        glBufferData(GL_ARRAY_BUFFER, 12 * (GLsizeiptr)shape.triangle_count, shape.triangles,
                     GL_STATIC_DRAW);
    }
}

static void attribute(GLuint place, int numbers, size_t stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(place);
    // an offset in the shape of a pointer is what GL takes
    const void* start = (const void*)(uintptr_t)offset; // NOLINT(performance-no-int-to-ptr)
    glVertexAttribPointer(place, numbers, GL_FLOAT, GL_FALSE, (GLsizei)stride, start);
    glVertexAttribDivisor(place, divisor);
}

bool isOpaque(const DrawItem* item)
{
    return item->kind != drawLines && !(item->kind == drawMesh && item->colour.a < 1);
}

static int shapeOf(const DrawItem* item, double metres_per_pixel)
{
    const DrawBone* bones = item->data[0];
    bool small = true;
    for (int32_t i = 0; i < item->count; ++i) {
        small = small && (double)bones[i].radius < SMALL_SHAPE * metres_per_pixel;
    }
    return item->kind == drawOctahedra ? shapeOctahedron : small ? shapeSmallCapsule : shapeCapsule;
}

static void uploadArray(GLenum target, GLuint buffer, const void* data, size_t bytes)
{
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
}

// False: no memory for normals.
static bool uploadMesh(const DrawItem* item, double metres_per_pixel, GpuItem* gpu)
{
    float* own = NULL;
    MeshForm form = measureMesh(item->data[0], item->data[2], item->triangle_count);
    double pixels = form.area / item->triangle_count / (metres_per_pixel * metres_per_pixel);
    gpu->side = form.side;
    gpu->dense = form.side && isOpaque(item) && !item->scenery && pixels < TINY_TRIANGLE;
    const float* normals = item->data[1];
    if (!normals) {
        own = malloc(item->bytes[0]);
        if (!own) {
            return false;
        }
        smoothNormals(item->data[0], item->count, item->data[2], item->triangle_count, own);
        normals = own;
    }
    uploadArray(GL_ARRAY_BUFFER, gpu->buffers[0], item->data[0], item->bytes[0]);
    attribute(0, 3, 12, 0, 0);
    uploadArray(GL_ARRAY_BUFFER, gpu->buffers[1], normals, item->bytes[0]);
    attribute(1, 3, 12, 0, 0);
    if (item->data[3]) {
        uploadArray(GL_ARRAY_BUFFER, gpu->buffers[3], item->data[3], item->bytes[3]);
        attribute(2, 3, 12, 0, 0);
    }
    uploadArray(GL_ELEMENT_ARRAY_BUFFER, gpu->buffers[2], item->data[2], item->bytes[2]);
    free(own);
    return true;
}

bool uploadItem(const ShapeBuffers* b, const DrawItem* item, double metres_per_pixel, GpuItem* gpu)
{
    glGenVertexArrays(1, &gpu->array);
    glBindVertexArray(gpu->array);
    glGenBuffers(DRAW_PIECES, gpu->buffers);
    if (item->kind == drawMesh) {
        return uploadMesh(item, metres_per_pixel, gpu);
    }
    uploadArray(GL_ARRAY_BUFFER, gpu->buffers[0], item->data[0], item->bytes[0]);
    if (item->kind == drawLines) {
        attribute(3, 3, 24, 0, 1);
        attribute(4, 3, 24, 12, 1);
        return true;
    }
    attribute(3, 4, sizeof(DrawBone), offsetof(DrawBone, from), 1);
    attribute(4, 3, sizeof(DrawBone), offsetof(DrawBone, to), 1);
    attribute(5, 4, sizeof(DrawBone), offsetof(DrawBone, colour), 1);
    gpu->shape = shapeOf(item, metres_per_pixel);
    gpu->side = 1;
    glBindBuffer(GL_ARRAY_BUFFER, b->vertices[gpu->shape]);
    attribute(0, 4, 16, 0, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b->triangles[gpu->shape]);
    return true;
}

void releaseItem(GpuItem* gpu)
{
    glDeleteVertexArrays(1, &gpu->array);
    glDeleteBuffers(DRAW_PIECES, gpu->buffers);
}

static void setColour(GLuint program, Colour c)
{
    glUniform4f(glGetUniformLocation(program, "base"), c.r, c.g, c.b, c.a);
}

void cullFarSides(const GpuItem* gpu)
{
    (gpu->side ? glEnable : glDisable)(GL_CULL_FACE);
    glCullFace(gpu->side < 0 ? GL_FRONT : GL_BACK);
}

void drawItem(const ShapeBuffers* b, const DrawItem* item, const GpuItem* gpu, GLuint program)
{
    glUseProgram(program);
    glBindVertexArray(gpu->array);
    setColour(program, item->colour);
    if (item->kind == drawMesh) {
        glVertexAttrib3f(2, 1, 1, 1);
        glUniform1f(glGetUniformLocation(program, "side"), (float)gpu->side);
        glUniform1i(glGetUniformLocation(program, "fades"), item->scenery);
        glDrawElements(GL_TRIANGLES, 3 * item->triangle_count, GL_UNSIGNED_INT, NULL);
    } else if (item->kind == drawLines) {
        glUniform1f(glGetUniformLocation(program, "width"), item->width);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, item->count);
    } else {
        glUniform1i(glGetUniformLocation(program, "facets"), item->kind == drawOctahedra);
        glDrawElementsInstanced(GL_TRIANGLES, 3 * b->counts[gpu->shape], GL_UNSIGNED_INT, NULL,
                                item->count);
    }
}
