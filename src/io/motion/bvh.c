// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/motion/bvh.h"

#include <string.h>

#include "io/mesh/cursor.h"

#define MOST_JOINTS 4096
#define MOST_FRAMES 1000000
#define MOST_DEPTH 256
#define LONGEST_NAME 255
#define MOST_CHANNELS 6
#define MOST_LENGTH 1e9 // of offsets and positions
#define MOST_ANGLE 1e6  // degrees; sines of more are noise
#define DEGREE 0.017453292519943295

// A rate that is nearer than this to a whole number was meant to be it: .0083333 s are 120 Hz.
#define SAME_RATE 5e-4

typedef enum Channel {
    POSITION_X,
    POSITION_Y,
    POSITION_Z,
    TURN_X,
    TURN_Y,
    TURN_Z,
    CHANNELS
} Channel;

static const char* const CHANNEL_NAMES[CHANNELS] = {"Xposition", "Yposition", "Zposition",
                                                    "Xrotation", "Yrotation", "Zrotation"};

typedef struct Joint {
    const char* name;
    int32_t parent;
    int32_t depth;
    snVec3 offset, tip;
    bool has_offset, has_channels, has_position;
    int32_t channel_count;
    uint8_t channel[MOST_CHANNELS]; // in the file's order, which is that of the rotations
} Joint;

typedef struct Reader {
    snCursor c;
    snArena arena; // joints until the clip is there
    Joint* joints; // (capacity)
    int32_t capacity, count;
    int32_t channels; // of all joints
} Reader;

// Hierarchy ----------------------------------------------------------------------

// No more joints than there are such words.
static int32_t countJoints(snCursor c)
{
    int32_t count = 0;
    for (snWord w = snCursor_Word(&c); w.length > 0 && !snWord_IsLike(w, "MOTION");
         w = snCursor_Word(&c)) {
        count += count <= MOST_JOINTS && (snWord_IsLike(w, "JOINT") || snWord_IsLike(w, "ROOT"));
    }
    return count;
}

static snStatus expect(Reader* r, const char* word, const char* where)
{
    snWord w = snCursor_Word(&r->c);
    return snWord_IsLike(w, word) ? sn_ok
           : w.length == 0
               ? snCursor_Fail(&r->c, "expected '%s' %s, found the end of the file; it may be cut",
                               word, where)
               : snCursor_Fail(&r->c, "expected '%s' %s, found '%.*s'", word, where,
                               snWord_Shown(w), w.text);
}

static snStatus readOffset(Reader* r, snVec3* out)
{
    double x[3];
    snStatus status = snCursor_Reals(&r->c, true, 3, x, "the three numbers of an OFFSET");
    *out = status ? snV3(0, 0, 0) : snV3(x[0], x[1], x[2]);
    return !status && !(snLength(*out) <= MOST_LENGTH)
               ? snCursor_Fail(&r->c, "an offset of more than %g is no skeleton's", MOST_LENGTH)
               : status;
}

static snStatus readChannels(Reader* r, Joint* j)
{
    int64_t count;
    snStatus status = snCursor_Count(&r->c, true, "the number of channels", &count);
    if (!status && count > MOST_CHANNELS) {
        return snCursor_Fail(&r->c, "a joint has at most %d channels, found %lld", MOST_CHANNELS,
                             (long long)count);
    }
    for (int64_t i = 0; i < count && !status; ++i) {
        snWord w = snCursor_Word(&r->c);
        int k = 0;
        while (k < CHANNELS && !snWord_IsLike(w, CHANNEL_NAMES[k])) {
            ++k;
        }
        if (k == CHANNELS) {
            return snCursor_Fail(&r->c,
                                 "channel %lld of '%s' is '%.*s'; Xposition, Yposition, Zposition, "
                                 "Xrotation, Yrotation and Zrotation are known",
                                 (long long)i + 1, j->name, snWord_Shown(w), w.text);
        }
        if (memchr(j->channel, k, (size_t)i)) {
            return snCursor_Fail(&r->c, "'%s' has the channel %s twice; remove one", j->name,
                                 CHANNEL_NAMES[k]);
        }
        j->channel[i] = (uint8_t)k;
        j->has_position = j->has_position || k <= POSITION_Z;
    }
    j->channel_count = (int32_t)count;
    j->has_channels = true;
    r->channels += (int32_t)count;
    return status;
}

