// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Other programs' modules, opened at run time.
#ifndef SINEW_BENCH_MODULE_H
#define SINEW_BENCH_MODULE_H

#include "bench.h"

typedef struct snModule {
    void* handle;
    void* symbol; // what it exports; NULL = there is no such module
} snModule;

// sinew-peer-NAME.so beside the tool. When there is none, a note says that it is built where what
// it `needs` installed: "libx-dev is".
snModule snModule_Open(const snBenchOut* out, const char* name, const char* symbol,
                       const char* needs);
void snModule_Close(snModule* module);

#endif
