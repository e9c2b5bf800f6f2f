// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of writing a document share.
#ifndef SN_IO_GLTF_RIG_DOCUMENT_WRITER_H
#define SN_IO_GLTF_RIG_DOCUMENT_WRITER_H

#include "base/json.h"
#include "io/gltf/rig_document.h"

typedef struct snDocumentWriter {
    const snRigDocument* d;
    snHost host;
    snArena arena;
    snJsonWriter json, accessors, views;
    int64_t accessor_count, view_count;
    uint8_t* bytes; // of the binary chunk
    size_t count, room;
    bool failed; // memory ran out
} snDocumentWriter;

void snDocument_PutInt(snJsonWriter* json, const char* key, int64_t value);
void snDocument_PutText(snJsonWriter* json, const char* key, const char* text); // not if empty
void snDocument_BeginArray(snJsonWriter* json, const char* key);
void snDocument_PutNumbers(snJsonWriter* json, const char* key, const double* values, int count);

// Room for so many bytes more at the end of the chunk, which begin at a multiple of 4; NULL when
// memory runs out
uint8_t* snDocumentWriter_Grow(snDocumentWriter* writer, size_t size);

// Number of a view of them. target: 0 = none
int64_t snDocumentWriter_AddView(snDocumentWriter* writer, const uint8_t* begin, size_t size,
                                 int target);

void snDocumentWriter_Images(snDocumentWriter* writer);
void snDocumentWriter_Materials(snDocumentWriter* writer);

#endif
