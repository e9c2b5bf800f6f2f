// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig and the body that is made for it, with the controls that were saved beside it.
#ifndef SINEW_APPS_CLI_HERO_H
#define SINEW_APPS_CLI_HERO_H

#include "cli/control.h"

#define HERO_PATH_BYTES 4096

typedef struct Hero {
    const char* path;
    char saved_path[HERO_PATH_BYTES]; // hero.sinew.json beside hero.glb, or as asked for
    snBodyFile* saved;                // NULL: there is none
    snBodyDef def;                    // points into the options and `saved`
    snRig* rig;
    snBody* body;
} Hero;

// The path without its extension, and with another end.
void replaceEnd(const char* path, const char* end, char out[HERO_PATH_BYTES]);

// Whether it may be a rig, by its name. Complains and returns an exit code when it is none.
int checkHero(const char* path);

// Reads the rig and the controls: of `saved` (NULL: of the file beside it, if there is one), and
// over them the options. Complains and returns an exit code when it cannot.
int openHero(const char* path, const char* saved, const ControlOptions* controls, Hero* hero);

// Makes its body.
int buildHero(const snHost* host, Hero* hero, bool quiet);

// Says on stdout what was assumed: the unit, the saved controls, the softness; and what of the rig
// is odd, or not as asked for.
void printAssumptions(const Hero* hero, const ControlOptions* controls);

void closeHero(Hero* hero);

#endif
