// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Random scenes that nothing drives: whatever bodies, materials, sizes, starts and obstacles,
// energy only falls. Every seed is one scene, the same on every machine.
#ifndef SN_TESTS_SIM_STRESS_H
#define SN_TESTS_SIM_STRESS_H

#include "base/random.h"
#include "sim/obstacles.h"
#include <float.h>

#define MOST_GAIN 0.02 // of the largest energy held
#define STEPS 2500     // of the automatic length, or
#define MOST_SECONDS 1 // s
#define WINDOW 16      // steps over which energies are averaged
#define ROUNDING 1e-6  // of strain, that positions in float have
#define ARM_BONES 3    // of a boned arm
#define MOST_SCENERY 3 // bodies besides the first, and obstacles

// What a scene is made to try; the rest of a scene's numbers are random in all of them.
typedef enum Family {
    familyAny,       // anything
    familyBoned,     // undamped flesh on bones in a bent pose, alone
    familyProjected, // contact by projection, against a box that gives way
    familyStiff,     // stiff bars
    familyCount,
} Family;

static const char* const FAMILIES[familyCount] = {"any", "boned", "projected", "stiff"};

typedef struct Wild {
    snRandom random;
    snScene* scene;
    Family family;
    double size;    // m: of bodies
    double speed;   // m/s: of sound in the first body, about
    double edge;    // m: where along x the next body may begin
    double mass;    // kg: of the last body
    double floor;   // J: what strains of ROUNDING hold in all flesh
    char text[400]; // what is in it
} Wild;

// Random ----------------------------------------------------------------------

static inline void note(Wild* w, const char* format, ...)
{
    size_t used = strlen(w->text);
    va_list list;
    va_start(list, format);
    vsnprintf(w->text + used, sizeof w->text - used, format, list);
    va_end(list);
}

// As likely in every decade; by steps of 5 %, without a logarithm.
static inline double drawLog(Wild* w, double low, double high)
{
    int parts = 0;
    for (double at = low; at < high; at *= 1.05) {
        ++parts;
    }
    double value = low;
    for (uint32_t i = snRandom_Below(&w->random, (uint32_t)parts + 1); i > 0; --i) {
        value *= 1.05;
    }
    return fmin(value, high);
}

static inline double draw(Wild* w, double low, double high)
{
    return snRandom_Range(&w->random, low, high);
}

static inline bool oneIn(Wild* w, uint32_t n)
{
    return snRandom_Below(&w->random, n) == 0;
}

static inline snVec3 drawVector(Wild* w, double most)
{
    double x = draw(w, -most, most), y = draw(w, -most, most);
    return snV3(x, y, draw(w, -most, most));
}

// Characters ------------------------------------------------------------------

static inline void drawMaterial(Wild* w, snCharacterDef* def)
{
    static const double STIFF[2] = {1e7, 1e10}, SOFT[2] = {1e3, 1e6};
    const double* young = w->family == familyStiff ? STIFF : SOFT;
    bool damped = w->family != familyBoned && oneIn(w, 2);
    def->material.young = fmin(drawLog(w, young[0], young[1]) * fmax(w->size, 0.1), 1e10);
    def->material.density = drawLog(w, 100, 1e4);
    def->material.poisson = draw(w, 0, 0.49);
    def->material.damping = damped ? draw(w, 0, 20) : 0;
    def->strain_damping = damped && oneIn(w, 3) ? 1e-4 : 0;
    def->law = (int32_t)snRandom_Below(&w->random, sn_lawCount);
    def->cells = (int32_t)draw(w, 40, 300);
    w->speed = sqrt(def->material.young / def->material.density);
    note(w, " %.2g Pa %.2g kg/m3 nu %.2f %s damped %.2g/s %.2g s, %d cells", def->material.young,
         def->material.density, def->material.poisson, snLaw_Name(def->law), def->material.damping,
         def->strain_damping, (int)def->cells);
}

