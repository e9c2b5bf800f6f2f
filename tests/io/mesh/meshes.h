// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of mesh readers share: mistakes and what they say, cuts, files that lie about
// sizes, lack of memory, and bytes put together by hand.
#ifndef SN_TESTS_IO_MESH_MESHES_H
#define SN_TESTS_IO_MESH_MESHES_H

#include "check.h"
#include "geom/surface.h"
#include "io/mesh/tet_file.h"
#include "io/ration.h"

typedef union Mesh {
    snSurface surface;
    snTetFile tets;
} Mesh;

// One of the readers.
typedef snStatus Parse(snArena* arena, const char* bytes, size_t count, Mesh* out, snMessage* why);

// Parses an exact copy, so that a sanitizer sees any byte read behind its end.
static inline snStatus parseCopy(Parse* parse, const char* bytes, size_t count, Ration* ration,
                                 Mesh* out, snMessage* why)
{
    snHost host = rationedHost(ration);
    snArena arena;
    snArena_Init(&arena, &host);
    char* copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    memset(out, 0, sizeof *out);
    memset(why, 0, sizeof *why);
    snStatus status = parse(&arena, copy, count, out, why);
    assert_true((status == sn_ok) == (why->text[0] == 0));
    free(copy);
    snArena_Free(&arena);
    return status;
}

// Laws ---------------------------------------------------------------------------

typedef struct Mistake {
    const char* text;
    const char* says;
} Mistake;

static inline void checkMistake(Parse* parse, const char* bytes, size_t count, const char* says)
{
    Mesh mesh;
    snMessage why;
    Ration ration = {.blocks = 1000};
    snStatus status = parseCopy(parse, bytes, count, &ration, &mesh, &why);
    if ((status != sn_errorFile && status != sn_errorUnsupported) || !strstr(why.text, says)) {
        fail_msg("status %d, '%s' should say '%s'", (int)status, why.text, says);
    }
    // nothing is taken for what is merely promised: a block of the arena or two
    assert_below((double)ration.most, 1e6);
    assert_int_equal(ration.used, 0);
}

static inline void checkMistakes(Parse* parse, const Mistake* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        checkMistake(parse, cases[i].text, strlen(cases[i].text), cases[i].says);
    }
}

// Wherever a good file is cut, it is read or refused.
static inline void checkCuts(Parse* parse, const char* bytes, size_t count)
{
    for (size_t cut = 0; cut < count; ++cut) {
        Mesh mesh;
        snMessage why;
        Ration ration = {.blocks = 1000};
        snStatus status = parseCopy(parse, bytes, cut, &ration, &mesh, &why);
        assert_true(status == sn_ok || status == sn_errorFile || status == sn_errorUnsupported);
        assert_int_equal(ration.used, 0);
    }
}

// However many blocks of memory there are, nothing worse happens than an error.
static inline void checkMemory(Parse* parse, const char* bytes, size_t count)
{
    snStatus status = sn_errorMemory;
    for (int blocks = 0; status && blocks < 50; ++blocks) {
        Mesh mesh;
        snMessage why;
        Ration ration = {.blocks = blocks};
        status = parseCopy(parse, bytes, count, &ration, &mesh, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_int_equal(ration.used, 0);
    }
    assert_int_equal(status, sn_ok);
}

// Bytes --------------------------------------------------------------------------

typedef struct Bytes {
    char data[65536];
    size_t count;
    bool big; // numbers begin with their high byte
} Bytes;

static inline void putText(Bytes* b, const char* text)
{
    memcpy(b->data + b->count, text, strlen(text));
    b->count += strlen(text);
}

static inline void putBits(Bytes* b, uint64_t bits, int bytes)
{
    for (int k = 0; k < bytes; ++k) {
        b->data[b->count++] = (char)(bits >> (8 * (b->big ? bytes - 1 - k : k)));
    }
}

static inline void putFloat(Bytes* b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    putBits(b, bits, 4);
}

static inline void putDouble(Bytes* b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    putBits(b, bits, 8);
}

// The tetrahedron ----------------------------------------------------------------

// The corner of the unit cube, which most tests read: node i > 0 is the unit vector i - 1.
static inline void checkCorner(const snVec3* position)
{
    for (int v = 0; v < 4; ++v) {
        assert_true(position[v].x == (v == 1) && position[v].y == (v == 2) &&
                    position[v].z == (v == 3));
    }
}

static const int32_t CORNER_TRIANGLES[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

#endif
