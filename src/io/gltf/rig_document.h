// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A character of another format on its way into a glTF document: importers fill this, and the
// document is then read as any other is. Lists hold what glTF's lists of the same name do.
#ifndef SN_IO_GLTF_RIG_DOCUMENT_H
#define SN_IO_GLTF_RIG_DOCUMENT_H

#include "rig/rig.h"

typedef struct snDocumentNode {
    const char* name;
    int32_t parent; // -1: none
    int32_t mesh;   // -1: none
    int32_t skin;   // -1: none
    snVec3 translation;
    snQuat rotation;
    snVec3 scale;
    const snMatrix* matrix; // in place of these three; NULL = none
} snDocumentNode;

typedef struct snDocumentSkin {
    int32_t joint_count;
    int32_t* joints;        // nodes; (joint_count)
    snMatrix* inverse_bind; // (joint_count)
} snDocumentSkin;

// Numbers of a vertex under one name
typedef struct snDocumentField {
    char name[24];  // of the attribute; of JOINTS_ ones whole numbers; "" = of a morph target
    int32_t offset; // in the vertex's row
    int32_t width;  // numbers
} snDocumentField;

#define SN_DOCUMENT_FIELDS 256

// Triangles with one material
typedef struct snDocumentPart {
    int32_t material; // -1: none
    int32_t field_count;
    snDocumentField fields[SN_DOCUMENT_FIELDS]; // attributes, then morph targets in their order
    size_t width;                               // of a row
    size_t vertex_count;
    float* rows; // all numbers of a vertex; (vertex_count, width)
    size_t index_count;
    uint32_t* indices; // (index_count)
} snDocumentPart;

typedef struct snDocumentMesh {
    const char* name;
    int32_t part_count;
    snDocumentPart* parts; // (part_count)
    int32_t target_count;
    const char** target_names; // (target_count)
    float* weights;            // of targets at rest; (target_count)
    const char* model;         // artist's object that it is, or is a part of
    int32_t point_count;       // vertices of that, which _CONTROL_POINT counts; 0 = unknown
} snDocumentMesh;

// What an image is for: first what glTF's materials have; the rest goes into extras
typedef enum snTextureUse {
    sn_textureBase,
    sn_textureNormal,
    sn_textureMetallicRoughness, // blue and green of one image
    sn_textureEmissive,
    sn_textureOcclusion,
    sn_textureSpecular,
    sn_textureShininess,
    sn_textureMetallic,
    sn_textureRoughness,
    sn_textureOpacity,
    sn_textureBump,
    sn_textureAmbient,
    sn_textureDisplacement,
    sn_textureReflection,
    sn_textureCount,
} snTextureUse;

typedef struct snDocumentMaterial {
    const char* name;
    double color[4];
    int32_t image[sn_textureCount]; // -1 = none
    bool two_sided;
} snDocumentMaterial;

typedef struct snDocumentImage {
    const char* uri;      // NULL: in the file
    const uint8_t* bytes; // of a PNG or JPEG file
    size_t size;
} snDocumentImage;

typedef struct snDocumentTrack {
    int32_t node;
    snRigPath path;
    size_t key_count;
    size_t width; // numbers a value
    const float *times, *values;
} snDocumentTrack;

typedef struct snDocumentClip {
    const char* name;
    double start; // time of the file that became 0, s
    size_t track_count;
    snDocumentTrack* tracks; // (track_count)
} snDocumentClip;

typedef struct snRigDocument {
    const char* generator;
    int32_t node_count, skin_count, mesh_count, material_count, image_count, clip_count;
    snDocumentNode* nodes;
    snDocumentSkin* skins;
    snDocumentMesh* meshes;
    snDocumentMaterial* materials;
    snDocumentImage* images;
    snDocumentClip* clips;
} snRigDocument;

// Appends a field to the rows of a part; -1 when there are too many. name: "" = a morph target
int32_t snDocumentPart_AddField(snDocumentPart* part, const char* name, int32_t width);

// Makes one vertex of those whose rows are the same, in rising order of a column (-1: as they first
// appear), and changes the indices accordingly. False when memory runs out.
bool snDocumentPart_Weld(snDocumentPart* part, snArena* arena, int32_t column);

// The document as a GLB file, with a 0 after it. Release as snFile_Read's.
snStatus snRigDocument_Write(const snRigDocument* document, const snHost* host, uint8_t** bytes,
                             size_t* count, snMessage* why);

#endif
