// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long
// alone: it is called by hand with numbers

// Random scenes with drives and moved obstacles: whatever stiffness, density, start pose, obstacles
// and torques, no run fails, no number is lost, no energy comes from nowhere. And a pile comes to
// rest. stress.c has what nothing drives.
//
// `sim_stress_driven FIRST COUNT` runs some of the scenes and says more.
#include "base/random.h"
#include "sim/obstacles.h"

#define SCENES 200
#define MOST_BODIES 8 // characters and obstacles: one in each corner of a cube
#define APART 1.5     // m between their middles
#define FRAME (1.0 / 60)
#define MOST_GAIN 0.1 // of the energy that came in: what a run may seem to gain

static double randomLog(snRandom* r, double low, double high)
{
    // by halvings: no logarithm needed
    double parts = 0, at = low;
    while (at * 1.1 < high) {
        at *= 1.1;
        parts += 1;
    }
    double value = low;
    for (int i = (int)snRandom_Range(r, 0, parts + 1); i > 0; --i) {
        value *= 1.1;
    }
    return value;
}

static snVec3 randomVector(snRandom* r, double most)
{
    double x = snRandom_Range(r, -most, most), y = snRandom_Range(r, -most, most);
    return snV3(x, y, snRandom_Range(r, -most, most));
}

static snQuat randomTurn(snRandom* r)
{
    return snQExp(randomVector(r, 2.5));
}

// Scenes ----------------------------------------------------------------------

typedef struct Wild {
    snRandom random;
    snScene* scene;
    int place;      // number of the next free corner
    char text[256]; // what is in it
} Wild;

static void note(Wild* w, const char* format, ...)
{
    size_t used = strlen(w->text);
    va_list list;
    va_start(list, format);
    vsnprintf(w->text + used, sizeof w->text - used, format, list);
    va_end(list);
}

static snTransform nextPlace(Wild* w)
{
    int k = w->place++;
    snVec3 corner = snV3(k & 1 ? APART : 0, 0.9 + (k & 4 ? APART : 0), k & 2 ? APART : 0);
    snTransform pose = {snAdd(corner, randomVector(&w->random, 0.15)), randomTurn(&w->random)};
    return pose;
}

// Towards the middle of all, so that they meet.
static snVec3 randomVelocity(Wild* w, snVec3 from)
{
    snVec3 way = snSub(snV3(0.5 * APART, 0.9, 0.5 * APART), from);
    return snMulAdd(randomVector(&w->random, 2), snRandom_Range(&w->random, 0, 4), way);
}

static void setMaterial(Wild* w, snCharacterDef* def)
{
    snRandom* r = &w->random;
    def->material.young = randomLog(r, 1e3, 1e6);
    def->material.density = randomLog(r, 10, 1e4);
    def->material.poisson = snRandom_Range(r, 0, 0.47);
    def->material.damping = snRandom_Below(r, 4) ? snRandom_Range(r, 0, 20) : 0;
    def->strain_damping = snRandom_Below(r, 4) ? 0 : 1e-3;
    def->law = (int32_t)snRandom_Below(r, sn_lawCount);
    def->cells = (int32_t)snRandom_Range(r, 60, 600);
    note(w, " %.3g Pa %.3g kg/m^3 %s", def->material.young, def->material.density,
         snLaw_Name(def->law));
}

// A block, or the surface and bones of a built-in character around other material.
static snCharacter* randomCharacter(Wild* w)
{
    static const char* const NAMES[] = {"block", "starfish_coarse", "worm", "fish"};
    const char* name = NAMES[snRandom_Below(&w->random, 4)];
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = name;
    note(w, "; %s", name);
    setMaterial(w, &def);
    if (strcmp(name, "block") == 0) {
        snVec3 half =
            snV3(snRandom_Range(&w->random, 0.08, 0.35), snRandom_Range(&w->random, 0.08, 0.35),
                 snRandom_Range(&w->random, 0.08, 0.35));
        return buildBlock(&def, half);
    }
    return buildLike(name, &def);
}

