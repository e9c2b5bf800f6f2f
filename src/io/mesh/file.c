// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/file.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "geom/tet_facts.h"
#include "io/kind.h"
#include "io/mesh/gmsh.h"
#include "io/mesh/medit.h"
#include "io/mesh/obj.h"
#include "io/mesh/off.h"
#include "io/mesh/ply.h"
#include "io/mesh/stl.h"
#include "io/mesh/tetgen.h"
#include "io/mesh/veg.h"

// Volume of a tet over its edge cubed when all edges are equal, 1 / (6 sqrt 2).
#define REGULAR 0.11785113019775793

// Kinds --------------------------------------------------------------------------

// A file without a known extension is taken for OBJ, whose reader says what it finds instead.
static snKindNumber kindByName(const char* path)
{
    const snFileKind* kind = snFileKind_OfPath(path);
    return kind && kind->reads & (sn_fileSurface | sn_fileTets) ? snKind_OfPath(path) : sn_kindObj;
}

static bool begins(const uint8_t* bytes, size_t count, const char* text)
{
    size_t length = strlen(text);
    return count >= length && memcmp(bytes, text, length) == 0;
}

// Files of other kinds that people hand over by mistake.
static const struct {
    const char* begins;
    const char* says;
} STRANGERS[] = {
    {"\x1f\x8b", "it is compressed with gzip; unpack it first"},
    {"PK\x03\x04", "it is a zip archive (or 3MF); unpack it or save the mesh as PLY"},
    {"glTF", "it is a GLB file; save the mesh as PLY, OBJ or STL"},
    {"Kaydara FBX", "it is an FBX file; save the mesh as PLY, OBJ or STL"},
    {"# vtk DataFile", "it is a VTK file; save the mesh as Gmsh 4.1 or PLY"},
    {"version https://git-lfs", "it is a pointer of Git LFS, not the mesh; fetch it with git lfs"},
    {"<", "it is XML or a web page, no mesh; save the mesh as PLY, OBJ or STL"},
    {"MeshVersionUnformatted", "it is a binary Medit mesh; save it as text (.mesh)"},
};

static const char* strangerOf(const uint8_t* bytes, size_t count)
{
    // the marks of binary Medit meshes have zeros in them: 4 bytes of 1, 4 of the version
    bool medit = count >= 8 && memcmp(bytes, "\x01\0\0\0", 4) == 0 && bytes[4] >= 1 &&
                 bytes[4] <= 4 && memcmp(bytes + 5, "\0\0\0", 3) == 0;
    if (medit) {
        return "it is a binary Medit mesh (.meshb); save it as text (.mesh)";
    }
    for (size_t i = 0; i < sizeof STRANGERS / sizeof *STRANGERS; ++i) {
        if (begins(bytes, count, STRANGERS[i].begins)) {
            return STRANGERS[i].says;
        }
    }
    return NULL;
}

// A text that begins as OBJ files do
static bool isObj(snWord word, const uint8_t* bytes, size_t count)
{
    static const char* const FIRST[] = {"v", "vn", "vt", "o", "g", "s", "mtllib", "usemtl"};
    bool first = false;
    for (size_t i = 0; i < sizeof FIRST / sizeof *FIRST; ++i) {
        first = first || snWord_Is(word, FIRST[i]);
    }
    return first && !memchr(bytes, 0, count);
}

// What the first words show; the given kind if nothing.
static snKindNumber kindByContent(const uint8_t* bytes, size_t count, snKindNumber given)
{
    snCursor c = snCursor_Start(bytes, count, '#', NULL);
    snWord word = snCursor_Word(&c);
    snWord tail = {word.text, word.length};
    if (word.length > 3) {
        tail = (snWord){word.text + word.length - 3, 3};
    }
    if (snWord_Is(word, "ply")) {
        return sn_kindPly;
    }
    if (snWord_Is(word, "$MeshFormat") || snWord_Is(word, "$Comments")) {
        return sn_kindGmsh;
    }
    if (snWord_IsLike(word, "MeshVersionFormatted")) {
        return sn_kindMedit;
    }
    if (snWord_IsLike(word, "*VERTICES")) {
        return sn_kindVeg;
    }
    if (word.length <= 8 && snWord_Is(tail, "OFF")) {
        return sn_kindOff;
    }
    // a binary STL may begin with anything, so only its size tells
    if (snWord_IsLike(word, "solid") || snStl_Fits(bytes, count)) {
        return sn_kindStl;
    }
    return given == sn_kindStl && isObj(word, bytes, count) ? sn_kindObj : given;
}

// Reading ------------------------------------------------------------------------

