// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew info: what is in a scene, character, mesh or animation.
#include "cli/cli.h"
#include "cli/clip.h"
#include "cli/playback.h"
#include "cli/remarks.h"

#include <math.h>
#include <stdio.h>

#define DEGREES 57.29577951308232

static void printBone(const snSkeleton* skeleton, int32_t i)
{
    const snBoneDef* b = snSkeleton_Bone(skeleton, i);
    const snBoneDef* parent = snSkeleton_Bone(skeleton, b->parent);
    printf("  %3d  %-16s %-16s %-10s %9.4g kg  at (%g, %g, %g)", (int)i, b->name,
           parent ? parent->name : "-", snJointType_Name(b->joint), b->mass.mass, b->anchor.p.x,
           b->anchor.p.y, b->anchor.p.z);
    if (b->joint != sn_jointWeld && b->joint != sn_jointFree) {
        printf("  axis (%.3g, %.3g, %.3g)", b->axis.x, b->axis.y, b->axis.z);
    }
    if (b->joint == sn_jointUniversal || b->joint == sn_jointPlanar) {
        printf(" then (%.3g, %.3g, %.3g)", b->axis2.x, b->axis2.y, b->axis2.z);
    }
    int count = b->joint == sn_jointPlanar ? 3 : b->joint == sn_jointUniversal ? 2 : 1;
    for (int k = 0; k < count; ++k) {
        bool angle = b->joint == sn_jointPlanar ? k == 2 : b->joint != sn_jointPrismatic;
        if (isfinite(b->dof[k].lower) || isfinite(b->dof[k].upper)) {
            double scale = angle ? DEGREES : 1;
            printf("  [%.4g, %.4g]%s", scale * b->dof[k].lower, scale * b->dof[k].upper,
                   angle ? " deg" : " m");
        }
    }
    if (isfinite(b->swing)) {
        printf("  swing %.4g deg", DEGREES * b->swing);
    }
    printf("\n");
}

static void printSkeleton(const char* name, const snSkeleton* skeleton)
{
    printf("%s: %d bones, %d degrees of freedom, %.4g kg\n", name,
           (int)snSkeleton_BoneCount(skeleton), (int)snSkeleton_VelocityCount(skeleton),
           snSkeleton_Mass(skeleton));
    printf("  %3s  %-16s %-16s %-10s %12s  place on the parent (m), axes in its frame, limits\n",
           "#", "bone", "parent", "joint", "mass");
    for (int32_t i = 0; i < snSkeleton_BoneCount(skeleton); ++i) {
        printBone(skeleton, i);
    }
}

// What of a character is not bones.
static void printFlesh(const char* name, const snFleshInfo* f)
{
    printf("%s: %d cells of %.4g m, %d nodes (%d fixed to bones), %d vertices, %d triangles\n",
           name, (int)f->cell_count, f->cell_size, (int)f->node_count, (int)f->fixed_count,
           (int)f->vertex_count, (int)f->triangle_count);
    printf("  mass %.4g kg, of that flesh %.4g kg; volume %.4g m^3, known to %.2g %%\n",
           f->total_mass, f->flesh_mass, f->volume, 100 * f->volume_error);
    printf("  floored node masses change the mass by %.2g %%, the inertia by %.2g %%\n",
           100 * f->floored_mass, 100 * f->floored_inertia);
    if (f->outside_count > 0) {
        printf("  %d vertices lie outside all cells\n", (int)f->outside_count);
    }
    printf("  largest stable step at rest %.4g ms\n", 1e3 * f->stable_step);
}

static void printCharacter(const snCharacter* c)
{
    const snFleshInfo* flesh = snCharacter_Flesh(c);
    const snSkeleton* skeleton = snCharacter_Skeleton(c);
    if (flesh) {
        printFlesh(snCharacter_Name(c), flesh);
    }
    if (!flesh || snSkeleton_BoneCount(skeleton) > 0) {
        printSkeleton(snCharacter_Name(c), skeleton);
    }
}

static void printShape(const snShapeDef* s)
{
    printf("%s", snShapeKind_Name(s->kind));
    switch (s->kind) {
    case sn_shapeBox:
        printf(" %g x %g x %g m", 2 * s->half.x, 2 * s->half.y, 2 * s->half.z);
        break;
    case sn_shapeSphere:
        printf(" of radius %g m", s->radius);
        break;
    case sn_shapeCapsule:
        printf(" of radius %g m, %g m between its ends' centres", s->radius, 2 * s->half_length);
        break;
    default:
        printf(" of %d vertices, %d triangles", (int)s->vertex_count, (int)s->triangle_count);
        break;
    }
}

