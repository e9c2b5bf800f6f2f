// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew check: what is wrong with a scene, mesh, rig, body or animation, and what to do.
#include "cli/cli.h"
#include "cli/clip.h"
#include "cli/kind.h"
#include "cli/overlap.h"
#include "cli/playback.h"
#include "cli/remarks.h"
#include "cli/rig_facts.h"
#include "cli/saved.h"
#include "cli/targets.h"

#include <inttypes.h>
#include <string.h>

static int judge(const char* name, int remarks)
{
    printf(remarks > 0 ? "%s: can be used as it is\n" : "%s: fine\n", name);
    return EXIT_DONE;
}

// Characters that are there several times are spoken of once.
static bool isFirst(const snScene* scene, int32_t who)
{
    int32_t i = 0;
    while (snScene_Character(scene, i) != snScene_Character(scene, who)) {
        ++i;
    }
    return i == who;
}

// What the library tells while a scene is read
typedef struct Notes {
    int count;
    char text[2000]; // lines
} Notes;

static void takeNote(void* user, snLogLevel level, const char* text)
{
    Notes* notes = user;
    size_t length = strlen(notes->text);
    if (level >= sn_logInfo) {
        snprintf(notes->text + length, sizeof notes->text - length, "  %s\n", text);
        ++notes->count;
    }
}

// Reads the scene, or the body that is made of a mesh, sets up a simulation and does its first
// step: everything that can be known before time passes.
static int checkScene(const char* name, bool mesh)
{
    snMessage why;
    snMeshFacts facts;
    snScene* scene = NULL;
    snSim* sim = NULL;
    int remarks = 0, code = EXIT_DONE;
    const BodyOptions body = {.quiet = true};
    Notes notes = {0};
    snHost host = toolHost();
    host.user = &notes;
    host.log = takeNote;
    if (mesh) {
        snStatus status = snMeshFacts_Read(NULL, name, &facts, &why);
        if (status) {
            return complain(exitCode(status), "%s", why.text);
        }
        printMesh(stdout, name, &facts);
        remarks = printRemarks(stdout, &facts);
    }
    code = openScene(&host, name, &body, &scene);
    if (!code) {
        snStatus status = snSim_Create(scene, &sim, &why);
        code = status ? complain(exitCode(status), "%s: %s", name, why.text) : EXIT_DONE;
    }
    if (!code && !mesh) {
        printSceneFacts(stdout, name, scene);
        printf("%s", notes.text);
        remarks = notes.count;
        for (int32_t i = 0; i < snScene_CharacterCount(scene); ++i) {
            remarks +=
                isFirst(scene, i) ? printBoneRemarks(stdout, snScene_Character(scene, i)) : 0;
        }
    } else if (!code) {
        remarks += printVolumeRemark(stdout, &facts, scene);
    }
    remarks += code ? 0 : printSoftRemarks(stdout, scene);
    remarks += code ? 0 : printOverlaps(stdout, sim);
    snSim_Free(sim);
    snScene_Free(scene);
    return code ? code : judge(name, remarks);
}

// Looks at every frame. Complains about those that cannot be shown.
static int checkFrames(const char* path, snAnimation* animation)
{
    snMessage first = {""};
    int64_t bad = 0, count = snAnimation_FrameCount(animation);
    for (int64_t i = 0; i < count; ++i) {
        snMessage why;
        const snFrame* frame;
        snStatus status = snAnimation_Frame(animation, i, &frame, &why);
        first = status && bad == 0 ? why : first;
        bad += status != sn_ok;
    }
    return bad == 0 ? EXIT_DONE
                    : complain(EXIT_BAD_CALL,
                               "%s: %s; %" PRId64 " of %" PRId64 " frames are so. Write it again",
                               path, first.text, bad, count);
}

