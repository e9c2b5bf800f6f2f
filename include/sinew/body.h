// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A body for a rig, and its motion along the rig's clips. The clip moves the joints as its artist
// made it; flesh between them follows, late, and jiggles. A character that stands still looks
// exactly as without flesh.
//
//   snRig_Load(NULL, "hero.glb", &rig, &why);
//   snBodyDef def;
//   snBodyDef_Init(&def);
//   snBody_Build(NULL, rig, &def, &body, &why);
//   snFollowDef run;
//   snFollowDef_Init(&run);
//   run.clip = snRig_FindClip(rig, "Run");
//   snFollow_Create(body, &run, &follow, &why);
//   for (int i = 0; i < 240; ++i) {
//       snFollow_Surface(follow, 0, positions, normals, &why);
//       snFollow_Advance(follow, &why);
//   }
#ifndef SINEW_BODY_H
#define SINEW_BODY_H

#include "force.h"
#include "rig.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// How fine the flesh is.
typedef enum snQuality {
    sn_qualityDraft = 0, // about 4000 soft cells
    sn_qualityNormal,    // 12,000; the default
    sn_qualityFine,      // 40,000
    sn_qualityCount,     // how many there are
} snQuality;

// "draft", "normal", "fine"; NULL for a number that is none.
SN_API const char* snQuality_Name(int32_t quality);

// What a body is made from. Arrays and strings are copied.
typedef struct snBodyDef {
    uint32_t size;   // sizeof(snBodyDef); set by snBodyDef_Init
    int32_t quality; // an snQuality; default normal
    double softness; // of the slowest jiggle of each region, Hz, 0.5..50; lower is softer; default
                     // 0 = 5, but softer when one would see less than 1 % of the size in the
                     // calmer of the rig's clips, down to 2.5 (11 m over the size if that is
                     // less), and stiffer, up to 5.5, when flesh would move by more than 2 % in the
                     // usual one; snBodyInfo says what was chosen
    double damping; // of how flesh sways, ratio to critical, 0..2; default 0.2; faster jiggles have
                    // more, about in proportion, slower ones no less
    double limit;   // how far flesh may leave what it returns to, part of the local thickness
                    // (up to 15 % of the size), 0.01..1; default 0.3; approached progressively
                    // from half of it on
    double inertia; // share of the root's motion that is felt, 0..2; default 1
    double gravity; // share of sag, -1..2; default 0
    double shape;   // what flesh returns to: 0 the skinned pose, 1 the shape it was made in, its
                    // weight balanced in that pose; 0..1; default 0; above 0 simulating takes
                    // about twice the time
    double height;  // of the rig in its nodes' own pose, m, 0.001..1000; default 0 = by the file's
                    // unit as snRigInfo guesses it

    // Names of joints, meshes and materials: * stands for any text, ? for any character, small and
    // capital letters are the same. Where both kinds match, rigid wins.
    int32_t soft_count;       // 0..1000; default 0
    int32_t rigid_count;      // 0..1000; default 0
    const char* const* soft;  // what is soft besides; (soft_count)
    const char* const* rigid; // what follows its skinning; (rigid_count)

    // Vertices may be painted: the attribute _SOFT, 0..1, says how soft they are; _SOFTNESS,
    // _DAMPING, _LIMIT, _INERTIA, _GRAVITY and _SHAPE, 0..4, are what those controls are multiplied
    // with there. Colours count only if they are named here: most say something else.
    const char* paint; // what to take for _SOFT, by its first number (red): "COLOR_0" or a name
                       // that begins with _; default NULL
} snBodyDef;

// Fills the defaults.
SN_API void snBodyDef_Init(snBodyDef* def);

// A number of an snBodyDef as programs show it to people.
typedef struct snBodyControl {
    const char* name;  // as the field
    const char* unit;  // "" = none
    double low, high;  // range
    double usual;      // default; outside of the range: found by the library
    const char* about; // a line of text
    size_t offset;     // of the field
} snBodyControl;

// All of them; the last one has no name.
SN_API const snBodyControl* snBodyControls(void);

// The number itself.
SN_API double* snBodyDef_Number(snBodyDef* def, const snBodyControl* control);

// A def as a JSON text (docs/formats.md), which keeps what it points to.
typedef struct snBodyFile snBodyFile;

