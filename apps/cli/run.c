// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew run: simulate a scene, write its frames.
#include "cli/run.h"

#include "cli/balance.h"
#include "cli/output.h"
#include "cli/remarks.h"
#include "cli/targets.h"
#include "cli/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Runs to the end, an error or Ctrl-C; frames so far, or the last good one alone, are in the
// output.
static snStatus simulate(snSim* sim, Output* output, bool last, const snSceneDef* def,
                         Progress* progress, snMessage* why)
{
    int64_t frames = (int64_t)floor(def->duration * def->frame_rate + 1e-9);
    snStatus status = last ? sn_ok : writeOutput(output, snSim_Frame(sim), why);
    for (int64_t i = 1; i <= frames && !status && !stopCount(); ++i) {
        // from the frame's number, so that no rounding adds up
        double due = (double)i / def->frame_rate - snSim_Time(sim);
        status = snSim_Advance(sim, due > 0 ? due : 0, why);
        status = status || last ? status : writeOutput(output, snSim_Frame(sim), why);
        showProgress(progress, snSim_Time(sim), def->duration);
    }
    if (last) {
        snMessage write_why;
        snStatus written = writeOutput(output, snSim_Frame(sim), &write_why);
        if (written && !status) {
            *why = write_why;
            status = written;
        }
    }
    return status;
}

