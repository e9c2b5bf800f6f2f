// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pictures in memory, and as PNG files.
#ifndef SINEW_APPS_RENDER_IMAGE_H
#define SINEW_APPS_RENDER_IMAGE_H

#include <sinew/base.h>

// sRGB, 3 bytes a pixel, rows from the top. pixels comes from malloc.
typedef struct Image {
    int32_t width, height;
    uint8_t* pixels;
} Image;

// A picture of one colour. Free with freeImage, also after a failure.
snStatus createImage(int32_t width, int32_t height, const uint8_t colour[3], Image* image,
                     snMessage* why);

void freeImage(Image* image);

// Copies a picture with its upper left corner at (x, y); what does not fit is cut off.
void pasteImage(Image* onto, const Image* picture, int32_t x, int32_t y);

// Writes text (letters, digits, . , : - + = _ / % ( ) and spaces) with its upper left corner at (x,
// y); a character takes a cell of 6 x 7 dots of scale x scale pixels.
void drawText(Image* onto, int32_t x, int32_t y, int32_t scale, const char* text,
              const uint8_t colour[3]);

// Writes a PNG file; it appears at once when it is complete.
snStatus writePng(const Image* image, const char* path, snMessage* why);

// "sinew: why" for people who use pictures: fills the message and returns the status.
snStatus failPicture(snMessage* why, snStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// The name that a file has until it is complete. Free it.
char* temporaryName(const char* path);

#endif
