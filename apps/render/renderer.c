// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/renderer.h"

#include "render/ground.h"
#include "render/items.h"
#include "render/shaders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 4
#define SHADOW_SIZE 1024    // texels of the shadow map, each way
#define FLOOR_SIZE 256      // of the height map
#define BOX_STEP 1.1        // sizes of the light box are powers of this
#define NEAR_SCENERY 3.0    // of the scene's radius: scenery farther off throws no shadow
#define CONTACT_HEIGHT 0.07 // of the scene's radius: what is higher hardly darkens the ground

typedef enum ProgramName {
    programMesh,
    programDense,
    programShape,
    programLine,
    programGround,
    programBackground,
    programMeshDepth,
    programShapeDepth,
    programCount,
} ProgramName;

// A depth map, and what the ground has of it.
typedef struct DepthMap {
    int32_t size, shade_size;
    GLuint depth, frame; // texture and frame buffer
    GLuint shade;        // texture
} DepthMap;

struct Renderer {
    Context context;
    Image image;
    uint8_t* rows; // as GL gives them, 4 bytes a pixel, from the bottom
    GLuint programs[programCount];
    GLuint scene;                               // the uniform block
    GLuint many_frame, many_colour, many_depth; // SAMPLES a pixel
    GLuint one_frame, one_colour;               // one a pixel
    DepthMap shadow, floor;
    float* depth;   // room to read a map back
    uint8_t* glass; // and to keep what the ground has of one
    GroundLight* ground;
    GLuint empty; // vertex array without arrays
    ShapeBuffers shapes;
};

// Creating --------------------------------------------------------------------

static snStatus createPrograms(Renderer* r, snMessage* why)
{
    static const char* const TEXTS[programCount][2] = {
        [programMesh] = {MESH_VERTEX, LIT_FRAGMENT},
        [programDense] = {DENSE_VERTEX, DENSE_FRAGMENT},
        [programShape] = {SHAPE_VERTEX, LIT_FRAGMENT},
        [programLine] = {LINE_VERTEX, LINE_FRAGMENT},
        [programGround] = {GROUND_VERTEX, GROUND_FRAGMENT},
        [programBackground] = {SCREEN_VERTEX, BACKGROUND_FRAGMENT},
        [programMeshDepth] = {MESH_VERTEX, EMPTY_FRAGMENT},
        [programShapeDepth] = {SHAPE_VERTEX, EMPTY_FRAGMENT},
    };
    for (int i = 0; i < programCount; ++i) {
        GLuint program = createProgram(SHADER_HEAD, TEXTS[i][0], TEXTS[i][1], why);
        r->programs[i] = program;
        if (!program) {
            return sn_errorUnsupported;
        }
        GLuint block = glGetUniformBlockIndex(program, "Scene");
        if (block != GL_INVALID_INDEX) {
            glUniformBlockBinding(program, block, 0);
        }
        glUseProgram(program);
        glUniform1i(glGetUniformLocation(program, "shadow_map"), 0);
        glUniform1i(glGetUniformLocation(program, "shadows"), 1);
        glUniform1i(glGetUniformLocation(program, "contact"), 2);
    }
    return sn_ok;
}

static GLuint createTexture(bool depth, int32_t size)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, depth ? GL_DEPTH_COMPONENT32F : GL_R8, size, size, 0,
                 depth ? GL_DEPTH_COMPONENT : GL_RED, depth ? GL_FLOAT : GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (depth) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    }
    return texture;
}