// Joints anywhere within their limits: folded so far that flesh is inside out.
static void randomPose(Wild* w, const snSkeleton* skeleton, double* q)
{
    double most = (double[]){0, 0.5, 1}[snRandom_Below(&w->random, 3)];
    snSkeleton_ZeroPose(skeleton, q);
    for (int32_t b = 1; b < snSkeleton_BoneCount(skeleton); ++b) {
        const snBoneDef* bone = snSkeleton_Bone(skeleton, b);
        int32_t at = snSkeleton_PositionStart(skeleton, b);
        for (int k = 0; k < (bone->joint == sn_jointUniversal ? 2 : 1); ++k) {
            q[at + k] = most * snRandom_Range(&w->random, bone->dof[k].lower, bone->dof[k].upper);
        }
    }
    note(w, most > 0 ? " bent by %.1f" : "", most);
}

// What holds a limb straight out, for a whole body of 1 N; bones' own masses go with the body's.
static double loadOf(const snSkeleton* skeleton, int32_t bone)
{
    double all = 0, limb = 0, length = 0;
    bool below[PUPPET_MOST] = {false};
    for (int32_t b = 0; b < snSkeleton_BoneCount(skeleton); ++b) {
        const snBoneDef* def = snSkeleton_Bone(skeleton, b);
        below[b] = b == bone || (def->parent >= 0 && below[def->parent]);
        all += def->mass.mass;
        limb += below[b] ? def->mass.mass : 0;
        length += below[b] ? snLength(def->tip) : 0;
    }
    return 0.5 * length * limb / all;
}

// Torques up to five times what holds the limb, or servos as strong.
static void randomDrives(Wild* w, int32_t who, double weight)
{
    static const double NOW[1] = {0};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(w->scene, who));
    for (int32_t b = 1; b < snSkeleton_BoneCount(skeleton); ++b) {
        snMessage why;
        snDriveDef drive;
        double keys[2] = {snRandom_Range(&w->random, -1.5, 1.5), 0};
        double most = 5 * weight * loadOf(skeleton, b);
        uint32_t kind = snRandom_Below(&w->random, 3);
        snDriveDef_Init(&drive);
        drive.bone = b;
        drive.kind = kind == 0 ? sn_driveFree : kind == 1 ? sn_driveTorque : sn_driveServo;
        drive.value[0] = snRandom_Range(&w->random, -most, most);
        drive.key_count = 1;
        drive.times = NOW;
        drive.keys = keys;
        drive.limit = drive.stiffness = most;
        drive.damping = 0.1 * most;
        assert_ok(snScene_SetDrive(w->scene, who, &drive, &why), why);
    }
}

static void addCharacter(Wild* w)
{
    snMessage why;
    snStart start;
    int32_t who;
    double q[PUPPET_MOST];
    snCharacter* character = randomCharacter(w);
    snStart_Init(&start);
    start.pose = nextPlace(w);
    start.velocity = randomVelocity(w, start.pose.p);
    start.spin = randomVector(&w->random, 4);
    if (snSkeleton_BoneCount(snCharacter_Skeleton(character)) > 0) {
        randomPose(w, snCharacter_Skeleton(character), q);
        start.q = q;
    }
    assert_ok(snScene_Add(w->scene, character, &start, &who, &why), why);
    if (snSkeleton_BoneCount(snCharacter_Skeleton(character)) > 0) {
        randomDrives(w, who, 9.81 * snCharacter_Flesh(character)->total_mass);
    }
    snCharacter_Release(character);
}

