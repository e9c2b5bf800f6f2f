// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/feet.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "rig/leg.h"
#include "rig/project.h"
#include "skel/kinematics.h"

// Lengths are those of the character: the recording has been scaled to it. They are a person's; of
// giants and dwarfs they are as much larger or smaller as their hips are high.
#define HIPS 0.9         // m, a person's
#define LIKE 1.6         // times as high or low as that, and still taken as a person
#define SLOW 0.35        // m/s that a standing foot may seem to move
#define BALL_NEAR 0.045  // m above its usual height that the ball of a standing foot may seem to be
#define HEEL_NEAR 0.035  // m, ankle
#define LOW_SHARE 0.1    // of the heights of slow feet: the usual one; few are lower, by noise
#define SHORTEST 0.07    // s that a foot stands at least
#define LONGEST_GAP 0.05 // s that noise may lift it for
#define EASE 0.12        // s that a foot takes to come to rest, and to leave
#define SETTLE 0.15      // s over which the root's height is evened out
#define FASTEST 25.0     // rad/s that feet turn
#define PIVOT 15.0       // rad/s that a foot turns on the ground
#define MOST_TOES_UP 0.5 // rad that a foot on its heel points up
#define MOST_HEEL_UP 1.2 // rad, on its ball
#define MOST_YAW 0.9     // rad between knee and toes
#define TURN 6.283185307179586
#define MOST_LEVEL 0.4 // rad that a rest pose may be wrong by
#define HEEL_BACK 0.3  // of the way from ankle to toes, behind the ankle

// Standing in the recording ------------------------------------------------------

static snVec3 wasAt(const snLegFrame* leg, bool ball)
{
    return ball ? leg->ball_was : leg->ankle_was;
}

// How many times a person's size the character is
static double sizeOf(const snRetarget* r)
{
    double hips = r->rest[r->match.bone_of[SN_ROLE(sn_partThigh, 0)]].p.y - r->ground;
    double size = hips / HIPS;
    return size > 0 && (size > LIKE || size < 1 / LIKE) ? size : 1;
}

// Speed over two 60ths of a second, so that noise of fast recordings does not count
static double speedAt(const snRetarget* r, int side, int32_t f, bool ball)
{
    int32_t reach = (int32_t)(r->clip->info.rate / 60 + 0.5), last = r->frame_count - 1;
    reach = reach < 1 ? 1 : reach;
    int32_t a = f - reach < 0 ? 0 : f - reach, b = f + reach > last ? last : f + reach;
    snVec3 way = snSub(wasAt(&r->legs[side][b], ball), wasAt(&r->legs[side][a], ball));
    return b > a ? snLength(way) * r->clip->info.rate / (b - a) : 0;
}

static int compareNumbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The height at which slow feet mostly are
static double usualHeight(const snFeet* feet, bool ball)
{
    const snRetarget* r = feet->r;
    size_t slow = 0, all = 0;
    double lowest = (double)INFINITY, most = SLOW * sizeOf(r);
    for (int side = 0; side < 2; ++side) {
        for (int32_t f = 0; f < r->frame_count; ++f, ++all) {
            double height = wasAt(&r->legs[side][f], ball).y;
            lowest = fmin(lowest, height);
            if (speedAt(r, side, f, ball) < most) {
                feet->space[slow++] = height;
            }
        }
    }
    qsort(feet->space, slow, sizeof(double), compareNumbers);
    return slow > 0 ? feet->space[(size_t)(LOW_SHARE * (double)slow)] : lowest;
}

// Fills gaps that are short, then takes out contacts that are.
static void cleanContact(snFootFrame* frames, int32_t count, uint8_t flag, double rate)
{
    const double LONGEST[2] = {LONGEST_GAP, SHORTEST};
    for (int pass = 0; pass < 2; ++pass) {
        bool wanted = pass == 1;
        for (int32_t f = 0; f < count;) {
            int32_t end = f;
            while (end < count && ((frames[end].contact & flag) != 0) == wanted) {
                ++end;
            }
            bool inside = f > 0 && end < count;
            if (end > f && inside && (end - f) / rate < LONGEST[pass]) {
                for (int32_t i = f; i < end; ++i) {
                    frames[i].contact ^= flag;
                }
            }
            f = end > f ? end : f + 1;
        }
    }
}

