// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/page.h"

#include <math.h>
#include <string.h>

#define GAP 10      // pixels around pictures of a sheet, and around names and scales
#define PANEL_GAP 4 // between panels

static const uint8_t PAPER[3] = {248, 249, 250};
static const uint8_t INK[3] = {70, 76, 84};

// Title, bar and numbers
#define SCALE_WIDTH 84 // dots
#define SCALE_HEIGHT 25

Page planPage(int32_t width, int32_t height, int32_t panel_count, bool scaled)
{
    Page p = {.width = width, .height = height, .panel_count = panel_count};
    p.panel_width = (width - (panel_count - 1) * PANEL_GAP) / panel_count;
    p.dot = p.panel_width < 240 ? 1 : p.panel_width < 1600 ? 2 : 3;
    // smaller in a small picture, which it would fill
    p.scale_dot = panel_count == 1 && p.panel_width < 640 ? 1 : p.dot;
    p.panel_height = panel_count > 1 ? height - 7 * p.dot - GAP : height;
    p.panel_height -= panel_count > 1 && scaled ? SCALE_HEIGHT * p.scale_dot + GAP : 0;
    return p;
}

snStatus createPicture(const Page* page, Image* picture, snMessage* why)
{
    return createImage(page->width, page->height, PAPER, picture, why);
}

static int32_t textWidth(int32_t dot, const char* text)
{
    return dot * (6 * (int32_t)strlen(text) - 1);
}

// Text in the middle of a width; the beginning of what is too long is left out.
static void drawMiddle(const Page* page, Image* onto, int32_t x, int32_t y, int32_t width,
                       const char* text)
{
    while (*text && textWidth(page->dot, text) > width) {
        ++text;
    }
    drawText(onto, x + (width - textWidth(page->dot, text)) / 2, y, page->dot, text, INK);
}

void placePanel(const Page* page, Image* picture, const Image* panel, int32_t index,
                const char* name)
{
    int32_t x = index * (page->panel_width + PANEL_GAP);
    pasteImage(picture, panel, x, 0);
    if (page->panel_count > 1) {
        // over the name of the last picture there is nothing but the same name
        drawMiddle(page, picture, x, page->panel_height + GAP / 2 + 1, page->panel_width, name);
    }
}

static void fillColumn(Image* onto, int32_t x, int32_t y, int32_t height, const uint8_t colour[3])
{
    for (int32_t row = y; row < y + height; ++row) {
        if (x >= 0 && x < onto->width && row >= 0 && row < onto->height) {
            size_t at = (size_t)row * (size_t)onto->width + (size_t)x;
            memcpy(onto->pixels + 3 * at, colour, 3);
        }
    }
}

void placeScale(const Page* page, Image* picture, const Scale* scale, int32_t panel, int32_t index)
{
    int32_t dot = page->scale_dot, letters = 7 * dot, bar = 5 * dot, gap = 3 * dot;
    int32_t width = SCALE_WIDTH * dot, height = SCALE_HEIGHT * dot;
    int32_t x = panel * (page->panel_width + PANEL_GAP) + GAP;
    int32_t y = page->panel_height - (index + 1) * (height + GAP);
    if (page->panel_count > 1) {
        x += index * (width + GAP);
        y = page->height - height - 2;
    }
    drawText(picture, x, y, dot, scale->title, INK);
    y += letters + gap;
    for (int32_t i = 0; i < width; ++i) {
        Colour c = scaleColour(scale, (i + 0.5) / width);
        const uint8_t bytes[3] = {(uint8_t)lrintf(255 * c.r), (uint8_t)lrintf(255 * c.g),
                                  (uint8_t)lrintf(255 * c.b)};
        fillColumn(picture, x + i, y, bar, i == 0 || i == width - 1 ? INK : bytes);
        fillColumn(picture, x + i, y, 1, INK);
        fillColumn(picture, x + i, y + bar - 1, 1, INK);
    }
    // the one in the middle only if it keeps away from the others
    int32_t ends = textWidth(dot, scale->labels[0]) > textWidth(dot, scale->labels[2])
                       ? textWidth(dot, scale->labels[0])
                       : textWidth(dot, scale->labels[2]);
    bool fits = 2 * (ends + letters) + textWidth(dot, scale->labels[1]) <= width;
    for (int k = 0; k < 3; k += fits ? 1 : 2) {
        int32_t spare = width - textWidth(dot, scale->labels[k]);
        drawText(picture, x + k * spare / 2, y + bar + gap, dot, scale->labels[k], INK);
    }
}

// Sheets ----------------------------------------------------------------------

// A sheet is about as much wider than high as a screen, with full rows where that can be.
#define SHEET 1.6
#define SHEET_MOST 2.6 // how much wider or higher than that, for the sake of full rows

static int32_t columnCount(const Page* page, int32_t count)
{
    int32_t columns = (int32_t)ceil(sqrt(SHEET * count * page->height / page->width));
    double least = SHEET_MOST;
    for (int32_t c = 1; c <= count; ++c) {
        double shape = (double)c * c * page->width / ((double)count * page->height) / SHEET;
        double off = shape > 1 ? shape : 1 / shape;
        if (count % c == 0 && off < least) {
            least = off;
            columns = c;
        }
    }
    return columns < count ? columns : count;
}

snStatus createSheet(const Page* page, int32_t count, Image* sheet, snMessage* why)
{
    int32_t columns = columnCount(page, count), rows = (count + columns - 1) / columns;
    int32_t label = 7 * page->dot + GAP;
    return createImage(columns * (page->width + GAP) + GAP,
                       rows * (page->height + label + GAP) + GAP, PAPER, sheet, why);
}

void placeOnSheet(const Page* page, Image* sheet, int32_t count, const Image* picture,
                  int32_t index, double time)
{
    int32_t columns = columnCount(page, count);
    int32_t x = GAP + index % columns * (page->width + GAP);
    int32_t y = GAP + index / columns * (page->height + 7 * page->dot + 2 * GAP);
    char text[32];
    snprintf(text, sizeof text, "%.2f s", time);
    pasteImage(sheet, picture, x, y);
    drawMiddle(page, sheet, x, y + page->height + GAP / 2 + 1, page->width, text);
}
