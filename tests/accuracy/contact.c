// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Contact: depth of drops and blows, bounces, rest, momentum, sizes from 1 cm to 100 m, corners.
#include "accuracy/bodies.h"
#include "accuracy/table.h"
#include "sim/depth.h"

#define SIDE 0.2        // m, of a cube
#define SOFT 30e3       // Pa
#define BLOW 10.0       // m/s
#define BLOW_DEPTH 0.06 // of local thickness

static Table table = {.test = "accuracy_contact"};

static snCharacter* makeCube(double side, double young, double damping)
{
    return makeCuboid(snV3(0.5 * side, 0.5 * side, 0.5 * side), young, damping, 400);
}

// Depth -----------------------------------------------------------------------

// Largest depth in what is not its own body, as a part of thickness (or of what a cell may).
static double depthNow(const Thickness* of, const snFrame* f, double part)
{
    double worst = 0;
    for (int32_t i = 0; i < f->contact_count; ++i) {
        const snContact* c = &f->contacts[i];
        if (c->with != sn_withCharacter || c->obstacle >= 0) {
            worst = fmax(worst, depthRatio(of, f, c, part));
        }
    }
    return worst;
}

// The largest of a run.
static double deepestIn(Stage* s, double seconds, double part)
{
    Thickness of = openThickness(snScene_Character(s->scene, 0));
    double worst = 0;
    while (snSim_Time(s->sim) < seconds) {
        advance(s->sim, snSim_Frame(s->sim)->step_size);
        worst = fmax(worst, depthNow(&of, snSim_Frame(s->sim), part));
    }
    free(of.at);
    return part * worst;
}

static void drop(double height, double allowed)
{
    char what[100];
    Stage s = planStage(true);
    addSoft(&s, makeCube(SIDE, SOFT, 12), poseAt(snV3(0, height + 0.5 * SIDE, 0)), STILL);
    s.sim = startSim(s.scene);
    snprintf(what, sizeof what, "depth of a soft cube that falls %g m, of its thickness", height);
    addError(&table, what, deepestIn(&s, sqrt(2 * height / GRAVITY) + 0.3, allowed), allowed, "");
    closeStage(&s);
}

// What a body at 10 m/s along x meets.
typedef enum Target { ground, slab, ball, freeBox, wall, targetCount } Target;

static const char* const TARGETS[targetCount] = {
    "the ground", "a fixed box", "a fixed ball (300 kPa)", "a box of its mass", "a wall of 1 mm"};

// Of a body whose front is at x = 0.
static void addTarget(Stage* s, Target target, double mass)
{
    snShapeDef shape = target == ball ? sphereShape(0.3) : boxShape(snV3(0.3, 1, 1));
    double at = 0.31;
    if (target == wall) {
        shape.half.x = 0.5e-3;
        at = 0.0105;
    }
    addObstacle(s->scene, &shape, poseAt(snV3(at, 0, 0)), target == freeBox ? mass : 0, STILL,
                STILL);
}

// Flesh of 30 kPa, whose sound is slower than the blow, turns inside out around a ball; there it is
// ten times as stiff.
static snCharacter* makeStriker(const char* name, Target target)
{
    snCharacterDef def;
    double young = target == ball ? 10 * SOFT : SOFT;
    if (!name) {
        return makeCube(SIDE, young, 12);
    }
    if (target != ball) {
        return makeBuiltin(name);
    }
    snCharacterDef_Init(&def);
    def.cells = 180;
    def.material.young = young;
    return buildLike(name, &def);
}

// The best reached; cells of 15 cm do not bend around a ball of 30 cm.
#define BALL_DEPTH 0.18

