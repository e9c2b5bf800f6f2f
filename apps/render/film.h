// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A motion as a file: a film (.mp4), one picture or a sheet of pictures with time stamps (.png).
// Frames are kept in a temporary file until the film is closed, since the camera has to know the
// whole motion.
#ifndef SINEW_APPS_RENDER_FILM_H
#define SINEW_APPS_RENDER_FILM_H

#include "render/camera.h"
#include "render/draw.h"

#define FILM_MOST_FRAMES 100 // of a sheet
#define FILM_MOST_PANELS 3
#define FILM_MOST_SCALES 2

// One motion. Several are shown side by side, by the same camera.
typedef struct FilmPanel {
    char name[64];     // under it, when there are several
    bool ground_known; // else the ground is at 0, or at the lowest point when that is below
    double ground;     // m
} FilmPanel;

typedef struct FilmDef {
    const char* path;      // by extension
    int32_t width, height; // pixels of a picture; 0 = 960 x 720 a panel, 480 x 360 in a sheet
    double fps;            // of a film
    double start;          // of what is shown, s
    double duration;       // of the motion, s: where it ends
    int32_t frames;        // of a sheet, 1..FILM_MOST_FRAMES
    const double* times;   // of them, s, rising; NULL = evenly spread from start to end; (frames)
    double at;             // s; only the picture of this time; negative = a sheet
    CameraDef camera;
    int32_t panel_count; // 1..FILM_MOST_PANELS
    FilmPanel panels[FILM_MOST_PANELS];
    const Scale* scales[FILM_MOST_SCALES]; // of colours, drawn in a corner; NULL = none
    int32_t scale_panel;                   // of this panel

    // Told after each picture that is drawn; false gives up. NULL = not asked.
    bool (*go_on)(void* user, int32_t done, int32_t count);
    void* user;
} FilmDef;

// One panel, a sheet of 12, 30 frames/s, fitting camera.
void initFilmDef(FilmDef* def);

// Whether the extension is one of a film or picture.
bool isFilmPath(const char* path);

// Whether it is one of a film.
bool isMoviePath(const char* path);

typedef struct Film Film;

// Fails at once, with sn_errorUnsupported, when this machine or build cannot draw.
snStatus openFilm(const FilmDef* def, Film** film, snMessage* why);

// When the next picture is wanted, s; beyond all times when there is none. Frames from then on are
// to be added.
double nextFilmTime(const Film* film);

// Adds what is to be seen at a time: a list for each panel.
snStatus addFilmFrame(Film* film, double time, const DrawList* lists, snMessage* why);

// Draws everything, writes the file and frees the film. On failure no file appears.
snStatus closeFilm(Film* film, snMessage* why);

// Frees the film and leaves no file. NULL is fine.
void abortFilm(Film* film);

#endif