// The rest of the line without a brace; names may hold blanks.
static snStatus readName(Reader* r, const char* what, const char** name)
{
    snWord first = snCursor_LineWord(&r->c), last = first;
    for (;;) {
        snCursor ahead = r->c;
        snWord w = snCursor_LineWord(&ahead);
        if (w.length == 0 || snWord_Is(w, "{")) {
            break;
        }
        r->c = ahead;
        last = w;
    }
    size_t length = (size_t)(last.text + last.length - first.text);
    if (first.length == 0 || snWord_Is(first, "{") || length > LONGEST_NAME) {
        return snCursor_Fail(&r->c, "expected a name of 1 to %d bytes after %s", LONGEST_NAME,
                             what);
    }
    for (size_t i = 0; i < length; ++i) {
        if ((unsigned char)first.text[i] < ' ') {
            return snCursor_Fail(&r->c, "the name after %s has control characters", what);
        }
    }
    *name = snArena_String(&r->arena, first.text, length);
    return *name ? sn_ok : snFail(r->c.why, sn_errorMemory, "out of memory");
}

static snStatus openJoint(Reader* r, const char* what, int32_t parent, int32_t* joint)
{
    if (r->count >= MOST_JOINTS || r->count >= r->capacity) {
        return snCursor_Fail(&r->c, "more than %d joints; remove some", MOST_JOINTS);
    }
    Joint* j = &r->joints[r->count];
    *j = (Joint){.parent = parent, .depth = parent < 0 ? 0 : r->joints[parent].depth + 1};
    if (j->depth > MOST_DEPTH) {
        return snCursor_Fail(&r->c, "joints are nested deeper than %d", MOST_DEPTH);
    }
    snStatus status = readName(r, what, &j->name);
    if (status || !j->name) {
        return status;
    }
    for (int32_t i = 0; i < r->count; ++i) {
        if (strcmp(r->joints[i].name, j->name) == 0) {
            return snCursor_Fail(&r->c, "there are two joints '%s'; rename one", j->name);
        }
    }
    *joint = r->count++;
    return expect(r, "{", "after the name of a joint");
}

static snStatus readEndSite(Reader* r, Joint* j)
{
    snStatus status = expect(r, "Site", "after 'End'");
    status = status ? status : expect(r, "{", "after 'End Site'");
    status = status ? status : expect(r, "OFFSET", "in an End Site");
    status = status ? status : readOffset(r, &j->tip);
    return status ? status : expect(r, "}", "after the OFFSET of an End Site");
}

// One word inside the braces of a joint; *joint becomes the one that is open after it.
static snStatus readItem(Reader* r, snWord w, int32_t* joint)
{
    Joint* j = &r->joints[*joint];
    if (snWord_IsLike(w, "OFFSET") && !j->has_offset) {
        j->has_offset = true;
        return readOffset(r, &j->offset);
    }
    if (snWord_IsLike(w, "CHANNELS") && !j->has_channels) {
        return readChannels(r, j);
    }
    if (!j->has_offset) {
        return snCursor_Fail(&r->c, "joint '%s' has no OFFSET; it comes first, then CHANNELS",
                             j->name);
    }
    if (snWord_IsLike(w, "JOINT")) {
        return openJoint(r, "JOINT", *joint, joint);
    }
    if (snWord_IsLike(w, "End")) {
        return readEndSite(r, j);
    }
    if (snWord_Is(w, "}")) {
        *joint = j->parent;
        return sn_ok;
    }
    return snCursor_Fail(&r->c, "expected JOINT, End Site or '}' in joint '%s', found '%.*s'%s",
                         j->name, snWord_Shown(w), w.text,
                         snWord_IsLike(w, "MOTION") ? "; a '}' is missing above" : "");
}