// 1 in contact, down to 0 in EASE seconds on both sides
static void easeContact(snFootFrame* frames, int32_t count, uint8_t flag, double rate)
{
    for (int pass = 0; pass < 2; ++pass) {
        double away = (double)INFINITY;
        for (int32_t k = 0; k < count; ++k) {
            snFootFrame* f = &frames[pass ? count - 1 - k : k];
            away = f->contact & flag ? 0 : away + 1 / rate;
            double t = fmax(0, 1 - away / EASE), weight = t * t * (3 - 2 * t);
            double* out = flag == SN_CONTACT_BALL ? &f->ball : &f->heel;
            *out = fmax(*out, weight);
        }
    }
}

static void findContacts(snFeet* feet, double heel, double ball)
{
    snRetarget* r = feet->r;
    double rate = r->clip->info.rate, size = sizeOf(r), most = SLOW * size;
    for (int side = 0; side < 2; ++side) {
        snFootFrame* frames = feet->frames[side];
        for (int32_t f = 0; f < r->frame_count; ++f) {
            const snLegFrame* leg = &r->legs[side][f];
            // a low heel and a ball at rest: flat, whatever height the toes' marker says
            bool low = leg->ball_was.y < ball + BALL_NEAR * size;
            bool h =
                leg->ankle_was.y < heel + HEEL_NEAR * size && speedAt(r, side, f, false) < most;
            bool b = (low || h) && speedAt(r, side, f, true) < most;
            frames[f].contact = (uint8_t)((b ? SN_CONTACT_BALL : 0) | (h ? SN_CONTACT_HEEL : 0));
        }
        cleanContact(frames, r->frame_count, SN_CONTACT_BALL, rate);
        cleanContact(frames, r->frame_count, SN_CONTACT_HEEL, rate);
        easeContact(frames, r->frame_count, SN_CONTACT_BALL, rate);
        easeContact(frames, r->frame_count, SN_CONTACT_HEEL, rate);
    }
}

// Heel and ball on the sole under the zero pose
static void findSoles(snFeet* feet)
{
    const snRetarget* r = feet->r;
    for (int side = 0; side < 2; ++side) {
        int32_t foot = r->match.bone_of[SN_ROLE(sn_partFoot, side)];
        int32_t toes = r->match.bone_of[SN_ROLE(sn_partToes, side)];
        snTransform at = r->rest[foot];
        snVec3 tip = snAdd(at.p, snQRotate(at.q, r->skeleton->defs[foot].tip));
        snVec3 ball = toes >= 0 ? r->rest[toes].p : tip, heel;
        snVec3 along = snSub(ball, at.p);
        along.y = 0;
        heel = snMulAdd(at.p, -HEEL_BACK, along);
        ball.y = heel.y = r->ground;
        feet->sole[side][0] = snQRotate(snQConj(at.q), snSub(heel, at.p));
        feet->sole[side][1] = snQRotate(snQConj(at.q), snSub(ball, at.p));
        feet->forward[side] = snLength(along) > 0 ? snNormalize(along) : snV3(0, 0, 1);
        double more = r->reach[side] - snLength(along);
        snVec3 front = more > 0 ? snMulAdd(ball, more, feet->forward[side]) : ball;
        feet->sole[side][2] = snQRotate(snQConj(at.q), snSub(front, at.p));
    }
}

