// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Restitution: how fast rigid bodies part after they met. And what rests does so quietly.
#include "sim/obstacles.h"

#define SLACK 0.05 // of restitution
#define GRAVITY 9.81

static const snVec3 STILL = {0, 0, 0};
static const double ASKED[] = {0, 0.25, 0.5, 0.8};

typedef struct Stage {
    snScene* scene;
    snSim* sim;
} Stage;

// A scene needs a character: bones that fall far away.
static Stage openStage(double restitution, double step, bool gravity)
{
    Stage s = {NULL, NULL};
    snMessage why;
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    def.frame_rate = 500; // steps of 2 ms and parts of it
    def.restitution = restitution;
    def.step = step;
    def.ground = 1;
    def.gravity = gravity ? def.gravity : STILL;
    snStart_Init(&start);
    start.pose.p = snV3(0, 1000, 1000);
    assert_ok(snScene_Create(NULL, &def, &s.scene, &why), why);
    addPuppet(NULL, s.scene, makeSingle(sn_jointFree), &start);
    return s;
}

static void closeStage(Stage* s)
{
    snSim_Free(s->sim);
    snScene_Free(s->scene);
}

static double speedOf(const Stage* s, int32_t i, snVec3 along)
{
    const snMomentum* m = &snSim_Frame(s->sim)->obstacles[i].momentum;
    return snDot(m->linear, along) / m->mass;
}

// The fastest that one body gets away from what it falls on, as a part of how fast it met it; 0 for
// one that stays.
static double bounceOf(const Stage* s, int32_t who)
{
    const snVec3 up = {0, 1, 0};
    double h = snSim_Frame(s->sim)->step_size, met = 0, best = 0;
    for (int i = 0; snSim_Time(s->sim) < 2 && !(best > 0 && speedOf(s, who, up) < -0.02); ++i) {
        advance(s->sim, h);
        double v = speedOf(s, who, up);
        met = fmin(met, v);
        best = fmax(best, v);
    }
    return -best / met;
}

typedef enum Kind {
    flatBox,
    tiltedBox, // falls on its corner, right below its middle
    ball,
    plate,
    kindCount,
} Kind;

static const char* const KINDS[] = {"box", "box on its corner", "ball", "plate"};

static int32_t addKind(snScene* scene, Kind kind, double above)
{
    const double a = 0.1;
    snShapeDef box = boxShape(snV3(a, a, a)), round = sphereShape(a),
               flat = boxShape(snV3(3 * a, 0.1 * a, 2 * a));
    const snShapeDef* shape = kind == ball ? &round : kind == plate ? &flat : &box;
    snTransform pose = poseAt(snV3(0, above + (kind == plate ? 0.1 * a : a), 0));
    if (kind == tiltedBox) {
        pose.q = snQFromTo(snNormalize(snV3(1, 1, 1)), snV3(0, 1, 0));
        pose.p.y = above + sqrt(3) * a;
    }
    return addObstacle(scene, shape, pose, 2, STILL, STILL);
}

static double dropOn(Kind kind, double height, double step, double asked, bool slab)
{
    Stage s = openStage(asked, step, true);
    if (slab) { // an obstacle that does not give way in place of the ground
        snShapeDef shape = boxShape(snV3(2, 0.1, 2));
        addObstacle(s.scene, &shape, poseAt(snV3(0, 0.9, 0)), 0, STILL, STILL);
    }
    int32_t who = addKind(s.scene, kind, height + (slab ? 1 : 0));
    s.sim = startSim(s.scene);
    double found = bounceOf(&s, who);
    closeStage(&s);
    return found;
}

static void bodiesBounceOff(bool slab)
{
    static const double HEIGHTS[] = {0.1, 0.5, 2}, STEPS[] = {0.25e-3, 1e-3, 2e-3, 0};
    for (int k = 0; k < kindCount; ++k) {
        for (int e = 0; e < 4; ++e) {
            double least = 1, most = 0;
            for (int i = 0; i < 12; ++i) {
                double found = dropOn((Kind)k, HEIGHTS[i / 4], STEPS[i % 4], ASKED[e], slab);
                least = fmin(least, found);
                most = fmax(most, found);
            }
            print_message("a %s on %s, restitution %.2f: %.3f..%.3f\n", KINDS[k],
                          slab ? "a slab" : "the ground", ASKED[e], least, most);
            assert_true(least > ASKED[e] - SLACK && most < ASKED[e] + SLACK);
        }
    }
}

static void bodiesBounceOffTheGround(void** state)
{
    (void)state;
    bodiesBounceOff(false);
}

static void bodiesBounceOffObstacles(void** state)
{
    (void)state;
    bodiesBounceOff(true);
}

