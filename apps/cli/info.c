// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew info: what is in a scene, character, mesh, rig or animation.
#include "cli/cli.h"
#include "cli/clip.h"
#include "cli/kind.h"
#include "cli/playback.h"
#include "cli/remarks.h"
#include "cli/rig_facts.h"
#include "cli/saved.h"

#include <math.h>
#include <stdio.h>

#define DEGREES 57.29577951308232

// flesh: NULL for bones alone
static void printBone(const snSkeleton* skeleton, const snFleshInfo* flesh, int32_t i)
{
    const snBoneDef* b = snSkeleton_Bone(skeleton, i);
    const snBoneDef* parent = snSkeleton_Bone(skeleton, b->parent);
    printf("  %3d  %-16s %-16s %-10s %9.4g kg", (int)i, b->name, parent ? parent->name : "-",
           snJointType_Name(b->joint), b->mass.mass);
    if (flesh) {
        printf(" %6d", (int)nodesOfBone(flesh, i));
    }
    printf("  at (%g, %g, %g)", b->anchor.p.x, b->anchor.p.y, b->anchor.p.z);
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

static void printSkeleton(const char* name, const snSkeleton* skeleton, const snFleshInfo* flesh)
{
    double mass = snSkeleton_Mass(skeleton);
    int32_t count = snSkeleton_BoneCount(skeleton), dofs = snSkeleton_VelocityCount(skeleton);
    printf("%s: %d bone%s, %d degree%s of freedom, %.4g kg", name, (int)count, plural(count),
           (int)dofs, plural(dofs), mass);
    if (flesh && mass > 0) {
        double counts = flesh->total_mass - flesh->flesh_mass;
        printf(", of which %.4g kg (%.2g %%, bone_mass) count besides the flesh", counts,
               100 * counts / mass);
    }
    printf("\n  %3s  %-16s %-16s %-10s %12s%s  place on the parent (m), axes in its frame, "
           "limits\n",
           "#", "bone", "parent", "joint", "mass", flesh ? "  nodes" : "");
    for (int32_t i = 0; i < count; ++i) {
        printBone(skeleton, flesh, i);
    }
}

// What of a character is not bones.
static void printFlesh(const char* name, const snFleshInfo* f)
{
    printf("%s: %d cell%s of %.4g m, %d nodes (%d fixed to bones), %d vertices, %d triangles\n",
           name, (int)f->cell_count, plural(f->cell_count), f->cell_size, (int)f->node_count,
           (int)f->fixed_count, (int)f->vertex_count, (int)f->triangle_count);
    printf("  mass %.4g kg, of that flesh %.4g kg; volume %.4g m^3, known to %.2g %%; young %.4g "
           "kPa\n",
           f->total_mass, f->flesh_mass, f->volume, 100 * f->volume_error, 1e-3 * f->young);
    printf("  floored node masses (the lightest are made heavier for the sake of the step) change "
           "the mass by %.2g %%, the inertia by %.2g %%\n",
           100 * f->floored_mass, 100 * f->floored_inertia);
    if (f->outside_count > 0) {
        printf(f->outside_count == 1 ? "  %d vertex lies outside all cells and moves with the "
                                       "nearest\n"
                                     : "  %d vertices lie outside all cells and move with the "
                                       "nearest\n",
               (int)f->outside_count);
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
        printSkeleton(snCharacter_Name(c), skeleton, flesh);
    }
    printBoneRemarks(stdout, c);
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
    printSoftRemarks(stdout, scene);
    return printStep(scene);
}

// --save: the first character of a scene
static int saveCharacter(const char* path, const snCharacter* character)
{
    snMessage why;
    if (!path) {
        return EXIT_DONE;
    }
    snStatus status = character ? snCharacter_Save(character, path, &why) : sn_ok;
    if (status || !character) {
        return character ? complain(exitCode(status), "%s", why.text)
                         : complain(EXIT_BAD_CALL, "--save: there is no character to save");
    }
    printf("wrote %s, which snCharacter_Load reads\n", path);
    return EXIT_DONE;
}

static int infoSkeleton(const snBuiltinSkeleton* builtin)
{
    snMessage why;
    snSkeleton* skeleton;
    snStatus status = builtin->make(NULL, &skeleton, &why);
    if (status) {
        return complain(exitCode(status), "%s: %s", builtin->name, why.text);
    }
    printSkeleton(builtin->name, skeleton, NULL);
    snSkeleton_Release(skeleton);
    return EXIT_DONE;
}

static int infoCharacter(const snBuiltinCharacter* builtin, const char* save)
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
    if (!code) {
        const snBoneDef* root = snSkeleton_Bone(snCharacter_Skeleton(character), 0);
        bool falls = !root || root->joint == sn_jointFree;
        printf("'sinew run %s' %s on the ground, 'sinew render %s -o x.png' shows that\n",
               builtin->name, falls ? "drops it, its joints limp," : "stands it", builtin->name);
    }
    code = code ? code : saveCharacter(save, character);
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
    if (!code) {
        printFitRemark(stdout, animation);
    }
    snAnimation_Free(animation);
    return code;
}