static bool isComplete(void)
{
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool createDepthMap(DepthMap* map, int32_t size, int32_t shade_size)
{
    map->size = size;
    map->shade_size = shade_size;
    map->depth = createTexture(true, size);
    map->shade = createTexture(false, shade_size);
    glGenFramebuffers(1, &map->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, map->frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map->depth, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    return isComplete();
}

static GLuint createBuffer(GLenum format, int samples, int32_t width, int32_t height, GLenum place)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
    return buffer;
}

static snStatus createFrames(Renderer* r, snMessage* why)
{
    int32_t width = r->image.width, height = r->image.height;
    glGenFramebuffers(1, &r->many_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, r->many_frame);
    r->many_colour = createBuffer(GL_SRGB8_ALPHA8, SAMPLES, width, height, GL_COLOR_ATTACHMENT0);
    r->many_depth = createBuffer(GL_DEPTH_COMPONENT24, SAMPLES, width, height, GL_DEPTH_ATTACHMENT);
    bool ok = isComplete();
    glGenFramebuffers(1, &r->one_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, r->one_frame);
    r->one_colour = createBuffer(GL_SRGB8_ALPHA8, 0, width, height, GL_COLOR_ATTACHMENT0);
    ok = ok && isComplete();
    ok = createDepthMap(&r->shadow, SHADOW_SIZE, SHADOW_SIZE / 2) && ok;
    ok = createDepthMap(&r->floor, FLOOR_SIZE, FLOOR_SIZE) && ok;
    return ok && glGetError() == GL_NO_ERROR
               ? sn_ok
               : failPicture(why, sn_errorUnsupported,
                             "cannot draw: the driver has no frame buffer of %d x %d pixels",
                             (int)width, (int)height);
}

snStatus createRenderer(int32_t width, int32_t height, Renderer** renderer, snMessage* why)
{
    static const uint8_t BLACK[3] = {0, 0, 0};
    *renderer = NULL;
    Renderer* r = calloc(1, sizeof *r);
    if (!r) {
        return failPicture(why, sn_errorMemory, "no memory to draw with");
    }
    r->rows = malloc((size_t)width * (size_t)height * 4);
    r->depth = malloc((size_t)SHADOW_SIZE * SHADOW_SIZE * sizeof *r->depth);
    r->glass = malloc((size_t)SHADOW_SIZE * SHADOW_SIZE);
    r->ground = createGroundLight(SHADOW_SIZE);
    snStatus status = createImage(width, height, BLACK, &r->image, why);
    if (!status && !(r->rows && r->depth && r->glass && r->ground)) {
        status = failPicture(why, sn_errorMemory, "no memory to draw with");
    }
    status = status ? status : openContext(&r->context, why);
    status = status ? status : createPrograms(r, why);
    status = status ? status : createFrames(r, why);
    if (status) {
        freeRenderer(r);
        return status;
    }
    createShapeBuffers(&r->shapes);
    glGenVertexArrays(1, &r->empty);
    glGenBuffers(1, &r->scene);
    *renderer = r;
    return sn_ok;
}

// GL's own objects go with the context.
void freeRenderer(Renderer* r)
{
    if (r) {
        closeContext(&r->context);
        freeImage(&r->image);
        freeGroundLight(r->ground);
        free(r->depth);
        free(r->glass);
        free(r->rows);
        free(r);
    }
}

static void setMatrix(GLuint program, const float* matrix)
{
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix);
}

// Passes ----------------------------------------------------------------------

// What a picture is made from.
typedef struct Pass {
    const DrawList* list;
    const GpuItem* items;
    SceneBlock scene;
    float way_of[4]; // for blurShadow
    float reach;     // for blurContact
} Pass;

// What is before or behind the box counts as if it were at its faces.
static void drawDepth(const Renderer* r, const Pass* pass, const DepthMap* map, const float* matrix,
                      bool glass)
{
    glBindFramebuffer(GL_FRAMEBUFFER, map->frame);
    glViewport(0, 0, map->size, map->size);
    glDepthMask(GL_TRUE);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);
    glClear(GL_DEPTH_BUFFER_BIT);
    setMatrix(r->programs[programMeshDepth], matrix);
    setMatrix(r->programs[programShapeDepth], matrix);
    for (int32_t i = 0; i < pass->list->count; ++i) {
        const DrawItem* item = &pass->list->items[i];
        if (isOpaque(item) || (glass && item->kind == drawMesh)) {
            cullFarSides(&pass->items[i]);
            drawItem(&r->shapes, item, &pass->items[i],
                     r->programs[item->kind == drawMesh ? programMeshDepth : programShapeDepth]);
        }
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_CLAMP);
}

static const float* readDepth(const Renderer* r, const DepthMap* map)
{
    glReadPixels(0, 0, map->size, map->size, GL_DEPTH_COMPONENT, GL_FLOAT, r->depth);
    return r->depth;
}

