// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew bake: a rig goes in, the same character with flesh comes out.
#define _POSIX_C_SOURCE 200809L // realpath, strcasecmp
#include "cli/bake.h"

#include "cli/advice.h"
#include "cli/choice.h"
#include "cli/column.h"
#include "cli/digest.h"
#include "cli/joints.h"
#include "cli/kind.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/saved.h"
#include "cli/targets.h"

#include <inttypes.h>
#include <math.h>
#include <render/film.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// Reports ---------------------------------------------------------------------

static void showBaked(void* user, const snBakeProgress* p)
{
    showFrames(user, p->stage, p->clip, p->done, p->total);
}

static void printClip(const snBakedClip* c, ClipColumn column, double size, double rate)
{
    char number[16];
    const char* name = bakedName(c, number) + column.shared;
    int width = column.width;
    if (c->skipped || c->frame_count == 0) {
        printf("  %-*.*s %s\n", width, width, name,
               c->skipped ? "left out: nothing moves in it" : "not begun yet");
        return;
    }
    char pace[24] = "-", largest[24], median[24], seam[24] = "-", error[24], part[24] = "-";
    double span = (c->frame_count > 1 ? c->frame_count - 1 : 1) / rate;
    if (c->seconds > 0) {
        snprintf(pace, sizeof pace, "%.2f", c->seconds / span);
    }
    if (c->is_loop) {
        shortNumber(1e3 * c->seam, seam);
    }
    if (c->largest > 0) {
        snprintf(part, sizeof part, "%.1f%%", 100 * c->error / c->largest);
    }
    printf("  %-*.*s %6d %7s %8s %5.2f%% %8s %5.2f%% %5.0f%% %6" PRId64 " %9s %8s %5.2f%% %7s\n",
           width, width, name, (int)c->frame_count, pace, shortNumber(1e3 * c->largest, largest),
           100 * c->largest / size, shortNumber(1e3 * c->median, median), 100 * c->median / size,
           100 * c->limited, c->interventions, seam, shortNumber(1e3 * c->error, error),
           100 * c->error / size, part);
}

// What the numbers mean for one who does not want to read them.
static void printMeaning(const Hero* h, const snBakeDef* def, const snBakeReport* r)
{
    for (int32_t i = 0; i < r->clip_count && r->complete; ++i) {
        char number[16], line[ADVICE_BYTES];
        Outcome outcome = outcomeOf(&r->clips[i], def->as, number);
        if (!r->clips[i].skipped &&
            findAdvice(&h->def, snBody_Info(h->body), &outcome, false, line)) {
            printf("  %s\n", line);
        }
    }
    if (r->singular_count > 0) {
        printf("  at %" PRId64 " places, counted frame by frame, joints squeeze the skin flat; "
               "there it stays at its skinning\n",
               r->singular_count);
    }
}

#define MOST_MISSES 5 // clips that are said to be no loops

static void printLoops(const snBakeReport* r, const snBakeDef* def)
{
    int32_t loops = 0, others = 0;
    for (int32_t i = 0; i < r->clip_count; ++i) {
        const snBakedClip* c = &r->clips[i];
        loops += !c->skipped && c->is_loop;
        others += !c->skipped && !c->is_loop;
        if (!c->skipped && !c->is_loop && def->loop < 0 && others <= MOST_MISSES) {
            char miss[24], number[16] = "";
            if (!c->name[0]) {
                (void)snprintf(number, sizeof number, "%d: ", (int)c->clip);
            }
            printf("  %s%s%snot a loop: at its end %s misses its start, by up to %s mm and %.0f "
                   "degrees%s\n",
                   number, c->name, c->name[0] ? ": " : "",
                   c->miss_node[0] ? c->miss_node : "a node", shortNumber(1e3 * c->miss, miss),
                   c->miss_angle * 57.29577951308232,
                   def->is_free || def->last_frame > 0 ? "" : "; --loop makes it one");
        }
    }
    if (others > MOST_MISSES && def->loop < 0) {
        printf("  %d more are not loops\n", (int)(others - MOST_MISSES));
    }
    if (loops > 0) {
        printf("  taken as loops, in which flesh goes on from the end to the start: %d of %d\n",
               (int)loops, (int)(loops + others));
    }
}

