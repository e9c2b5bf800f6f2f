// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// Fatman rolls down the whole flight and comes to rest at the bottom; no limb goes through a step.
#include "scenes/acting.h"

#define SLOW 0.1 // m/s: of the centre of mass in the end
// m: of a joint in a step; a knee is 8.6 cm below the skin. Skin touches things, bones do not, and
// flesh around a joint is not fixed to them: all his weight on a knee squeezes it aside.
#define SQUEEZED 0.05
#define MOST_TORQUE 120.0 // Nm, as the scene states

// How deep a place is in the steps, which all stand on the ground: m, the least way out.
static double depthInStairs(const snObstacleDef* stairs, snVec3 p)
{
    double most = 0;
    for (int32_t i = 0; i < stairs->shape_count; ++i) {
        snVec3 d = snSub(p, stairs->shapes[i].pose.p), h = stairs->shapes[i].half;
        // the last step's end and the flight's outer sides lead out too; its back is not there
        double up = h.y - d.y, out = h.z - d.z, side = h.x - fabs(d.x);
        if (up > 0 && out > 0 && side > 0 && d.z > -h.z) {
            most = fmax(most, fmin(up, fmin(out, side)));
        }
    }
    return most;
}

// The deepest place of the skin in the stairs.
static double skinIn(const snObstacleDef* stairs, const snFrameCharacter* c)
{
    double most = 0;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        snVec3 p = snAdd(c->origin, pointAt(c->surfaces[0].position, i));
        most = fmax(most, depthInStairs(stairs, p));
    }
    return most;
}

// The deepest joint; fingers are thinner than cells, so nothing holds their bones in the flesh.
static double jointsIn(const snObstacleDef* stairs, const snFrameCharacter* c,
                       const snFleshInfo* flesh)
{
    double most = 0;
    for (int32_t i = 0; i < flesh->node_count; ++i) {
        if (flesh->fixed[i] >= 0) {
            most = fmax(most, depthInStairs(stairs, c->bones[flesh->fixed[i]].p));
        }
    }
    return most;
}

static void heRollsDown(void** state)
{
    (void)state;
    Act act = beginAct("fatman_stairs");
    const snObstacleDef* stairs = snScene_Obstacle(act.scene, 0);
    const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(act.scene, 0));
    const snShapeDef* last = &stairs->shapes[stairs->shape_count - 1];
    const double foot = last->pose.p.z + last->half.z, rate = snScene_Def(act.scene)->frame_rate;
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters), top = f->characters[0].momentum.com.y;
    double skin = 0, joints = 0, turned = 0;
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        f = nextFrame(&act);
        skin = fmax(skin, skinIn(stairs, f->characters));
        joints = fmax(joints, jointsIn(stairs, f->characters, flesh));
        turned += f->characters[0].twists[0].w.x / rate;
    }
    const snFrameCharacter* c = f->characters;
    snVec3 com = c->momentum.com;
    double speed = snLength(c->momentum.linear) / c->momentum.mass;
    print_message("from %.2f to %.2f m high, %.2f m beyond the last step, %.2f turns, at the end "
                  "%.3f m/s\n",
                  top, com.y, com.z - foot, turned / (2 * SN_PI), speed);
    print_message("in the steps: skin %.1f mm, joints %.1f mm; deepest contact, folds included, "
                  "%.1f mm of %.2f m; %.0f Nm, %.0f W\n",
                  1e3 * skin, 1e3 * joints, 1e3 * c->deepest, size, c->peak_torque, c->peak_power);
    assert_true(com.y < 0.4 && com.z > foot);
    assert_true(turned > SN_PI);
    assert_below(speed, SLOW);
    assert_below(skin, SUNK * size);
    assert_below(joints, SQUEEZED);
    assert_true(c->peak_torque < 1.001 * MOST_TORQUE);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heRollsDown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