static void keepShade(const DepthMap* map, const uint8_t* shade)
{
    glBindTexture(GL_TEXTURE_2D, map->shade);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, map->shade_size, map->shade_size, GL_RED,
                    GL_UNSIGNED_BYTE, shade);
    glBindTexture(GL_TEXTURE_2D, 0);
}

// How dark the shadow of what can be looked through is, 0..1; 0: there is nothing of the kind. Not
// as thin as the thing itself, or nothing would stand on the ground.
static float glassShadow(const DrawList* list)
{
    float most = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const DrawItem* item = &list->items[i];
        most = item->kind == drawMesh && !isOpaque(item) ? fmaxf(most, item->colour.a) : most;
    }
    return sqrtf(most);
}

static const uint8_t* blurMap(const Renderer* r, const Pass* pass, const DepthMap* map)
{
    const float* depth = readDepth(r, map);
    return map == &r->shadow ? blurShadow(r->ground, depth, map->size, pass->way_of)
                             : blurContact(r->ground, depth, map->size, pass->reach);
}

// A depth map without what can be looked through, and what the ground has of it, with the thin
// shadow of that. So glass and skins throw no shadow on what is inside them.
static void drawShade(const Renderer* r, const Pass* pass, const DepthMap* map, const float* matrix)
{
    float glass = glassShadow(pass->list);
    size_t count = (size_t)map->shade_size * (size_t)map->shade_size;
    if (glass > 0) {
        drawDepth(r, pass, map, matrix, true);
        memcpy(r->glass, blurMap(r, pass, map), count);
    }
    drawDepth(r, pass, map, matrix, false);
    const uint8_t* shade = blurMap(r, pass, map);
    for (size_t i = 0; i < count && glass > 0; ++i) {
        r->glass[i] = (uint8_t)((float)shade[i] + glass * (float)(r->glass[i] - shade[i]) + 0.5f);
    }
    keepShade(map, glass > 0 ? r->glass : shade);
}

static void bindTexture(GLenum unit, GLuint texture)
{
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

static void drawOpaque(const Renderer* r, const Pass* pass)
{
    const DrawList* list = pass->list;
    for (int32_t i = 0; i < list->count; ++i) {
        if (isOpaque(&list->items[i])) {
            const GpuItem* gpu = &pass->items[i];
            cullFarSides(gpu);
            drawItem(&r->shapes, &list->items[i], gpu,
                     r->programs[list->items[i].kind != drawMesh ? programShape
                                 : gpu->dense                    ? programDense
                                                                 : programMesh]);
        }
    }
    glDisable(GL_CULL_FACE);
}

static void drawLinesOf(const Renderer* r, const Pass* pass)
{
    for (int32_t i = 0; i < pass->list->count; ++i) {
        if (pass->list->items[i].kind == drawLines) {
            drawItem(&r->shapes, &pass->list->items[i], &pass->items[i], r->programs[programLine]);
        }
    }
}

// Meshes that can be looked through, one side of them. Returns how many there are.
static int drawGlass(const Renderer* r, const Pass* pass, bool near)
{
    int count = 0;
    glEnable(GL_CULL_FACE);
    for (int32_t i = 0; i < pass->list->count; ++i) {
        const DrawItem* item = &pass->list->items[i];
        if (item->kind == drawMesh && !isOpaque(item)) {
            glCullFace((pass->items[i].side >= 0) == near ? GL_BACK : GL_FRONT);
            drawItem(&r->shapes, item, &pass->items[i], r->programs[programMesh]);
            ++count;
        }
    }
    glDisable(GL_CULL_FACE);
    return count;
}

// Lines, and over them what can be looked through: far sides, then of the near ones only the
// nearest, whatever the order of the list. Lines on those are drawn once more, so that near ones
// stand out from far ones.
static void drawBlended(const Renderer* r, const Pass* pass)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    drawLinesOf(r, pass);
    if (drawGlass(r, pass, false) > 0) {
        glDepthMask(GL_TRUE);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        drawGlass(r, pass, true);
        glDepthMask(GL_FALSE);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        drawGlass(r, pass, true);
        drawLinesOf(r, pass);
    }
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

// Opaque things first, so that the ground and the background are shaded only where they are seen.
static void drawColour(const Renderer* r, const Pass* pass, bool has_ground)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->many_frame);
    glViewport(0, 0, r->image.width, r->image.height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    bindTexture(GL_TEXTURE0, r->shadow.depth);
    bindTexture(GL_TEXTURE1, r->shadow.shade);
    bindTexture(GL_TEXTURE2, r->floor.shade);
    setMatrix(r->programs[programMesh], pass->scene.camera);
    setMatrix(r->programs[programDense], pass->scene.camera);
    setMatrix(r->programs[programShape], pass->scene.camera);
    drawOpaque(r, pass);
    glBindVertexArray(r->empty);
    if (has_ground) {
        glUseProgram(r->programs[programGround]);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glUseProgram(r->programs[programBackground]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    drawBlended(r, pass);
    glDisable(GL_FRAMEBUFFER_SRGB);
    for (GLenum unit = GL_TEXTURE0; unit <= GL_TEXTURE2; ++unit) {
        bindTexture(unit, 0);
    }
}

static void readPixels(Renderer* r)
{
    int32_t width = r->image.width, height = r->image.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->many_frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->one_frame);
    glEnable(GL_FRAMEBUFFER_SRGB); // so that samples are averaged in linear light
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->one_frame);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, r->rows);
    for (int32_t y = 0; y < height; ++y) {
        const uint8_t* from = r->rows + 4 * (size_t)(height - 1 - y) * (size_t)width;
        uint8_t* to = r->image.pixels + 3 * (size_t)y * (size_t)width;
        for (int32_t x = 0; x < width; ++x) {
            memcpy(to + 3 * x, from + 4 * x, 3);
        }
    }
}

