// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Frames in the host's own arrays.
#include <string.h>

#include "base/message.h"
#include "math/vec.h"
#include "sim/sim_state.h"

// Entries ---------------------------------------------------------------------

const snFrameCharacter* snFrame_Character(const snFrame* frame, int32_t i)
{
    return frame && i >= 0 && i < frame->character_count ? &frame->characters[i] : NULL;
}

const snFrameObstacle* snFrame_Obstacle(const snFrame* frame, int32_t i)
{
    return frame && i >= 0 && i < frame->obstacle_count ? &frame->obstacles[i] : NULL;
}

const snContact* snFrame_Contact(const snFrame* frame, int32_t i)
{
    return frame && i >= 0 && i < frame->contact_count ? &frame->contacts[i] : NULL;
}

const snTouchEvent* snFrame_Event(const snFrame* frame, int32_t i)
{
    return frame && i >= 0 && i < frame->event_count ? &frame->events[i] : NULL;
}

const snFinding* snFrame_Finding(const snFrame* frame, int32_t i)
{
    return frame && i >= 0 && i < frame->finding_count ? &frame->findings[i] : NULL;
}

const snFrameSurface* snFrameCharacter_Surface(const snFrameCharacter* character, int32_t i)
{
    return character && i >= 0 && i < character->surface_count ? &character->surfaces[i] : NULL;
}

// Copies ----------------------------------------------------------------------

#define MOST_STRIDE 65536 // bytes

static void put(void* to, size_t stride, int32_t i, snVec3 p, int32_t axes)
{
    float xyz[3] = {(float)p.x, (float)(axes == sn_axesZUp ? -p.z : p.y),
                    (float)(axes == sn_axesZUp ? p.y : p.z)};
    memcpy((char*)to + (size_t)i * stride, xyz, sizeof xyz);
}

static snVec3 wide(const float* p)
{
    return snV3((double)p[0], (double)p[1], (double)p[2]);
}

// A surface in the host's memory, axes and unit.
static void copySurface(const snFrameCharacter* character, const snFrameSurface* s,
                        const snWantDef* to)
{
    snVec3 by = snSub(character->origin, to->origin);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        if (to->positions) {
            snVec3 p = snAdd(wide(&s->position[3 * (size_t)i]), by);
            p = to->unit == 1 ? p : snScale(1 / to->unit, p);
            put(to->positions, to->stride, i, p, to->axes);
        }
        if (to->normals) {
            put(to->normals, to->stride, i, wide(&s->normal[3 * (size_t)i]), to->axes);
        }
    }
}

static snStatus checkStride(size_t stride, snMessage* why)
{
    return stride < 3 * sizeof(float) || stride > MOST_STRIDE || stride % sizeof(float) != 0
               ? snFail(why, sn_errorArgument,
                        "the stride must be a multiple of 4 bytes in 12..%d, not %zu", MOST_STRIDE,
                        stride)
               : sn_ok;
}

snStatus snFrameCharacter_Copy(const snFrameCharacter* character, int32_t surface, snVec3 origin,
                               size_t stride, float* positions, float* normals, snMessage* why)
{
    snMessage_Clear(why);
    const snFrameSurface* s = snFrameCharacter_Surface(character, surface);
    if (!s) {
        return snFail(why, sn_errorArgument, "there is no surface %d", (int)surface);
    }
    snStatus status = checkStride(stride, why);
    if (!status && !(snLength(origin) <= SN_MOST_LENGTH)) {
        status = snFail(why, sn_errorArgument, "the origin must lie within 1e9 m");
    }
    if (!status && ((positions && !s->position) || (normals && !s->normal))) {
        status = snFail(why, sn_errorArgument, "the sim was told that this is not wanted");
    }
    if (!status) {
        snWantDef to = {.stride = stride, .unit = 1, .origin = origin};
        to.positions = positions;
        to.normals = normals;
        copySurface(character, s, &to);
    }
    return status;
}

// Wanting ---------------------------------------------------------------------

static snStatus checkWant(const snWantDef* def, snMessage* why)
{
    if (def->size != sizeof *def) {
        return snFail(why, sn_errorArgument, "the def was not set up with snWantDef_Init");
    }
    if (def->wanted & ~(uint32_t)(sn_wantedAll | sn_wantedBalance)) {
        return snFail(why, sn_errorArgument, "wanted has bits that mean nothing: %#x",
                      (unsigned)def->wanted);
    }
    if ((def->positions && !(def->wanted & sn_wantedSurface)) ||
        (def->normals && !(def->wanted & sn_wantedNormals))) {
        return snFail(why, sn_errorArgument,
                      "there is memory for positions or normals, which are not among what is "
                      "wanted; add sn_wantedSurface or sn_wantedNormals");
    }
    if (!(def->unit >= 1e-6 && def->unit <= 1e6) || def->axes < 0 || def->axes >= sn_axesCount ||
        !(snLength(def->origin) <= SN_MOST_LENGTH)) {
        return snFail(why, sn_errorArgument,
                      "unit must lie in 1e-6..1e6 m, axes be an snAxes, and the origin lie within "
                      "1e9 m");
    }
    return checkStride(def->stride, why);
}

// Who begins to be looked at, or is not any more, has a new account.
static void beginBalance(snSim* sim, int32_t who, uint32_t wanted)
{
    if ((wanted ^ sim->data->wants[who].wanted) & sn_wantedBalance) {
        snSurroundings* around = &sim->data->around;
        snSurroundings_Account(around, snSim_Slices(sim->state), false, who)->known = 0;
        snSurroundings_Account(around, snSim_Slices(sim->good), false, who)->known = 0;
    }
}

snStatus snSim_Want(snSim* sim, int32_t who, const snWantDef* def, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !def || !snScene_Character(sim->scene, who)) {
        return snFail(why, sn_errorArgument, "there is no character %d, or no def", (int)who);
    }
    snStatus status = checkWant(def, why);
    if (!status) {
        beginBalance(sim, who, def->wanted);
        sim->data->wants[who] = *def;
        snMethodData_NoteWants(sim->data);
        sim->frame_step = -1;
    }
    return status;
}

void snSim_Deliver(snSim* sim)
{
    for (int32_t i = 0; i < sim->frame.character_count; ++i) {
        const snFrameSurface* s = snFrameCharacter_Surface(&sim->frame.characters[i], 0);
        const snWantDef* want = &sim->data->wants[i];
        if (s && (want->positions || want->normals)) {
            copySurface(&sim->frame.characters[i], s, want);
        }
    }
}