static snStatus readHierarchy(Reader* r)
{
    snCursor* c = &r->c;
    snWord w = snCursor_Word(c);
    if (w.length == 0) {
        return snCursor_Fail(c, "the file is empty; export the motion again");
    }
    if (!snWord_IsLike(w, "HIERARCHY")) {
        return snCursor_Fail(c, "'%.*s' is not HIERARCHY; is this another kind of file?",
                             snWord_Shown(w), w.text);
    }
    int32_t joint = -1;
    snStatus status = expect(r, "ROOT", "after HIERARCHY");
    status = status ? status : openJoint(r, "ROOT", -1, &joint);
    while (!status && joint >= 0) {
        w = snCursor_Word(c);
        if (w.length == 0) {
            return snCursor_Fail(c, "the file ends inside joint '%s'; it is cut",
                                 r->joints[joint].name);
        }
        status = readItem(r, w, &joint);
    }
    if (!status && r->channels == 0) {
        status = snCursor_Fail(c, "no joint has CHANNELS: nothing would move");
    }
    return status;
}

// Motion -------------------------------------------------------------------------

static snStatus readHeader(Reader* r, int64_t* frames, double* seconds)
{
    snCursor* c = &r->c;
    snWord w = snCursor_Word(c);
    if (snWord_IsLike(w, "ROOT")) {
        return snCursor_Refuse(c, "a second ROOT; put each skeleton into a file of its own");
    }
    if (!snWord_IsLike(w, "MOTION")) {
        return snCursor_Fail(c, "expected MOTION after the joints, found '%.*s'", snWord_Shown(w),
                             w.text);
    }
    snStatus status = expect(r, "Frames:", "after MOTION");
    status = status ? status : snCursor_Count(c, true, "the number of frames", frames);
    status = status ? status : expect(r, "Frame", "after the number of frames");
    status = status ? status : expect(r, "Time:", "after 'Frame'");
    status =
        status ? status : snCursor_Reals(c, true, 1, seconds, "the time of a frame in seconds");
    if (status) {
        return status;
    }
    if (*frames < 1 || *frames > MOST_FRAMES) {
        return snCursor_Fail(c, "Frames is %lld; 1 to %d are read%s", (long long)*frames,
                             MOST_FRAMES, *frames < 1 ? "" : ", cut the clip into parts");
    }
    if (*frames == 1 && *seconds == 0) {
        *seconds = 1; // a single pose
    }
    if (!(*seconds >= 1e-5 && *seconds <= 100)) {
        return snCursor_Fail(c, "Frame Time is %g s; give 0.00001 to 100, for example 0.0083333",
                             *seconds);
    }
    // a number and what separates it
    return snCursor_Promise(c, *frames * r->channels, 2, INT64_MAX, "numbers");
}

static double rateOf(double seconds)
{
    double rate = 1 / seconds, whole = floor(rate + 0.5);
    return whole > 0 && fabs(rate / whole - 1) < SAME_RATE ? whole : rate;
}

static snStatus readNumber(Reader* r, int64_t frame, int64_t frames, int32_t channel, double* out)
{
    snCursor* c = &r->c;
    snWord w = snCursor_LineWord(c);
    if (w.length == 0 && c->at == c->end && channel == 0) {
        return snCursor_Fail(c,
                             "the file ends after %lld frames, but Frames says %lld; it is cut, or "
                             "write 'Frames: %lld'",
                             (long long)frame, (long long)frames, (long long)frame);
    }
    if (w.length == 0) {
        return snCursor_Fail(c, "frame %lld has %d numbers, but the joints have %d channels",
                             (long long)frame, (int)channel, (int)r->channels);
    }
    return snWord_Real(w, out)
               ? sn_ok
               : snCursor_Fail(c, "'%.*s' in frame %lld is not a finite decimal number",
                               snWord_Shown(w), w.text, (long long)frame);
}

// A joint's numbers of a frame, rotations in the order of the channels: R = R1 R2 R3.
static snStatus readJoint(Reader* r, snClip* clip, int32_t joint, int32_t* channel, int64_t frame)
{
    static const snVec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Joint* j = &r->joints[joint];
    snQuat turn = snQIdentity();
    double place[3] = {0, 0, 0}, x = 0;
    for (int32_t k = 0; k < j->channel_count; ++k) {
        snStatus status = readNumber(r, frame, clip->info.frame_count, (*channel)++, &x);
        if (status) {
            return status;
        }
        bool angle = j->channel[k] >= TURN_X;
        if (!(fabs(x) <= (angle ? MOST_ANGLE : MOST_LENGTH))) {
            return snCursor_Fail(&r->c, "%g in frame %lld is no %s", x, (long long)frame,
                                 angle ? "angle in degrees" : "position");
        }
        if (angle) {
            turn = snQMul(turn, snQFromAxisAngle(AXES[j->channel[k] - TURN_X], x * DEGREE));
        } else {
            place[j->channel[k]] = x;
        }
    }
    size_t count = (size_t)clip->info.joint_count;
    clip->turn[(size_t)frame * count + (size_t)joint] = snQNormalize(turn);
    if (clip->place[joint]) {
        clip->place[joint][frame] = snV3(place[0], place[1], place[2]);
    }
    return sn_ok;
}