#define MUCH_MISSED 0.25 // of the movement, at the worst place

static void printHelpers(const snBakeReport* r)
{
    double least = 1, error = 0, rms = 0, missed = 0;
    for (int32_t i = 0; i < r->clip_count; ++i) {
        const snBakedClip* c = &r->clips[i];
        if (!c->skipped && c->frame_count > 0) {
            least = fmin(least, c->captured);
            error = fmax(error, c->error);
            rms = fmax(rms, c->error_rms);
            missed = fmax(missed, c->largest > 0 ? c->error / c->largest : 0);
        }
    }
    char far[24], usual[24];
    printf("  %d helper joints show at least %.1f%% of the movement (of its squares); they miss %s "
           "mm at most, %s mm rms%s",
           (int)r->joint_count, 100 * least, shortNumber(1e3 * error, far),
           shortNumber(1e3 * rms, usual),
           missed > MUCH_MISSED ? "; twice as many --joints miss less" : "");
}

static void printError(const snBakeReport* r, double size)
{
    double error = 0, rms = 0;
    char far[24], usual[24];
    for (int32_t i = 0; i < r->clip_count; ++i) {
        error = fmax(error, r->clips[i].error);
        rms = fmax(rms, r->clips[i].error_rms);
    }
    printf("; they miss %s mm at most, %.2g %% of the size, %s mm rms",
           shortNumber(1e3 * error, far), 100 * error / size, shortNumber(1e3 * rms, usual));
}

static void printReport(const Hero* h, const snBakeDef* def, const snBakeReport* r)
{
    ClipColumn column = columnOf(r);
    printf("  %-*s %6s %7s %15s %15s %6s %6s %9s %15s %7s\n", column.width, "clip", "frames",
           "s per s", "largest (mm, %)", "median (mm, %)", "limit", "guard", "seam (mm)",
           "error (mm, %)", "missed");
    for (int32_t i = 0; i < r->clip_count; ++i) {
        printClip(&r->clips[i], column, snBody_Info(h->body)->size, def->rate);
    }
    if (def->as == sn_bakeJoints) {
        printHelpers(r);
    } else if (def->as != sn_bakeShapes) {
        printf("  point caches of all vertices");
    } else if (def->shapes > 0) {
        printf("  %d shapes, at most %d active at a time", (int)r->shape_count,
               (int)r->active_most);
        printError(r, snBody_Info(h->body)->size);
    } else {
        printf("  %d shapes, one for every frame", (int)r->shape_count);
    }
    if (r->resumed_frames > 0) {
        printf("; %" PRId64 " frames were there from before", r->resumed_frames);
    }
    printf("\n");
    if (def->two_way) {
        printTwoWay(r);
    }
    printLoops(r, def);
    printMeaning(h, def, r);
}

// Baking ----------------------------------------------------------------------

#define MOST_FILES 8 // of point caches that are named

static void printFiles(const snBakeReport* r)
{
    int32_t named = r->file_count < MOST_FILES ? r->file_count : MOST_FILES;
    for (int32_t i = 0; i < named; ++i) {
        if (strcmp(r->files[i], r->path) != 0) {
            printf("wrote %s\n", r->files[i]);
        }
    }
    if (named < r->file_count) {
        printf("wrote %d more\n", (int)(r->file_count - named));
    }
    printf("wrote %s\n", r->path);
}

static int finishBake(const Hero* h, const BakeOptions* o, const snBakeDef* def, snStatus status,
                      const snBakeReport* report, const snMessage* why)
{
    bool stopped = status == sn_errorInterrupted;
    if (status && !stopped) {
        return complain(exitCode(status), "%s", why->text);
    }
    if (stopped && !report->path[0]) {
        return complain(
            EXIT_RUN_FAILED,
            "stopped before anything was written; frames that were made are in %s.frames. The "
            "same call with --resume goes on",
            o->path);
    }
    if (!o->quiet) {
        printReport(h, def, report);
        printFiles(report);
    }
    if (!stopped) {
        return EXIT_DONE;
    }
    const char* kept =
        strcmp(report->path, o->path) != 0 ? ", beside the older file, which stays" : "";
    return complain(EXIT_RUN_FAILED,
                    "stopped; '%s' has what was made till then%s. The same call with --resume goes "
                    "on (it keeps %s.frames for that)",
                    report->path, kept, o->path);
}

