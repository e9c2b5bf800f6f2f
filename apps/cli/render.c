// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew render: pictures and films without a display.
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/playback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct RenderOptions {
    const char *output, *frames, *at, *size, *camera, *view, *eye, *target, *turns, *show, *fps,
        *duration, *threads;
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
        complain(EXIT_BAD_CALL, "--size takes WIDTHxHEIGHT in pixels, found '%s'", text);
        return false;
    }
    def->width = (int32_t)width;
    def->height = (int32_t)height;
    return true;
}

static bool readCamera(const RenderOptions* o, CameraDef* camera)
{
    static const char* const KINDS[] = {"fit", "follow", "orbit", NULL};
    static const char* const VIEWS[] = {"iso", "front", "side", "top", NULL};
    if ((o->camera && !readWord("--camera", o->camera, KINDS, &camera->kind)) ||
        (o->view && !readWord("--view", o->view, VIEWS, &camera->view)) ||
        (o->turns && !readNumber("--turns", o->turns, -100, 100, &camera->turns))) {
        return false;
    }
    if (!o->eye && !o->target) {
        return true;
    }
    if (!o->eye || !o->target || o->camera || o->view) {
        complain(EXIT_BAD_CALL, "--eye and --target come together, without --camera and --view");
        return false;
    }
    camera->kind = cameraFixed;
    return readPlace("--eye", o->eye, &camera->eye) &&
           readPlace("--target", o->target, &camera->target);
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
        complain(EXIT_BAD_CALL,
                 "--show takes some of surface, bones and mesh, separated by commas, found '%s'",
                 o->show);
        return false;
    }
    bool film = strcmp(def->path + strlen(def->path) - 4, ".mp4") == 0;
    if ((film && (o->frames || o->at)) || (!film && o->fps) || (o->frames && o->at)) {
        complain(EXIT_BAD_CALL,
                 "a film takes --fps, a sheet of pictures --frames, a single picture "
                 "--at; not two of them");
        return false;
    }
    return true;
}

// Simulates from one picture's time to the next.
static snStatus collect(snSim* sim, Output* output, const snSceneDef* def, double duration,
                        Progress* progress, snMessage* why)
{
    double asked = 0, end = duration + 1e-9;
    snStatus status = sn_ok;
    while (!status && !stopCount() && nextFilmTime(output->film) <= end) {
        double due = nextFilmTime(output->film) + 2e-7;
        // a frame at a time, for the sake of progress and Ctrl-C
        while (!status && !stopCount() && asked < due) {
            double dt = fmin(due - asked, 1 / def->frame_rate);
            status = snSim_Advance(sim, dt, why);
            asked += dt;
            showProgress(progress, snSim_Time(sim), duration);
        }
        status = status || stopCount() ? status : drawOutput(output, snSim_Frame(sim), why);
    }
    return status;
}

static int renderScene(snScene* scene, const FilmDef* def, const DrawOptions* draw, bool quiet)
{
    snMessage why, close_why;
    snSim* sim = NULL;
    Output output = {0};
    snStatus status = snSim_Create(scene, &sim, &why);
    if (!status) {
        status = openFilmOutput(scene, snSim_Frame(sim), def, draw, quiet, &output, &why);
    }
    if (status) {
        snSim_Free(sim);
        abortOutput(&output);
        return complain(exitCode(status), "%s", why.text);
    }
    Progress progress = startProgress(quiet);
    catchStops();
    double end = def->at >= 0 ? def->at : def->duration;
    status = collect(sim, &output, snScene_Def(scene), end, &progress, &why);
    endProgress(&progress);
    double simulated = seconds() - progress.start, time = snSim_Time(sim);
    bool stopped = stopCount() > 0;
    snSim_Free(sim);
    if (status == sn_errorIo || status == sn_errorMemory) {
        abortOutput(&output);
        return complain(EXIT_RUN_FAILED, "%s", why.text);
    }
    // whatever happened, the frames so far are worth keeping
    if (closeOutput(&output, &close_why)) {
        return complain(EXIT_RUN_FAILED, "%s", status ? why.text : close_why.text);
    }
    if (!quiet) {
        printf("simulated %.3f s in %.3f s, drawn in %.3f s\nwrote %s\n", time, simulated,
               seconds() - progress.start - simulated, def->path);
    }
    if (status) {
        return complain(EXIT_RUN_FAILED, "%s", why.text);
    }
    return stopped ? complain(EXIT_RUN_FAILED, "stopped at %.3f s", time) : EXIT_DONE;
}