snStatus snFeet_Find(snArena* arena, snRetarget* r, snFeet* feet, snMessage* why)
{
    size_t count = (size_t)r->frame_count;
    *feet = (snFeet){
        .r = r, .space = snArena_Push(arena, 3 * count, sizeof(double)), .end = r->frame_count};
    for (int side = 0; side < 2; ++side) {
        feet->frames[side] = snArena_Push(arena, count, sizeof(snFootFrame));
    }
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for the feet of %zu frames", count);
    }
    findSoles(feet);
    double heel = usualHeight(feet, false), ball = usualHeight(feet, true);
    findContacts(feet, heel, ball);
    int32_t low = r->match.bone_of[SN_ROLE(sn_partToes, 0)];
    bool toes = r->clip->joint_of[SN_ROLE(sn_partToes, 0)] >= 0 && low >= 0;
    low = toes ? low : r->match.bone_of[SN_ROLE(sn_partFoot, 0)];
    snRetarget_Lift(r, r->rest[low].p.y - (toes ? ball : heel));
    return sn_ok;
}

// Turning feet -------------------------------------------------------------------

// E = yaw pitch roll, E the turn from the zero pose: yaw about the vertical, pitch about the foot's
// left, roll about its length.
static double splitTurn(const snFeet* feet, int side, snQuat foot, double* pitch, double* roll)
{
    const snRetarget* r = feet->r;
    snVec3 forward = feet->forward[side], left = snCross(snV3(0, 1, 0), forward);
    snQuat rest = r->rest[r->match.bone_of[SN_ROLE(sn_partFoot, side)]].q;
    snQuat E = snQMul(foot, snQConj(rest));
    snVec3 f = snQRotate(E, forward);
    double yaw = snAngleAbout(snV3(0, 1, 0), forward, f);
    *pitch = snAsin(fmax(-1, fmin(1, -f.y)));
    snQuat back = snQMul(snQFromAxisAngle(left, -*pitch), snQFromAxisAngle(snV3(0, 1, 0), -yaw));
    *roll = snTwistAngle(snQMul(back, E), forward);
    return yaw;
}

// The mean pitch and roll of feet that stand flat is an error of the rest poses.
static void levelFeet(snFeet* feet, int side, double* pitch, double* roll)
{
    int32_t count = 0;
    double p, tilt;
    *pitch = *roll = 0;
    for (int32_t f = 0; f < feet->r->frame_count; ++f) {
        const snFootFrame* frame = &feet->frames[side][f];
        if (frame->contact == (SN_CONTACT_BALL | SN_CONTACT_HEEL)) {
            splitTurn(feet, side, frame->foot, &p, &tilt);
            *pitch += p;
            *roll += tilt;
            ++count;
        }
    }
    *pitch = count > 0 ? fmax(-MOST_LEVEL, fmin(MOST_LEVEL, *pitch / count)) : 0;
    *roll = count > 0 ? fmax(-MOST_LEVEL, fmin(MOST_LEVEL, *roll / count)) : 0;
}

// What feet want, but not turning faster than feet do: recordings flip them.
static void calmFeet(snFeet* feet, int side)
{
    double most = FASTEST / feet->r->clip->info.rate;
    for (int32_t f = 0; f < feet->r->frame_count; ++f) {
        snFootFrame* frame = &feet->frames[side][f];
        frame->foot = feet->r->legs[side][f].foot;
        if (f > 0) {
            snQuat was = frame[-1].foot;
            double angle = snLength(snQLog(snQMul(frame->foot, snQConj(was))));
            double share = angle > most ? most / angle : 1;
            frame->foot = snQNormalize(snQSlerp(was, frame->foot, share));
        }
    }
}

// Toes point about where the knee does, as far as the knee's axis is level and says so. Beyond that
// the foot was recorded wrongly; it comes back without a jump, as limits on a circle do.
static double yawNearKnee(const snLegFrame* leg, snVec3 forward, double sign, double yaw)
{
    snVec3 axis = snScale(sign, leg->hinge), up = snV3(0, 1, 0);
    double knee = snAngleAbout(up, forward, snCross(axis, up)), off = yaw - knee;
    off -= TURN * floor(off / TURN + 0.5);
    double near = copysign(fmin(MOST_YAW, fmin(fabs(off), TURN / 2 - fabs(off))), off);
    double t = fmax(0, fmin(1, (0.9 - fabs(axis.y)) / 0.4));
    return yaw + t * t * (3 - 2 * t) * (near - off);
}