// Reads a file. What it does not say has its default. Errors name the file, line, column, what was
// expected and what to do.
SN_API snStatus snBodyFile_Load(const snHost* host, const char* path, snBodyFile** file,
                                snMessage* why);

// The same from memory; `name` stands for the file in messages.
SN_API snStatus snBodyFile_Parse(const snHost* host, const char* text, size_t length,
                                 const char* name, snBodyFile** file, snMessage* why);

// Lives as long as the file; NULL for NULL.
SN_API const snBodyDef* snBodyFile_Def(const snBodyFile* file);

// NULL is fine.
SN_API void snBodyFile_Free(snBodyFile* file);

// Writes such a file, every control in it. On failure an older one stays as it is.
SN_API snStatus snBodyDef_Save(const snBodyDef* def, const char* path, snMessage* why);

// Immutable and reference counted; any number of follows may share it.
typedef struct snBody snBody;

// Makes the body of a rig, which it keeps. Takes a fraction of a second to a few. Fails with what
// to do when nothing of the rig is soft.
SN_API snStatus snBody_Build(const snHost* host, snRig* rig, const snBodyDef* def, snBody** body,
                             snMessage* why);

// Writes a body as one file that loads in milliseconds and needs no importer: cells, masses,
// weights, ties, and of the rig what is needed to play it: nodes, skins, meshes, morphs, clips, no
// textures. On failure an older file stays as it is.
SN_API snStatus snBody_Save(const snBody* body, const char* path, snMessage* why);

// Reads such a file. The body gives the same bits as the one that was saved. Its rig has the kind
// "saved", and no document that flesh could be baked into. A file that is damaged, or of another
// version of the format, is refused.
SN_API snStatus snBody_Load(const snHost* host, const char* path, snBody** body, snMessage* why);

// The same from memory, of which a copy is kept; `name` stands for the file in messages.
SN_API snStatus snBody_Parse(const snHost* host, const void* bytes, size_t count, const char* name,
                             snBody** body, snMessage* why);

// One more owner; returns the body.
SN_API snBody* snBody_Retain(snBody* body);

// One owner less; the last one frees it. NULL is fine.
SN_API void snBody_Release(snBody* body);

// A part of the flesh that hangs together and that joints of one name move most, numbers at its end
// aside: spine_1, spine_2 ...
typedef struct snBodyRegion {
    const char* name;   // of that joint, or of several with * for what differs at its end: a
                        // pattern as soft and rigid take it
    int32_t cell_count; // cells with a soft node
    int32_t node_count; // soft nodes
    double mass;        // kg
    double hz;        // of its slowest jiggle, about; other than asked for in small regions, which
                      // are about as stiff as the others, and where steps would become too short
    double young;     // Young's modulus of all that it hangs together with, Pa
    double thickness; // median of the flesh's under its skin, m; 0: none of the skin hangs on it
} snBodyRegion;

// What was built.
typedef struct snBodyInfo {
    double unit;                  // m in a unit of the file
    double size;                  // longest side in the bind pose, m
    double softness;              // Hz, as asked for or chosen
    double cell;                  // side of the lattice's cubes, m
    double step;                  // largest stable step, s
    int32_t cell_count;           // cells
    int32_t node_count;           // nodes of them
    int32_t soft_count;           // of these, soft ones
    int32_t vertex_count;         // of the surface, duplicates welded
    int32_t soft_vertex_count;    // of these, those that flesh moves
    int32_t joint_count;          // joints that move flesh
    int32_t shells_flesh;         // shells that enclose the body
    int32_t shells_riding;        // small ones, each as one piece on the flesh under it
    int32_t shells_draped;        // sheets, vertex by vertex
    int32_t shells_fixed;         // on nodes of the rig, without skin
    int32_t region_count;         // regions
    const snBodyRegion* regions;  // largest first; (region_count)
    const float* vertex_softness; // 0 follows its skinning .. 1 soft, of all vertices of all mesh
                                  // instances, one after the other
    const char* remark; // what patterns ask to be soft, or else is so by its name, and is too thin
                        // for cells, as a line of text; "" = nothing
} snBodyInfo;

// Lives as long as the body; NULL for NULL.
SN_API const snBodyInfo* snBody_Info(const snBody* body);

// The rig it was made for, which lives as long as the body.
SN_API snRig* snBody_Rig(const snBody* body);