// An animation that was simulated before, here or elsewhere
static int renderFile(const snHost* host, const char* path, const RenderOptions* o)
{
    FilmDef def;
    DrawOptions draw;
    snAnimation* animation = NULL;
    if (o->show || givenBodyOption(&o->body)) {
        return complain(EXIT_BAD_CALL,
                        "%s is for scenes; '%s' is an animation, whose surfaces are "
                        "drawn as they are",
                        o->show ? "--show" : givenBodyOption(&o->body), path);
    }
    int code = openPlayback(host, path, &o->playback, &animation);
    if (!code) {
        double end = endOfPlayback(animation);
        initFilmDef(&def);
        def.path = o->output;
        def.duration = end;
        code = readFilm(o, &def, &draw) ? EXIT_DONE : EXIT_BAD_CALL;
        def.duration = fmin(def.duration, end);
        if (!code && def.at > end) {
            code = complain(EXIT_BAD_CALL, "'%s' ends at %g s, before --at %s", path, end, o->at);
        }
        code = code ? code : renderPlayback(animation, &def, o->quiet);
    }
    snAnimation_Free(animation);
    return code;
}

static int render(int argc, char** argv)
{
    RenderOptions o = {0};
    const Option options[] = {
        {"-o", &o.output, NULL},
        {"--output", &o.output, NULL},
        {"--frames", &o.frames, NULL},
        {"--at", &o.at, NULL},
        {"--size", &o.size, NULL},
        {"--camera", &o.camera, NULL},
        {"--view", &o.view, NULL},
        {"--eye", &o.eye, NULL},
        {"--target", &o.target, NULL},
        {"--turns", &o.turns, NULL},
        {"--show", &o.show, NULL},
        {"--fps", &o.fps, NULL},
        {"--duration", &o.duration, NULL},
        {"--threads", &o.threads, NULL},
        {"--cells", &o.body.cells, NULL},
        {"--young", &o.body.young, NULL},
        {"--density", &o.body.density, NULL},
        {"--height", &o.body.height, NULL},
        {"--mesh", &o.playback.mesh, NULL},
        {"--rate", &o.playback.rate, NULL},
        {"--quiet", NULL, &o.quiet},
        {NULL, NULL, NULL},
    };
    const char* word;
    snHost host;
    snScene* scene = NULL;
    FilmDef def;
    DrawOptions draw;
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
    if (snAnimation_IsPath(word)) {
        return renderFile(&host, word, &o);
    }
    if (o.playback.mesh || o.playback.rate) {
        return complain(EXIT_BAD_CALL, "%s is for animations (.pc2, .mdd)",
                        o.playback.mesh ? "--mesh" : "--rate");
    }
    host.interrupted = isStopWanted;
    o.body.quiet = o.quiet;
    int code = openScene(&host, word, &o.body, &scene);
    if (!code) {
        initFilmOutput(scene, o.output, &def, &draw);
        code = readFilm(&o, &def, &draw) ? renderScene(scene, &def, &draw, o.quiet) : EXIT_BAD_CALL;
    }
    snScene_Free(scene);
    return code;
}

const Command RENDER_COMMAND = {
    "render", "SCENE|FILE -o OUT", "pictures and films, without a display",
    "  -o OUT            .mp4: a film; .png: a sheet of pictures with time stamps, or one picture\n"
    "  --frames N        pictures of a sheet, 1..100; otherwise 12\n"
    "  --at S            one picture, at this time in seconds\n"
    "  --fps N           pictures per second of a film; otherwise 30\n"
    "  --duration S      seconds to simulate instead of the scene's own\n"
    "  --size WxH        pixels of a picture; otherwise 960x720, in a sheet 480x360\n"
    "  --camera KIND     fit (default): the whole motion; follow: the character; orbit: turns "
    "around\n"
    "  --view NAME       iso (default), front, side or top\n"
    "  --turns N         of an orbit; otherwise 1\n"
    "  --eye X,Y,Z       a camera that stays there, in metres, and looks\n"
    "  --target X,Y,Z    at this place\n"
    "  --show LIST       what to draw, of surface (default), bones, mesh; separated by commas. A\n"
    "                    surface with bones or mesh can be looked through; nodes of the mesh that\n"
    "                    are fixed to bones are large, one colour a bone. Bones alone are always "
    "drawn\n"
    "  --threads N       threads of the simulation, 1..64; otherwise one per core\n"
    "  --quiet           print nothing but errors\n\n"
    "A surface or tet mesh is dropped on the ground, as 'sinew run --help' says; --cells, --young, "
    "--density\nand --height work here too.\n\n"
    "An animation that was written before (.glb, .pc2, .mdd) is drawn as it is:\n"
    "  --mesh FILE       .pc2, .mdd: a surface file with the triangles; otherwise points are "
    "drawn\n"
    "  --rate N          .pc2: frames per second; otherwise 60\n\n"
    "Ctrl-C stops the simulation and draws what there is; a second one stops drawing.\n\n"
    "  sinew render starfish_fall -o starfish.png\n"
    "  sinew render ragdoll -o ragdoll.mp4 --camera follow --view side\n"
    "  sinew render starfish_fall --at 0 --show mesh,bones -o mesh.png\n",
    render};