// A chain of bones along x inside a bar.
static inline snSkeleton* makeArm(Wild* w, snVec3 half)
{
    static const char* const NAMES[ARM_BONES] = {"upper", "lower", "hand"};
    static const int32_t JOINTS[3] = {sn_jointRevolute, sn_jointUniversal, sn_jointBall};
    snBoneDef bones[ARM_BONES];
    snSkeleton* skeleton = NULL;
    snMessage why;
    double length = 2 * half.x / ARM_BONES;
    bool held = oneIn(w, 3);
    for (int i = 0; i < ARM_BONES; ++i) {
        snBoneDef* b = &bones[i];
        snBoneDef_Init(b);
        b->name = NAMES[i];
        b->parent = i - 1;
        b->joint = i ? JOINTS[snRandom_Below(&w->random, 3)] : held ? sn_jointWeld : sn_jointFree;
        b->anchor.p = snV3(i ? length : -half.x, 0, 0);
        b->axis = snV3(0, 0, 1);
        b->axis2 = snV3(0, 1, 0);
        b->tip = snV3(length, 0, 0);
        b->radius = 0.6 * half.y;
        b->mass = snMass_Capsule(snV3(0, 0, 0), b->tip, b->radius, 1000);
    }
    note(w, held ? ", held" : "");
    assert_ok(snSkeleton_Create(NULL, bones, ARM_BONES, &skeleton, &why), why);
    return skeleton;
}

// Joints bent to and fro.
static inline void bendArm(Wild* w, const snSkeleton* skeleton, double* q)
{
    double most = draw(w, 0.3, 2);
    snSkeleton_ZeroPose(skeleton, q);
    for (int32_t b = 1; b < snSkeleton_BoneCount(skeleton); ++b) {
        int32_t at = snSkeleton_PositionStart(skeleton, b);
        if (snSkeleton_Bone(skeleton, b)->joint == sn_jointBall) {
            snQuat turn = snQExp(drawVector(w, 0.6 * most));
            memcpy(q + at, &turn, sizeof turn);
        } else {
            q[at] = draw(w, -most, most);
        }
    }
    note(w, ", bent by up to %.2f", most);
}

// Half of the joints that are told anything hold where they are.
static inline void holdJoints(Wild* w, int32_t who, const double* q)
{
    static const double NOW[1] = {0};
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(w->scene, who));
    for (int32_t b = 1; b < snSkeleton_BoneCount(skeleton); ++b) {
        if (!oneIn(w, 4)) {
            continue;
        }
        snMessage why;
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.bone = b;
        drive.kind = sn_driveTrajectory;
        drive.key_count = 1;
        drive.times = NOW;
        drive.keys = q + snSkeleton_PositionStart(skeleton, b);
        assert_ok(snScene_SetDrive(w->scene, who, &drive, &why), why);
        note(w, ", joint %d held", (int)b);
    }
}

typedef enum Kind { cube, bar, ball, arm, kindCount } Kind;

static const char* const KINDS[kindCount] = {"cube", "bar", "ball", "arm"};

static inline Kind drawKind(Wild* w)
{
    Kind any = (Kind)snRandom_Below(&w->random, kindCount);
    return w->family == familyBoned ? arm : w->family == familyStiff ? bar : any;
}

static inline snVec3 drawHalf(Wild* w, Kind kind)
{
    double a = 0.5 * w->size * draw(w, 0.6, 1.2);
    switch (kind) {
    case cube:
        return snV3(a, a * draw(w, 0.5, 1), a * draw(w, 0.5, 1));
    case bar:
        return snV3(a, a * draw(w, 0.1, 0.25), a * draw(w, 0.1, 0.25));
    case ball:
        return snV3(a, a, a);
    default:
        return snV3(a, a * draw(w, 0.12, 0.2), a * draw(w, 0.12, 0.2));
    }
}

// The next place in a row, so that no two bodies begin in each other: `reach` is how far a body
// goes from its origin.
static inline snVec3 nextPlace(Wild* w, double reach)
{
    double gap = draw(w, 0.02, 0.3) * w->size;
    snVec3 p = snV3(w->edge + gap + reach, reach + draw(w, 0.01, 0.4) * w->size,
                    draw(w, -0.1, 0.1) * w->size);
    w->edge = p.x + reach;
    return p;
}

