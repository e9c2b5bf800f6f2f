// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files: scenes in, animations out.
#ifndef SINEW_IO_H
#define SINEW_IO_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// Looks up skeletons and characters that a scene file names instead of spelling them out
// ("skeleton": "starfish", "character": "starfish"). Each function returns a new reference in its
// last but one argument, or NULL there when the name is unknown. Functions and lists may be NULL.
typedef struct snLibrary {
    void* user; // passed to the functions
    snStatus (*find)(void* user, const snHost* host, const char* name, snSkeleton** skeleton,
                     snMessage* why); // a skeleton by its name
    const char* const* names;         // of skeletons, for suggestions, NULL-terminated
    snStatus (*find_character)(void* user, const snHost* host, const char* name,
                               snCharacter** character,
                               snMessage* why); // a character by its name
    const char* const* character_names;         // for suggestions, NULL-terminated
} snLibrary;

// Makes a character of the surface in an OBJ file, in metres and in the character's frame. All else
// is taken from the def, whose surface fields do not count; NULL stands for the defaults and the
// file's name without folder and extension. Errors name the file.
SN_API snStatus snCharacter_Load(const snHost* host, const char* path, const snCharacterDef* def,
                                 snCharacter** character, snMessage* why);

// Reads a scene file (docs/scene.md). Errors name the file, line, column, what was expected and
// what to do. Files that it names are looked for from its own folder. library may be NULL.
SN_API snStatus snScene_Load(const snHost* host, const char* path, const snLibrary* library,
                             snScene** scene, snMessage* why);

// The same from text in memory; `name` stands for the file in messages. No files are read: a text
// that names one is refused.
SN_API snStatus snScene_Parse(const snHost* host, const char* text, size_t length, const char* name,
                              const snLibrary* library, snScene** scene, snMessage* why);

// Something that frames are written to.
typedef struct snSink snSink;

// How frames are written.
typedef struct snSinkDef {
    uint32_t size; // sizeof(snSinkDef); set by snSinkDef_Init
    double error;  // .glb: how far a vertex of a surface may be from where it was, relative to the
                   // surface's size, 0..1; default 0.001. 0 keeps every frame, in larger files.
} snSinkDef;

// Fills the defaults.
SN_API void snSinkDef_Init(snSinkDef* def);

// Opens a file for the frames of a sim, by extension (docs/formats.md): .glb = glTF 2.0 binary,
// every bone an animated node, surfaces as morph targets; .obj = the surfaces, a file per frame
// (x.obj: x_0000.obj, x_0001.obj ...); .csv = a row of energies, momenta and counts per frame and
// character. A .glb or .csv file appears when the sink is closed. def may be NULL for the defaults.
SN_API snStatus snSink_Open(const snHost* host, const snScene* scene, const char* path,
                            const snSinkDef* def, snSink** sink, snMessage* why);

// Appends one frame.
SN_API snStatus snSink_Write(snSink* sink, const snFrame* frame, snMessage* why);

// Finishes and frees the sink. On failure no file appears.
SN_API snStatus snSink_Close(snSink* sink, snMessage* why);

// Frees the sink and leaves no file, none of a sequence either. NULL is fine.
SN_API void snSink_Abort(snSink* sink);

#ifdef __cplusplus
}
#endif

#endif
