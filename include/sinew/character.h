// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A character: what is simulated. Bones, flesh around them, or both.
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

// An immutable, reference-counted character, shared by any number of scenes.
typedef struct snCharacter snCharacter;

// Makes a character of bones alone, whose skeleton it keeps. `name` is copied, 1..255 bytes.
SN_API snStatus snCharacter_Create(const snHost* host, const char* name, snSkeleton* skeleton,
                                   snCharacter** character, snMessage* why);

// Building with flesh ------------------------------------------------------------

// The law between stretch and stress. At small strain all are linear elasticity.
typedef enum snLaw {
    sn_lawStvk = 0,   // St. Venant-Kirchhoff, safe when flattened or inverted; the default
    sn_lawNeoHookean, // stable neo-Hookean
    sn_lawCorotated,  // linear in the stretch
    sn_lawCount,      // how many there are
} snLaw;

// The law's name in scene files; NULL for a number that is none.
SN_API const char* snLaw_Name(int32_t law);

// Which cells of an StVK body are diagonalised, and how; for comparisons (Kim & Pollard 2011, Table
// V).
typedef enum snDiagonal {
    sn_diagonalSelective = 0,    // those that are stretched or squeezed much; the default
    sn_diagonalAlways,           // all
    sn_diagonalNever,            // none: plain StVK, which folds under strong compression
    sn_diagonalSelectiveGeneral, // selective, with LAPACK's SVD (import.h), not the 3 x 3 one
    sn_diagonalAlwaysGeneral,    // all, with LAPACK's SVD
    sn_diagonalCount,            // how many there are
} snDiagonal;

// What flesh is made of.
typedef struct snFleshMaterial {
    double density; // kg/m^3, 1..1e5; default 1000
    double young;   // Young's modulus, Pa, 1..1e10; default 30e3
    double poisson; // Poisson's ratio, 0..0.49; default 0.40. Above 0.42 anywhere, volume strain is
                    // averaged at nodes, against locking.
    double damping; // of motion against the bones (without bones: against the body's own rigid
                    // motion), 1/s, 0..1000: speed falls by 1/e in 1/damping s; default 12
} snFleshMaterial;

// A part of the flesh that is made of something else: all within `radius` of the segment from a to
// b, in the zero pose.
typedef struct snRegionDef {
    snVec3 a, b;              // character's frame, m; the same point twice makes a ball
    double radius;            // m, > 0
    snFleshMaterial material; // what it is made of
} snRegionDef;

// What a character is built from. Arrays and strings are copied.
typedef struct snCharacterDef {
    uint32_t size;        // sizeof(snCharacterDef); set by snCharacterDef_Init
    const char* name;     // 1..255 bytes; default "body"
    snSkeleton* skeleton; // kept; its zero pose is the rest pose; NULL = flesh without bones
    double bone_mass;     // share of the skeleton's own masses that counts besides the flesh,
                          // 0.001..1; default 0.1: bones made for use alone weigh the whole body

    // The surface at rest, in the zero pose, in the character's frame. Any soup of triangles that
    // winds around the body: holes, self-intersections and several shells are fine. 0 = bones
    // alone.
    int32_t vertex_count;     // 0..10,000,000
    int32_t triangle_count;   // 0..20,000,000
    const double* vertices;   // xyz, m; (vertex_count, 3)
    const int32_t* triangles; // counter-clockwise from outside; (triangle_count, 3)

    // The volume: a lattice of tets around the surface, or given.
    int32_t cells;        // about how many cells to make, 1..10,000,000; default 3000
    double cell_size;     // side of the lattice's cubes, m; default 0 = from `cells`
    int32_t node_count;   // given nodes; default 0 = make a lattice
    int32_t cell_count;   // given tets: number of cells
    const double* nodes;  // given nodes: xyz, m; without tets their Delaunay tets are used (by
                          // Qhull: import.h); (node_count, 3)
    const int32_t* tets;  // given tets: node indices; (cell_count, 4). May be partly filled.
    snVec3 lattice_shift; // of the lattice, in cells, each -1/2..1/2; default 0

    snFleshMaterial material;   // default as snFleshMaterial says
    int32_t region_count;       // 0..1000; default 0
    const snRegionDef* regions; // later ones win; (region_count)
    double strain_damping;      // damps jiggle of any shape: stress per strain rate over stress per
                                // strain, s, 0..1; default 0
    int32_t law;                // an snLaw; default StVK
    int32_t diagonal;           // an snDiagonal; default selective
} snCharacterDef;

// Fills the defaults.
SN_API void snCharacterDef_Init(snCharacterDef* def);

// Makes a character, flesh and all. Takes from a blink (thousands of cells) to seconds (millions).
// What is wrong with the surface or the numbers is said in `why`.
SN_API snStatus snCharacter_Build(const snHost* host, const snCharacterDef* def,
                                  snCharacter** character, snMessage* why);

// What was built: for information, for drawing, and for hosts that skin on their own.
typedef struct snFleshInfo {
    int32_t vertex_count;        // of the surface
    int32_t triangle_count;      // of the surface
    int32_t node_count;          // of the mesh
    int32_t cell_count;          // of the mesh
    int32_t fixed_count;         // nodes fixed to bones
    int32_t outside_count;       // surface vertices outside all cells (extrapolated)
    const double* vertices;      // rest positions, m; (vertex_count, 3)
    const int32_t* triangles;    // (triangle_count, 3)
    const double* nodes;         // rest positions, m; (node_count, 3)
    const int32_t* cells;        // nodes of each cell; (cell_count, 4)
    const double* fill;          // share of each cell that holds material; (cell_count)
    const double* mass;          // of each node, kg; (node_count)
    const int32_t* fixed;        // bone that the node is fixed to, or -1; (node_count)
    const int32_t* vertex_nodes; // y = sum of weight times node position; (vertex_count, 4)
    const float* vertex_weights; // (vertex_count, 4)
    double cell_size;            // side of the lattice's cubes, or the mean edge of given tets, m
    double total_mass;           // flesh and bones, kg
    double flesh_mass;           // kg
    double volume;               // of the body, m^3
    double volume_error;         // one standard deviation of the sampled volume, relative
    double floored_mass;         // how much flooring the nodes' masses changed the mass, relative
    double floored_inertia;      // and a moment of inertia
    double stable_step;          // largest stable step at rest, s
    double young;                // Young's modulus outside all regions, Pa
    double young_advised;        // with which it sags by some 4 % under its own weight on the
                                 // ground, Pa; below a quarter of that it sinks into a heap
} snFleshInfo;

// NULL for bones alone. Lives as long as the character.
SN_API const snFleshInfo* snCharacter_Flesh(const snCharacter* character);

// One more owner. Returns the character.
SN_API snCharacter* snCharacter_Retain(snCharacter* character);

// One owner less; the last one frees it. NULL is fine.
SN_API void snCharacter_Release(snCharacter* character);

// The name it was made with.
SN_API const char* snCharacter_Name(const snCharacter* character);

// Its skeleton as it was given, which lives as long as the character; one without bones for flesh
// without bones.
SN_API snSkeleton* snCharacter_Skeleton(const snCharacter* character);

#ifdef __cplusplus
}
#endif

#endif