// Down and to the left, where the others are, at up to the speed of sound.
static inline snVec3 drawVelocity(Wild* w)
{
    double v = fmin(drawLog(w, 0.05, 1.5) * w->speed, 20 * sqrt(fmax(w->size, 0.1)));
    note(w, ", %.2g m/s", v);
    return snMulAdd(drawVector(w, 0.5 * v), v, snV3(w->edge > 3 * w->size ? -1 : 0.5, -0.5, 0));
}

static inline bool isHeld(const snSkeleton* skeleton)
{
    return skeleton && snSkeleton_Bone(skeleton, 0)->joint == sn_jointWeld;
}

static inline void addCharacter(Wild* w)
{
    snMessage why;
    snStart start;
    snCharacterDef def;
    int32_t who;
    double q[PUPPET_MOST];
    Kind kind = drawKind(w);
    snVec3 half = drawHalf(w, kind);
    snCharacterDef_Init(&def);
    def.name = KINDS[kind];
    note(w, "; %s of %.2g m", KINDS[kind], 2 * half.x);
    drawMaterial(w, &def);
    snStart_Init(&start);
    if (kind == arm) {
        def.skeleton = makeArm(w, half);
        if (w->family == familyBoned || oneIn(w, 2)) {
            bendArm(w, def.skeleton, q);
        } else {
            snSkeleton_ZeroPose(def.skeleton, q);
        }
        start.q = q;
    }
    snCharacter* c = kind == ball ? buildBall(&def, half.x) : buildBlock(&def, half);
    w->mass = snCharacter_Flesh(c)->total_mass;
    w->floor += def.material.young * snCharacter_Flesh(c)->volume * ROUNDING * ROUNDING;
    start.pose.p = nextPlace(w, snLength(half));
    start.pose.q = snQExp(drawVector(w, 2));
    if (w->family != familyBoned && !isHeld(def.skeleton)) {
        start.velocity = drawVelocity(w);
        start.spin = drawVector(w, 0.2 * snLength(start.velocity) / half.x);
    }
    assert_ok(snScene_Add(w->scene, c, &start, &who, &why), why);
    if (kind == arm) {
        holdJoints(w, who, q);
        snSkeleton_Release(def.skeleton);
    }
    snCharacter_Release(c);
}

// Obstacles -------------------------------------------------------------------

static inline snShapeDef drawShape(Wild* w, double* reach)
{
    snVec3 half = snV3(draw(w, 0.02, 0.5) * w->size, draw(w, 0.1, 0.5) * w->size,
                       draw(w, 0.1, 0.5) * w->size);
    snShapeDef s = boxShape(half);
    *reach = snLength(half);
    if (w->family != familyProjected && oneIn(w, 2)) {
        s = sphereShape(half.y);
        *reach = half.y;
    }
    if (s.kind == sn_shapeSphere && oneIn(w, 2)) {
        s.kind = sn_shapeCapsule;
        s.half_length = half.z;
        *reach = half.y + half.z;
    }
    return s;
}

static inline void addScenery(Wild* w)
{
    double reach, mass = 0;
    snShapeDef shape = drawShape(w, &reach);
    snTransform pose = {nextPlace(w, reach), snQExp(drawVector(w, 2))};
    snVec3 velocity = snV3(0, 0, 0), spin = velocity;
    note(w, "; %s of %.2g m ", snShapeKind_Name(shape.kind), 2 * reach);
    if (w->family == familyProjected || oneIn(w, 2)) {
        mass = fmin(fmax(drawLog(w, 0.1, 10) * w->mass, 1e-6), 1e6);
        velocity = drawVelocity(w);
        spin = drawVector(w, 0.2 * snLength(velocity) / reach);
    }
    note(w, mass > 0 ? " %.2g kg" : "fixed", mass);
    addObstacle(w->scene, &shape, pose, mass, velocity, spin);
}

// Scenes ----------------------------------------------------------------------

// Two in five scenes are of a special family.
static inline Family familyOf(uint64_t seed)
{
    static const Family FAMILY[5] = {familyAny, familyBoned, familyAny, familyProjected,
                                     familyStiff};
    return FAMILY[seed % 5];
}

