// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Films: pictures go through a pipe to the program ffmpeg, which writes an H.264 file.
#ifndef SINEW_APPS_RENDER_ENCODER_H
#define SINEW_APPS_RENDER_ENCODER_H

#include "render/image.h"

typedef struct Encoder Encoder;

// Width and height must be even. The file appears when the encoder is closed.
snStatus openEncoder(const char* path, int32_t width, int32_t height, double fps, Encoder** encoder,
                     snMessage* why);

snStatus encodeImage(Encoder* encoder, const Image* image, snMessage* why);

// Finishes and frees. On failure no file appears.
snStatus closeEncoder(Encoder* encoder, snMessage* why);

// Frees and leaves no file. NULL is fine.
void abortEncoder(Encoder* encoder);

#endif