static snStatus readFrames(Reader* r, snClip* clip)
{
    snCursor* c = &r->c;
    snStatus status = snCursor_EndLine(c, "the time of a frame");
    for (int64_t frame = 0; frame < clip->info.frame_count && !status; ++frame) {
        int32_t channel = 0;
        snCursor_NextLine(c);
        for (int32_t j = 0; j < r->count && !status; ++j) {
            status = readJoint(r, clip, j, &channel, frame);
        }
        snWord more = status ? (snWord){NULL, 0} : snCursor_LineWord(c);
        if (more.length > 0) {
            return snCursor_Fail(c, "frame %lld has more than %d numbers, one for each channel",
                                 (long long)frame, (int)r->channels);
        }
    }
    snWord more = status ? (snWord){NULL, 0} : snCursor_Word(c);
    return more.length == 0 ? status
                            : snCursor_Fail(c, "more follows after the %d frames that Frames says",
                                            (int)clip->info.frame_count);
}

// Positions are either added to the offset or stand in its place; writers differ. What is nearer to
// the offset than to zero replaces it.
static void settlePlaces(snClip* clip)
{
    for (int32_t j = 0; j < clip->info.joint_count; ++j) {
        snVec3 *place = clip->place[j], offset = clip->joints[j].offset;
        double added = 0, instead = 0;
        for (int32_t i = 0; place && i < clip->info.frame_count; ++i) {
            added += snLengthSq(place[i]);
            instead += snLengthSq(snSub(place[i], offset));
        }
        for (int32_t i = 0; added <= instead && place && i < clip->info.frame_count; ++i) {
            place[i] = snAdd(place[i], offset);
        }
    }
}

static snStatus makeClip(Reader* r, const snHost* host, int64_t frames, double seconds,
                         snClip** clip)
{
    snClip* c = snClip_New(host, r->count, (int32_t)frames);
    if (!c) {
        return snFail(r->c.why, sn_errorMemory, "out of memory for %d joints in %lld frames",
                      (int)r->count, (long long)frames);
    }
    *clip = c;
    c->info.rate = rateOf(seconds);
    c->info.channel_count = r->channels;
    for (int32_t i = 0; i < r->count; ++i) {
        const Joint* j = &r->joints[i];
        c->joints[i].name = snArena_String(&c->arena, j->name, strlen(j->name));
        c->joints[i].parent = j->parent;
        c->joints[i].offset = j->offset;
        c->tip[i] = j->tip;
        c->place[i] =
            j->has_position ? snArena_Push(&c->arena, (size_t)frames, sizeof(snVec3)) : NULL;
    }
    return c->arena.failed ? snFail(r->c.why, sn_errorMemory, "out of memory for %lld frames",
                                    (long long)frames)
                           : sn_ok;
}

snStatus snBvhFile_Parse(const snHost* host, const char* text, size_t length, snClip** clip,
                         snMessage* why)
{
    *clip = NULL;
    Reader r = {.c = snCursor_Start(text, length, 0, why)};
    snArena_Init(&r.arena, host);
    r.capacity = countJoints(r.c);
    r.joints = snArena_Push(&r.arena, (size_t)r.capacity + 1, sizeof(Joint));
    int64_t frames = 0;
    double seconds = 0;
    snStatus status = r.joints ? readHierarchy(&r) : snFail(why, sn_errorMemory, "out of memory");
    status = status ? status : readHeader(&r, &frames, &seconds);
    status = status ? status : makeClip(&r, host, frames, seconds, clip);
    status = status || !*clip ? status : readFrames(&r, *clip);
    if (status || !*clip) {
        snClip_Free(*clip);
        *clip = NULL;
    } else {
        settlePlaces(*clip);
        snMessage_Clear(why);
    }
    snArena_Free(&r.arena);
    return status;
}
