// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files: scenes in, animations out and in.
#ifndef SINEW_IO_H
#define SINEW_IO_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of files -----------------------------------------------------------------

// What files hold, as bits.
typedef enum snFileContent {
    sn_fileRig = 1,         // a rigged character and its clips: snRig_Load, snBake
    sn_fileMotion = 2,      // motion alone: snClip_Load
    sn_fileSurface = 4,     // triangles: snCharacter_Load
    sn_fileTets = 8,        // tets: snCharacter_Load
    sn_fileScene = 16,      // a scene: snScene_Load
    sn_fileControls = 32,   // how a body is made: snBodyFile_Load
    sn_fileBody = 64,       // a body that is built: snBody_Load, snBody_Save
    sn_fileCharacter = 128, // a character that is built: snCharacter_Load, snCharacter_Save
    sn_fileFrames = 256,    // what moves, frame by frame: snAnimation_Load, snSink_Open
} snFileContent;

// A kind of file that the library knows.
typedef struct snFileKind {
    const char* extension; // with its dot, in lower case: ".glb"
    const char* name;      // for people: "GLB"
    uint32_t reads;        // what is read from it, bits of snFileContent
    uint32_t writes;       // what is written to it, bits of snFileContent
    const char* frames;    // what becomes of a sim's frames in it; "" when none are written
} snFileKind;

// By the path's extension, in any case; the file need not be there. NULL when none is known, or
// nothing comes before it. Readers go by content where that is unmistakable.
SN_API const snFileKind* snFileKind_OfPath(const char* path);

// The kinds one by one, from 0 on; NULL past the last.
SN_API const snFileKind* snFileKind_At(int32_t number);

// Extensions of all kinds from which one of `reads` is read or to which one of `writes` is written,
// as ".glb, .gltf or .vrm"; cut to the size of the text, which is returned.
SN_API const char* snFileKind_List(uint32_t reads, uint32_t writes, char* text, size_t size);

// Scenes, meshes and characters ----------------------------------------------------

// Looks up skeletons and characters that a scene file names instead of spelling them out
// ("skeleton": "starfish", "character": "starfish"). Each function returns a new reference in its
// last but one argument, or NULL there when the name is unknown. Functions and lists may be NULL.
typedef struct snLibrary {
    void* user; // passed to the functions
    snStatus (*find)(void* user, const snHost* host, const char* name, snSkeleton** skeleton,
                     snMessage* why); // a skeleton by its name
    const char* const* names;         // of skeletons, for suggestions, NULL-terminated
    snStatus (*find_character)(void* user, const snHost* host, const char* name,
                               snCharacter** character,
                               snMessage* why); // a character by its name
    const char* const* character_names;         // for suggestions, NULL-terminated
} snLibrary;

// What a file of a surface or of tets holds, and what is wrong with it. Numbers of tets and nodes
// are the file's own; -1 = none.
typedef struct snMeshFacts {
    char format[32];             // for example "Gmsh 4.1, binary"
    int32_t vertex_count;        // of the surface; of tets: of the faces around them
    int32_t triangle_count;      // of the surface
    snVec3 low, high;            // corners of the box around its triangles
    double volume;               // that it encloses; negative: inside out. Of tets: their sum
    int32_t shells;              // parts of the surface that share no vertex
    int32_t open_edges;          // with one triangle
    int32_t crowded_edges;       // with three triangles or more
    int32_t misoriented_edges;   // with two that run along it the same way
    int32_t degenerate_count;    // triangles that name a vertex twice
    int32_t duplicate_count;     // triangles that repeat an earlier one
    int32_t unused_count;        // vertices of no triangle
    int32_t twin_vertices;       // of an open surface: at the place of another one
    int32_t seam_edges;          // of the open ones: those that are closed when such are joined
    int32_t node_count;          // of tets; 0: the file is a surface
    int32_t tet_count;           // that can be used
    int32_t turned_tets;         // nodes in the order of negative volume; put right
    int32_t flat_tets;           // without volume; left out
    int32_t duplicate_tets;      // with the nodes of an earlier one; left out
    int32_t sliver_tets;         // of less than a hundredth of a good one's volume; kept
    int32_t stray_nodes;         // of no tet; left out when a character is built
    int32_t crowded_faces;       // with more tets than fit: tets overlap
    int32_t tet_parts;           // parts that hang together by no node
    int64_t first_turned_tet;    // number of the first one
    int64_t first_flat_tet;      // number of the first one
    int64_t first_duplicate_tet; // number of the first one
    int64_t first_stray_node;    // number of the first one
    int64_t worst_tet;           // number of the one with the least volume for its longest edge
    double worst_shape;     // its volume over that of a tet with all edges equal to its longest
    int64_t other_elements; // that are not tets; passed over
    int64_t other_volumes;  // of those: hexahedra, prisms, pyramids, which then are missing
} snMeshFacts;

// Reads a file as snCharacter_Load does and says what is in it.
SN_API snStatus snMeshFacts_Read(const snHost* host, const char* path, snMeshFacts* facts,
                                 snMessage* why);

