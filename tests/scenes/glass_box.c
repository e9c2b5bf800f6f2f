// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// A starfish under a glass box jumps against it, lifts it, and gets out by itself.
#include "math/transform.h"
#include "scenes/acting.h"

#define MOST_TORQUE 120.0 // Nm, as the scene states
#define MOST_POWER 3000.0 // W

// Vertices of the starfish within the outer sides of the box, which are those of its shapes, or
// just below its rim, where flesh sinks into the ground.
static int countInside(const Act* act, const snFrame* f)
{
    const snObstacleDef* box = snScene_Obstacle(act->scene, 0);
    const snFrameCharacter* c = f->characters;
    snVec3 lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < box->shape_count; ++i) {
        snVec3 p = box->shapes[i].pose.p, h = box->shapes[i].half;
        lo = snV3(fmin(lo.x, p.x - h.x), fmin(lo.y, p.y - h.y), fmin(lo.z, p.z - h.z));
        hi = snV3(fmax(hi.x, p.x + h.x), fmax(hi.y, p.y + h.y), fmax(hi.z, p.z + h.z));
    }
    int count = 0;
    lo.y -= SUNK;
    snTransform back = snTInverse(f->obstacles[0].pose);
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        snVec3 p = snTPoint(back, snAdd(c->origin, pointAt(c->surfaces[0].position, i)));
        count += p.x > lo.x && p.y > lo.y && p.z > lo.z && p.x < hi.x && p.y < hi.y && p.z < hi.z;
    }
    return count;
}

// The least height of the rim's four corners, and the largest.
static void rimOf(const Act* act, const snFrame* f, double* least, double* most)
{
    const snShapeDef* top = &snScene_Obstacle(act->scene, 0)->shapes[0];
    *least = HUGE_VAL, *most = -HUGE_VAL;
    for (int corner = 0; corner < 4; ++corner) {
        snVec3 p = snV3(corner & 1 ? top->half.x : -top->half.x, 0,
                        corner & 2 ? top->half.z : -top->half.z);
        double y = snTPoint(f->obstacles[0].pose, p).y;
        *least = fmin(*least, y);
        *most = fmax(*most, y);
    }
}

static void itGetsOut(void** state)
{
    (void)state;
    Act act = beginAct("glass_box");
    const snFrame* f = snSim_Frame(act.sim);
    const double size = sizeOfBody(f->characters);
    const snVec3 from = f->obstacles[0].momentum.com;
    const int vertices = f->characters[0].surfaces[0].vertex_count;
    double hop = 0, lift = 0, least, most;
    assert_true(snScene_Obstacle(act.scene, 0)->mass >= 0.5 * f->characters[0].momentum.mass);
    assert_int_equal(countInside(&act, f), vertices);
    while (f->time < snScene_Def(act.scene)->duration - 1e-6) {
        f = nextFrame(&act);
        rimOf(&act, f, &least, &most);
        hop = f->time < 5 ? fmax(hop, least) : hop;
        lift = f->time > 5 && f->time < 9 ? fmax(lift, most) : lift;
        if (f->time > 8.9 && f->time < 9) {
            assert_int_equal(countInside(&act, f), vertices); // not yet
        }
    }
    const snFrameCharacter* c = f->characters;
    double moved = snLength(snSub(f->obstacles[0].momentum.com, from));
    print_message("the box hops by %.3f m, is lifted by %.2f m, ends up %.2f m away; %.0f Nm, %.0f "
                  "W; deepest %.1f mm of %.2f m\n",
                  hop, lift, moved, c->peak_torque, c->peak_power, 1e3 * c->deepest, size);
    assert_true(hop > 0.01 && lift > 0.1 && moved > 0.3);
    assert_int_equal(countInside(&act, f), 0);
    assert_true(c->peak_torque < 1.001 * MOST_TORQUE);
    assert_below(c->peak_power, MOST_POWER);
    assert_below(c->deepest, SUNK * size);
    endAct(&act);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(itGetsOut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