// Eight faces, corners at random distances along the axes.
static snShapeDef randomMesh(snRandom* r, snVec3 vertices[6])
{
    static const int32_t TRIANGLES[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                          2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (int k = 0; k < 6; ++k) {
        double at = (k % 2 ? -1 : 1) * snRandom_Range(r, 0.05, 0.4);
        vertices[k] = snV3(k / 2 == 0 ? at : 0, k / 2 == 1 ? at : 0, k / 2 == 2 ? at : 0);
    }
    snShapeDef s = {.kind = sn_shapeMesh,
                    .pose = {{0, 0, 0}, {0, 0, 0, 1}},
                    .vertex_count = 6,
                    .triangle_count = 8,
                    .vertices = vertices,
                    .triangles = TRIANGLES};
    return s;
}

static snShapeDef randomShape(snRandom* r, snVec3 vertices[6])
{
    switch (snRandom_Below(r, 4)) {
    case 0:
        return boxShape(snV3(snRandom_Range(r, 0.005, 0.4), snRandom_Range(r, 0.02, 0.4),
                             snRandom_Range(r, 0.05, 0.4)));
    case 1:
        return sphereShape(snRandom_Range(r, 0.05, 0.35));
    case 2: {
        snShapeDef s = sphereShape(snRandom_Range(r, 0.03, 0.2));
        s.kind = sn_shapeCapsule;
        s.half_length = snRandom_Range(r, 0, 0.4);
        return s;
    }
    default:
        return randomMesh(r, vertices);
    }
}

// Fixed, movable, or swept through the middle of everything and back.
static void addRandomObstacle(Wild* w)
{
    static const double TIMES[3] = {0, 0.5, 1};
    snRandom* r = &w->random;
    snMessage why;
    snVec3 vertices[6];
    snShapeDef shape = randomShape(r, vertices);
    snObstacleDef def;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &shape;
    def.pose = nextPlace(w);
    snTransform keys[3] = {def.pose, def.pose, def.pose};
    uint32_t kind = snRandom_Below(r, 3);
    if (kind == 1) {
        def.mass = randomLog(r, 0.1, 100);
        def.velocity = randomVelocity(w, def.pose.p);
        def.spin = randomVector(r, 4);
    } else if (kind == 2) {
        keys[1].p = snAdd(snV3(0.5 * APART, 0.5, 0.5 * APART), randomVector(r, 0.3));
        keys[1].q = randomTurn(r);
        def.key_count = 3;
        def.times = TIMES;
        def.keys = keys;
    }
    note(w, "; %s ", snShapeKind_Name(shape.kind));
    note(w, kind == 0 ? "fixed" : kind == 1 ? "%.3g kg" : "moved", def.mass);
    assert_ok(snScene_AddObstacle(w->scene, &def, NULL, &why), why);
}

static void makeWild(Wild* w, uint64_t seed)
{
    snMessage why;
    snSceneDef def;
    *w = (Wild){.random = snRandom_Seed(seed)};
    snSceneDef_Init(&def);
    def.ground = snRandom_Below(&w->random, 5) > 0;
    def.friction = snRandom_Range(&w->random, 0, 1);
    def.restitution = snRandom_Below(&w->random, 4) ? 0 : snRandom_Range(&w->random, 0, 0.8);
    assert_ok(snScene_Create(NULL, &def, &w->scene, &why), why);
    note(w, "%s friction %.1f, restitution %.1f", def.ground ? "ground," : "no ground,",
         def.friction, def.restitution);
    int characters = 1 + (int)snRandom_Below(&w->random, 3);
    int obstacles = (int)snRandom_Below(&w->random, 5);
    for (int i = 0; i < characters; ++i) {
        addCharacter(w);
    }
    for (int i = 0; i < obstacles; ++i) {
        addRandomObstacle(w);
    }
}

// Energy ----------------------------------------------------------------------

// Gains are means over a frame: within a period of the stiffest cells the energy of an explicit
// scheme swings by up to (h w)^2/8 of what they hold, a quarter, and comes back.
typedef struct Books {
    double start, start_gravity; // J: all, and gravity's part
    double scale;                // J: what a gain is compared with, start without gravity
    double work, effort;         // J: of joints and moved obstacles, and all of it taken positive
    double fall;                 // J: the most that gravity has given or taken
    double sum;                  // J s: of gains beyond what came in, over the present frame
    double time, since;          // s: up to which it is known; when the frame began
    double worst, when;          // the largest part of what came in, and when, s
} Books;

static void sumEnergy(const snScene* scene, const snFrame* f, double* all, double* gravity)
{
    *all = *gravity = 0;
    for (int32_t i = 0; i < f->character_count; ++i) {
        const snEnergy* e = &f->characters[i].energy;
        *all += e->kinetic + e->elastic;
        *gravity += e->gravity;
    }
    for (int32_t i = 0; i < f->obstacle_count; ++i) {
        const snMomentum* m = &f->obstacles[i].momentum;
        if (m->mass > 0) {
            *all += 0.5 * snDot(m->linear, m->linear) / m->mass +
                    0.5 * snDot(m->angular, f->obstacles[i].twist.w);
            *gravity -= m->mass * snDot(snScene_Def(scene)->gravity, m->com);
        }
    }
    *all += *gravity;
}

// Of an obstacle that does not give way, on what touches it.
static double powerOf(const snFrame* f, int32_t obstacle, snVec3 place, snVec3 force)
{
    const snFrameObstacle* o = &f->obstacles[obstacle];
    snVec3 v = snAdd(o->twist.v, snCross(o->twist.w, snSub(place, o->pose.p)));
    return o->momentum.mass > 0 ? 0 : snDot(force, v);
}

static double inflow(const snFrame* f)
{
    double power = 0;
    for (int32_t i = 0; i < f->character_count; ++i) {
        power += f->characters[i].power;
    }
    for (int32_t i = 0; i < f->contact_count; ++i) {
        const snContact* c = &f->contacts[i];
        if (c->with == sn_withObstacle) {
            power += powerOf(f, c->other, c->place, c->force);
        }
        if (c->obstacle >= 0) {
            power += powerOf(f, c->obstacle, c->place, snNeg(c->force));
        }
    }
    return power;
}

static void keepBooks(Books* b, const snScene* scene, const snFrame* f)
{
    double all, gravity, dt = f->time - b->time, power = inflow(f);
    sumEnergy(scene, f, &all, &gravity);
    b->time = f->time;
    if (f->step == 0) {
        b->start = all;
        b->start_gravity = gravity;
        b->scale = all - gravity;
        return;
    }
    b->work += power * dt;
    b->effort += fabs(power * dt);
    b->fall = fmax(b->fall, fabs(gravity - b->start_gravity));
    b->sum += dt * (all - b->start - b->work);
    if (f->time >= b->since + FRAME) {
        double part = b->sum / (f->time - b->since) / (b->scale + b->effort + b->fall + 1e-3);
        b->when = part > b->worst ? f->time : b->when;
        b->worst = fmax(part, b->worst);
        b->since = f->time;
        b->sum = 0;
    }
}

typedef struct Outcome {
    snStatus status;
    bool finite;
    int64_t retries;
    double worst;
} Outcome;

// Step by step, to see what joints and obstacles do in each.
static Outcome runWild(uint64_t seed, bool talk)
{
    Wild w;
    Books books = {0};
    snMessage why = {""};
    Outcome out = {.finite = true};
    makeWild(&w, seed);
    snSim* sim = startSim(w.scene);
    double end = 0.5 + 0.5 * snRandom_Unit(&w.random);
    keepBooks(&books, w.scene, snSim_Frame(sim));
    while (!out.status && out.finite && snSim_Time(sim) < end) {
        const snFrame* f = snSim_Frame(sim);
        out.status = snSim_Advance(sim, f->step_size, &why);
        f = snSim_Frame(sim);
        out.finite = isFrameFinite(f);
        keepBooks(&books, w.scene, f);
    }
    out.retries = snSim_Frame(sim)->guard.retries;
    out.worst = books.worst;
    bool bad = out.status || !out.finite || out.worst > MOST_GAIN;
    if (talk || bad) {
        print_message(
            "%s%d: %s\n  step %.3g ms, %lld retries, energy +%.1f %% at %.3f s of %.3g J; "
            "%s\n",
            bad ? "BAD " : "", (int)seed, w.text, 1e3 * snSim_Step(sim), (long long)out.retries,
            100 * out.worst, books.when, books.scale + books.effort + books.fall, why.text);
    }
    snSim_Free(sim);
    snScene_Free(w.scene);
    return out;
}

static int first = 0, count = SCENES;
static bool talkative = false;

static void nothingBreaks(void** state)
{
    (void)state;
    int errors = 0, lost = 0, gained = 0, touched = 0;
    int64_t retries = 0;
    double worst = 0;
    for (int i = first; i < first + count; ++i) {
        Outcome o = runWild((uint64_t)i, talkative);
        errors += o.status != sn_ok;
        lost += !o.finite;
        gained += o.worst > MOST_GAIN;
        touched += o.retries > 0;
        retries += o.retries;
        worst = fmax(worst, o.worst);
    }
    print_message(
        "%d scenes: %d errors, %d with numbers lost, %d gain energy (worst +%.1f %%); the "
        "guard did %lld frames again, in %d scenes\n",
        count, errors, lost, gained, 100 * worst, (long long)retries, touched);
    assert_int_equal(errors, 0);
    assert_int_equal(lost, 0);
    assert_int_equal(gained, 0);
}

// A pile -----------------------------------------------------------------------

#define REST 12    // s
#define QUIET 0.02 // m/s

// Three blocks, a starfish on top of them, a box on top of that, and a ball beside it. The soft
// tower sways: flesh without bones is damped against its own rigid motion only, so that dies out
// slowly.
static void pilesBecomeQuiet(void** state)
{
    (void)state;
    static const double YOUNG[3] = {200e3, 60e3, 30e3};
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.ground = 1;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    for (int i = 0; i < 4; ++i) {
        snStart start;
        snCharacterDef block;
        snStart_Init(&start);
        snCharacterDef_Init(&block);
        block.cells = 150;
        block.material.young = YOUNG[i % 3];
        start.pose.p = snV3(0.02 * i, 0.13 + 0.24 * i, 0.015 * i);
        start.pose.q = snQExp(snV3(0.02, 0.3 * i, 0));
        snCharacter* c =
            i < 3 ? buildBlock(&block, snV3(0.35, 0.1, 0.3)) : makeBuiltin("starfish_coarse");
        assert_ok(snScene_Add(scene, c, &start, NULL, &why), why);
        snCharacter_Release(c);
    }
    snShapeDef box = boxShape(snV3(0.15, 0.05, 0.1)), ball = sphereShape(0.1);
    addObstacle(scene, &box, poseAt(snV3(0, 1.1, 0)), 8, snV3(0, 0, 0), snV3(0, 0, 0));
    addObstacle(scene, &ball, poseAt(snV3(0.7, 0.2, 0)), 5, snV3(0, 0, 0), snV3(0, 0, 0));
    snSim* sim = startSim(scene);
    advance(sim, REST);
    const snFrame* f = snSim_Frame(sim);
    double fastest = 0;
    for (int32_t i = 0; i < f->character_count; ++i) {
        fastest = fmax(fastest, fastestNode(&f->characters[i]));
    }
    for (int32_t i = 0; i < f->obstacle_count; ++i) {
        fastest = fmax(fastest, snLength(f->obstacles[i].twist.v));
    }
    print_message("after %d s nothing in a pile moves faster than %.2f mm/s; %lld retries\n", REST,
                  1e3 * fastest, (long long)f->guard.retries);
    assert_int_equal(f->guard.retries, 0);
    assert_below(fastest, QUIET);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pilesBecomeQuiet),
        cmocka_unit_test(nothingBreaks),
    };
    if (argc == 3) {
        first = atoi(argv[1]);
        count = atoi(argv[2]);
        talkative = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