static snStatus mend(snArena* arena, const snTetFile* file, snMeshFile* out, snMessage* why)
{
    snTetFacts t;
    int32_t crowded = 0;
    snMeshFacts* facts = &out->facts;
    out->tets = file->tets;
    snStatus status = snTets_Mend(&out->tets, &arena->host, &t, why);
    if (!status && out->tets.tet_count == 0) {
        status = snFail(why, sn_errorFile, "none of its %d tets has a volume; is the mesh flat?",
                        (int)file->tets.tet_count);
    }
    status = status ? status : snTets_Boundary(arena, &out->tets, &out->surface, &crowded, why);
    memcpy(facts->format, file->format, sizeof facts->format);
    facts->volume = t.volume;
    facts->node_count = out->tets.node_count;
    facts->tet_count = out->tets.tet_count;
    facts->turned_tets = t.turned;
    facts->flat_tets = t.flat;
    facts->duplicate_tets = t.duplicate;
    facts->sliver_tets = t.slivers;
    facts->stray_nodes = t.stray;
    facts->crowded_faces = crowded;
    facts->tet_parts = t.parts;
    facts->first_turned_tet = snTetFile_Tet(file, t.first_turned);
    facts->first_flat_tet = snTetFile_Tet(file, t.first_flat);
    facts->first_duplicate_tet = snTetFile_Tet(file, t.first_duplicate);
    facts->first_stray_node = snTetFile_Node(file, t.first_stray);
    facts->worst_tet = snTetFile_Tet(file, t.worst);
    facts->worst_shape = t.worst_shape / REGULAR;
    facts->other_elements = file->others;
    facts->other_volumes = file->other_volumes;
    return status;
}

static snStatus parse(snArena* arena, snKindNumber kind, const uint8_t* bytes, size_t count,
                      snMeshFile* out, snMessage* why)
{
    const char* text = (const char*)bytes;
    snTetFile tets = {0};
    snStatus status;
    switch (kind) {
    case sn_kindOff:
        status = snOff_Parse(arena, text, count, &out->surface, why);
        break;
    case sn_kindPly:
        status = snPly_Parse(arena, bytes, count, &out->surface, why);
        break;
    case sn_kindStl:
        status = snStl_Parse(arena, bytes, count, &out->surface, why);
        break;
    case sn_kindGmsh:
        status = snGmsh_Parse(arena, bytes, count, &tets, why);
        break;
    case sn_kindVeg:
        status = snVeg_Parse(arena, text, count, &tets, why);
        break;
    case sn_kindMedit:
        status = snMedit_Parse(arena, text, count, &tets, why);
        break;
    case sn_kindTetgen:
    case sn_kindTetgenNodes:
        return snFail(why, sn_errorUnsupported, "TetGen's nodes and tets are two files");
    default:
        status = snObj_Parse(arena, text, count, &out->surface, why);
        break;
    }
    if (!status && snFileKind_At(kind)->reads & sn_fileTets) {
        status = mend(arena, &tets, out, why);
    } else if (!status) {
        snprintf(out->facts.format, sizeof out->facts.format, "%s%s", snFileKind_At(kind)->name,
                 kind == sn_kindStl && snStl_IsBinary(bytes, count) ? ", binary" : "");
    }
    return status;
}

// What to do about a mistake whose message does not say so itself
static void advise(snMessage* why)
{
    if (why && !strchr(why->text, ';')) {
        snMessage said = *why;
        snFail(why, sn_errorFile, "%s; correct it there, or save the mesh again", said.text);
    }
}

static snMeshFile emptyFile(void)
{
    snMeshFile file = {0};
    file.facts.first_turned_tet = file.facts.first_flat_tet = file.facts.first_duplicate_tet = -1;
    file.facts.first_stray_node = file.facts.worst_tet = -1;
    return file;
}

snStatus snMeshFile_Parse(snArena* arena, const char* name, const uint8_t* bytes, size_t count,
                          snMeshFile* out, snMessage* why)
{
    snMeshFile file = emptyFile();
    const char* stranger = strangerOf(bytes, count);
    snKindNumber kind = kindByContent(bytes, count, kindByName(name));
    *out = file;
    if (count == 0) {
        return snFail(why, sn_errorFile, "the file is empty; save the mesh again");
    }
    // a binary STL has 80 bytes that may be anything
    if (stranger && !(kind == sn_kindStl && snStl_IsBinary(bytes, count))) {
        return snFail(why, sn_errorUnsupported, "%s", stranger);
    }
    snStatus status = parse(arena, kind, bytes, count, &file, why);
    if (!status) {
        file.facts.vertex_count = file.surface.vertex_count;
        file.facts.triangle_count = file.surface.triangle_count;
        *out = file;
        snMessage_Clear(why);
    } else if (status == sn_errorFile) {
        advise(why);
    }
    return status;
}