// Which places of the flesh move each vertex, for hosts that skin on their own (docs/engine.md): a
// vertex is where skinning puts it in the world, plus the sum of weight[k] times the displacement
// of place index[k], k = 0..3. Immutable.
typedef struct snBodyTable {
    int32_t place_count;  // displacements that snFollow_Displacements gives
    int32_t vertex_count; // of all mesh instances, one after the other
    const int32_t* index; // places, 0 .. place_count - 1; (vertex_count, 4)
    const float* weight;  // all 0 where flesh moves nothing; (vertex_count, 4)
} snBodyTable;

// Lives as long as the body; NULL for NULL.
SN_API const snBodyTable* snBody_Table(const snBody* body);

// Motion ---------------------------------------------------------------------------

// Motions for rigs without clips, of the node that carries the body.
typedef enum snMotion {
    sn_motionNone = 0, // a clip is played
    sn_motionHop,      // up and down
    sn_motionShake,    // from side to side
    sn_motionTurn,     // about the vertical, to and fro
    sn_motionCount,    // how many there are
} snMotion;

// "hop", "shake", "turn"; NULL for others.
SN_API const char* snMotion_Name(int32_t motion);

// What is followed.
typedef struct snFollowDef {
    uint32_t size;        // sizeof(snFollowDef); set by snFollowDef_Init
    int32_t clip;         // of the rig; -1: the host feeds poses (snFollow_SetPose); default 0
    int32_t motion;       // an snMotion in place of a clip; default none
    double rate;          // frames a second, 1..1000; default 60
    double hold;          // the clip stops at this time, s; default infinity
    int32_t loop;         // the clip is a loop: 0 never, 1 always; default -1: when it is found to
                          // be one
    int32_t ground;       // nonzero: flesh does not go below the ground; default 0
    double ground_height; // y of the ground, in the file's unit; default 0
} snFollowDef;

// Fills the defaults.
SN_API void snFollowDef_Init(snFollowDef* def);

// Flesh on its way along a clip. One thread at a time.
typedef struct snFollow snFollow;

// The body's host gives memory and threads: for a crowd thread_count 1, and follows in parallel.
// Stands at the clip's first frame, settled: of a loop, after enough rounds of it; else after the
// first pose was held while its velocity grew.
SN_API snStatus snFollow_Create(snBody* body, const snFollowDef* def, snFollow** follow,
                                snMessage* why);

// NULL is fine.
SN_API void snFollow_Free(snFollow* follow);

// One frame. A clip that is a loop goes on for ever; another one stands still at its end. No memory
// is taken. Returns
// sn_errorNumeric when numbers were not finite even with the shortest steps: then that flesh went
// back to its skinned place, and one can go on.
SN_API snStatus snFollow_Advance(snFollow* follow, snMessage* why);

// Lets dt (s, 0..3600) of the host's time pass: as many whole frames as have become due since the
// last call; the rest is kept for the next one. Poses in between go evenly from the last one to the
// one that was fed. Flesh takes no more than `steps` steps (those of one frame at least, which
// snFollowFacts.steps says), the guard's included; when more frames are due than that, as after a
// hitch, only one of them is done: flesh goes rigidly along with its joints, as after
// snFollow_Teleport. A clip is late by that for ever. *dropped (may be NULL) is the time of the
// frames that were left out, s.
SN_API snStatus snFollow_AdvanceWithin(snFollow* follow, double dt, int64_t steps, double* dropped,
                                       snMessage* why);

// How it went since the first frame.
typedef struct snFollowFacts {
    double time;           // since the clip's beginning, s; runs on when a loop begins again
    double step;           // of the flesh, s
    double farthest;       // that flesh was from its skinned place, m
    double nearest_limit;  // largest distance from what it returns to over its limit, 0..1
    int64_t frames;        // advanced
    int64_t limited;       // of these with flesh at its limit
    int64_t interventions; // of these in which the guard helped: with shorter steps, or by holding
                           // back jumps of the joints faster than anything one sees
    int32_t steps;         // a frame
    int32_t is_loop;       // nonzero: the clip is a loop
    int32_t is_asleep;     // nonzero: poses are fed, and neither they nor flesh move: frames cost
                           // next to nothing until something does
    double dropped;        // by snFollow_AdvanceWithin, in all, s
    double first, last;    // of the clip, s
    double period;         // of a loop, s: last - first, or a key's step more where the last pose
                           // is a step short of the first
} snFollowFacts;