// Head-on in free space: speeds of parting and of meeting; energy is never gained.
static void bodiesBounceOffEachOther(void** state)
{
    (void)state;
    static const double MASSES[] = {0.1, 1, 20}, SPEEDS[] = {0.5, 2, 4.8};
    const snVec3 x = {1, 0, 0};
    for (int e = 0; e < 4; ++e) {
        double least = 1, most = 0;
        for (int i = 0; i < 18; ++i) {
            Stage s = openStage(ASKED[e], i % 2 ? 2e-3 : 5e-4, false);
            snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1)), round = sphereShape(0.1);
            double v = SPEEDS[i / 2 % 3], mass = MASSES[i / 6];
            addObstacle(s.scene, &box, poseAt(snV3(0, 1, 0)), mass, snV3(v, 0, 0), STILL);
            addObstacle(s.scene, i % 4 < 2 ? &box : &round, poseAt(snV3(0.45, 1, 0)), 1,
                        snV3(-0.3 * v, 0, 0), STILL);
            s.sim = startSim(s.scene);
            advance(s.sim, 0.6 / v);
            double found = (speedOf(&s, 1, x) - speedOf(&s, 0, x)) / (1.3 * v);
            least = fmin(least, found);
            most = fmax(most, found);
            closeStage(&s);
        }
        print_message("two bodies, restitution %.2f: %.3f..%.3f\n", ASKED[e], least, most);
        assert_true(least > ASKED[e] - SLACK && most < ASKED[e] + SLACK);
    }
}

// Each pair of materials has its own.
static void pairsDiffer(void** state)
{
    (void)state;
    Stage s = openStage(0, 1e-3, true);
    snMessage why;
    snShapeDef round = sphereShape(0.1);
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &round;
    def.mass = 1;
    for (int i = 0; i < 2; ++i) {
        def.pose = poseAt(snV3(i, 0.6, 0));
        def.material = i ? "rubber" : "lead";
        assert_ok(snScene_AddObstacle(s.scene, &def, NULL, &why), why);
    }
    assert_ok(snScene_SetPair(s.scene, "rubber", "ground", 0.6, 0.8, &why), why);
    s.sim = startSim(s.scene);
    double rubber = bounceOf(&s, 1), lead = speedOf(&s, 0, snV3(0, 1, 0)); // at its highest
    print_message("rubber bounces with %.3f, lead moves by %.3f m/s then\n", rubber, lead);
    assert_below(fabs(lead), SLACK);
    assert_close(rubber, 0.8, SLACK);
    closeStage(&s);
}

static double energyOf(const snFrame* f)
{
    double sum = 0;
    for (int32_t i = 0; i < f->obstacle_count; ++i) {
        const snMomentum* m = &f->obstacles[i].momentum;
        sum += 0.5 * snDot(m->linear, snScale(1 / m->mass, m->linear)) +
               0.5 * snDot(m->angular, f->obstacles[i].twist.w) + m->mass * GRAVITY * m->com.y;
    }
    return sum;
}

// Boxes and balls that tumble on each other gain no energy, and lie still in the end, also when
// they bounce well.
static void heapsCalmDown(void** state)
{
    (void)state;
    for (int e = 0; e < 4; ++e) {
        Stage s = openStage(ASKED[e], 1e-3, true);
        for (int i = 0; i < 6; ++i) {
            snShapeDef box = boxShape(snV3(0.1, 0.06, 0.15));
            snTransform pose = {{0.03 * i, 0.3 + 0.4 * i, 0.02 * i},
                                snQFromAxisAngle(snNormalize(snV3(1, i, 2)), i)};
            addObstacle(s.scene, &box, pose, 1 + i, STILL, snV3(i, 1, 2));
        }
        s.sim = startSim(s.scene);
        double first = energyOf(snSim_Frame(s.sim)), most = first, last = 0, fastest = 0;
        for (int i = 0; i < 600; ++i) {
            advance(s.sim, 0.01);
            double now = energyOf(snSim_Frame(s.sim));
            most = fmax(most, now);
            last = now;
        }
        for (int32_t i = 0; i < 6; ++i) {
            const snTwist* t = &snSim_Frame(s.sim)->obstacles[i].twist;
            fastest = fmax(fastest, snLength(t->v) + 0.1 * snLength(t->w));
        }
        print_message("six boxes, restitution %.2f: %.1f J at first, at most %.2g more, %.1f in "
                      "the end; the fastest %.2g m/s\n",
                      ASKED[e], first, (most - first) / first, last, fastest);
        assert_below(most, 1.001 * first);
        assert_below(fastest, 0.01);
        closeStage(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodiesBounceOffTheGround),
        cmocka_unit_test(bodiesBounceOffObstacles),
        cmocka_unit_test(bodiesBounceOffEachOther),
        cmocka_unit_test(pairsDiffer),
        cmocka_unit_test(heapsCalmDown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