// Flat on heel and ball, heel up on the ball, toes up on the heel, and never tilted sideways.
static void turnFeet(snFeet* feet, const snLeg legs[2])
{
    const snRetarget* r = feet->r;
    for (int side = 0; side < 2; ++side) {
        double level, tilt, before = 0, most = PIVOT / r->clip->info.rate;
        snQuat rest = r->rest[r->match.bone_of[SN_ROLE(sn_partFoot, side)]].q;
        snVec3 forward = feet->forward[side], left = snCross(snV3(0, 1, 0), forward);
        calmFeet(feet, side);
        levelFeet(feet, side, &level, &tilt);
        for (int32_t f = 0; f < r->frame_count; ++f) {
            snFootFrame* frame = &feet->frames[side][f];
            double p, roll, yaw = splitTurn(feet, side, frame->foot, &p, &roll);
            yaw = yawNearKnee(&r->legs[side][f], forward, legs[side].side, yaw);
            if (f > 0 && frame->contact && frame[-1].contact) {
                double by = yaw - before;
                by -= TURN * floor(by / TURN + 0.5);
                yaw = before + fmax(-most, fmin(most, by));
            }
            before = yaw;
            p -= level;
            p -= frame->ball * fmin(p, 0) + frame->heel * fmax(p, 0);
            p -= frame->heel * fmin(p + MOST_TOES_UP, 0) + frame->ball * fmax(p - MOST_HEEL_UP, 0);
            frame->pitch = p;
            roll = (roll - tilt) * (1 - fmax(frame->ball, frame->heel));
            snQuat turn = snQMul(snQFromAxisAngle(left, p), snQFromAxisAngle(forward, roll));
            turn = snQMul(snQFromAxisAngle(snV3(0, 1, 0), yaw), turn);
            frame->foot = snQNormalize(snQMul(turn, rest));
        }
    }
}

// Placing feet -------------------------------------------------------------------

// The ankle's height when the lowest point of the sole is on the ground
static double standingHeight(const snFeet* feet, int side, int32_t f)
{
    snQuat foot = feet->frames[side][f].foot;
    double heel = snQRotate(foot, feet->sole[side][0]).y;
    double ball = snQRotate(foot, feet->sole[side][1]).y;
    return feet->r->ground - fmin(heel, ball);
}

// The same for a foot in the air, whose toes have to pass too
static double passingHeight(const snFeet* feet, int side, int32_t f)
{
    double tip = snQRotate(feet->frames[side][f].foot, feet->sole[side][2]).y;
    return fmax(standingHeight(feet, side, f), feet->r->ground - tip);
}

static double contactWeight(const snFootFrame* f)
{
    return fmax(f->ball, f->heel);
}

// How far the whole body must be lifted for standing feet to stand: a mean over neighbouring
// frames; in flight on a line from the last to the next. Into `space`.
static void findLift(snFeet* feet)
{
    const snRetarget* r = feet->r;
    int32_t count = r->frame_count, reach = (int32_t)(SETTLE * r->clip->info.rate) + 1, last = -1;
    double* lift = feet->space;
    for (int32_t f = 0; f < count; ++f) {
        double sum = 0, weights = 0;
        for (int32_t g = f - reach < 0 ? 0 : f - reach; g < count && g <= f + reach; ++g) {
            for (int side = 0; side < 2; ++side) {
                if (feet->frames[side][g].contact) {
                    double weight = 1 + reach - abs(g - f);
                    weights += weight;
                    sum += weight * (standingHeight(feet, side, g) - r->legs[side][g].ankle.y);
                }
            }
        }
        if (weights == 0) {
            continue;
        }
        lift[f] = sum / weights;
        for (int32_t g = last + 1; g < f; ++g) {
            double t = last < 0 ? 1 : (double)(g - last) / (f - last);
            lift[g] = last < 0 ? lift[f] : lift[last] + t * (lift[f] - lift[last]);
        }
        last = f;
    }
    for (int32_t g = last + 1; g < count; ++g) {
        lift[g] = last < 0 ? 0 : lift[last];
    }
}