// A rig, or what a sink wrote, which is shown as the animation that it is
static int infoRig(const char* path, const PlaybackOptions* options)
{
    snRig* rig = NULL;
    bool skinned;
    int code = openRig(path, options, &rig, &skinned);
    if (!code && skinned) {
        printRig(path, rig);
    } else if (!code) {
        code = infoAnimation(path, options);
    }
    if (!code) {
        printRigRemarks(rig);
    }
    snRig_Release(rig);
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
    const char *word, *save = NULL;
    snScene* scene = NULL;
    PlaybackOptions playback = {NULL, NULL, NULL};
    BodyOptions body = {0};
    const Option options[] = {{"--mesh", &playback.mesh, NULL, NULL},
                              {"--rate", &playback.rate, NULL, NULL},
                              {"--cells", &body.cells, NULL, NULL},
                              {"--young", &body.young, NULL, NULL},
                              {"--density", &body.density, NULL, NULL},
                              {"--size", &body.size, NULL, NULL},
                              {"--save", &save, NULL, NULL},
                              {NULL, NULL, NULL, NULL}};
    int count = parseArguments(&INFO_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL : listBuiltin();
    }
    if (givenMeshOption(&body) && (snBuiltinScene_Find(word) || !isFileOf(word, MESH_FILES))) {
        return complain(EXIT_BAD_CALL, "%s is for surface files and tet meshes, which '%s' is not",
                        givenMeshOption(&body), word);
    }
    if (save && !snBuiltinCharacter_Find(word) && !isFileOf(word, MESH_FILES) &&
        !isSceneName(word)) {
        return complain(
            EXIT_BAD_CALL,
            "--save is for characters: built-in ones, those of surface files and tet meshes, and "
            "the first of a scene, which '%s' is not; 'sinew rig HERO.glb --save HERO.body' saves "
            "the body of a rig",
            word);
    }
    if (save && !isFileOf(save, sn_fileCharacter)) {
        return complain(EXIT_BAD_CALL, "--save takes a name that ends with .character, found '%s'",
                        save);
    }
    if (isFileOf(word, sn_fileMotion)) {
        return infoClip(word);
    }
    if (isFileOf(word, sn_fileRig)) {
        return infoRig(word, &playback);
    }
    if (isFileOf(word, sn_fileBody)) {
        return printSavedBody(word);
    }
    if (isFileOf(word, sn_fileFrames)) {
        return infoAnimation(word, &playback);
    }
    if (snBuiltinCharacter_Find(word)) {
        return infoCharacter(snBuiltinCharacter_Find(word), save);
    }
    if (snBuiltinSkeleton_Find(word)) {
        return infoSkeleton(snBuiltinSkeleton_Find(word));
    }
    const snHost host = toolHost();
    int code =
        isFileOf(word, MESH_FILES) && !snBuiltinScene_Find(word) ? infoMesh(word) : EXIT_DONE;
    code = code ? code : openScene(&host, word, &body, &scene);
    code = code ? code : printScene(word, scene);
    code = code ? code : saveCharacter(save, snScene_Character(scene, 0));
    snScene_Free(scene);
    return code;
}

const Command INFO_COMMAND = {
    "info",
    "[NAME|FILE]",
    "print what is in a scene, character, skeleton, mesh, rig, body or animation",
    "Without a name: what is built in. A character with flesh is shown with its cells, masses and\n"
    "step; a surface (.obj .off .ply .stl) or tet mesh (.msh .ele .node .veg .mesh) with what is "
    "wrong "
    "with it\n"
    "and as the body that 'sinew run' makes of it; a rig (.glb .gltf .vrm .fbx .dae) with its "
    "size, meshes, "
    "clips and\n"
    "joints; a saved body (.body) likewise, with its flesh; an animation (.pc2 .mdd, or a .glb "
    "without skin) with its frames and surfaces (--mesh "
    "FILE,\n"
    "--rate N as 'sinew render --help' says). --cells, --young, --density and --size shape the "
    "body of\n"
    "a mesh as 'sinew run --help' says.\n"
    "  --save FILE.character  besides, the built character itself, of a built-in one or a mesh, or "
    "the\n"
    "                    first of a scene file: programs load it in milliseconds "
    "(snCharacter_Load), 'sinew run' drops "
    "it\n\n"
    "  sinew info\n"
    "  sinew info starfish\n"
    "  sinew info my_scene.json\n"
    "  sinew info liver.msh\n"
    "  sinew info bunny.obj --cells 500 --save bunny.character\n"
    "  sinew info hero.glb\n",
    info,
    NULL};