static int bakeHero(const snHost* host, Hero* h, const BakeOptions* o, const Choice* choice,
                    snBakeDef* def)
{
    snMessage why;
    snBakeReport* report = NULL;
    Progress progress = startProgress(o->quiet);
    def->clips = choice->clips;
    def->clip_count = choice->count;
    def->motion = choice->motion;
    def->user = &progress;
    def->progress = showBaked;
    snStatus status = snBake(host, h->body, def, o->path, &report, &why);
    endProgress(&progress);
    int code = finishBake(h, o, def, status, report, &why);
    code = code || !o->film ? code : filmBake(h, o, def, report);
    code = code || !o->sheet ? code : drawSheets(h, o, def, report);
    if (o->record) {
        recordBake(o->record, h, def, choice, report, o->notes);
    }
    snBakeReport_Free(report);
    return code;
}

// Frames of a bake that was stopped, which are about to be lost
static void printLoss(const BakeOptions* o)
{
    struct stat facts;
    char frames[HERO_PATH_BYTES + 16];
    snprintf(frames, sizeof frames, "%s.frames", o->path);
    if (!o->resume && stat(frames, &facts) == 0) {
        printf("%s of a bake that was stopped is made anew; --resume would have gone on with it\n",
               frames);
    }
}

static int checkUnbaked(const Hero* h)
{
    return snRig_Info(h->rig)->is_baked
               ? complain(EXIT_BAD_CALL,
                          "'%s' is baked already, and flesh would come on top of flesh; bake the "
                          "rig that it was made of, with all clips in one call ('--clip Walk "
                          "--clip Run', or '--clip all')",
                          h->path)
               : EXIT_DONE;
}

int bakeRig(const snHost* host, const BakeOptions* o, snBakeDef* def)
{
    Hero hero;
    Choice choice = {0};
    int code = openHero(o->input, o->body, &o->controls, &hero);
    code = code ? code : checkUnbaked(&hero);
    int32_t added = -1;
    code = code ? code : addMotion(hero.rig, &o->motion, &o->clips, o->quiet, &added);
    code = code ? code
                : chooseMotion(o->input, hero.rig, &o->clips, &o->motion, added, o->quiet, &choice);
    code = code ? code : buildHero(host, &hero, o->quiet);
    if (!code && !o->quiet) {
        printLoss(o);
        printAssumptions(&hero, &o->controls);
    }
    code = code || !o->two_way ? code : checkJoints(hero.rig, o->quiet);
    code = code ? code : bakeHero(host, &hero, o, &choice, def);
    freeChoice(&choice);
    closeHero(&hero);
    return code;
}

// A scene is simulated, as 'sinew run' does.
static int bakeScene(const BakeOptions* o)
{
    const RunOptions run = {.output = o->output, .quiet = o->quiet};
    if (holdsControls(o->input)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' holds the controls of a body: give the rig, and '--body %s'",
                        o->input, o->input);
    }
    return o->output ? runScene(o->input, &run)
                     : complain(EXIT_BAD_CALL,
                                "'%s' is a scene: give '-o OUT' as 'sinew run' takes "
                                "it",
                                o->input);
}

static bool isScene(const char* word)
{
    return hasEnd(word, ".json") || snBuiltinScene_Find(word) || snBuiltinCharacter_Find(word);
}

static int bakeInputs(BakeOptions* o, const char* const* inputs, int count)
{
    snHost host;
    snBakeDef def;
    bool several = count > 1 || o->report || o->jobs || (o->output && isFolder(o->output));
    o->input = inputs[0];
    if (count == 1 && isScene(o->input)) {
        return bakeScene(o);
    }
    for (int i = 0; i < count && o->sheet; ++i) { // a name for the sheet
        if (isFilmPath(inputs[i])) {
            return checkHero(inputs[i]);
        }
    }
    if (o->report && !hasEnd(o->report, ".json")) {
        return complain(EXIT_BAD_CALL, "--report takes a name that ends with .json, found '%s'",
                        o->report);
    }
    if (o->suffix && o->output && count == 1 && !isFolder(o->output)) {
        return complain(EXIT_BAD_CALL,
                        "--suffix is for results in a folder or beside their rigs, "
                        "and -o names '%s'",
                        o->output);
    }
    if (readBake(o, &def) || (!several && checkBakePaths(o)) ||
        !readHost(o->threads, NULL, &host)) {
        return EXIT_BAD_CALL;
    }
    catchStops();
    host.interrupted = isStopWanted;
    host.log = printWarning;
    return several ? bakeSeveral(&host, o, &def, inputs, count) : bakeRig(&host, o, &def);
}