// The scene's def with the options laid over it.
static int applyOptions(const RunOptions* o, snScene* scene)
{
    snSceneDef def = *snScene_Def(scene);
    if ((o->duration && !readNumber("--duration", o->duration, 0, 86400, &def.duration)) ||
        (o->fps && !readNumber("--fps", o->fps, 1, 10000, &def.frame_rate)) ||
        (o->step && strcmp(o->step, "auto") != 0 &&
         !readNumber("--step", o->step, 0, 0.1, &def.step))) {
        return EXIT_BAD_CALL;
    }
    if (o->step && strcmp(o->step, "auto") == 0) {
        def.step = 0;
    }
    def.self_contact = def.self_contact && !o->no_self_contact;
    snMessage why;
    snStatus status = snScene_SetDef(scene, &def, &why);
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

static int readSinkOptions(const RunOptions* o, snSinkDef* how)
{
    snSinkDef_Init(how);
    how->single = o->last;
    if (o->last && (!o->output || isFilmPath(o->output))) {
        return complain(EXIT_BAD_CALL,
                        "--last is for files that are no pictures; add '-o FILE.stl', "
                        "or see --at of 'sinew render'");
    }
    if (o->error && !(o->output && hasEnd(o->output, ".glb"))) {
        return complain(EXIT_BAD_CALL, "--error is for GLB files; add '-o FILE.glb'");
    }
    bool fine = !o->error || readNumber("--error", o->error, 0, 1, &how->error);
    return fine ? EXIT_DONE : EXIT_BAD_CALL;
}

// How long things took, s
typedef struct Times {
    double built; // until the scene was made
    double spent; // simulating
} Times;

static void summarise(snSim* sim, const snScene* scene, const Output* output, Times times,
                      const RunOptions* o)
{
    if (!o->quiet) {
        double time = snSim_Time(sim);
        printf("simulated %.3f s in %.3f s (%.3g x real time), step %.4g ms; built in %.2g s\n",
               time, times.spent, times.spent > 0 ? time / times.spent : 0, 1e3 * snSim_Step(sim),
               times.built);
        printVerdict(snSim_Frame(sim), scene);
        printBalance(snSim_Frame(sim));
        if (o->output) {
            printWritten(output, o->output, o->last);
        }
    }
    if (o->hash) {
        printf("hash %016" PRIx64 "\n", snSim_Hash(sim));
    }
}

// Whatever happened, the frames so far are worth keeping.
static int finishRun(snSim* sim, const snScene* scene, Output* output, snStatus status,
                     const snMessage* why, Times times, const RunOptions* o)
{
    snMessage close_why;
    if (status == sn_errorIo || status == sn_errorFile || status == sn_errorArgument) {
        abortOutput(output);
        return complain(EXIT_RUN_FAILED, "%s", why->text);
    }
    bool stopped = stopCount() > 0;
    if (closeOutput(output, &close_why)) {
        return complain(EXIT_RUN_FAILED, "%s", close_why.text);
    }
    summarise(sim, scene, output, times, o);
    if (status) {
        return complain(EXIT_RUN_FAILED, "%s", why->text);
    }
    return stopped ? complain(EXIT_RUN_FAILED, "stopped at %.3f s", snSim_Time(sim)) : EXIT_DONE;
}

static int runBuilt(const snHost* host, snScene* scene, const RunOptions* o, const snSinkDef* how,
                    double built)
{
    snMessage why;
    snSim* sim = NULL;
    Output output = {0};
    snStatus status = snSim_Create(scene, &sim, &why);
    if (!status && o->balance) {
        status = wantBalance(sim, snScene_CharacterCount(scene), &why);
    }
    if (!status && o->output) {
        status = openOutput(host, scene, snSim_Frame(sim), o->output, how, o->quiet, &output, &why);
    }
    if (status) {
        snSim_Free(sim);
        return complain(exitCode(status), "%s", why.text);
    }
    Progress progress = startProgress(o->quiet);
    catchStops();
    status = simulate(sim, &output, o->last, snScene_Def(scene), &progress, &why);
    endProgress(&progress);
    Times times = {built, seconds() - progress.start};
    int code = finishRun(sim, scene, &output, status, &why, times, o);
    snSim_Free(sim);
    return code;
}

int runScene(const char* word, const RunOptions* o)
{
    snHost host;
    snSinkDef how;
    snScene* scene = NULL;
    BodyOptions body = o->body;
    body.quiet = o->quiet;
    body.method = &o->method;
    if (readSinkOptions(o, &how) || !readHost(o->threads, o->isa, &host)) {
        return EXIT_BAD_CALL;
    }
    host.interrupted = isStopWanted;
    double start = seconds();
    int code = openScene(&host, word, &body, &scene);
    double built = seconds() - start;
    code = code ? code : applyOptions(o, scene);
    if (!code && !o->quiet) {
        printSoftRemarks(stdout, scene);
    }
    code = code ? code : runBuilt(&host, scene, o, &how, built);
    snScene_Free(scene);
    return code;
}

static int run(int argc, char** argv)
{
    RunOptions o = {0};
    const Option options[] = {
        {"-o", &o.output, NULL, NULL},
        {"--output", &o.output, NULL, NULL},
        {"--error", &o.error, NULL, NULL},
        {"--duration", &o.duration, NULL, NULL},
        {"--fps", &o.fps, NULL, NULL},
        {"--step", &o.step, NULL, NULL},
        {"--method", &o.method.name, NULL, NULL},
        {"--set", NULL, NULL, &o.method.set},
        {"--no-self-contact", NULL, &o.no_self_contact, NULL},
        {"--threads", &o.threads, NULL, NULL},
        {"--isa", &o.isa, NULL, NULL},
        {"--cells", &o.body.cells, NULL, NULL},
        {"--young", &o.body.young, NULL, NULL},
        {"--density", &o.body.density, NULL, NULL},
        {"--size", &o.body.size, NULL, NULL},
        {"--height", &o.body.height, NULL, NULL},
        {"--clip", &o.body.clip, NULL, NULL},
        {"--quiet", NULL, &o.quiet, NULL},
        {"--hash", NULL, &o.hash, NULL},
        {"--last", NULL, &o.last, NULL},
        {"--balance", NULL, &o.balance, NULL},
        {NULL, NULL, NULL, NULL},
    };
    const char* word;
    int count = parseArguments(&RUN_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL
                         : complain(EXIT_BAD_CALL, "which scene? 'sinew --help' lists the built-in "
                                                   "ones");
    }
    return runScene(word, &o);
}

const Command RUN_COMMAND = {
    "run",
    "SCENE|MESH [-o OUT]",
    "simulate a built-in scene or a scene file, or drop a character or mesh",
    "  -o OUT            write the frames; by extension: .glb (animation), .pc2, .mdd (point "
    "caches),\n"
    "                    .obj, .ply, .off, .stl (surfaces, a file per frame), .pvd or .vtu "
    "(cells\n"
    "                    with stress, for ParaView),\n"
    "                    .csv (energies, momenta, depths, work), .mp4 (film), .png (sheet of "
    "pictures);\n"
    "                    'sinew render' draws with more choice\n"
    "  --last            write the last frame alone: '-o x.stl --last' makes one file, x.stl\n"
    "  --error R         .glb: how far a surface may be from where it was, as a part of its size "
    "(0..1);\n"
    "                    otherwise 0.001; 0 keeps every frame exactly, in a larger file\n"
    "  --clip FILE       motion capture (.bvh) for the scene's first character, a humanoid\n"
    "  --duration S      seconds to simulate instead of the scene's own\n"
    "  --fps N           frames per second\n"
    "  --step S          largest step in seconds; auto or 0: chosen automatically (default)\n"
    "  --method NAME     the method that simulates, instead of the scene's own\n"
    "  --set NAME=VALUE  a setting of the method, listed below; may be given several times\n"
    "  --no-self-contact surfaces do not touch themselves\n"
    "  --threads N       threads, 1..64; otherwise one per core. Never changes the result\n"
    "  --isa NAME        auto, baseline, avx2 or avx512 (also by SINEW_ISA). Never changes the "
    "result\n"
    "  --balance         at the end say what did work on each body, in joules: drives, gravity, "
    "contact,\n"
    "                    damping, fields; and what is left of the change of its energy. The run "
    "takes longer\n"
    "  --hash            print a hash of the final state\n"
    "  --quiet           print nothing but errors (and the hash)\n\n"
    "A built-in character ('sinew info' lists them), or a saved one (.character), is dropped on "
    "the\n"
    "ground, its joints limp; --height works for it too. A surface (.obj .off .ply .stl), open or "
    "closed, or a tet mesh "
    "(.msh\n"
    ".ele .node .veg .mesh) becomes a soft body that is dropped on the ground:\n"
    "  --cells N         surfaces: about how many cells to make, 1..1e7; otherwise 3000\n"
    "  --young PA        stiffness (Young's modulus) in Pa; otherwise such that it sags by some 4 "
    "%\n"
    "  --density D       in kg/m^3; otherwise 1000\n"
    "  --size M          its longest side in metres; otherwise as in the file, or 1 when that is\n"
    "                    not in 0.1..3\n"
    "  --height M        height of the fall in metres; otherwise 0.3 times the longest side\n\n"
    "Ctrl-C stops the run; the frames so far are written. While a film is drawn, another one ends "
    "it.\n\n"
    "  sinew run starfish_fall -o starfish.glb\n"
    "  sinew run my_scene.json -o out.csv --duration 10\n"
    "  sinew run fatman -o fatman.mp4\n"
    "  sinew run bunny.obj -o fallen.stl --last\n"
    "  sinew run bunny.obj -o bunny.mp4 --size 0.4 --young 1e4\n"
    "  sinew run starfish_fall --set integrator=euler\n",
    run,
    printSettings};
