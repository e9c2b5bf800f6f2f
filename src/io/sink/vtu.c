// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/vtu.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"
#include "character/character.h"
#include "elastic/measure.h"
#include "io/sink/sequence.h"

// Numbers are written as they lie in memory.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the VTK writer swaps no bytes");

#define VTK_TETRA 10

// Positions, m, and speeds, m/s, beyond this are as good as infinite.
#define LARGEST 1e30

// A character with flesh; arrays are those of the present frame, or never change.
typedef struct Body {
    int32_t character;
    const snFleshInfo* info;
    const snCells* cells;
    double *nodes, *vertices; // in the world, m
    float *stretch, *stress;  // (cell_count)
    uint8_t* inverted;        // (cell_count)
    uint8_t* types;           // (cell_count)
    int32_t* ends;            // of each cell in the list of corners; (cell_count)
    int32_t* triangle_ends;   // (triangle_count)
    int32_t* numbers;         // `character` for every cell or triangle
} Body;

typedef struct Vtk {
    snSequence cells, surfaces;
    snFileWriter collection; // not of a single frame
    bool single;
    int32_t body_count;
    Body* bodies;
} Vtk;

// Opening -----------------------------------------------------------------------

static void makeBody(snArena* arena, int32_t character, const snCharacter* given, Body* b)
{
    const snFleshInfo* info = snCharacter_Flesh(given);
    size_t cells = (size_t)info->cell_count, triangles = (size_t)info->triangle_count;
    size_t most = cells > triangles ? cells : triangles;
    *b = (Body){.character = character, .info = info, .cells = given->flesh.cells};
    b->nodes = snArena_Push(arena, 3 * (size_t)info->node_count, sizeof(double));
    b->vertices = snArena_Push(arena, 3 * (size_t)info->vertex_count, sizeof(double));
    b->stretch = snArena_Push(arena, cells, sizeof(float));
    b->stress = snArena_Push(arena, cells, sizeof(float));
    b->inverted = snArena_Push(arena, cells, 1);
    b->types = snArena_Push(arena, cells, 1);
    b->ends = snArena_Push(arena, cells, sizeof(int32_t));
    b->triangle_ends = snArena_Push(arena, triangles, sizeof(int32_t));
    b->numbers = snArena_Push(arena, most, sizeof(int32_t));
    for (size_t i = 0; i < most && !arena->failed; ++i) {
        b->numbers[i] = character;
    }
    for (size_t i = 0; i < cells && !arena->failed; ++i) {
        b->types[i] = VTK_TETRA;
        b->ends[i] = (int32_t)(4 * (i + 1));
    }
    for (size_t i = 0; i < triangles && !arena->failed; ++i) {
        b->triangle_ends[i] = (int32_t)(3 * (i + 1));
    }
}

static void putText(snFileWriter* file, const char* text)
{
    snFileWriter_Write(file, text, strlen(text));
}

// The one frame's files: the given name, whose extension was .vtu or .pvd, with their own.
static snStatus openSingle(Vtk* v, const char* path, snMessage* why)
{
    char name[SN_PATH_SIZE];
    snSequence* const sequences[2] = {&v->cells, &v->surfaces};
    static const char* const ENDS[2] = {".vtu", ".vtp"};
    snStatus status = sn_ok;
    for (int i = 0; i < 2 && !status; ++i) {
        int length = snprintf(name, sizeof(name), "%.*s%s", (int)strlen(path) - 4, path, ENDS[i]);
        if (length < 0 || (size_t)length >= sizeof(name)) {
            return snFail(why, sn_errorArgument, "cannot write '%.100s': the path is too long",
                          path);
        }
        sequences[i]->single = true;
        status = snSequence_Open(sequences[i], name, ENDS[i], why);
    }
    return status;
}

static snStatus openFiles(Vtk* v, const char* path, snMessage* why)
{
    snStatus status = snSequence_Open(&v->cells, path, ".vtu", why);
    status = status ? status : snSequence_Open(&v->surfaces, path, ".vtp", why);
    if (status) {
        return status;
    }
    char collection[SN_PATH_SIZE + SN_SEQUENCE_NUMBER];
    snprintf(collection, sizeof(collection), "%s.pvd", v->cells.stem);
    status = snFileWriter_Open(&v->collection, collection, why);
    putText(&v->collection,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
            "<Collection>\n");
    return status;
}