static int bake(int argc, char** argv)
{
    BakeOptions o = {0};
    Option options[MOST_OPTIONS] = {
        {.name = "-o", .value = &o.output},
        {.name = "--output", .value = &o.output},
        {.name = "--clip", .words = &o.clips},
        {.name = "--motion", .words = &o.motion.given},
        {.name = "--motion-clip", .value = &o.motion.clip},
        {.name = "--map", .value = &o.motion.map},
        {.name = "--no-feet", .flag = &o.motion.no_feet},
        {.name = "--exact", .flag = &o.exact},
        {.name = "--shapes", .value = &o.shapes},
        {.name = "--error", .value = &o.error},
        {.name = "--joints", .value = &o.joints},
        {.name = "--rate", .value = &o.rate},
        {.name = "--ground", .flag = &o.ground},
        {.name = "--ground-height", .value = &o.ground_height},
        {.name = "--resume", .flag = &o.resume},
        {.name = "--film", .value = &o.film},
        {.name = "--threads", .value = &o.threads},
        {.name = "--body", .value = &o.body},
        {.name = "--quiet", .flag = &o.quiet},
        {.name = "--loop", .flag = &o.loop},
        {.name = "--no-loop", .flag = &o.no_loop},
        {.name = "--frames", .value = &o.frames},
        {.name = "--suffix", .value = &o.suffix},
        {.name = "--jobs", .value = &o.jobs},
        {.name = "--report", .value = &o.report},
        {.name = "--sheet", .flag = &o.sheet},
        {.name = "--as", .value = &o.as},
        {.name = "--two-way", .flag = &o.two_way},
        {.name = "--free", .flag = &o.is_free},
        {.name = "--strength", .value = &o.strength},
    };
    addControls(&o.controls, options);
    const char** inputs = calloc((size_t)argc + 1, sizeof *inputs);
    if (!inputs) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    int count = parseArguments(&BAKE_COMMAND, argc, argv, options, inputs, argc);
    int code = count < 0 ? EXIT_BAD_CALL : EXIT_DONE;
    if (count == 0) {
        FileList rigs;
        code = complain(EXIT_BAD_CALL, "which rig? give a %s file", listFilesOf(sn_fileRig, rigs));
    }
    o.digest = digestOptions(options);
    code = code ? code : readMotionOptions(&o.motion);
    code = code ? code : bakeInputs(&o, inputs, count);
    free(inputs);
    return code;
}

static void printMore(FILE* out)
{
    printControls(out);
    fprintf(out, "\nCtrl-C writes what was made till then, as hero_soft.part.glb if there is a "
                 "hero_soft.glb from\nbefore. A bake that was stopped or killed is finished by "
                 "the same call with --resume. To add a\nclip, bake the original again with all "
                 "clips: what is baked cannot be baked again. Of several files a bad one does "
                 "not stop the rest: the\ntable at the end says what became of each, and the exit "
                 "code is 1 if any failed.\n\n"
                 "  sinew bake hero.glb --clip Run -o hero_soft.glb\n"
                 "  sinew bake hero.glb --clip 'Walk*' --clip Idle --softness 4 -o hero_soft.glb\n"
                 "  sinew bake rigs/*.glb -o soft/ --clip all --jobs 4 --report soft.json --sheet\n"
                 "  sinew bake hero.vrm --motion dance.bvh -o hero_dance.glb\n"
                 "  sinew bake statue.vrm --motion hop -o statue_soft.glb --film statue.mp4\n");
}

