// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define EGL_NO_X11 // its header would ask for those of X11
#include "render/context.h"

#include "render/image.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdbool.h>

#define REMEDY "; install libegl1, libegl-mesa0 and libgl1-mesa-dri"

// epoxy ends the program when the library is missing, so this looks first.
static bool isEglThere(void)
{
    void* library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library) {
        dlclose(library);
    }
    return library != NULL;
}

static snStatus failContext(Context* context, snMessage* why, const char* what)
{
    snStatus status = failPicture(why, sn_errorUnsupported, "cannot draw: %s (EGL error 0x%x)%s",
                                  what, (unsigned)eglGetError(), REMEDY);
    closeContext(context);
    return status;
}

snStatus openContext(Context* context, snMessage* why)
{
    static const EGLint CONFIG[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint VERSION[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    *context = (Context){NULL, NULL};
    if (!isEglThere()) {
        return failPicture(why, sn_errorUnsupported, "cannot draw: there is no EGL library%s",
                           REMEDY);
    }
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        return failContext(context, why, "EGL cannot do without a display");
    }
    EGLDisplay display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLConfig config;
    EGLint count = 0;
    if (!display || !eglInitialize(display, NULL, NULL)) {
        return failContext(context, why, "EGL does not start");
    }
    context->display = display;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, CONFIG, &config, 1, &count) ||
        count < 1) {
        return failContext(context, why, "EGL has no OpenGL");
    }
    context->context = eglCreateContext(display, config, EGL_NO_CONTEXT, VERSION);
    if (!context->context ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context)) {
        return failContext(context, why, "there is no OpenGL 3.3");
    }
    return sn_ok;
}

void closeContext(Context* context)
{
    if (context->display) {
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context->context) {
            eglDestroyContext(context->display, context->context);
        }
        eglTerminate(context->display);
    }
    *context = (Context){NULL, NULL};
}

static GLuint compile(GLenum kind, const char* head, const char* text, snMessage* why)
{
    const char* texts[2] = {head, text};
    GLuint shader = glCreateShader(kind);
    GLint ok = 0;
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char log[512] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        failPicture(why, sn_errorUnsupported, "cannot draw: the driver refuses a shader: %s", log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

GLuint createProgram(const char* head, const char* vertex, const char* fragment, snMessage* why)
{
    GLuint v = compile(GL_VERTEX_SHADER, head, vertex, why);
    GLuint f = v ? compile(GL_FRAGMENT_SHADER, head, fragment, why) : 0;
    GLuint program = f ? glCreateProgram() : 0;
    GLint ok = 0;
    if (program) {
        glAttachShader(program, v);
        glAttachShader(program, f);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &ok);
        if (!ok) {
            char log[512] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            failPicture(why, sn_errorUnsupported, "cannot draw: the driver refuses a program: %s",
                        log);
            glDeleteProgram(program);
        }
    }
    glDeleteShader(v);
    glDeleteShader(f);
    return ok ? program : 0;
}
