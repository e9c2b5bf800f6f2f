// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>

snModule snModule_Open(const snBenchOut* out, const char* name, const char* symbol,
                       const char* needs)
{
    char path[1024], text[256];
    snModule module = {NULL, NULL};
    snprintf(path, sizeof path, "%s/sinew-peer-%s.so", out->folder, name);
    module.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    module.symbol = module.handle ? dlsym(module.handle, symbol) : NULL;
    if (!module.symbol) {
        snprintf(
            text, sizeof text,
            "nothing to compare with: there is no sinew-peer-%s.so beside the tool; build where "
            "%s installed",
            name, needs);
        out->note(out->user, text);
    }
    return module;
}

void snModule_Close(snModule* module)
{
    if (module->handle) {
        dlclose(module->handle);
    }
}
