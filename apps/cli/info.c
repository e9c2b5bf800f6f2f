// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew info, sinew check: what is in a scene; what is wrong with it.
#include "cli/cli.h"

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

static void printScene(const char* name, const snScene* scene)
{
    const snSceneDef* d = snScene_Def(scene);
    printf(
        "scene %s: %d character%s, %g s at %g frames/s, method %s, %s integrator, gravity (%g, %g, "
        "%g) m/s^2\n",
        name, (int)snScene_CharacterCount(scene), snScene_CharacterCount(scene) == 1 ? "" : "s",
        d->duration, d->frame_rate, d->method, snIntegrator_Name(d->integrator), d->gravity.x,
        d->gravity.y, d->gravity.z);
    for (int32_t i = 0; i < snScene_CharacterCount(scene); ++i) {
        const snCharacter* c = snScene_Character(scene, i);
        printSkeleton(snCharacter_Name(c), snCharacter_Skeleton(c));
    }
}

static int oneWord(const Command* command, int argc, char** argv, const char** word)
{
    const Option none = {NULL, NULL, NULL};
    int count = parseArguments(command, argc, argv, &none, word, 1);
    if (count == 0) {
        complain(EXIT_BAD_CALL, "which one? see 'sinew %s --help'", command->name);
    }
    return count == 1 ? EXIT_DONE : EXIT_BAD_CALL;
}

static int info(int argc, char** argv)
{
    const char* word;
    snScene* scene = NULL;
    snMessage why;
    if (oneWord(&INFO_COMMAND, argc, argv, &word)) {
        return EXIT_BAD_CALL;
    }
    const snBuiltinSkeleton* builtin = snBuiltinSkeleton_Find(word);
    if (builtin) {
        snSkeleton* skeleton;
        snStatus status = builtin->make(NULL, &skeleton, &why);
        if (status) {
            return complain(exitCode(status), "%s: %s", word, why.text);
        }
        printSkeleton(word, skeleton);
        snSkeleton_Release(skeleton);
        return EXIT_DONE;
    }
    int code = openScene(NULL, word, &scene);
    if (!code) {
        printScene(word, scene);
    }
    snScene_Free(scene);
    return code;
}

// Reads the scene and sets up a simulation: everything that `sinew run` does before time passes.
static int check(int argc, char** argv)
{
    const char* word;
    snScene* scene = NULL;
    snSim* sim = NULL;
    snMessage why;
    if (oneWord(&CHECK_COMMAND, argc, argv, &word)) {
        return EXIT_BAD_CALL;
    }
    int code = openScene(NULL, word, &scene);
    if (!code) {
        snStatus status = snSim_Create(scene, &sim, &why);
        code = status ? complain(exitCode(status), "%s: %s", word, why.text) : EXIT_DONE;
    }
    if (!code) {
        printf("%s: fine\n", word);
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return code;
}

const Command INFO_COMMAND = {"info", "SCENE|SKELETON",
                              "print what is in a scene, scene file or built-in skeleton",
                              "Built-in skeletons: starfish, humanoid, fish, worm.\n\n"
                              "  sinew info starfish\n"
                              "  sinew info my_scene.json\n",
                              info};

const Command CHECK_COMMAND = {"check", "FILE",
                               "say what is wrong with a scene file, and what to do",
                               "Prints 'FILE: fine' and exits with 0, or file, line, column, cause "
                               "and remedy and exits with 2.\n\n"
                               "  sinew check my_scene.json\n",
                               check};