static inline void openWild(Wild* w, uint64_t seed)
{
    snMessage why;
    snSceneDef def;
    *w = (Wild){.random = snRandom_Seed(seed), .family = familyOf(seed)};
    w->size = drawLog(w, 0.01, 100);
    snSceneDef_Init(&def);
    def.frame_rate = fmin(fmax(60 / sqrt(w->size), 1), 10000);
    def.ground = w->family != familyBoned && !oneIn(w, 4);
    def.gravity = w->family == familyBoned || oneIn(w, 5) ? snV3(0, 0, 0) : def.gravity;
    def.friction = oneIn(w, 5) ? 0 : draw(w, 0, 1.2);
    def.restitution = oneIn(w, 2) ? 0 : draw(w, 0, 0.9);
    def.self_contact = !oneIn(w, 3);
    bool euler = oneIn(w, 6), projected = w->family == familyProjected;
    note(w, "%s, %.2g m, %sground, %sgravity, friction %.2f, restitution %.2f%s%s",
         FAMILIES[w->family], w->size, def.ground ? "" : "no ",
         snLengthSq(def.gravity) > 0 ? "" : "no ", def.friction, def.restitution,
         def.self_contact ? ", self contact" : "", euler ? ", euler" : "");
    assert_ok(snScene_Create(NULL, &def, &w->scene, &why), why);
    assert_ok(snScene_Set(w->scene, NULL, "integrator", euler ? "euler" : "midpoint", &why), why);
    assert_ok(snScene_Set(w->scene, NULL, "contact", projected ? "projection" : "penalty", &why),
              why);
    addCharacter(w);
    int others = w->family == familyBoned ? 0 : (int)snRandom_Below(&w->random, MOST_SCENERY + 1);
    for (int i = projected ? -1 : 0; i < others; ++i) {
        if (i >= 0 && oneIn(w, 2)) {
            addCharacter(w);
        } else {
            addScenery(w);
        }
    }
}

// Energy ----------------------------------------------------------------------

typedef struct Held {
    double moving;  // J: kinetic and elastic, of characters and obstacles
    double gravity; // J
    double pressed; // J: in the springs of contact, about
} Held;

// Half of force times depth along the normal; and what a spring of friction that is 0.85 times as
// stiff holds at its force.
static inline double pressedBy(const snContact* c)
{
    double normal = snDot(c->force, c->normal), all = snDot(c->force, c->force);
    return normal > 0 ? 0.5 * c->depth * (normal + (all - normal * normal) / (0.85 * normal)) : 0;
}

static inline Held energyHeld(const snScene* scene, const snFrame* f)
{
    Held e = {0, 0, 0};
    for (int32_t i = 0; i < f->character_count; ++i) {
        const snEnergy* c = &f->characters[i].energy;
        e.moving += c->kinetic + c->elastic;
        e.gravity += c->gravity;
    }
    for (int32_t i = 0; i < f->obstacle_count; ++i) {
        const snMomentum* m = &f->obstacles[i].momentum;
        if (m->mass > 0) {
            e.moving += 0.5 * snLengthSq(m->linear) / m->mass +
                        0.5 * snDot(m->angular, f->obstacles[i].twist.w);
            e.gravity -= m->mass * snDot(snScene_Def(scene)->gravity, m->com);
        }
    }
    for (int32_t i = 0; i < f->contact_count; ++i) {
        e.pressed += pressedBy(&f->contacts[i]);
    }
    return e;
}

// Flesh that swings at rate w is shown by the schemes with kinetic energy that is too large, by up
// to a half for the stiffest cells at the automatic step. What they keep exactly, for linear flesh,
// follows from the velocities v-, v, v+ of three steps in a row: the midpoint scheme has v+ - 2v +
// v- = -(h w)^2 v and keeps the energy with m v.v (1 - (h w)^2/4)/2; Euler's keeps it with m
// v.v+/2.
typedef struct Swing {
    float *before, *now; // node velocities of all characters, one and two steps ago; (3 nodes)
    float* mass;         // kg, of each; (3 nodes)
    size_t count;        // numbers in each
    bool euler;
} Swing;

