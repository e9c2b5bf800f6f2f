// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Materials: colours, and images of all kinds with their paths.
#include "io/fbx/assimp_scene.h"

#ifdef SN_HAVE_ASSIMP

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/gltf/uri.h"

#include <assimp/material.h>

// What Assimp calls them; the first that is there counts
static const struct {
    enum aiTextureType type;
    snTextureUse use;
} KINDS[] = {
    {aiTextureType_BASE_COLOR, sn_textureBase},
    {aiTextureType_DIFFUSE, sn_textureBase},
    {aiTextureType_NORMALS, sn_textureNormal},
    {aiTextureType_NORMAL_CAMERA, sn_textureNormal},
    {aiTextureType_EMISSION_COLOR, sn_textureEmissive},
    {aiTextureType_EMISSIVE, sn_textureEmissive},
    {aiTextureType_AMBIENT_OCCLUSION, sn_textureOcclusion},
    {aiTextureType_LIGHTMAP, sn_textureOcclusion},
    {aiTextureType_SPECULAR, sn_textureSpecular},
    {aiTextureType_SHININESS, sn_textureShininess},
    {aiTextureType_METALNESS, sn_textureMetallic},
    {aiTextureType_DIFFUSE_ROUGHNESS, sn_textureRoughness},
    {aiTextureType_OPACITY, sn_textureOpacity},
    {aiTextureType_HEIGHT, sn_textureBump},
    {aiTextureType_AMBIENT, sn_textureAmbient},
    {aiTextureType_DISPLACEMENT, sn_textureDisplacement},
    {aiTextureType_REFLECTION, sn_textureReflection},
};
#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)

// A path of the file as a URI, without drive and root: of what is absolute the name is left
static const char* uriOf(snAssimp* a, const char* path)
{
    size_t length = strlen(path);
    bool absolute = path[0] == '/' || path[0] == '\\' || (length > 1 && path[1] == ':');
    for (const char* c = path; absolute && *c; ++c) {
        path = *c == '/' || *c == '\\' ? c + 1 : path;
    }
    return path[0] ? snUri_Of(a->arena, path) : NULL;
}

// An image inside the file, as a whole PNG or JPEG file; NULL when there is none of that name
static const struct aiTexture* findInside(const snAssimp* a, const char* path)
{
    for (unsigned i = 0; i < a->scene->mNumTextures; ++i) {
        const struct aiTexture* t = a->scene->mTextures[i];
        char number[16];
        snprintf(number, sizeof number, "*%u", i);
        const uint8_t* b = (const uint8_t*)t->pcData;
        bool known = b && t->mHeight == 0 && t->mWidth > 4 &&
                     (memcmp(b, "\x89PNG", 4) == 0 || memcmp(b, "\xff\xd8\xff", 3) == 0);
        if (known && (strcmp(path, number) == 0 || strcmp(path, t->mFilename.data) == 0)) {
            return t;
        }
    }
    return NULL;
}

// Number of an image, which may be there from before; -1 = none
static int32_t addImage(snAssimp* a, const char* path, size_t* room)
{
    snRigDocument* d = &a->document;
    const struct aiTexture* inside = findInside(a, path);
    snDocumentImage image = {.uri = inside || path[0] == '*' ? NULL : uriOf(a, path)};
    if (inside) {
        image.bytes = (const uint8_t*)inside->pcData;
        image.size = inside->mWidth;
    }
    for (int32_t i = 0; i < d->image_count; ++i) {
        const snDocumentImage* m = &d->images[i];
        if (image.uri ? m->uri && strcmp(m->uri, image.uri) == 0 : m->bytes == image.bytes) {
            return image.uri || inside ? i : -1;
        }
    }
    snDocumentImage* images = snAssimp_Grow(a, d->images, room, d->image_count, sizeof *d->images);
    if (!images || (!image.uri && !inside)) {
        return -1;
    }
    d->images = images;
    d->images[d->image_count] = image;
    return d->image_count++;
}

static double clampUnit(float x)
{
    return x >= 0 ? fmin(1, (double)x) : 0;
}

static void findImages(snAssimp* a, const struct aiMaterial* m, size_t* room, int32_t* image)
{
    for (int i = 0; i < sn_textureCount; ++i) {
        image[i] = -1;
    }
    for (size_t i = 0; i < KIND_COUNT; ++i) {
        struct aiString path;
        if (image[KINDS[i].use] < 0 &&
            aiGetMaterialTexture(m, KINDS[i].type, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) ==
                aiReturn_SUCCESS) {
            image[KINDS[i].use] = addImage(a, path.data, room);
        }
    }
    // one image of both is made as glTF has it
    if (image[sn_textureMetallic] == image[sn_textureRoughness]) {
        image[sn_textureMetallicRoughness] = image[sn_textureMetallic];
        image[sn_textureMetallic] = image[sn_textureRoughness] = -1;
    }
}

snStatus snAssimp_ReadMaterials(snAssimp* a)
{
    snRigDocument* d = &a->document;
    unsigned count = a->scene->mNumMaterials;
    size_t room = 0;
    d->materials = snArena_Push(a->arena, count, sizeof *d->materials);
    for (unsigned i = 0; i < count && d->materials; ++i) {
        const struct aiMaterial* m = a->scene->mMaterials[i];
        struct aiString name = {0};
        struct aiColor4D c = {0.8F, 0.8F, 0.8F, 1};
        int two_sided = 0;
        aiGetMaterialString(m, AI_MATKEY_NAME, &name);
        aiGetMaterialColor(m, AI_MATKEY_COLOR_DIFFUSE, &c);
        aiGetMaterialIntegerArray(m, AI_MATKEY_TWOSIDED, &two_sided, NULL);
        snDocumentMaterial* out = &d->materials[d->material_count++];
        *out = (snDocumentMaterial){.name = snAssimp_Text(a, &name), .two_sided = two_sided != 0};
        findImages(a, m, &room, out->image);
        // an image has the colour already
        bool plain = out->image[sn_textureBase] < 0;
        const float colour[3] = {c.r, c.g, c.b};
        for (int k = 0; k < 3; ++k) {
            out->color[k] = plain ? clampUnit(colour[k]) : 1;
        }
        out->color[3] = 1;
    }
    return a->arena->failed ? snAssimp_FailMemory(a) : sn_ok;
}

#endif