const Command BAKE_COMMAND = {
    "bake",
    "FILE... [-o OUT.glb|OUT/]",
    "give a rigged character flesh in its clips",
    "Reads a rigged character (.glb .gltf .vrm .fbx .dae), gives it a body, simulates its clips "
    "and writes "
    "the\nsame file back, with the flesh as morph targets and tracks of their weights in the "
    "clips.\n\n"
    "  -o OUT.glb        otherwise hero_soft.glb beside hero.glb; of several files a folder, "
    "made if\n"
    "                    missing, in which results have their rigs' names\n"
    "  --suffix TEXT     after these names; otherwise nothing, or _soft beside the rigs\n"
    "  --clip NAME       a clip; patterns with * and ? and all work; unnamed ones by number; may "
    "be\n"
    "                    given several times; otherwise the first that moves\n"
    "  --motion NAME     hop, shake or turn in place of clips, for rigs without\n"
    "  --motion FILE     a clip of another file (.bvh .fbx .glb .gltf .vrm .dae) put on this "
    "character as\n"
    "                    a new clip, called as the file (docs/motion.md)\n"
    "  --motion-clip NAME  which one of that file; otherwise the first that moves\n"
    "  --map FILE        which joint of it is which one here, a pair a line; otherwise by their "
    "names\n"
    "  --no-feet         planted feet go where the joints take them; otherwise they are held on "
    "the "
    "ground\n"
    "  --shapes N        shapes that are active at a time, 1..64; otherwise 8\n"
    "  --error R         by which shapes may miss the simulated surface at most, as a part of the\n"
    "                    body's size, 1e-5..1; otherwise 0.001: 1.8 mm of a person. Larger makes "
    "a\n"
    "                    smaller file\n"
    "  --as KIND         shapes or joints in a .glb, or point caches, pc2 or mdd: a file for each "
    "mesh object\n"
    "                    and hero_soft_apply_in_blender.py, which makes Blender play them; "
    "otherwise\n"
    "                    as the end of OUT says\n"
    "  --joints N        with '--as joints', helper joints at most, 1..256; otherwise 32: for "
    "programs that\n"
    "                    play skinning but no shapes. They hang on the rig's joints and take some "
    "of "
    "their\n"
    "                    weights, four joints a vertex as before\n"
    "  --exact           a shape for every frame, in a larger file\n"
    "  --rate HZ         frames a second, 1..240; otherwise 60. At least as many, evenly from the\n"
    "                    first key to the last\n"
    "  --ground          flesh does not go below the ground, which is at 0\n"
    "  --ground-height Y or at this height, in the file's unit\n"
    "  --two-way         flesh, and the ground with --ground, push back on the skeleton, which "
    "tracks the\n"
    "                    clip with servos: Run becomes a new clip 'Run (two-way)'. The root is "
    "held\n"
    "                    softly, as a puppet's; nothing keeps balance (docs/two_way.md). 'sinew "
    "rig "
    "--joints'\n"
    "                    shows the joints\n"
    "  --strength X      of the servos, 0..100, otherwise 1; below that the body sags\n"
    "  --free            nothing holds the root: the character falls\n"
    "  --loop            take clips as loops, even if they end elsewhere than they begin: flesh "
    "ends as it\n"
    "                    begins; where the pose jumps it goes along with the joints, and nothing "
    "is blended\n"
    "  --no-loop         take none as a loop; otherwise those that are found to be\n"
    "  --film OUT        .mp4 or .png: before, after and difference side by side, of\n"
    "                    the clip that moves most\n"
    "  --sheet           before, after and difference of each clip as a picture, "
    "hero_soft.Walk.png\n"
    "                    beside hero_soft.glb: the first moment, and those where it is largest\n"
    "  --frames A..B     these frames of each clip alone, counted from 0 at --rate; elsewhere it "
    "follows\n"
    "                    its skinning\n"
    "  --jobs N          files at a time, 1..64; otherwise 1. Cores are shared among them\n"
    "  --report R.json   what there is to know about each file and clip, for programs\n"
    "  --resume          go on with a bake that was stopped; of several files those that are "
    "finished\n"
    "                    stay, if they were made with the same options\n"
    "  --body FILE.json  controls, instead of hero.sinew.json beside the rig\n"
    "  --threads N       threads, 1..64; otherwise one per core. Never changes the result\n"
    "  --quiet           print nothing but errors\n\n",
    bake,
    printMore};