static inline Swing openSwing(const snScene* scene)
{
    Swing s = {.euler = strcmp(snScene_Get(scene, NULL, "integrator"), "euler") == 0};
    for (int32_t i = 0; i < snScene_CharacterCount(scene); ++i) {
        s.count += 3 * (size_t)snCharacter_Flesh(snScene_Character(scene, i))->node_count;
    }
    s.before = calloc(3 * s.count, sizeof(float));
    assert_non_null(s.before);
    s.now = s.before + s.count;
    s.mass = s.now + s.count;
    for (int32_t i = 0, k = 0; i < snScene_CharacterCount(scene); ++i) {
        const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, i));
        for (int32_t j = 0; j < 3 * info->node_count; ++j) {
            s.mass[k++] = (float)info->mass[j / 3];
        }
    }
    return s;
}

// J: what kinetic energy a step ago was too small by; takes the frame's velocities.
static inline double takeSwing(Swing* s, const snFrame* f)
{
    double sum = 0;
    size_t k = 0;
    for (int32_t i = 0; i < f->character_count; ++i) {
        const float* v = f->characters[i].node_velocities;
        for (int32_t j = 0; j < 3 * f->characters[i].node_count; ++j, ++k) {
            double bend =
                (double)(s->euler ? 4 * (v[j] - s->now[k]) : v[j] - 2 * s->now[k] + s->before[k]);
            sum += 0.125 * (double)s->mass[k] * (double)s->now[k] * bend;
            s->before[k] = s->now[k];
            s->now[k] = v[j];
        }
    }
    return sum;
}

// Means over WINDOW steps are compared, which take out what damping and contact add to that.
typedef struct Books {
    int64_t seen;         // steps since the start, or since the guard went back
    int count;            // of them in the present mean
    double sum, last;     // J: of the mean; at the last step
    double lowest;        // J: the least mean so far
    double most, deepest; // J: the largest of all, and the least of gravity's
    double gain, when;    // J: the largest rise above `lowest`; s
} Books;

static inline void addMean(Books* b, double mean, double time)
{
    b->when = mean - b->lowest > b->gain ? time : b->when;
    b->gain = fmax(b->gain, mean - b->lowest);
    b->lowest = fmin(b->lowest, mean);
    b->count = 0;
    b->sum = 0;
}

static inline void keepBooks(Books* b, Swing* w, const snScene* scene, const snFrame* f)
{
    Held e = energyHeld(scene, f);
    double swing = takeSwing(w, f), all = e.moving + e.gravity + e.pressed;
    b->most = f->step ? fmax(b->most, all) : all;
    b->deepest = f->step ? fmin(b->deepest, e.gravity) : e.gravity;
    b->lowest = f->step ? b->lowest : all;
    if (b->seen > 1) { // the velocities before are not known
        b->sum += b->last + swing;
        if (++b->count == WINDOW) {
            addMean(b, b->sum / WINDOW, f->time);
        }
    }
    b->last = all;
    b->seen++;
}

// The books, and as they were at the last frame that the guard may go back to.
typedef struct Office {
    Swing swing;
    Books now, good;
    int64_t frame, retries;
} Office;

static inline void keepOffice(Office* o, const snScene* scene, const snFrame* f)
{
    int64_t frame = (int64_t)(f->time * snScene_Def(scene)->frame_rate + 1e-6);
    if (f->guard.retries > o->retries) { // what was seen since did not happen
        o->now = o->good;
        o->now.seen = 0;
        o->retries = f->guard.retries;
    }
    keepBooks(&o->now, &o->swing, scene, f);
    if (frame > o->frame || f->step == 0) {
        o->good = o->now;
        o->frame = frame;
    }
}

typedef struct Outcome {
    snStatus status;
    bool finite;
    int64_t retries;
    double gain; // of the largest energy held
} Outcome;

static inline bool isBad(const Outcome* o)
{
    return o->status || !o->finite || !(o->gain <= MOST_GAIN);
}