// The picture -----------------------------------------------------------------

static void put(float out[4], snVec3 v, double w)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
    out[3] = (float)w;
}

// Keeps what is within a distance of a place.
static void clipExtent(Extent* e, snVec3 centre, double reach, const snVec3 normals[4])
{
    e->low = (snVec3){fmax(e->low.x, centre.x - reach), fmax(e->low.y, centre.y - reach),
                      fmax(e->low.z, centre.z - reach)};
    e->high = (snVec3){fmin(e->high.x, centre.x + reach), fmin(e->high.y, centre.y + reach),
                       fmin(e->high.z, centre.z + reach)};
    if (e->low.x > e->high.x || e->low.y > e->high.y || e->low.z > e->high.z) {
        *e = emptyExtent();
    }
    for (int k = 0; k < 4; ++k) {
        e->side[k] = fmin(e->side[k], dot(normals[k], centre) + reach);
    }
}

// Light box and height map close around this frame's shapes. Sizes go in steps and the light box in
// whole texels, so that shadows' edges do not crawl in a film.
static void aimLight(const Shot* shot, Pass* pass)
{
    Camera c = aimCamera(shot->centre, (snVec3){-shot->light.x, -shot->light.y, -shot->light.z});
    const snVec3 normals[4] = {c.right, plus((snVec3){0, 0, 0}, -1, c.right), c.up,
                               plus((snVec3){0, 0, 0}, -1, c.up)};
    Extent e = emptyExtent(), scenery = emptyExtent();
    measureDrawList(pass->list, false, normals, &e);
    measureDrawList(pass->list, true, normals, &scenery);
    clipExtent(&scenery, shot->centre, NEAR_SCENERY * shot->radius, normals);
    joinExtent(&e, &scenery);
    if (isEmpty(&e)) {
        e = (Extent){shot->centre, shot->centre, {0, 0, 0, 0}};
    }
    snVec3 diagonal = plus(e.high, -1, e.low), middle = plus(e.low, 0.5, diagonal);
    double depth = fmax(0.5 * sqrt(dot(diagonal, diagonal)), 1e-3);
    double across = fmax(fmax(e.side[0] + e.side[1], e.side[2] + e.side[3]) / 2, 0.01 * depth);
    double half = pow(BOX_STEP, ceil(log((1 + 2 * (double)GROUND_BLUR) * across) / log(BOX_STEP)));
    double texel = 2 * half / SHADOW_SIZE;
    double x = 0.5 * (e.side[0] - e.side[1]), y = 0.5 * (e.side[2] - e.side[3]);
    c.eye = plus(c.eye, floor(x / texel) * texel - dot(c.eye, c.right), c.right);
    c.eye = plus(c.eye, floor(y / texel) * texel - dot(c.eye, c.up), c.up);
    c.eye = plus(c.eye, dot(middle, c.back) - dot(c.eye, c.back), c.back);
    Matrix box = boxMatrix(&c, half, 1.1 * depth);
    SceneBlock* scene = &pass->scene;
    memcpy(scene->light_box, box.m, sizeof box.m);
    put(scene->light, shot->light, half);
    put(scene->eye, shot->camera.eye, texel);
    // from a point of the box to its height, to the way along the light, in widths of the box
    double way = 0.5 / (shot->light.y * half);
    put(pass->way_of,
        (snVec3){way * half * c.right.y, way * half * c.up.y, -way * 1.1 * depth * c.back.y},
        way * (c.eye.y - shot->ground));

    Camera below = aimCamera((snVec3){middle.x, shot->ground, middle.z}, (snVec3){0, 1, 0});
    double floor_half = fmax(diagonal.x, diagonal.z) * 0.6 + 0.3 * shot->radius;
    double high = fmax(e.high.y - shot->ground, 1e-3);
    box = boxMatrix(&below, floor_half, 1.01 * high);
    memcpy(scene->floor_box, box.m, sizeof box.m);
    pass->reach = (float)(1.01 * high / (CONTACT_HEIGHT * shot->radius));
}