static void strike(const char* name, Target target)
{
    char what[100];
    Stage s = planStage(target == ground);
    snCharacter* c = makeStriker(name, target);
    double mass = snCharacter_Flesh(c)->total_mass, front = name ? 0.62 : 0.5 * SIDE;
    snVec3 way = target == ground ? snV3(0, -1, 0) : snV3(1, 0, 0);
    s.def.gravity = STILL;
    s.def.ground_height = -0.01;
    addSoft(&s, c, poseAt(snScale(-front, way)), snScale(BLOW, way));
    if (target != ground) {
        addTarget(&s, target, mass);
    }
    s.sim = startSim(s.scene);
    double worst = deepestIn(&s, 0.2, BLOW_DEPTH);
    advance(s.sim, 0.3);
    snprintf(what, sizeof what, "depth of %s at 10 m/s on %s, of its thickness",
             name ? "a starfish" : "a cube", TARGETS[target]);
    bool dented = name && target == ball;
    addError(&table, what, worst, dented ? BALL_DEPTH : BLOW_DEPTH,
             dented ? "target 0.06; its cells are half as large as the ball" : "");
    if (target == wall) { // the middle is on the side that it came from
        addError(&table,
                 name ? "how far a starfish gets through the wall, m"
                      : "how far a cube gets through the wall, m",
                 fmax(momentumOf(&s).com.x, 0), 1e-9, "");
    }
    closeStage(&s);
}

static void nothingGoesDeep(void** state)
{
    (void)state;
    drop(1, 0.03);
    drop(5, BLOW_DEPTH);
    for (int t = 0; t < targetCount; ++t) {
        strike(NULL, (Target)t);
        strike("starfish_coarse", (Target)t);
    }
}

// Bounces ---------------------------------------------------------------------

// How high above its place at rest an undamped cube comes after a fall of 1 m, with such a step.
static double bounceHeight(double step)
{
    Stage s = planStage(true);
    s.def.step = step;
    addSoft(&s, makeCube(SIDE, SOFT, 0), poseAt(snV3(0, 1 + 0.5 * SIDE, 0)), STILL);
    s.sim = startSim(s.scene);
    double highest = 0;
    while (snSim_Time(s.sim) < 1.2) {
        advance(s.sim, 1e-3);
        bool after = snSim_Time(s.sim) > sqrt(2 / GRAVITY) + 0.1;
        highest = after ? fmax(highest, momentumOf(&s).com.y) : 0;
    }
    closeStage(&s);
    return highest - 0.5 * SIDE;
}

static void bouncesDoNotDependOnTheStep(void** state)
{
    (void)state;
    double least = HUGE_VAL, most = 0;
    char note[100];
    double h[3];
    for (int i = 0; i < 3; ++i) {
        h[i] = bounceHeight(1e-3 / (1 << i));
        least = fmin(least, h[i]);
        most = fmax(most, h[i]);
    }
    snprintf(note, sizeof note, "%.4f, %.4f, %.4f m; target 0.005", h[0], h[1], h[2]);
    addError(&table, "spread of an undamped cube's bounce at 1, ½, ¼ ms, relative",
             (most - least) / most, 0.014, note); // the best reached
}

// A rigid body dropped from five times its size, which bodies of every size meet alike.
static double restitutionOf(bool round, double size, double asked)
{
    Stage s = planStage(true);
    snShapeDef shape =
        round ? sphereShape(0.5 * size) : boxShape(snV3(0.5 * size, 0.5 * size, 0.5 * size));
    s.def.restitution = asked;
    s.def.frame_rate = fmin(fmax(60 / sqrt(size), 1), 10000);
    addRigid(&s, &shape, fmin(1000 * size * size * size, 1e6), poseAt(snV3(0, 5.5 * size, 0)),
             STILL);
    s.sim = startSim(s.scene);
    double met = 0, best = 0, end = 1.5 * sqrt(10 * size / GRAVITY);
    while (snSim_Time(s.sim) < end) {
        advance(s.sim, snSim_Frame(s.sim)->step_size);
        met = fmin(met, velocityOf(&s).y);
        best = fmax(best, velocityOf(&s).y);
    }
    closeStage(&s);
    return -best / met;
}

static void rigidBodiesBounceAsAsked(void** state)
{
    (void)state;
    static const double SIZES[3] = {0.01, 0.2, 100}, ASKED[4] = {0, 0.25, 0.5, 0.8};
    for (int round = 0; round < 2; ++round) {
        for (int e = 0; e < 4; ++e) {
            char what[100];
            double worst = 0;
            for (int i = 0; i < 3; ++i) {
                worst = fmax(worst, fabs(restitutionOf(round, SIZES[i], ASKED[e]) - ASKED[e]));
            }
            snprintf(what, sizeof what,
                     "restitution %.2f of a rigid %s of 1 cm, 20 cm, 100 m: error", ASKED[e],
                     round ? "ball" : "box");
            addError(&table, what, worst, 0.05, "");
        }
    }
}