// So far; zeros at the first frame.
SN_API snFollowFacts snFollow_Facts(const snFollow* follow);

// How far the surface of a region of the body is from its skinned place now, at most, m.
SN_API double snFollow_Distance(const snFollow* follow, int32_t region);

// Positions and unit normals of a mesh instance of the rig as they are now: the clip's own pose
// with flesh, in the world, in the file's unit. normals may be NULL. Both: (vertex_count, 3)
SN_API snStatus snFollow_Surface(snFollow* follow, int32_t mesh, float* positions, float* normals,
                                 snMessage* why);

// Where all nodes of the rig are now, in the world, and all morph weights; each may be NULL.
// nodes: (node_count). weights: (weight_count).
SN_API snStatus snFollow_Pose(snFollow* follow, snMatrix* nodes, double* weights, snMessage* why);

// What the places of the body's table left their skinned places by, in the world, in the file's
// unit. The fourth number of each is 0. out: (place_count, 4)
SN_API snStatus snFollow_Displacements(const snFollow* follow, float* out, snMessage* why);

// At run time ----------------------------------------------------------------------
//
// These are for follows with clip = -1, but for pushes, fields, obstacles and states, which all
// have. The same calls give the same bits.

// The pose at the end of the next frame: where all nodes are in the world, in the file's unit, and
// all morph weights (NULL: at rest). Flesh feels a smooth motion through the poses, half a frame
// late. Without a new pose the last one stays. A pose far from the last one is felt as a blow,
// which the guard bounds; after a hitch, teleport or advance as many frames as are missing. Joints
// may have no size, but not all of them. nodes: (node_count). weights: (weight_count).
SN_API snStatus snFollow_SetPose(snFollow* follow, const snMatrix* nodes, const double* weights,
                                 snMessage* why);

// The next pose is a cut: flesh goes rigidly along with its joints, whatever they do, and goes on
// there as it moved. The first pose is one by itself.
SN_API snStatus snFollow_Teleport(snFollow* follow, snMessage* why);

// The origin of the world was moved: everything that was fed is now `by` from where it was, in the
// file's unit, and so is the ground. Flesh does not feel it.
SN_API snStatus snFollow_Shift(snFollow* follow, snVec3 by, snMessage* why);

// Changes the velocity of soft flesh about a place of the world: by `velocity` there, by less
// farther away, (1 - d^2/radius^2)^2 of it, by nothing from the radius on. In the file's unit.
SN_API snStatus snFollow_Push(snFollow* follow, snVec3 place, snVec3 velocity, double radius,
                              snMessage* why);

// Adds a force field, from the next frame on; at most 16. Soft flesh feels it by its mass, joints
// do not. All lengths of the def, and those that its function is given and returns, are in the
// file's unit. What would hold flesh more than about 0.6 thicknesses away is felt less. Fields are
// not part of states; their places do not follow snFollow_Shift.
SN_API snStatus snFollow_AddForce(snFollow* follow, const snForceDef* def, snMessage* why);

// Takes all fields away.
SN_API void snFollow_ClearForces(snFollow* follow);

// What solid things flesh touches, and where they are at the end of the next frame: at most 16
// boxes, spheres and capsules, their poses in the world, all in the file's unit. When as many of
// the same kinds were there before, each goes evenly from where it was, and flesh feels its
// velocity and friction; others, and those that come from farther than the body is large, are there
// at once. They stay until this is called again. Soft flesh
// gives way as far as its limit; what is rigid goes through. They are part of states and follow
// snFollow_Shift. shapes: (count); may be NULL for 0.
SN_API snStatus snFollow_SetObstacles(snFollow* follow, const snShapeDef* shapes, int32_t count,
                                      snMessage* why);

// Bytes of all that changes; 0 for NULL.
SN_API size_t snFollow_StateSize(const snFollow* follow);

// Copies all that changes. state: of snFollow_StateSize bytes, which is its size.
SN_API snStatus snFollow_Save(const snFollow* follow, void* state, size_t size, snMessage* why);

// Goes back to a state of this follow, or of another one of the same body and def: what follows
// has the same bits. A state of something else is refused.
SN_API snStatus snFollow_Restore(snFollow* follow, const void* state, size_t size, snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
