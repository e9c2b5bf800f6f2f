// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Letters of 5 x 7 dots, for labels of pictures.
#include "render/image.h"

#include <string.h>

typedef struct Glyph {
    char character;
    const char* rows; // seven groups of five dots, from the top
} Glyph;

// clang-format off
static const Glyph GLYPHS[] = {
    {'0', " ### " "#   #" "#  ##" "# # #" "##  #" "#   #" " ### "},
    {'1', "  #  " " ##  " "  #  " "  #  " "  #  " "  #  " " ### "},
    {'2', " ### " "#   #" "    #" "  ## " " #   " "#    " "#####"},
    {'3', " ### " "#   #" "    #" "  ## " "    #" "#   #" " ### "},
    {'4', "   # " "  ## " " # # " "#  # " "#####" "   # " "   # "},
    {'5', "#####" "#    " "#### " "    #" "    #" "#   #" " ### "},
    {'6', "  ## " " #   " "#    " "#### " "#   #" "#   #" " ### "},
    {'7', "#####" "    #" "   # " "  #  " "  #  " " #   " " #   "},
    {'8', " ### " "#   #" "#   #" " ### " "#   #" "#   #" " ### "},
    {'9', " ### " "#   #" "#   #" " ####" "    #" "   # " " ##  "},
    {'a', "     " "     " " ### " "    #" " ####" "#   #" " ####"},
    {'b', "#    " "#    " "#### " "#   #" "#   #" "#   #" "#### "},
    {'c', "     " "     " " ### " "#    " "#    " "#    " " ### "},
    {'d', "    #" "    #" " ####" "#   #" "#   #" "#   #" " ####"},
    {'e', "     " "     " " ### " "#   #" "#####" "#    " " ### "},
    {'f', "  ## " " #   " "#### " " #   " " #   " " #   " " #   "},
    {'g', "     " " ####" "#   #" "#   #" " ####" "    #" " ### "},
    {'h', "#    " "#    " "#### " "#   #" "#   #" "#   #" "#   #"},
    {'i', "  #  " "     " " ##  " "  #  " "  #  " "  #  " " ### "},
    {'j', "   # " "     " "   # " "   # " "   # " "#  # " " ##  "},
    {'k', "#    " "#    " "#  # " "# #  " "##   " "# #  " "#  # "},
    {'l', " ##  " "  #  " "  #  " "  #  " "  #  " "  #  " " ### "},
    {'m', "     " "     " "## # " "# # #" "# # #" "# # #" "# # #"},
    {'n', "     " "     " "#### " "#   #" "#   #" "#   #" "#   #"},
    {'o', "     " "     " " ### " "#   #" "#   #" "#   #" " ### "},
    {'p', "     " "     " "#### " "#   #" "#### " "#    " "#    "},
    {'q', "     " "     " " ####" "#   #" " ####" "    #" "    #"},
    {'r', "     " "     " "# ## " "##   " "#    " "#    " "#    "},
    {'s', "     " "     " " ####" "#    " " ### " "    #" "#### "},
    {'t', " #   " " #   " "#### " " #   " " #   " " #   " "  ## "},
    {'u', "     " "     " "#   #" "#   #" "#   #" "#   #" " ####"},
    {'v', "     " "     " "#   #" "#   #" " # # " " # # " "  #  "},
    {'w', "     " "     " "# # #" "# # #" "# # #" "# # #" " # # "},
    {'x', "     " "     " "#   #" " # # " "  #  " " # # " "#   #"},
    {'y', "     " "#   #" "#   #" "#   #" " ####" "    #" " ### "},
    {'z', "     " "     " "#####" "   # " "  #  " " #   " "#####"},
    {'.', "     " "     " "     " "     " "     " " ##  " " ##  "},
    {',', "     " "     " "     " "     " "  #  " "  #  " " #   "},
    {':', "     " " ##  " " ##  " "     " " ##  " " ##  " "     "},
    {'-', "     " "     " "     " "#####" "     " "     " "     "},
    {'+', "     " "  #  " "  #  " "#####" "  #  " "  #  " "     "},
    {'=', "     " "     " "#####" "     " "#####" "     " "     "},
    {'_', "     " "     " "     " "     " "     " "     " "#####"},
    {'/', "    #" "    #" "   # " "  #  " " #   " "#    " "#    "},
    {'%', "##   " "##  #" "   # " "  #  " " #   " "#  ##" "   ##"},
    {'(', "   # " "  #  " " #   " " #   " " #   " "  #  " "   # "},
    {')', " #   " "  #  " "   # " "   # " "   # " "  #  " " #   "},
};
// clang-format on

static const char* findGlyph(char c)
{
    char wanted = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    for (size_t i = 0; i < sizeof GLYPHS / sizeof *GLYPHS; ++i) {
        if (GLYPHS[i].character == wanted) {
            return GLYPHS[i].rows;
        }
    }
    return NULL;
}

static void fillSquare(Image* onto, int32_t x, int32_t y, int32_t size, const uint8_t colour[3])
{
    for (int32_t row = y < 0 ? 0 : y; row < y + size && row < onto->height; ++row) {
        for (int32_t column = x < 0 ? 0 : x; column < x + size && column < onto->width; ++column) {
            size_t at = (size_t)row * (size_t)onto->width + (size_t)column;
            memcpy(onto->pixels + 3 * at, colour, 3);
        }
    }
}

void drawText(Image* onto, int32_t x, int32_t y, int32_t scale, const char* text,
              const uint8_t colour[3])
{
    for (; *text; ++text, x += 6 * scale) {
        const char* rows = findGlyph(*text);
        for (int32_t i = 0; rows && i < 35; ++i) {
            if (rows[i] == '#') {
                fillSquare(onto, x + scale * (i % 5), y + scale * (i / 5), scale, colour);
            }
        }
    }
}