// Rest --------------------------------------------------------------------------

static void rest(const char* name, double thickness)
{
    char what[100];
    Stage s = planStage(true);
    addSoft(&s, name ? makeBuiltin(name) : makeCube(SIDE, SOFT, 12),
            poseAt(snV3(0, name ? 0.15 : 0.12, 0)), STILL);
    s.sim = startSim(s.scene);
    advance(s.sim, 5);
    double most = 0;
    for (int i = 0; i < 60; ++i) {
        advance(s.sim, 1.0 / 60);
        most = fmax(most, softOf(&s)->energy.kinetic);
    }
    snprintf(what, sizeof what, "kinetic energy of a %s at rest, of m g thickness",
             name ? name : "cube");
    addError(&table, what, most / (momentumOf(&s).mass * GRAVITY * thickness), 1e-8, "");
    closeStage(&s);
}

static void bodiesComeToRest(void** state)
{
    (void)state;
    rest(NULL, SIDE);
    rest("starfish_coarse", 0.1);
    rest("worm", 0.15);
}

// Momentum ----------------------------------------------------------------------

static void sumMomentum(const snFrame* f, snVec3* linear, snVec3* angular, double* size)
{
    *linear = *angular = STILL;
    *size = 0;
    for (int32_t i = 0; i < f->character_count + f->obstacle_count; ++i) {
        const snMomentum* m = i < f->character_count
                                  ? &f->characters[i].momentum
                                  : &f->obstacles[i - f->character_count].momentum;
        *linear = snAdd(*linear, m->linear);
        *angular = snAdd(*angular, snAdd(m->angular, snCross(m->com, m->linear)));
        *size += snLength(m->linear);
    }
}

// A cube meets another, or a free box, off its middle; lengths are about 1 m.
static void collide(bool soft, bool projected)
{
    char what[100];
    snMessage why;
    snVec3 p, L, q, M;
    double size, now;
    Stage s = planStage(false);
    snTransform turned = {{0.25, 0.07, 0.05}, snQExp(snV3(0.3, 0.5, 0.2))};
    s.def.gravity = STILL;
    addSoft(&s, makeCube(SIDE, SOFT, 12), poseAt(snV3(-0.05, 0, 0)), snV3(4, 0, 0));
    if (soft) {
        addSoft(&s, makeCube(SIDE, SOFT, 12), turned, snV3(-2, 0, 0));
    } else {
        snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1));
        addObstacle(s.scene, &box, turned, 5, snV3(-2, 0, 0), snV3(1, 0, 3));
    }
    assert_ok(snScene_Set(s.scene, NULL, "contact", projected ? "projection" : "penalty", &why),
              why);
    s.sim = startSim(s.scene);
    sumMomentum(snSim_Frame(s.sim), &p, &L, &size);
    double first = momentumOf(&s).linear.x;
    advance(s.sim, 0.5);
    sumMomentum(snSim_Frame(s.sim), &q, &M, &now);
    assert_true(fabs(momentumOf(&s).linear.x - first) > 0.2 * first); // they met
    snprintf(what, sizeof what, "momentum that a cube and a %s lose%s, relative",
             soft ? "cube" : "box", projected ? ", projected" : "");
    addError(&table, what, snLength(snSub(q, p)) / size, 1e-6, "");
    snprintf(what, sizeof what, "angular momentum that a cube and a %s lose%s, relative",
             soft ? "cube" : "box", projected ? ", projected" : "");
    addError(&table, what, snLength(snSub(M, L)) / size, 1e-6, "");
    closeStage(&s);
}

static void contactKeepsMomentum(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        collide(i & 1, i & 2);
    }
}

// Sizes ---------------------------------------------------------------------------

// What comes out for a body of a size, in its own units: sizes, and times of sqrt(size / g).
typedef struct Fate {
    double apex, rest, depth, slid;
} Fate;