// TetGen's two files, from the name of either.
static snStatus readTetgen(snArena* arena, const char* path, snMeshFile* out, snMessage* why)
{
    static const snKindNumber KINDS[2] = {sn_kindTetgenNodes, sn_kindTetgen};
    uint8_t* bytes[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    snTetFile file = {0};
    snStatus status = sn_ok;
    for (int i = 0; i < 2 && !status; ++i) {
        char name[SN_PATH_SIZE];
        int stem = (int)(snKind_Extension(path) - path);
        // the file that was named keeps its own spelling
        bool itself = snKind_OfPath(path) == KINDS[i];
        const char* end = itself ? path + stem : snFileKind_At(KINDS[i])->extension;
        int length = snprintf(name, sizeof name, "%.*s%s", stem, path, end);
        if (length < 0 || (size_t)length >= sizeof name) {
            return snFail(why, sn_errorArgument, "the path is longer than %d bytes", SN_PATH_SIZE);
        }
        status = snFile_Read(&arena->host, name, SN_MOST_BYTES, &bytes[i], &count[i], why);
        if (status && !itself) {
            snMessage_Prefix(why, "TetGen's .node and .ele files belong together");
        }
    }
    status = status ? status
                    : snTetgen_Parse(arena, (const char*)bytes[0], count[0], (const char*)bytes[1],
                                     count[1], &file, why);
    status = status ? status : mend(arena, &file, out, why);
    for (int i = 0; i < 2; ++i) {
        snHost_Release(&arena->host, bytes[i], count[i] + 1);
    }
    out->facts.vertex_count = out->surface.vertex_count;
    out->facts.triangle_count = out->surface.triangle_count;
    return status;
}

snStatus snMeshFile_Read(snArena* arena, const char* path, snMeshFile* out, snMessage* why)
{
    uint8_t* bytes;
    size_t count;
    snMeshFile file = emptyFile();
    snStatus status;
    *out = file;
    snKindNumber kind = kindByName(path);
    if (kind == sn_kindTetgen || kind == sn_kindTetgenNodes) {
        status = readTetgen(arena, path, &file, why);
    } else {
        status = snFile_Read(&arena->host, path, SN_MOST_BYTES, &bytes, &count, why);
        if (status) {
            return status;
        }
        status = snMeshFile_Parse(arena, path, bytes, count, &file, why);
        snHost_Release(&arena->host, bytes, count + 1);
    }
    if (status) {
        snMessage_Prefix(why, "%s", path);
        return status;
    }
    *out = file;
    snMessage_Clear(why);
    return sn_ok;
}

// Facts --------------------------------------------------------------------------

// Exporters cut surfaces along seams of texture or of hard edges.
static snStatus findSeams(snMeshFile* file, const snHost* host, snMessage* why)
{
    snArena arena;
    snSurface welded;
    snSurfaceFacts s;
    snArena_Init(&arena, host);
    snStatus status = snSurface_Weld(&arena, &file->surface, &welded, NULL, why);
    status = status ? status : snSurface_Inspect(&welded, host, &s, why);
    if (!status) {
        file->facts.twin_vertices = file->surface.vertex_count - welded.vertex_count;
        file->facts.seam_edges = file->facts.open_edges - s.boundary_edges;
    }
    snArena_Free(&arena);
    return status;
}

snStatus snMeshFile_Inspect(snMeshFile* file, const snHost* host, snMessage* why)
{
    snSurfaceFacts s;
    snMeshFacts* facts = &file->facts;
    snStatus status = snSurface_Inspect(&file->surface, host, &s, why);
    if (status) {
        return status;
    }
    facts->low = s.bounds.lo;
    facts->high = s.bounds.hi;
    facts->volume = facts->tet_count > 0 ? facts->volume : s.volume;
    facts->shells = s.shells;
    facts->open_edges = s.boundary_edges;
    facts->crowded_edges = s.nonmanifold_edges;
    facts->misoriented_edges = s.misoriented_edges;
    facts->degenerate_count = s.degenerate_triangles;
    facts->duplicate_count = s.duplicate_triangles;
    facts->unused_count = s.unreferenced_vertices;
    return facts->open_edges > 0 && facts->tet_count == 0 ? findSeams(file, host, why) : sn_ok;
}

snStatus snMeshFacts_Read(const snHost* host, const char* path, snMeshFacts* facts, snMessage* why)
{
    snMessage_Clear(why);
    if (!path || !facts) {
        return snFail(why, sn_errorArgument, "path and facts must not be NULL");
    }
    memset(facts, 0, sizeof *facts);
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snArena arena;
    snMeshFile file;
    snArena_Init(&arena, &taken);
    status = snMeshFile_Read(&arena, path, &file, why);
    status = status ? status : snMeshFile_Inspect(&file, &taken, why);
    if (!status) {
        *facts = file.facts;
    }
    snArena_Free(&arena);
    return status;
}
