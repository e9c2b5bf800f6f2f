// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew render: pictures and films without a display.
#include "cli/choice.h"
#include "cli/cli.h"
#include "cli/compare.h"
#include "cli/kind.h"
#include "cli/output.h"
#include "cli/remarks.h"
#include "cli/rig_facts.h"
#include "cli/setting.h"
#include "cli/source.h"
#include "cli/targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct RenderOptions {
    const char *output, *frames, *at, *size, *camera, *view, *zoom, *eye, *target, *turns, *show,
        *range, *fps, *duration, *beside, *threads;
    Words compare;
    MethodOptions method;
    BodyOptions body;
    PlaybackOptions playback;
    bool quiet;
} RenderOptions;

// The place of a word in a NULL-terminated list; complains and returns false when it is not there.
static bool readWord(const char* option, const char* text, const char* const* words, int32_t* index)
{
    for (*index = 0; words[*index]; ++*index) {
        if (strcmp(words[*index], text) == 0) {
            return true;
        }
    }
    fprintf(stderr, "sinew: %s takes ", option);
    for (int i = 0; words[i]; ++i) {
        fprintf(stderr, "%s%s", words[i], !words[i + 1] ? "" : !words[i + 2] ? " or " : ", ");
    }
    fprintf(stderr, ", found '%s'\n", text);
    return false;
}

