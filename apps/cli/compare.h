// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A rig and what was baked of it, side by side in one of its clips: before, after, and after
// coloured by the difference. Or several bakes of a rig, each coloured so.
#ifndef SINEW_APPS_CLI_COMPARE_H
#define SINEW_APPS_CLI_COMPARE_H

#include <render/film.h>
#include <sinew/sinew.h>

typedef struct Comparison {
    snRig *before, *after;
    int32_t* same;    // nodes of the second for those of the first; (node_count)
    int32_t clip;     // of the second; the first may have it or not
    int32_t old_clip; // of the first; -1: none
    double unit;      // m in a unit of the files
    double duration;  // s
} Comparison;

// Reads both files and finds the clip (NULL: the first that was baked). unit 0: as the first file's
// seems to be. Complains and returns an exit code when they do not fit each other.
int openComparison(const char* before, const char* after, const char* clip, double unit,
                   Comparison* comparison);

// Draws the film that def describes: its path, size, times and camera; of several comparisons, up
// to FILM_MOST_PANELS, the differences alone, with the panels' names that def gives.
int drawComparisons(const Comparison* comparisons, int32_t count, const FilmDef* def, bool quiet);

// Draws what there is to see in a part of the clip, from first to last, s: a sheet (.png) of the
// first moment and of those with the largest differences, which are shown larger than they are, or
// a film (.mp4) of all of it. From the side that shows most, by a camera that follows.
int drawMoments(const Comparison* comparison, double first, double last, const char* path,
                bool quiet);

void closeComparison(Comparison* comparison);

#endif