// A tilted cube falls by a third of its size, bounces, and slides to rest. Weight over stiffness
// and damping times time are those of a body of 1 m, so all sizes shall do the same.
static Fate fall(double size)
{
    Fate out = {0};
    Stage s = planStage(true);
    snTransform pose = {{0, 0.8 * size, 0}, snQExp(snV3(0.05, 0.2, 0.07))};
    double unit = sqrt(size), lowest = HUGE_VAL;
    s.def.frame_rate = 60 / unit;
    addSoft(&s, makeCube(size, 300e3 * size, 6 / unit), pose, snV3(unit, 0, 0));
    s.sim = startSim(s.scene);
    for (int i = 1; i <= 400; ++i) {
        advance(s.sim, 0.01 * unit);
        double y = momentumOf(&s).com.y / size;
        out.apex = y < lowest ? y : fmax(out.apex, y);
        lowest = fmin(lowest, y);
    }
    out.rest = momentumOf(&s).com.y / size;
    out.slid = momentumOf(&s).com.x / size;
    out.depth = softOf(&s)->deepest / size;
    closeStage(&s);
    return out;
}

static void sizesAreAlike(void** state)
{
    (void)state;
    Fate one = fall(1), small = fall(0.01), large = fall(100);
    const double* of[3] = {&one.apex, &small.apex, &large.apex};
    static const char* const NAMES[4] = {"bounce", "height at rest", "depth", "way"};
    for (int k = 0; k < 4; ++k) {
        char what[100], note[100];
        double off = fmax(fabs(of[1][k] - of[0][k]), fabs(of[2][k] - of[0][k]));
        snprintf(what, sizeof what, "%s of cubes of 1 cm and 100 m against one of 1 m, relative",
                 NAMES[k]);
        snprintf(note, sizeof note, "%.4f, %.4f, %.4f sizes%s", of[1][k], of[2][k], of[0][k],
                 k == 2 ? "; target 0.01" : "");
        // how deep the first blow goes depends on when in a step it comes: the best reached
        addError(&table, what, off / fabs(of[0][k]), k == 2 ? 0.05 : 0.01, note);
    }
}

// A corner --------------------------------------------------------------------------

// A cube is pulled into the corner of three walls: its corner feels all of them.
static void cornersKeepAllThree(void** state)
{
    (void)state;
    const double half = 0.5 * SIDE;
    Stage s = planStage(false);
    bool felt[3] = {false};
    s.def.gravity = snV3(-GRAVITY, -GRAVITY, -GRAVITY);
    addSoft(&s, makeCube(SIDE, 100e3, 12), poseAt(snV3(half, half, half)), STILL);
    addFixed(&s, snV3(0.5, 2, 2), poseAt(snV3(-0.5, 0, 0)));
    addFixed(&s, snV3(2, 0.5, 2), poseAt(snV3(0, -0.5, 0)));
    addFixed(&s, snV3(2, 2, 0.5), poseAt(snV3(0, 0, -0.5)));
    s.sim = startSim(s.scene);
    advance(s.sim, 1);
    const snFrame* f = snSim_Frame(s.sim);
    for (int32_t i = 0; i < f->contact_count; ++i) {
        const snContact* c = &f->contacts[i];
        if (c->with == sn_withObstacle && snLength(c->place) < 0.02 * SIDE) {
            felt[c->other] = true;
        }
    }
    snVec3 corner = snV3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    for (int32_t i = 0; i < softOf(&s)->surfaces[0].vertex_count; ++i) {
        corner = snMin3(corner, pointAt(softOf(&s)->surfaces[0].position, i));
    }
    addFigure(&table, "walls that the corner of a cube in a corner feels", 3,
              felt[0] + felt[1] + felt[2], 0, "");
    addError(&table, "how far it is in them, of its side",
             -fmin(corner.x, fmin(corner.y, corner.z)) / SIDE, 0.03, "");
    closeStage(&s);
}

// The page -------------------------------------------------------------------------

static void allRowsAreMet(void** state)
{
    (void)state;
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothingGoesDeep),          cmocka_unit_test(bouncesDoNotDependOnTheStep),
        cmocka_unit_test(rigidBodiesBounceAsAsked), cmocka_unit_test(bodiesComeToRest),
        cmocka_unit_test(contactKeepsMomentum),     cmocka_unit_test(sizesAreAlike),
        cmocka_unit_test(cornersKeepAllThree),      cmocka_unit_test(allRowsAreMet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