static bool readPlace(const char* option, const char* text, snVec3* place)
{
    double* numbers[3] = {&place->x, &place->y, &place->z};
    const char* at = text;
    for (int i = 0; i < 3; ++i) {
        char* end;
        *numbers[i] = strtod(at, &end);
        if (end == at || !isfinite(*numbers[i]) || *end != (i < 2 ? ',' : 0)) {
            complain(EXIT_BAD_CALL, "%s takes a place as X,Y,Z in metres, found '%s'", option,
                     text);
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool readSize(const char* text, FilmDef* def)
{
    char* end;
    long width = strtol(text, &end, 10), height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || width < 1 || width > INT16_MAX || height < 1 || height > INT16_MAX) {
        complain(EXIT_BAD_CALL,
                 "--size takes WIDTHxHEIGHT in pixels, such as 1280x720, found '%s'; how large a "
                 "body is, in metres, 'sinew run --size' says",
                 text);
        return false;
    }
    def->width = (int32_t)width;
    def->height = (int32_t)height;
    return true;
}

static bool readCamera(const RenderOptions* o, CameraDef* camera)
{
    static const char* const KINDS[] = {"fit", "follow", "orbit", NULL};
    static const char* const VIEWS[] = {"iso",  "front", "side",  "top",
                                        "back", "left",  "right", NULL};
    if ((o->camera && !readWord("--camera", o->camera, KINDS, &camera->kind)) ||
        (o->view && !readWord("--view", o->view, VIEWS, &camera->view)) ||
        (o->zoom && !readNumber("--zoom", o->zoom, 0.1, 20, &camera->zoom)) ||
        (o->turns && !readNumber("--turns", o->turns, -100, 100, &camera->turns))) {
        return false;
    }
    if (o->turns && camera->kind != cameraOrbit) {
        complain(EXIT_BAD_CALL, "--turns is for '--camera orbit'; add that");
        return false;
    }
    if (!o->eye && !o->target) {
        return true;
    }
    if (!o->eye || !o->target || o->camera || o->view || o->zoom) {
        complain(EXIT_BAD_CALL,
                 "--eye and --target come together, without --camera, --view and --zoom");
        return false;
    }
    camera->kind = cameraFixed;
    if (!readPlace("--eye", o->eye, &camera->eye) ||
        !readPlace("--target", o->target, &camera->target)) {
        return false;
    }
    bool same = camera->eye.x == camera->target.x && camera->eye.y == camera->target.y &&
                camera->eye.z == camera->target.z;
    if (same) {
        complain(EXIT_BAD_CALL, "--eye and --target are the same place, %s; move one of them",
                 o->eye);
    }
    return !same;
}

static bool readRange(const RenderOptions* o, DrawOptions* draw)
{
    char* end;
    if (!o->range) {
        return true;
    }
    draw->low = strtod(o->range, &end);
    draw->high = *end == ',' ? strtod(end + 1, &end) : 0;
    if (*end || !(draw->low >= 0.01 && draw->low < 1 && draw->high > 1 && draw->high <= 100)) {
        complain(EXIT_BAD_CALL,
                 "--range takes LOW,HIGH with 0.01 <= LOW < 1 < HIGH <= 100, such as 0.9,1.1, "
                 "found '%s'",
                 o->range);
        return false;
    }
    if (!draw->stretch) {
        complain(EXIT_BAD_CALL, "--range is for '--show stretch'; add that");
    }
    return draw->stretch;
}

static bool readFilm(const RenderOptions* o, FilmDef* def, DrawOptions* draw)
{
    double frames = def->frames;
    if ((o->duration && !readNumber("--duration", o->duration, 0, 86400, &def->duration)) ||
        (o->fps && !readNumber("--fps", o->fps, 1, 240, &def->fps)) ||
        (o->frames && !readNumber("--frames", o->frames, 1, FILM_MOST_FRAMES, &frames)) ||
        (o->at && !readNumber("--at", o->at, 0, 86400, &def->at)) ||
        (o->size && !readSize(o->size, def)) || !readCamera(o, &def->camera)) {
        return false;
    }
    def->frames = (int32_t)frames;
    if (o->show && !readDrawOptions(o->show, draw)) {
        complain(EXIT_BAD_CALL, "--show takes some of %s, separated by commas, found '%s'",
                 DRAW_WORDS, o->show);
        return false;
    }
    if (!readRange(o, draw)) {
        return false;
    }
    bool film = isMoviePath(def->path);
    if ((film && (o->frames || o->at)) || (!film && o->fps) || (o->frames && o->at)) {
        complain(EXIT_BAD_CALL,
                 "a film takes --fps, a sheet of pictures --frames, a single picture "
                 "--at; not two of them");
        return false;
    }
    return true;
}

// What is rendered: one source, or two side by side.
typedef struct Sources {
    int32_t count;
    const char* words[FILM_MOST_PANELS];
    Source sources[FILM_MOST_PANELS];
} Sources;

static bool takesRate(const char* word)
{
    return hasEnd(word, ".pc2");
}

static bool isMesh(const char* word)
{
    return isFileOf(word, MESH_FILES);
}

static bool isDropped(const char* word)
{
    return isMesh(word) || (!snBuiltinScene_Find(word) && snBuiltinCharacter_Find(word));
}

static bool isSimulated(const char* word)
{
    return !isFileOf(word, sn_fileFrames);
}

// Complains when an option is given that no source takes.
static bool checkTaken(const Sources* all, const char* option, bool (*takes)(const char*),
                       const char* what)
{
    bool taken = !option;
    for (int32_t i = 0; i < all->count; ++i) {
        taken = taken || takes(all->words[i]);
    }
    if (!taken) {
        complain(EXIT_BAD_CALL, "%s is for %s, which '%s' is not", option, what, all->words[0]);
    }
    return taken;
}

// Opens all; of two, each gets the options that it takes.
static int openSources(const snHost* host, const RenderOptions* o, Sources* all)
{
    const BodyOptions scene = {
        .clip = o->body.clip, .quiet = o->body.quiet, .method = o->body.method};
    const BodyOptions drop = {.clip = o->body.clip,
                              .quiet = o->body.quiet,
                              .height = o->body.height,
                              .method = o->body.method};
    const char* method = o->method.name ? "--method" : o->method.set.count > 0 ? "--set" : NULL;
    if (!checkTaken(all, method, isSimulated, "what is simulated") ||
        !checkTaken(all, givenMeshOption(&o->body), isMesh, "surface files and tet meshes") ||
        !checkTaken(all, o->body.height ? "--height" : NULL, isDropped,
                    "surface files, tet meshes and characters") ||
        !checkTaken(all, o->playback.mesh ? "--mesh" : NULL, isPointCache, "point caches") ||
        !checkTaken(all, o->playback.rate ? "--rate" : NULL, takesRate, ".pc2 files")) {
        return EXIT_BAD_CALL;
    }
    for (int32_t i = 0; i < all->count; ++i) {
        const char* word = all->words[i];
        const PlaybackOptions playback = {isPointCache(word) ? o->playback.mesh : NULL,
                                          takesRate(word) ? o->playback.rate : NULL,
                                          isFileOf(word, sn_fileRig) ? o->body.clip : NULL};
        const BodyOptions* body = isMesh(word) ? &o->body : isDropped(word) ? &drop : &scene;
        int code = openSource(host, word, body, &playback, &all->sources[i]);
        if (code) {
            return code;
        }
        if (all->sources[i].animation && !o->quiet) {
            printFitRemark(stderr, all->sources[i].animation);
        }
    }
    return EXIT_DONE;
}

// The last part of a path, or all of it when that does not tell two apart.
static void nameSources(const Sources* all, FilmDef* def)
{
    const char* names[FILM_MOST_PANELS] = {"", ""};
    for (int32_t i = 0; i < all->count; ++i) {
        const char* slash = strrchr(all->words[i], '/');
        names[i] = slash ? slash + 1 : all->words[i];
    }
    bool same = strcmp(names[0], names[1]) == 0;
    for (int32_t i = 0; i < all->count; ++i) {
        const char* name = same ? all->words[i] : names[i];
        size_t length = strlen(name), room = sizeof def->panels[i].name - 1;
        snprintf(def->panels[i].name, room + 1, "%s", name + (length > room ? length - room : 0));
    }
}

// The film with the options laid over what the sources are.
static int describeFilm(const RenderOptions* o, const Sources* all, FilmDef* def, DrawOptions* draw)
{
    bool scene = false;
    double end = 0;
    initFilmDef(def);
    *draw = (DrawOptions){.surface = true};
    def->path = o->output;
    def->panel_count = all->count;
    for (int32_t i = 0; i < all->count; ++i) {
        scene = scene || all->sources[i].scene;
        end = fmax(end, sourceDuration(&all->sources[i]));
    }
    def->duration = end;
    if (!readFilm(o, def, draw)) {
        return EXIT_BAD_CALL;
    }
    if (!scene && needsScene(draw)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' is an animation, which has a surface alone: of --show it takes "
                        "surface and wire",
                        all->words[0]);
    }
    if (!scene && def->at > end) {
        return complain(EXIT_BAD_CALL, "'%s' ends at %g s, before --at %s", all->words[0], end,
                        o->at);
    }
    def->duration = scene ? def->duration : fmin(def->duration, end);
    def->camera.turn = turnOfFile(all->words[0]);
    nameSources(all, def);
    return EXIT_DONE;
}

// Goes from one picture's time to the next.
static snStatus collect(Sources* all, Output* output, double duration, Progress* progress,
                        snMessage* why)
{
    snStatus status = sn_ok;
    while (!status && !stopCount() && nextFilmTime(output->film) <= duration + 1e-9) {
        const snFrame* frames[FILM_MOST_PANELS];
        double due = nextFilmTime(output->film) + 2e-7;
        for (int32_t i = 0; i < all->count && !status; ++i) {
            status = advanceSource(&all->sources[i], due, duration, progress, why);
            frames[i] = sourceFrame(&all->sources[i]);
        }
        status = status || stopCount() ? status : drawOutput(output, frames, why);
    }
    return status;
}

// Draws what was collected and says so.
static int finishFilm(Output* output, const FilmDef* def, snStatus status, const snMessage* why,
                      double time, double simulated, bool quiet)
{
    snMessage close_why;
    bool stopped = stopCount() > 0;
    double start = seconds();
    if (status == sn_errorIo || status == sn_errorMemory) {
        abortOutput(output);
        return complain(EXIT_RUN_FAILED, "%s", why->text);
    }
    // whatever happened, the frames so far are worth keeping
    if (closeOutput(output, &close_why)) {
        return complain(EXIT_RUN_FAILED, "%s", status ? why->text : close_why.text);
    }
    if (!quiet && simulated > 0) {
        printf("simulated %.3f s in %.3f s, drawn in %.3f s\n", time, simulated, seconds() - start);
    }
    if (!quiet) {
        printf("wrote %s\n", def->path);
    }
    if (status) {
        return complain(EXIT_RUN_FAILED, "%s", why->text);
    }
    return stopped ? complain(EXIT_RUN_FAILED, "stopped at %.3f s", time) : EXIT_DONE;
}

static int renderSources(Sources* all, const RenderOptions* o)
{
    snMessage why;
    FilmDef def;
    DrawOptions draw;
    Output output = {0};
    const snScene* scenes[FILM_MOST_PANELS];
    const snFrame* frames[FILM_MOST_PANELS];
    bool simulates = false;
    for (int32_t i = 0; i < all->count; ++i) {
        scenes[i] = all->sources[i].scene;
        frames[i] = sourceFrame(&all->sources[i]);
        simulates = simulates || scenes[i];
    }
    if (describeFilm(o, all, &def, &draw)) {
        return EXIT_BAD_CALL;
    }
    snStatus status = openFilmOutput(scenes, frames, &def, &draw, o->quiet, &output, &why);
    if (status) {
        abortOutput(&output);
        return complain(exitCode(status), "%s", why.text);
    }
    Progress progress = startProgress(o->quiet);
    catchStops();
    status = collect(all, &output, def.at >= 0 ? def.at : def.duration, &progress, &why);
    endProgress(&progress);
    return finishFilm(&output, &def, status, &why, sourceFrame(&all->sources[0])->time,
                      simulates ? seconds() - progress.start : 0, o->quiet);
}

// Names of bakes that are compared: those of their files
static void nameBakes(const RenderOptions* o, FilmDef* def)
{
    for (int32_t i = 0; i < o->compare.count; ++i) {
        const char *path = o->compare.at[i], *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
        snprintf(def->panels[i].name, sizeof def->panels[i].name, "%.*s",
                 (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
    }
}

static int openComparisons(const char* word, const RenderOptions* o, Comparison* comparisons)
{
    double height = 0;
    int code = EXIT_DONE;
    if (o->body.height && !readNumber("--height", o->body.height, 0.001, 1000, &height)) {
        return EXIT_BAD_CALL;
    }
    for (int32_t i = 0; i < o->compare.count && !code; ++i) {
        code = openComparison(word, o->compare.at[i], o->body.clip, 0, &comparisons[i]);
        if (!code && height > 0) {
            const snRigInfo* f = snRig_Info(comparisons[i].before);
            comparisons[i].unit = height / fmax(f->high.y - f->low.y, 1e-30);
        }
    }
    return code;
}

// A rig and what was baked of it
static int renderComparison(const char* word, const RenderOptions* o)
{
    FilmDef def;
    DrawOptions draw = {.surface = true};
    Comparison comparisons[FILM_MOST_PANELS] = {0};
    if (!isFileOf(word, sn_fileRig) || o->beside || o->show || isMethodGiven(&o->method)) {
        FileList rigs;
        return complain(EXIT_BAD_CALL,
                        "--compare is for rigs (%s), without --beside, --show, --method and --set",
                        listFilesOf(sn_fileRig, rigs));
    }
    if (o->compare.count > FILM_MOST_PANELS) {
        return complain(EXIT_BAD_CALL, "--compare is given %d times; up to %d bakes fit",
                        (int)o->compare.count, FILM_MOST_PANELS);
    }
    int code = openComparisons(word, o, comparisons);
    if (!code && !o->body.clip && !o->quiet) {
        char number[16];
        printf("clip '%s'\n", clipName(comparisons[0].after, comparisons[0].clip, number));
    }
    initFilmDef(&def);
    def.path = o->output;
    def.duration = comparisons[0].duration;
    nameBakes(o, &def);
    if (!code && !readFilm(o, &def, &draw)) {
        code = EXIT_BAD_CALL;
    }
    code = code ? code : drawComparisons(comparisons, o->compare.count, &def, o->quiet);
    for (int32_t i = 0; i < FILM_MOST_PANELS; ++i) {
        closeComparison(&comparisons[i]);
    }
    return code;
}

static int render(int argc, char** argv)
{
    RenderOptions o = {0};
    const Option options[] = {
        {"-o", &o.output, NULL, NULL},
        {"--output", &o.output, NULL, NULL},
        {"--frames", &o.frames, NULL, NULL},
        {"--at", &o.at, NULL, NULL},
        {"--size", &o.size, NULL, NULL},
        {"--camera", &o.camera, NULL, NULL},
        {"--view", &o.view, NULL, NULL},
        {"--zoom", &o.zoom, NULL, NULL},
        {"--range", &o.range, NULL, NULL},
        {"--eye", &o.eye, NULL, NULL},
        {"--target", &o.target, NULL, NULL},
        {"--turns", &o.turns, NULL, NULL},
        {"--show", &o.show, NULL, NULL},
        {"--fps", &o.fps, NULL, NULL},
        {"--duration", &o.duration, NULL, NULL},
        {"--beside", &o.beside, NULL, NULL},
        {"--compare", NULL, NULL, &o.compare},
        {"--method", &o.method.name, NULL, NULL},
        {"--set", NULL, NULL, &o.method.set},
        {"--threads", &o.threads, NULL, NULL},
        {"--cells", &o.body.cells, NULL, NULL},
        {"--young", &o.body.young, NULL, NULL},
        {"--density", &o.body.density, NULL, NULL},
        {"--height", &o.body.height, NULL, NULL},
        {"--clip", &o.body.clip, NULL, NULL},
        {"--mesh", &o.playback.mesh, NULL, NULL},
        {"--rate", &o.playback.rate, NULL, NULL},
        {"--quiet", NULL, &o.quiet, NULL},
        {NULL, NULL, NULL, NULL},
    };
    const char* word;
    snHost host;
    Sources all = {0};
    int count = parseArguments(&RENDER_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL
                         : complain(EXIT_BAD_CALL, "which scene? 'sinew --help' lists the built-in "
                                                   "ones");
    }
    if (!o.output || !isFilmPath(o.output)) {
        return complain(EXIT_BAD_CALL, "-o takes a name that ends with .png or .mp4%s%s%s",
                        o.output ? ", found '" : "", o.output ? o.output : "", o.output ? "'" : "");
    }
    if (!readHost(o.threads, NULL, &host)) {
        return EXIT_BAD_CALL;
    }
    if (o.compare.count > 0) {
        return renderComparison(word, &o);
    }
    host.interrupted = isStopWanted;
    o.body.quiet = o.quiet;
    o.body.method = &o.method;
    all.words[all.count++] = word;
    if (o.beside) {
        all.words[all.count++] = o.beside;
    }
    int code = openSources(&host, &o, &all);
    code = code ? code : renderSources(&all, &o);
    for (int32_t i = 0; i < all.count; ++i) {
        closeSource(&all.sources[i]);
    }
    return code;
}

const Command RENDER_COMMAND = {
    "render",
    "SCENE|FILE -o OUT",
    "pictures and films, without a display",
    "  -o OUT            .mp4: a film; .png: a sheet of pictures with time stamps, or one picture\n"
    "  --frames N        pictures of a sheet, 1..100; otherwise 12\n"
    "  --at S            one picture, at this time in seconds\n"
    "  --fps N           pictures per second of a film; otherwise 30\n"
    "  --clip NAME       of a rig (.glb .gltf .vrm .fbx .dae): the clip that is shown; otherwise "
    "the first; "
    "of "
    "a\n"
    "                    scene: motion capture (.bvh) for its first character, a humanoid\n"
    "  --duration S      seconds to simulate instead of the scene's own\n"
    "  --size WxH        pixels of a picture; otherwise 960x720, in a sheet 480x360\n"
    "  --camera KIND     fit (default): the whole motion, or, when that goes too far, as follow;\n"
    "                    follow: the character; orbit: turns around\n"
    "  --view NAME       iso (default), front, back, left or right (of the character; side is "
    "left), top\n"
    "  --zoom Z          times as large as what fits, 0.1..20\n"
    "  --turns N         of an orbit; otherwise 1\n"
    "  --eye X,Y,Z       a camera that stays there, in metres, and looks\n"
    "  --target X,Y,Z    at this place\n"
    "  --show LIST       what to draw, separated by commas; otherwise surface:\n"
    "                    surface   the skin\n"
    "                    wire      the skin and its triangles\n"
    "                    stretch   the skin, red where flesh is stretched, blue where it is "
    "squeezed\n"
    "                    bones     bones alone are always drawn\n"
    "                    mesh      the outside of the cells, and nodes; those that are fixed to "
    "bones\n"
    "                              are large, one colour a bone\n"
    "                    fill      cells, coloured by how much of each holds material\n"
    "                    mass      a ball per node, its volume as the node's mass\n"
    "                    contacts  forces as arrows, their area as the force: amber from the\n"
    "                              ground, red from obstacles, violet from characters\n"
    "                    A skin with something inside can be looked through\n"
    "  --range LOW,HIGH  stretches at the ends of the scale of colours; otherwise 0.7,1.4\n"
    "  --beside B        another scene or animation on the right, at the same times and by the "
    "same\n"
    "                    camera, with names under both; WxH then is the size of both together\n"
    "  --compare SOFT    a rig's clip before and after 'sinew bake', and the difference in mm;\n"
    "                    --height as in 'sinew bake'; given two or three times: these bakes side "
    "by\n"
    "                    side, each coloured by its difference, with their files' names under "
    "them\n"
    "  --method NAME     the method that simulates, instead of the scene's own\n"
    "  --set NAME=VALUE  a setting of the method, listed below; may be given several times\n"
    "  --threads N       threads of the simulation, 1..64; otherwise one per core\n"
    "  --quiet           print nothing but errors\n\n"
    "A character, surface or tet mesh is dropped on the ground, as 'sinew run --help' says; "
    "--height, and\nfor meshes --cells, --young and --density, work here too.\n\n"
    "A rig (.glb, .gltf, .vrm, .fbx, .dae) is drawn in a clip as it is skinned, and an animation "
    "that was "
    "written\nbefore (.glb, .pc2, .mdd) by its surface:\n"
    "  --mesh FILE       .pc2, .mdd: a surface file with the triangles (.obj .ply .off); "
    "otherwise\n"
    "                    points are drawn\n"
    "  --rate N          .pc2: frames per second; otherwise 60\n\n"
    "Ctrl-C stops the simulation and draws what there is; a second one stops drawing, and a film\n"
    "ends there.\n\n"
    "  sinew render starfish_fall -o starfish.png\n"
    "  sinew render ragdoll -o ragdoll.mp4 --camera follow --view side\n"
    "  sinew render starfish_fall --at 0 --show mesh,bones -o mesh.png\n"
    "  sinew render hero.glb --clip Run -o run.mp4\n"
    "  sinew render hero.glb --compare hero_soft.glb --clip Run -o difference.mp4\n"
    "  sinew render soft.json --beside hard.json -o both.mp4\n",
    render,
    printSettings};
