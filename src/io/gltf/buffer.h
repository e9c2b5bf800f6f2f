// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Where the numbers of a glTF document are: in the GLB file, in the text, in files beside it.
#ifndef SN_IO_GLTF_BUFFER_H
#define SN_IO_GLTF_BUFFER_H

#include "io/gltf/document.h"

// Fills rig->source.buffers. folder: where files are that the document names; NULL = none may be.
snStatus snGltf_ReadBuffers(snGltf* gltf, const char* folder);

// Bytes of base64 text. False when there is a character that does not belong there. out has room
// for 3 bytes of every 4 characters begun.
bool snBase64_Decode(const char* text, size_t length, uint8_t* out, size_t* count);

#endif