static int checkAnimation(const char* path, const PlaybackOptions* options)
{
    snAnimation* animation = NULL;
    int code = openPlayback(NULL, path, options, &animation);
    code = code ? code : checkFrames(path, animation);
    code = code ? code : printPlayback(path, animation);
    if (!code) {
        int remarks = printTimeRemarks(stdout, animation);
        judge(path, remarks + printFitRemark(stdout, animation));
    }
    snAnimation_Free(animation);
    return code;
}

// A rig, of which every clip is looked at, or what a sink wrote, of which every frame is
static int checkRig(const char* path, const PlaybackOptions* options)
{
    snRig* rig = NULL;
    bool skinned;
    int code = openRig(path, options, &rig, &skinned);
    if (!code && skinned) {
        code = checkRigClips(path, rig);
    } else if (!code) {
        printRigRemarks(rig);
        code = checkAnimation(path, options);
    }
    if (skinned && !code) {
        printRig(path, rig);
        judge(path, printRigRemarks(rig));
    }
    snRig_Release(rig);
    return code;
}

// hero.sinew.json: the controls of a rig's body
static int checkBody(const char* path)
{
    snMessage why;
    snBodyFile* file = NULL;
    snStatus status = snBodyFile_Load(NULL, path, &file, &why);
    snBodyFile_Free(file);
    return status ? complain(exitCode(status), "%s", why.text) : judge(path, 0);
}

static int check(int argc, char** argv)
{
    const char* word;
    PlaybackOptions playback = {NULL, NULL, NULL};
    const Option options[] = {{"--mesh", &playback.mesh, NULL, NULL},
                              {"--rate", &playback.rate, NULL, NULL},
                              {NULL, NULL, NULL, NULL}};
    int count = parseArguments(&CHECK_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL
                         : complain(EXIT_BAD_CALL, "which one? see 'sinew check --help'");
    }
    bool builtin = snBuiltinScene_Find(word) != NULL;
    if (!builtin && isFileOf(word, sn_fileMotion)) {
        return checkClip(word);
    }
    if (!builtin && (hasEnd(word, ".sinew.json") || holdsControls(word))) {
        return checkBody(word);
    }
    if (!builtin && isFileOf(word, sn_fileBody)) {
        int code = printSavedBody(word);
        return code ? code : judge(word, 0);
    }
    if (!builtin && isFileOf(word, sn_fileRig)) {
        return checkRig(word, &playback);
    }
    if (!builtin && isFileOf(word, sn_fileFrames)) {
        return checkAnimation(word, &playback);
    }
    if (playback.mesh || playback.rate) {
        return complain(EXIT_BAD_CALL, "%s is for animations (.pc2 .mdd), which '%s' is not",
                        playback.mesh ? "--mesh" : "--rate", word);
    }
    return checkScene(word, !builtin && isFileOf(word, MESH_FILES));
}

const Command CHECK_COMMAND = {
    "check",
    "FILE",
    "say what is wrong with a scene, mesh, rig, body or animation, and what to do",
    "Prints what is in the file, what is odd about it though it can be used (of a scene also what\n"
    "starts inside something else, and how deep), and 'FILE: fine' or\n"
    "'FILE: can be used as it is', and exits with 0; or file, place, cause and remedy, and exits "
    "with 2.\n"
    "Takes scene files, controls of bodies (.json), surfaces (.obj .off .ply .stl), tet "
    "meshes\n"
    "(.msh .ele .node .veg .mesh), saved bodies (.body) and characters\n"
    "(.character), rigs "
    "(.glb .gltf .vrm .fbx .dae), of which every clip is looked at, and animations (.pc2 .mdd, or "
    ".glb "
    "without\n"
    "skin), of which every frame is:\n"
    "  --mesh FILE       .pc2, .mdd: the mesh it is for, which must have as many vertices\n"
    "  --rate N          .pc2: frames per second, otherwise 60\n\n"
    "  sinew check my_scene.json\n"
    "  sinew check bunny.obj\n"
    "  sinew check hero.glb\n"
    "  sinew check dance.pc2 --mesh bunny.obj\n",
    check,
    NULL};
