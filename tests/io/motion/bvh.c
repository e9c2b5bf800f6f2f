// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Channels in any order, errors with line and remedy, memory in proportion to the file. Real ones
// are read in bvh_data.c.
#include "io/motion/bvh.h"
#include "check.h"

#define DEGREE 0.017453292519943295

#define HEAD "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
#define TAIL "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n"

static snStatus parse(const char* text, snClip** clip, snMessage* why)
{
    snHost host;
    assert_ok(snHost_Take(NULL, &host, why), *why);
    return snBvhFile_Parse(&host, text, strlen(text), clip, why);
}

static snClip* read(const char* text)
{
    snMessage why;
    snClip* clip;
    assert_ok(parse(text, &clip, &why), why);
    return clip;
}

// Rotation matrices of all six orders against the product of plain ones, in the order of the file.
static void everyOrder(void** state)
{
    (void)state;
    static const char* const ORDERS[6] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    static const double ANGLES[3] = {200, -35, 71};
    for (int i = 0; i < 6; ++i) {
        char text[512];
        const char* o = ORDERS[i];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 %crotation Yposition %crotation "
                 "Xposition Zposition %crotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n200 5 -35 "
                 "4 6 71\n",
                 o[0], o[1], o[2]);
        snClip* clip = read(text);
        snMat3 want = snMat3_Identity();
        for (int k = 0; k < 3; ++k) {
            double c = cos(ANGLES[k] * DEGREE), s = sin(ANGLES[k] * DEGREE);
            snMat3 R = o[k] == 'X'   ? snMatFromRows(snV3(1, 0, 0), snV3(0, c, -s), snV3(0, s, c))
                       : o[k] == 'Y' ? snMatFromRows(snV3(c, 0, s), snV3(0, 1, 0), snV3(-s, 0, c))
                                     : snMatFromRows(snV3(c, -s, 0), snV3(s, c, 0), snV3(0, 0, 1));
            want = snMatMul(want, R);
        }
        snMat3 got = snMatFromQ(clip->turn[0]);
        for (int k = 0; k < 3; ++k) {
            assert_close(snLength(snSub(snMatRow(got, k), snMatRow(want, k))), 0, 1e-14);
        }
        assert_close(snLength(snSub(clip->place[0][0], snV3(4, 5, 6))), 0, 0);
        snClip_Free(clip);
    }
}

static void ratesAreWhatWasMeant(void** state)
{
    (void)state;
    static const struct {
        const char* time;
        double rate;
    } CASES[] = {
        {".0083333", 120}, {"0.0333333", 30}, {"0.041667", 24}, {"0.0333667", 1 / 0.0333667}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        char text[512];
        snprintf(text, sizeof text, HEAD "}\nMOTION\nFrames: 1\nFrame Time: %s\n1 2 3\n",
                 CASES[i].time);
        snClip* clip = read(text);
        assert_close(clip->info.rate, CASES[i].rate, 1e-12 * CASES[i].rate);
        snClip_Free(clip);
    }
}

