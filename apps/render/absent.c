// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Films in a build without OpenGL: openFilm says what to install, so the rest is never reached.
#include "render/film.h"

#include <stdio.h>

void initFilmDef(FilmDef* def)
{
    *def = (FilmDef){.fps = 30, .frames = 12, .at = -1, .panel_count = 1};
}

snStatus openFilm(const FilmDef* def, Film** film, snMessage* why)
{
    *film = NULL;
    snprintf(why->text, sizeof why->text,
             "cannot write '%.200s': this build cannot draw. Install libepoxy-dev, libegl-dev, "
             "zlib1g-dev, libegl-mesa0, libgl1-mesa-dri (and ffmpeg for films), and build again",
             def->path);
    return sn_errorUnsupported;
}

double nextFilmTime(const Film* film)
{
    (void)film;
    return 1e300;
}

snStatus addFilmFrame(Film* film, double time, const DrawList* lists, snMessage* why)
{
    (void)film, (void)time, (void)lists, (void)why;
    return sn_errorUnsupported;
}

snStatus closeFilm(Film* film, snMessage* why)
{
    (void)film, (void)why;
    return sn_errorUnsupported;
}

void abortFilm(Film* film)
{
    (void)film;
}