static void printObstacle(const snObstacleDef* o, int32_t number)
{
    printf("obstacle %d%s%s: ", (int)number, o->name[0] ? " " : "", o->name);
    if (o->shape_count == 1) {
        printShape(&o->shapes[0]);
    } else {
        printf("%d shapes", (int)o->shape_count);
    }
    printf(", at (%.4g, %.4g, %.4g) m", o->pose.p.x, o->pose.p.y, o->pose.p.z);
    if (o->material[0]) {
        printf(", of %s", o->material);
    }
    if (o->mass > 0) {
        printf(", %.4g kg, can be pushed\n", o->mass);
    } else if (o->key_count > 0) {
        printf(", on a path of %d keys, %g to %g s%s\n", (int)o->key_count, o->times[0],
               o->times[o->key_count - 1], o->ends == sn_endsPeriodic ? ", again and again" : "");
    } else {
        printf(", fixed\n");
    }
}

// The step that a run would take.
static int printStep(snScene* scene)
{
    snMessage why;
    snSim* sim = NULL;
    snStatus status = snSim_Create(scene, &sim, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    printf("step %.4g ms%s\n", 1e3 * snSim_Step(sim),
           snScene_Def(scene)->step > 0 ? "" : ", chosen automatically");
    snSim_Free(sim);
    return EXIT_DONE;
}

static int printScene(const char* name, snScene* scene)
{
    printSceneFacts(stdout, name, scene);
    for (int32_t i = 0; i < snScene_CharacterCount(scene); ++i) {
        printCharacter(snScene_Character(scene, i));
    }
    for (int32_t i = 0; i < snScene_ObstacleCount(scene); ++i) {
        printObstacle(snScene_Obstacle(scene, i), i);
    }
    return printStep(scene);
}

static int infoSkeleton(const snBuiltinSkeleton* builtin)
{
    snMessage why;
    snSkeleton* skeleton;
    snStatus status = builtin->make(NULL, &skeleton, &why);
    if (status) {
        return complain(exitCode(status), "%s: %s", builtin->name, why.text);
    }
    printSkeleton(builtin->name, skeleton);
    snSkeleton_Release(skeleton);
    return EXIT_DONE;
}

static int infoCharacter(const snBuiltinCharacter* builtin)
{
    snMessage why;
    snCharacter* character = NULL;
    snScene* scene = NULL;
    snStatus status = builtin->make(NULL, &character, &why);
    status = status ? status : snScene_Create(NULL, NULL, &scene, &why);
    status = status ? status : snScene_Add(scene, character, NULL, NULL, &why);
    int code = status ? complain(exitCode(status), "%s: %s", builtin->name, why.text) : EXIT_DONE;
    if (!code) {
        printCharacter(character);
        code = printStep(scene);
    }
    snScene_Free(scene);
    snCharacter_Release(character);
    return code;
}

static int infoMesh(const char* path)
{
    snMessage why;
    snMeshFacts facts;
    snStatus status = snMeshFacts_Read(NULL, path, &facts, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    printMesh(stdout, path, &facts);
    printRemarks(stdout, &facts);
    return EXIT_DONE;
}

static int infoAnimation(const char* path, const PlaybackOptions* options)
{
    snAnimation* animation = NULL;
    int code = openPlayback(NULL, path, options, &animation);
    code = code ? code : printPlayback(path, animation);
    snAnimation_Free(animation);
    return code;
}

static int listBuiltin(void)
{
    printf("built-in characters:\n");
    listCharacters(stdout);
    printf("\nbuilt-in skeletons:\n");
    listSkeletons(stdout);
    printf("\nbuilt-in scenes:\n");
    listScenes(stdout);
    return EXIT_DONE;
}

static int info(int argc, char** argv)
{
    const char* word;
    snScene* scene = NULL;
    PlaybackOptions playback = {NULL, NULL};
    const Option options[] = {
        {"--mesh", &playback.mesh, NULL}, {"--rate", &playback.rate, NULL}, {NULL, NULL, NULL}};
    int count = parseArguments(&INFO_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL : listBuiltin();
    }
    if (isClipPath(word)) {
        return infoClip(word);
    }
    if (snAnimation_IsPath(word)) {
        return infoAnimation(word, &playback);
    }
    if (snBuiltinCharacter_Find(word)) {
        return infoCharacter(snBuiltinCharacter_Find(word));
    }
    if (snBuiltinSkeleton_Find(word)) {
        return infoSkeleton(snBuiltinSkeleton_Find(word));
    }
    int code = isMeshPath(word) && !snBuiltinScene_Find(word) ? infoMesh(word) : EXIT_DONE;
    code = code ? code : openScene(NULL, word, NULL, &scene);
    code = code ? code : printScene(word, scene);
    snScene_Free(scene);
    return code;
}

const Command INFO_COMMAND = {
    "info", "[NAME|FILE]", "print what is in a scene, character, skeleton, mesh or animation",
    "Without a name: what is built in. A character with flesh is shown with its cells, masses and\n"
    "step; a surface (.obj .off .ply .stl) or tet mesh (.msh .ele .veg .mesh) with what is wrong "
    "with it\n"
    "and as the body that 'sinew run' makes of it; an animation (.glb .pc2 .mdd) with its frames "
    "and\n"
    "surfaces (--mesh FILE, --rate N as 'sinew render --help' says).\n\n"
    "  sinew info\n"
    "  sinew info starfish\n"
    "  sinew info my_scene.json\n"
    "  sinew info liver.msh\n",
    info};