// 1, 2 or 5 times a power of ten, about an eighth of the scene.
static double gridSpacing(double radius)
{
    double wanted = radius / 4, power = pow(10, floor(log10(wanted)));
    double part = wanted / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void describe(const Renderer* r, const Shot* shot, Pass* pass)
{
    aimLight(shot, pass);
    double radius = fmax(shot->radius, 1e-3);
    snVec3 way = plus(shot->camera.eye, -1, shot->centre);
    double distance = sqrt(dot(way, way)), above = fmax(shot->camera.eye.y - shot->ground, 0);
    double gone = 4 * radius + 0.3 * distance + 2 * above;
    double aspect = (double)r->image.width / r->image.height;
    double near = fmax(0.02 * distance, distance - 1.5 * (gone + radius));
    Matrix camera = cameraMatrix(&shot->camera, aspect, near, distance + 1.5 * (gone + radius));
    SceneBlock* scene = &pass->scene;
    memcpy(scene->camera, camera.m, sizeof camera.m);
    put(scene->ground, (snVec3){shot->ground, gridSpacing(radius), 1.2 * radius + 0.5 * above},
        gone);
    put(scene->centre, shot->centre, radius);
    scene->picture[0] = (float)r->image.width;
    scene->picture[1] = (float)r->image.height;
}

snStatus renderPicture(Renderer* r, const DrawList* list, const Shot* shot, const Image** image,
                       snMessage* why)
{
    Pass pass = {.list = list};
    GpuItem* items = calloc((size_t)list->count + 1, sizeof *items);
    bool ok = items && !list->failed;
    snVec3 way = plus(shot->camera.eye, -1, shot->centre);
    double metres = sqrt(dot(way, way)) * 2 * lensTangent(&shot->camera) / r->image.height;
    for (int32_t i = 0; i < list->count && ok; ++i) {
        ok = uploadItem(&r->shapes, &list->items[i], metres, &items[i]);
    }
    if (ok) {
        pass.items = items;
        describe(r, shot, &pass);
        glBindBuffer(GL_UNIFORM_BUFFER, r->scene);
        glBufferData(GL_UNIFORM_BUFFER, sizeof pass.scene, &pass.scene, GL_STREAM_DRAW);
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->scene);
        drawShade(r, &pass, &r->shadow, pass.scene.light_box);
        drawShade(r, &pass, &r->floor, pass.scene.floor_box);
        drawColour(r, &pass, shot->has_ground);
        readPixels(r);
    }
    glBindVertexArray(0);
    for (int32_t i = 0; items && i < list->count; ++i) {
        releaseItem(&items[i]);
    }
    free(items);
    *image = &r->image;
    if (!ok) {
        return failPicture(why, sn_errorMemory,
                           "no memory to draw a picture, or a bad index in it");
    }
    GLenum error = glGetError();
    return error ? failPicture(why, sn_errorUnsupported, "cannot draw: OpenGL error 0x%x", error)
                 : sn_ok;
}
