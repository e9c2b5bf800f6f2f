// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/follow_skin.h"

#include "base/message.h"
#include "rig/lbs.h"

static int32_t instanceOf(const snRigWeld* weld, int32_t welded)
{
    int32_t at = 0;
    while (weld->first[at + 1] <= weld->origin[welded]) {
        ++at;
    }
    return at;
}

snStatus snFollowSkin_Build(snFollowSkin* skin, snArena* arena, const snRigBody* body,
                            snMessage* why)
{
    const snRigWeld* weld = &body->weld;
    const snRig* rig = body->rig;
    size_t vertices = (size_t)weld->surface.vertex_count, joints = 0;
    *skin = (snFollowSkin){.body = body};
    skin->vertices = snArena_Push(arena, vertices, sizeof *skin->vertices);
    skin->instances = snArena_Push(arena, vertices, sizeof *skin->instances);
    skin->first = snArena_Push(arena, (size_t)rig->info.skin_count, sizeof *skin->first);
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        joints += (size_t)rig->skins[i].joint_count;
    }
    skin->joints = snArena_Push(arena, joints, sizeof *skin->joints);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for what touches the flesh");
    }
    for (int32_t i = 1; i < rig->info.skin_count; ++i) {
        skin->first[i] = skin->first[i - 1] + rig->skins[i - 1].joint_count;
    }
    for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
        int32_t at = instanceOf(weld, v);
        if (body->ties[v].node[0] >= 0 && rig->instances[at].shape->first) {
            skin->vertices[skin->vertex_count] = v;
            skin->instances[skin->vertex_count++] = at;
        }
    }
    return sn_ok;
}

void snFollowSkin_Update(snFollowSkin* skin, const snFollowDrive* drive)
{
    const snRig* rig = skin->body->rig;
    for (int32_t i = 0; i < rig->info.skin_count; ++i) {
        snLbs_Joints(&rig->skins[i], drive->nodes, skin->joints + skin->first[i]);
    }
}

snVec3 snFollowSkin_At(const snFollowSkin* skin, int32_t i)
{
    const snRigBody* body = skin->body;
    const snRigInstance* instance = &body->rig->instances[skin->instances[i]];
    int32_t origin = body->weld.origin[skin->vertices[i]];
    size_t at = (size_t)(origin - body->weld.first[skin->instances[i]]);
    snMatrix B = snLbs_Blend(instance->shape, skin->joints + skin->first[instance->info.skin], at);
    return snScale(body->unit, snMatrix_Point(&B, snLbs_Morph(instance->shape, NULL, at)));
}