// Joints that travel: positions that look like the offset replace it, others are added.
static void positionsOfTwoSchools(void** state)
{
    (void)state;
    static const char* const ROWS[2] = {"0 10.1 0", "0 0.1 0"};
    for (int i = 0; i < 2; ++i) {
        char text[512];
        snprintf(
            text, sizeof text,
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT b\n{\nOFFSET 0 10 "
            "0\nCHANNELS 3 Xposition Yposition Zposition\n}\n}\nMOTION\nFrames: 1\nFrame Time: "
            "0.1\n0 %s\n",
            ROWS[i]);
        snClip* clip = read(text);
        assert_close(clip->place[1][0].y, 10.1, 1e-12);
        snClip_Free(clip);
    }
}

static void namesMayHoldBlanks(void** state)
{
    (void)state;
    snClip* clip =
        read("HIERARCHY\r\nROOT  Bip01 L Thigh {\r\nOFFSET 0 0 0\r\nCHANNELS 1 Xrotation\r\n"
             "}\r\nMOTION\r\nFrames: 2\r\nFrame Time: 0.1\r\n1\r\n\r\n2");
    assert_string_equal(clip->joints[0].name, "Bip01 L Thigh");
    assert_int_equal(clip->info.frame_count, 2);
    snClip_Free(clip);
}

static void whatIsWrongIsSaid(void** state)
{
    (void)state;
    static const char* const CASES[][2] = {
        {"", "line 1: the file is empty"},
        {"solid x", "line 1: 'solid' is not HIERARCHY; is this another kind of file?"},
        {"HIERARCHY\nJOINT a", "line 2: expected 'ROOT' after HIERARCHY, found 'JOINT'"},
        {"HIERARCHY\nROOT\n{", "line 2: expected a name"},
        {"HIERARCHY\nROOT a\n{\nCHANNELS 0\n}\n", "joint 'a' has no OFFSET"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 1 2\n", "line 4: expected the three numbers of an OFFSET"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 1 2 nan\n", "'nan' is not a finite decimal number"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 1 2 1e300\n", "no skeleton's"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 9\n", "line 5: a joint has at most 6"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n", "channel 1 of 'a' is 'Wrot"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Xrotation\n", "twice"},
        {HEAD "JOINT hip\n{\nOFFSET 0 0 0\n}\n}\n", "there are two joints 'hip'"},
        {HEAD "JOINT b\n{\nOFFSET 0 0 0\n", "the file ends inside joint 'b'"},
        {HEAD "MOTION\n", "a '}' is missing above"},
        {HEAD "}\nROOT b\n{\n", "a second ROOT"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\n", "nothing would move"},
        {HEAD "}\nMOTION\nFrames: x\n", "line 8: expected the number of frames"},
        {HEAD "}\nMOTION\nFrames: 0\nFrame Time: 1\n", "Frames is 0"},
        {HEAD "}\nMOTION\nFrames: 2\nFrame Time: 0\n1 2 3\n1 2 3\n", "Frame Time is 0 s"},
        {HEAD "}\nMOTION\nFrames: 3\nFrame Time: 0.1\n1.00 2.00 3.00\n1.00 2.00 3.00\n",
         "the file ends after 2 frames, but Frames says 3; it is cut, or write 'Frames: 2'"},
        {HEAD "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1.00 2.00\n",
         "line 10: frame 0 has 2 numbers, but the joints have 3 channels"},
        {HEAD "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4\n", "more than 3 numbers"},
        {HEAD "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 x\n", "'x' in frame 0"},
        {HEAD "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 1e9\n", "no angle"},
        {HEAD TAIL "4 5 6\n", "more follows after the 1 frames"},
        {HEAD "}\nMOTION\nFrames: 900000\nFrame Time: 0.1\n1 2 3\n", "the file is cut"},
        {HEAD "}\nMOTION\nFrames: 9000000000\nFrame Time: 0.1\n1 2 3\n", "cut the clip into parts"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snMessage why = {""};
        snClip* clip;
        snStatus status = parse(CASES[i][0], &clip, &why);
        if (status == sn_ok || !strstr(why.text, CASES[i][1]) ||
            strncmp(why.text, "line ", 5) != 0) {
            fail_msg("case %zu gives %d '%s', not '%s'", i, status, why.text, CASES[i][1]);
        }
        assert_null(clip);
    }
}

// Every text that is cut short is refused, never read beyond its end.
static void everyCutIsRefused(void** state)
{
    (void)state;
    static const char TEXT[] = HEAD TAIL;
    for (size_t length = 0; length + 3 < sizeof TEXT; ++length) {
        snMessage why;
        snClip* clip;
        snHost host;
        char* part = malloc(length + 1); // its own block, so that sanitizers see its end
        memcpy(part, TEXT, length);
        assert_ok(snHost_Take(NULL, &host, &why), why);
        assert_int_not_equal(snBvhFile_Parse(&host, part, length, &clip, &why), sn_ok);
        free(part);
    }
    snClip_Free(read(TEXT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyOrder),
        cmocka_unit_test(ratesAreWhatWasMeant),
        cmocka_unit_test(positionsOfTwoSchools),
        cmocka_unit_test(namesMayHoldBlanks),
        cmocka_unit_test(whatIsWrongIsSaid),
        cmocka_unit_test(everyCutIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