static snStatus openVtk(snSink* sink, const char* path, snMessage* why)
{
    Vtk* v = snArena_Push(&sink->arena, 1, sizeof(Vtk));
    int32_t count = 0;
    for (int32_t i = 0; i < sink->character_count; ++i) {
        count += snCharacter_Flesh(sink->characters[i].character) != NULL;
    }
    if (count == 0) {
        return snFail(why, sn_errorUnsupported,
                      "cannot write '%s': the characters are bones alone, and VTK files hold cells "
                      "and surfaces; write .glb, or give them flesh",
                      path);
    }
    Body* bodies = snArena_Push(&sink->arena, (size_t)count, sizeof(Body));
    for (int32_t i = 0; i < sink->character_count && !sink->arena.failed; ++i) {
        if (snCharacter_Flesh(sink->characters[i].character)) {
            makeBody(&sink->arena, i, sink->characters[i].character, &bodies[v->body_count++]);
        }
    }
    if (sink->arena.failed) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    v->bodies = bodies;
    sink->state = v;
    v->single = sink->def.single != 0;
    return v->single ? openSingle(v, path, why) : openFiles(v, path, why);
}

// Writing -----------------------------------------------------------------------

// A file is described first, then the arrays follow in the same order: what puts it is called
// twice.
typedef struct Out {
    snFileWriter* file;
    bool data;       // now the arrays
    uint64_t offset; // of the next array
} Out;

SN_PRINTF(2, 3) static void say(Out* out, const char* format, ...)
{
    char text[512];
    if (!out->data) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        putText(out->file, text);
    }
}

static void putArray(Out* out, const char* type, const char* name, int width, const void* values,
                     size_t bytes)
{
    uint64_t length = bytes;
    say(out,
        "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
        "offset=\"%" PRIu64 "\"/>\n",
        type, name, width, out->offset);
    if (out->data) {
        snFileWriter_Write(out->file, &length, sizeof(length));
        snFileWriter_Write(out->file, values, bytes);
    }
    out->offset += sizeof(length) + bytes;
}

static void putCells(Out* out, const Body* b, const snFrameCharacter* c)
{
    size_t nodes = (size_t)b->info->node_count, cells = (size_t)b->info->cell_count;
    say(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<Points>\n", nodes, cells);
    putArray(out, "Float64", "Points", 3, b->nodes, nodes * 24);
    say(out, "</Points>\n<PointData Vectors=\"velocity\">\n");
    putArray(out, "Float32", "velocity", 3, c->node_velocities, nodes * 12);
    putArray(out, "Int32", "bone", 1, b->info->fixed, nodes * 4);
    say(out, "</PointData>\n<Cells>\n");
    putArray(out, "Int32", "connectivity", 1, b->info->cells, cells * 16);
    putArray(out, "Int32", "offsets", 1, b->ends, cells * 4);
    putArray(out, "UInt8", "types", 1, b->types, cells);
    say(out, "</Cells>\n<CellData Scalars=\"stress\">\n");
    putArray(out, "Float32", "stretch", 1, b->stretch, cells * 4);
    putArray(out, "Float32", "stress", 1, b->stress, cells * 4);
    putArray(out, "Float64", "fill", 1, b->info->fill, cells * 8);
    putArray(out, "UInt8", "inverted", 1, b->inverted, cells);
    putArray(out, "Int32", "character", 1, b->numbers, cells * 4);
    say(out, "</CellData>\n</Piece>\n");
}

static void putSurface(Out* out, const Body* b, const snFrameCharacter* c)
{
    size_t vertices = (size_t)b->info->vertex_count, triangles = (size_t)b->info->triangle_count;
    say(out, "<Piece NumberOfPoints=\"%zu\" NumberOfPolys=\"%zu\">\n<Points>\n", vertices,
        triangles);
    putArray(out, "Float64", "Points", 3, b->vertices, vertices * 24);
    say(out, "</Points>\n<PointData Normals=\"normal\">\n");
    putArray(out, "Float32", "normal", 3, c->surfaces[0].normal, vertices * 12);
    say(out, "</PointData>\n<Polys>\n");
    putArray(out, "Int32", "connectivity", 1, c->surfaces[0].triangles, triangles * 12);
    putArray(out, "Int32", "offsets", 1, b->triangle_ends, triangles * 4);
    say(out, "</Polys>\n<CellData>\n");
    putArray(out, "Int32", "character", 1, b->numbers, triangles * 4);
    say(out, "</CellData>\n</Piece>\n");
}

static void putFile(const Vtk* v, snFileWriter* file, const snFrame* frame, const char* kind,
                    void (*put)(Out* out, const Body* b, const snFrameCharacter* c))
{
    Out out = {.file = file};
    say(&out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<%s>\n",
        kind, kind);
    for (int pass = 0; pass < 2; ++pass) {
        out.data = pass == 1;
        for (int32_t i = 0; i < v->body_count; ++i) {
            put(&out, &v->bodies[i], &frame->characters[v->bodies[i].character]);
        }
        say(&out, "</%s>\n<AppendedData encoding=\"raw\">\n_", kind);
    }
    putText(file, "\n</AppendedData>\n</VTKFile>\n");
}

static bool place(snVec3 origin, const float* x, int32_t count, double* out)
{
    bool good = true;
    const double o[3] = {origin.x, origin.y, origin.z};
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        out[i] = o[i % 3] + (double)x[i];
        good &= fabs(out[i]) <= LARGEST;
    }
    return good;
}