// The point of the sole that is held: the ball, or else the heel
static int heldPoint(uint8_t contact)
{
    return contact & SN_CONTACT_BALL ? 1 : 0;
}

// While the foot stands it rolls over heel and ball without slipping; where it stands is where it
// is on the mean. Writes the ankle's correction (x, z) of the frames first..last.
static void plantFoot(snFeet* feet, int side, int32_t first, int32_t last)
{
    snFootFrame* frames = feet->frames[side];
    const snLegFrame* legs = feet->r->legs[side];
    int held = heldPoint(frames[first].contact);
    snVec3 mean = snV3(0, 0, 0);
    snVec3 anchor = snAdd(legs[first].ankle, snQRotate(frames[first].foot, feet->sole[side][held]));
    for (int32_t f = first; f <= last; ++f) {
        snVec3 ankle = snSub(anchor, snQRotate(frames[f].foot, feet->sole[side][held]));
        int next = heldPoint(frames[f].contact);
        if (next != held) {
            held = next;
            anchor = snAdd(ankle, snQRotate(frames[f].foot, feet->sole[side][held]));
        }
        frames[f].ankle = snSub(ankle, legs[f].ankle);
        mean = snMulAdd(mean, 1.0 / (last - first + 1), frames[f].ankle);
    }
    for (int32_t f = first; f <= last; ++f) {
        frames[f].ankle = snSub(frames[f].ankle, mean);
        frames[f].ankle.y = 0;
    }
}

// A correction that leaves with the speed `rate` (m a frame) and dies out
static snVec3 coast(snVec3 rate, double frames, double most)
{
    double t = frames < most ? 1 - frames / most : 0;
    return snScale(frames * t * t, rate);
}

// From one stance to the next: from correction to correction, speeds of both ends taken up.
static void swingFoot(snFootFrame* frames, int32_t before, int32_t after, int32_t count,
                      double most)
{
    bool from = before >= 0, to = after < count;
    snVec3 a = from ? frames[before].ankle : snV3(0, 0, 0), b = to ? frames[after].ankle : a;
    a = from ? a : b;
    snVec3 leave = before > 0 && frames[before - 1].contact ? snSub(a, frames[before - 1].ankle)
                                                            : snV3(0, 0, 0);
    snVec3 arrive = after + 1 < count && frames[after + 1].contact
                        ? snSub(b, frames[after + 1].ankle)
                        : snV3(0, 0, 0);
    most = fmin(most, from && to ? after - before : most);
    for (int32_t f = before + 1; f < after && f < count; ++f) {
        double t = from && to ? (double)(f - before) / (after - before) : 0;
        snVec3 c = snMulAdd(a, t * t * (3 - 2 * t), snSub(b, a));
        c = from ? snAdd(c, coast(leave, f - before, most)) : c;
        frames[f].ankle = to ? snAdd(c, coast(arrive, after - f, most)) : c;
    }
}

static void placeFeet(snFeet* feet)
{
    const snRetarget* r = feet->r;
    for (int side = 0; side < 2; ++side) {
        snFootFrame* frames = feet->frames[side];
        int32_t before = -1, count = r->frame_count;
        for (int32_t f = 0; f < count; ++f) {
            if (frames[f].contact) {
                int32_t last = f;
                while (last + 1 < count && frames[last + 1].contact) {
                    ++last;
                }
                plantFoot(feet, side, f, last);
                swingFoot(frames, before, f, count, EASE * r->clip->info.rate);
                before = f = last;
            }
        }
        swingFoot(frames, before, count, count, EASE * r->clip->info.rate);
        for (int32_t f = 0; f < count; ++f) {
            snVec3 ankle = snAdd(r->legs[side][f].ankle, frames[f].ankle);
            double standing = standingHeight(feet, side, f), weight = contactWeight(&frames[f]);
            double least = standing + (1 - weight) * (passingHeight(feet, side, f) - standing);
            ankle.y += feet->space[f];
            ankle.y = fmax(least, ankle.y + weight * (standing - ankle.y));
            frames[f].ankle = ankle;
        }
    }
}

