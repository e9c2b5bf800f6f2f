// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How pictures are put together: panels side by side with names under them, scales of colours,
// sheets with time stamps.
#ifndef SINEW_APPS_RENDER_PAGE_H
#define SINEW_APPS_RENDER_PAGE_H

#include "render/draw.h"
#include "render/image.h"

typedef struct Page {
    int32_t width, height; // of a picture, pixels
    int32_t panel_count;   // several have names under them
    int32_t panel_width, panel_height;
    int32_t dot;       // of letters, pixels
    int32_t scale_dot; // the same of scales
} Page;

// scaled: there are scales, for which there is room under several panels
Page planPage(int32_t width, int32_t height, int32_t panel_count, bool scaled);

// A picture with nothing in its panels yet. Free with freeImage, also after a failure.
snStatus createPicture(const Page* page, Image* picture, snMessage* why);

// Puts one panel in its place, with a name if there are several.
void placePanel(const Page* page, Image* picture, const Image* panel, int32_t index,
                const char* name);

// Draws a scale in the lower left corner of the only panel, the next one above it; or under one of
// several and its name, the next one beside it.
void placeScale(const Page* page, Image* picture, const Scale* scale, int32_t panel, int32_t index);

// Paper for `count` pictures. Free with freeImage, also after a failure.
snStatus createSheet(const Page* page, int32_t count, Image* sheet, snMessage* why);

// Puts one of `count` pictures in its place, with its time under it.
void placeOnSheet(const Page* page, Image* sheet, int32_t count, const Image* picture,
                  int32_t index, double time);

#endif