// Makes a character of a file, in metres and in the character's frame: of a surface (.obj, .off,
// .ply, .stl) or of tets (Gmsh .msh, TetGen .ele with .node, Vega .veg, Medit .mesh), whose surface
// is what lies around them. The content decides where the extension lies. All else is taken from
// the def, whose surface fields do not count, and for tets those of cells and nodes neither; NULL
// stands for the defaults and the file's name without folder and extension. Errors name the file.
// A saved character (.character, of snCharacter_Save) has all it needs: nothing of the def counts.
SN_API snStatus snCharacter_Load(const snHost* host, const char* path, const snCharacterDef* def,
                                 snCharacter** character, snMessage* why);

// Writes a built character to one file (.character), from which it comes back within milliseconds
// and with the same bits in all its motion: nothing is searched, sampled or imported again. Files
// are of this version of the library and of machines with the same order of bytes; others refuse
// them.
SN_API snStatus snCharacter_Save(const snCharacter* character, const char* path, snMessage* why);

// The same back from memory; `name` stands for the file in messages.
SN_API snStatus snCharacter_Parse(const snHost* host, const void* bytes, size_t count,
                                  const char* name, snCharacter** character, snMessage* why);

// Reads a scene file (docs/scene.md). Errors name the file, line, column, what was expected and
// what to do. Files that it names are looked for from its own folder. library may be NULL.
SN_API snStatus snScene_Load(const snHost* host, const char* path, const snLibrary* library,
                             snScene** scene, snMessage* why);

// The same from text in memory; `name` stands for the file in messages. No files are read: a text
// that names one is refused.
SN_API snStatus snScene_Parse(const snHost* host, const char* text, size_t length, const char* name,
                              const snLibrary* library, snScene** scene, snMessage* why);

// Something that frames are written to.
typedef struct snSink snSink;

// How frames are written.
typedef struct snSinkDef {
    uint32_t size;  // sizeof(snSinkDef); set by snSinkDef_Init
    int32_t single; // nonzero: one frame is written and no more, and .obj, .ply, .off, .stl go to
                    // the file of the given name without a number, .vtu and .pvd to x.vtu and
                    // x.vtp; default 0
    double error;   // .glb: how far a vertex of a surface may be from where it was, relative to the
                    // surface's size, 0..1; default 0.001. 0 keeps every frame, in larger files.
} snSinkDef;

// Fills the defaults.
SN_API void snSinkDef_Init(snSinkDef* def);

// Opens a file for the frames of a sim, by extension (docs/formats.md): .glb = glTF 2.0 binary,
// every bone an animated node, surfaces as morph targets; .pc2, .mdd = the points of a surface over
// time (of several characters: x_NAME.pc2); .obj, .ply, .off, .stl = the surfaces, a file per frame
// (x.obj: x_0000.obj ...); .pvd = cells with stretch and stress, and surfaces, for ParaView;
// .csv = a row of energies, momenta and counts per frame and character. Files appear under their
// names when the sink is closed, those of single frames at once. def may be NULL for the defaults.
SN_API snStatus snSink_Open(const snHost* host, const snScene* scene, const char* path,
                            const snSinkDef* def, snSink** sink, snMessage* why);

// Appends one frame.
SN_API snStatus snSink_Write(snSink* sink, const snFrame* frame, snMessage* why);

// Finishes and frees the sink. On failure no file appears.
SN_API snStatus snSink_Close(snSink* sink, snMessage* why);

// Frees the sink and leaves no file, none of a sequence either. NULL is fine.
SN_API void snSink_Abort(snSink* sink);

// Animations read back -----------------------------------------------------------

// Surfaces over time, read from a file.
typedef struct snAnimation snAnimation;

// What a file does not say.
typedef struct snAnimationDef {
    uint32_t size;     // sizeof(snAnimationDef); set by snAnimationDef_Init
    const char* mesh;  // .pc2, .mdd: a surface file with the triangles, no STL, which has no order
                       // of vertices; default NULL = bare points
    double frame_rate; // .pc2: frames/s, 0.001..1e6; default 60
    const char* clip;  // of a rig: a clip's name; default NULL = the first one
} snAnimationDef;

// Fills the defaults.
SN_API void snAnimationDef_Init(snAnimationDef* def);

// Reads a point cache (.pc2, .mdd), or a clip of a rig (of a sink or of others;
// its nodes' own pose when there is no clip). The file stays in memory. def may be NULL for the
// defaults. Errors name the file and what is wrong with it.
SN_API snStatus snAnimation_Load(const snHost* host, const char* path, const snAnimationDef* def,
                                 snAnimation** animation, snMessage* why);

// NULL is fine.
SN_API void snAnimation_Free(snAnimation* animation);

// How many frames there are, at least 1.
SN_API int64_t snAnimation_FrameCount(const snAnimation* animation);

// When a frame is, s; not before that of the frame before it.
SN_API double snAnimation_Time(const snAnimation* animation, int64_t frame);

// Whether the mesh of a point cache fits: the share of its edges that are over three times as long,
// or as short, at the first frame as in the mesh, when both are scaled to the same size. Above 0.1
// the mesh's vertices most likely have another order. 0 without a mesh.
SN_API double snAnimation_Misfit(const snAnimation* animation);

// A frame as a sim would show it: a character for each surface (one for a point cache, one for each
// character of a sink's .glb, one for a skinned character), without bones and nodes; bare points
// have no triangles. Valid until the next call or Free.
SN_API snStatus snAnimation_Frame(snAnimation* animation, int64_t number, const snFrame** frame,
                                  snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