static inline void report(const Wild* w, uint64_t seed, snSim* sim, const Outcome* o,
                          const Books* b, const snMessage* why)
{
    const snFrame* f = snSim_Frame(sim);
    double depth = 0;
    for (int32_t i = 0; i < f->character_count; ++i) {
        depth = fmax(depth, f->characters[i].deepest);
    }
    print_message("%sseed %d: %s\n  step %.3g ms, %.3g s, %lld retries (%s), energy +%.2f %% of "
                  "%.3g J by %.3g s, %.2g sizes deep %s\n",
                  isBad(o) ? "BAD " : "", (int)seed, w->text, 1e3 * snSim_Step(sim), f->time,
                  (long long)o->retries, snTrouble_Text(f->guard.trouble), 100 * o->gain,
                  b->most - b->deepest, b->when, depth / w->size, why->text);
}

static inline void wantSums(snSim* sim)
{
    snMessage why;
    snWantDef want;
    snWantDef_Init(&want);
    want.wanted = sn_wantedSums | sn_wantedNodes;
    for (int32_t i = 0; i < snSim_Frame(sim)->character_count; ++i) {
        assert_ok(snSim_Want(sim, i, &want, &why), why);
    }
}

// The automatic step, or one that is `finer` times shorter.
static inline snSim* startWild(Wild* w, int finer)
{
    snMessage why;
    snSim* sim = startSim(w->scene);
    if (finer > 1) {
        snSceneDef def = *snScene_Def(w->scene);
        def.step = snSim_Step(sim) / finer;
        snSim_Free(sim);
        assert_ok(snScene_SetDef(w->scene, &def, &why), why);
        sim = startSim(w->scene);
    }
    wantSums(sim);
    return sim;
}

static inline Outcome runWild(uint64_t seed, int finer, bool talk)
{
    Wild w;
    snMessage why = {""};
    Outcome out = {.finite = true};
    openWild(&w, seed);
    Office office = {.swing = openSwing(w.scene)};
    const Books* books = &office.now;
    snSim* sim = startWild(&w, finer);
    double end = fmin(STEPS * finer * snSim_Step(sim), MOST_SECONDS * sqrt(fmax(w.size, 1)));
    keepOffice(&office, w.scene, snSim_Frame(sim));
    while (!out.status && out.finite && snSim_Time(sim) < end) {
        out.status = snSim_Advance(sim, snSim_Frame(sim)->step_size, &why);
        keepOffice(&office, w.scene, snSim_Frame(sim));
        out.finite = isfinite(books->last);
    }
    out.retries = snSim_Frame(sim)->guard.retries;
    out.gain = fmax(books->gain - w.floor, 0) / fmax(books->most - books->deepest, DBL_MIN);
    if (talk || isBad(&out)) {
        report(&w, seed, sim, &out, books, &why);
    }
    free(office.swing.before);
    snSim_Free(sim);
    snScene_Free(w.scene);
    return out;
}

// Of the first sixty, those that gain more than 2 %, the target for all: flesh without damping on
// bones, whose bent cells the guard finds too late. None else may.
static inline bool isKnown(int seed)
{
    static const int KNOWN[] = {1, 26, 36};
    bool known = false;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; ++i) {
        known = known || KNOWN[i] == seed;
    }
    return known;
}

// Seeds first .. first + count - 1.
static inline void checkSeeds(int first, int count, int finer, bool talk)
{
    int bad = 0, errors = 0, retried = 0, new = 0;
    double worst = 0;
    for (int i = first; i < first + count; ++i) {
        Outcome o = runWild((uint64_t)i, finer, talk);
        bad += isBad(&o);
        new += isBad(&o) && !isKnown(i);
        errors += o.status != sn_ok;
        retried += o.retries > 0;
        worst = fmax(worst, o.gain);
    }
    print_message(
        "seeds %d to %d: %d bad, of them %d errors; worst gain %.2f %%; the guard stepped "
        "in %d times\n",
        first, first + count - 1, bad, errors, 100 * worst, retried);
    assert_int_equal(new, 0);
}

#endif
