// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// An OpenGL 3.3 context without window or display, and programs in it.
#ifndef SINEW_APPS_RENDER_CONTEXT_H
#define SINEW_APPS_RENDER_CONTEXT_H

#include <sinew/base.h>

// epoxy's header must come before every other one of GL
#include <epoxy/gl.h>

typedef struct Context {
    void* display;
    void* context;
} Context;

// Makes a context and makes it the thread's current one.
snStatus openContext(Context* context, snMessage* why);

void closeContext(Context* context);

// A program of a vertex and a fragment shader, both after the common head; 0 after a failure.
GLuint createProgram(const char* head, const char* vertex, const char* fragment, snMessage* why);

#endif
