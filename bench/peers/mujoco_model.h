// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Loads a MuJoCo model from memory; for the peer and for the test that compares with MuJoCo.
#ifndef SINEW_BENCH_MUJOCO_MODEL_H
#define SINEW_BENCH_MUJOCO_MODEL_H

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

// NULL on failure; `error` then says why. Free with mj_deleteModel.
static inline mjModel* loadMujocoModel(const char* mjcf, char* error, int error_size)
{
    size_t length = strlen(mjcf);
    mjModel* model = NULL;
    mjVFS* files = malloc(sizeof *files); // 2 MB
    if (files) {
        mj_defaultVFS(files);
        if (length < 0x7fffffff && mj_makeEmptyFileVFS(files, "skeleton.xml", (int)length) == 0) {
            memcpy(files->filedata[0], mjcf, length);
            model = mj_loadXML("skeleton.xml", files, error, error_size);
            mj_deleteVFS(files);
        }
        free(files);
    }
    return model;
}

#endif