// The root goes down where a leg would be too short: by the most that is needed within EASE
// seconds, evened out over as many. Taken from the lift.
static void findDrop(snFeet* feet, const snLeg legs[2])
{
    const snRetarget* r = feet->r;
    int32_t count = r->frame_count, reach = (int32_t)(EASE * r->clip->info.rate) + 1;
    double *lift = feet->space, *need = lift + count, *most = need + count;
    for (int32_t f = 0; f < count; ++f) {
        need[f] = most[f] = 0;
        for (int side = 0; side < 2; ++side) {
            snVec3 hip = r->legs[side][f].hip;
            hip.y += lift[f];
            need[f] = fmax(need[f], snLeg_Drop(&legs[side], hip, feet->frames[side][f].ankle));
        }
    }
    for (int32_t f = 0; f < count; ++f) {
        for (int32_t g = f - reach < 0 ? 0 : f - reach; g < count && g <= f + reach; ++g) {
            most[f] = fmax(most[f], need[g]);
        }
    }
    for (int32_t f = 0; f < count; ++f) {
        double sum = 0, weights = 0;
        for (int32_t g = f - reach < 0 ? 0 : f - reach; g < count && g <= f + reach; ++g) {
            double weight = 1 + reach - abs(g - f);
            sum += weight * most[g];
            weights += weight;
        }
        lift[f] -= sum / weights;
    }
}

void snFeet_Hold(snFeet* feet)
{
    snRetarget* r = feet->r;
    snLeg legs[2];
    for (int side = 0; side < 2; ++side) {
        legs[side] = snLeg_Make(r, side, feet->forward[side]);
    }
    turnFeet(feet, legs);
    findLift(feet);
    placeFeet(feet);
    findDrop(feet, legs);
    for (int32_t f = 0; f < r->frame_count; ++f) {
        double* q = r->q + (size_t)f * (size_t)r->skeleton->nq;
        snRetarget_LiftFrame(r, f, feet->space[f]);
        for (int side = 0; side < 2; ++side) {
            snLegFrame leg = r->legs[side][f];
            leg.hip.y += feet->space[f];
            snLeg_Solve(&legs[side], &leg, &feet->frames[side][f], q);
        }
        if (f > 0) {
            snProject_Continue(r->skeleton, q - r->skeleton->nq, SN_FASTEST / r->clip->info.rate,
                               q);
        }
    }
}

// Measuring ----------------------------------------------------------------------

snStatus snFeet_Measure(snArena* arena, const snFeet* feet, snFeetError* error, snMessage* why)
{
    const snRetarget* r = feet->r;
    const snSkeleton* s = r->skeleton;
    snBoneMotion* motion = snArena_Push(arena, (size_t)s->bone_count, sizeof *motion);
    *error = (snFeetError){0};
    if (!motion) {
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)s->bone_count);
    }
    snVec3 start[2] = {{0}};
    int held[2] = {-1, -1};
    for (int32_t f = feet->begin; f < feet->end; ++f) {
        snKinematics_Position(s, r->q + (size_t)f * (size_t)s->nq, NULL, motion);
        for (int side = 0; side < 2; ++side) {
            const snBoneMotion* foot = &motion[r->match.bone_of[SN_ROLE(sn_partFoot, side)]];
            uint8_t contact = feet->frames[side][f].contact;
            int now = contact ? heldPoint(contact) : -1;
            if (now >= 0) {
                snVec3 heel = snAdd(foot->p, snMatVec(foot->R, feet->sole[side][0]));
                snVec3 ball = snAdd(foot->p, snMatVec(foot->R, feet->sole[side][1]));
                snVec3 at = now ? ball : heel;
                error->stances += held[side] < 0;
                start[side] = now == held[side] ? start[side] : at;
                snVec3 way = snSub(at, start[side]);
                way.y = 0;
                error->slide = fmax(error->slide, snLength(way));
                error->height = fmax(error->height, fabs(fmin(heel.y, ball.y) - r->ground));
            }
            held[side] = now;
        }
    }
    return sn_ok;
}
