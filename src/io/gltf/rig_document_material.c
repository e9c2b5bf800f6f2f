// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Materials and images of a document.
#include <string.h>

#include "io/gltf/rig_document_writer.h"

void snDocumentWriter_Images(snDocumentWriter* w)
{
    snJsonWriter* json = &w->json;
    snDocument_BeginArray(json, "images");
    for (int32_t i = 0; i < w->d->image_count; ++i) {
        const snDocumentImage* m = &w->d->images[i];
        snJsonWriter_BeginObject(json);
        snDocument_PutText(json, "uri", m->uri);
        uint8_t* out = m->uri ? NULL : snDocumentWriter_Grow(w, m->size);
        if (out) {
            memcpy(out, m->bytes, m->size);
            snDocument_PutInt(json, "bufferView", snDocumentWriter_AddView(w, out, m->size, 0));
            snDocument_PutText(json, "mimeType", m->bytes[0] == 0x89 ? "image/png" : "image/jpeg");
        }
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
    snDocument_BeginArray(json, "textures");
    for (int32_t i = 0; i < w->d->image_count; ++i) {
        snJsonWriter_BeginObject(json);
        snDocument_PutInt(json, "source", i);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}

// Every image has a texture of its number.
static void putTexture(snJsonWriter* json, const char* key, int32_t image)
{
    if (image >= 0) {
        snJsonWriter_Key(json, key);
        snJsonWriter_BeginObject(json);
        snDocument_PutInt(json, "index", image);
        snJsonWriter_EndObject(json);
    }
}

static void putSurface(snJsonWriter* json, const snDocumentMaterial* m)
{
    int32_t metal = m->image[sn_textureMetallicRoughness];
    snJsonWriter_Key(json, "pbrMetallicRoughness");
    snJsonWriter_BeginObject(json);
    snDocument_PutNumbers(json, "baseColorFactor", m->color, 4);
    putTexture(json, "baseColorTexture", m->image[sn_textureBase]);
    putTexture(json, "metallicRoughnessTexture", metal);
    // factors of the image
    snDocument_PutInt(json, "metallicFactor", metal >= 0);
    snJsonWriter_EndObject(json);
}

// Images of kinds that glTF's materials do not have
static void putOthers(snJsonWriter* json, const snDocumentMaterial* m)
{
    static const char* const NAMES[sn_textureCount] = {
        [sn_textureSpecular] = "specular",     [sn_textureShininess] = "shininess",
        [sn_textureMetallic] = "metallic",     [sn_textureRoughness] = "roughness",
        [sn_textureOpacity] = "opacity",       [sn_textureBump] = "bump",
        [sn_textureAmbient] = "ambient",       [sn_textureDisplacement] = "displacement",
        [sn_textureReflection] = "reflection",
    };
    int32_t count = 0;
    for (int i = 0; i < sn_textureCount; ++i) {
        count += NAMES[i] && m->image[i] >= 0;
    }
    if (count == 0) {
        return;
    }
    snJsonWriter_Key(json, "extras");
    snJsonWriter_BeginObject(json);
    snJsonWriter_Key(json, "textures");
    snJsonWriter_BeginObject(json);
    for (int i = 0; i < sn_textureCount; ++i) {
        if (NAMES[i]) {
            putTexture(json, NAMES[i], m->image[i]);
        }
    }
    snJsonWriter_EndObject(json);
    snJsonWriter_EndObject(json);
}

void snDocumentWriter_Materials(snDocumentWriter* w)
{
    static const double WHITE[3] = {1, 1, 1};
    snJsonWriter* json = &w->json;
    snDocument_BeginArray(json, "materials");
    for (int32_t i = 0; i < w->d->material_count; ++i) {
        const snDocumentMaterial* m = &w->d->materials[i];
        snJsonWriter_BeginObject(json);
        snDocument_PutText(json, "name", m->name);
        putSurface(json, m);
        putTexture(json, "normalTexture", m->image[sn_textureNormal]);
        putTexture(json, "occlusionTexture", m->image[sn_textureOcclusion]);
        putTexture(json, "emissiveTexture", m->image[sn_textureEmissive]);
        if (m->image[sn_textureEmissive] >= 0) {
            snDocument_PutNumbers(json, "emissiveFactor", WHITE, 3);
        }
        if (m->two_sided) {
            snJsonWriter_Key(json, "doubleSided");
            snJsonWriter_Bool(json, true);
        }
        putOthers(json, m);
        snJsonWriter_EndObject(json);
    }
    snJsonWriter_EndArray(json);
}