// Fills the body's arrays for a frame.
static snStatus readBody(const Body* b, const snFrameCharacter* c, snMessage* why)
{
    const snFleshInfo* info = b->info;
    if (c->node_count != info->node_count || !c->nodes || !c->node_velocities ||
        c->surface_count != 1 || c->surfaces[0].vertex_count != info->vertex_count ||
        c->surfaces[0].triangle_count != info->triangle_count) {
        return snFail(why, sn_errorArgument,
                      "the frame has %d nodes, the character's flesh %d; write frames of the scene "
                      "that the sink was opened with",
                      (int)c->node_count, (int)info->node_count);
    }
    bool good = true;
    for (size_t i = 0; i < 3 * (size_t)info->node_count; ++i) {
        good &= fabs((double)c->node_velocities[i]) <= LARGEST;
    }
    good &= place(c->origin, c->nodes, info->node_count, b->nodes);
    good &= place(c->origin, c->surfaces[0].position, info->vertex_count, b->vertices);
    if (!good) {
        return snFail(why, sn_errorArgument, "a number of its flesh is not finite");
    }
    snCells_Measure(b->cells, c->nodes, b->stretch, b->stress, b->inverted);
    return sn_ok;
}

// One line of the collection; files are named from its own folder.
static void putEntry(Vtk* v, const snSequence* s, double time, int part, const char* name)
{
    char number[SN_NUMBER_SIZE], path[SN_PATH_SIZE + SN_SEQUENCE_NUMBER], text[128];
    size_t digits = snNumber_Print(time, number);
    snSequence_Path(s, s->written - 1, path);
    const char* slash = strrchr(path, '/');
    snprintf(text, sizeof(text), "<DataSet timestep=\"%.*s\" part=\"%d\" name=\"%s\" file=\"",
             (int)digits, number, part, name);
    putText(&v->collection, text);
    for (const char* c = slash ? slash + 1 : path; *c; ++c) {
        const char* escape = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '"' ? "&quot;" : NULL;
        snFileWriter_Write(&v->collection, escape ? escape : c, escape ? strlen(escape) : 1);
    }
    putText(&v->collection, "\"/>\n");
}

static snStatus writeVtk(snSink* sink, const snFrame* frame, snMessage* why)
{
    Vtk* v = sink->state;
    snStatus status = sn_ok;
    for (int32_t i = 0; i < v->body_count && !status; ++i) {
        int32_t who = v->bodies[i].character;
        status = readBody(&v->bodies[i], &frame->characters[who], why);
        if (status) {
            snMessage_Prefix(why, "frame at %g s, character '%s'", frame->time,
                             sink->characters[who].name);
        }
    }
    status = status ? status : snSequence_Begin(&v->cells, why);
    if (status) {
        return status;
    }
    putFile(v, &v->cells.file, frame, "UnstructuredGrid", putCells);
    status = snSequence_End(&v->cells, why);
    if (status) {
        return status;
    }
    status = snSequence_Begin(&v->surfaces, why);
    if (!status) {
        putFile(v, &v->surfaces.file, frame, "PolyData", putSurface);
        status = snSequence_End(&v->surfaces, why);
    }
    if (status) {
        snSequence_DropLast(&v->cells);
        return status;
    }
    if (!v->single) {
        putEntry(v, &v->cells, frame->time, 0, "cells");
        putEntry(v, &v->surfaces, frame->time, 1, "surface");
    }
    return sn_ok;
}

static snStatus finishVtk(snSink* sink, snMessage* why)
{
    Vtk* v = sink->state;
    snStatus status = sn_ok;
    if (!v->single) {
        putText(&v->collection, "</Collection>\n</VTKFile>\n");
        status = snFileWriter_Close(&v->collection, why);
    }
    v->cells.finished = v->surfaces.finished = status == sn_ok;
    return status;
}

static void releaseVtk(snSink* sink)
{
    Vtk* v = sink->state;
    if (v) {
        snFileWriter_Abort(&v->collection);
        snSequence_Release(&v->cells);
        snSequence_Release(&v->surfaces);
    }
}

const snSinkFormat snVtuFormat = {openVtk, writeVtk, finishVtk, releaseVtk};
