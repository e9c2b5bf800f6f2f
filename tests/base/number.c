// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include <float.h>

#include "base/number.h"
#include "base/random.h"

// The C library's own conversions, in the C locale that every program starts in, are the reference.

static double parse(const char* text)
{
    double value = -1;
    assert_int_equal(snNumber_Parse(text, strlen(text), &value), strlen(text));
    return value;
}

static uint64_t bitsOf(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void assertSame(double a, double b, const char* text)
{
    if (bitsOf(a) != bitsOf(b)) {
        print_error("%s: %a, expected %a\n", text, a, b);
        fail();
    }
}

static double randomDouble(snRandom* random)
{
    for (;;) {
        uint64_t bits = (uint64_t)snRandom_Bits(random) << 32 | snRandom_Bits(random);
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value)) {
            return value;
        }
    }
}

// how many digits stand between sign and exponent, zeros at the ends not counted
static int digitCount(const char* text)
{
    char digits[SN_NUMBER_SIZE];
    int count = 0;
    for (; *text && *text != 'e'; ++text) {
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        --count;
    }
    return count;
}

static void testHardCases(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e10",
        "0e999999999999999999999",
        "1",
        "-1.5",
        "123456789012345678",
        "9007199254740993",
        "9007199254740992.99999",
        "9007199254740993.00000000000000000000001",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "1e-23",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201136057409796709131975934819546351645648023426109"
        "724822222021076945516529523908135087914149158913039621106870086438694594645527657207407820"
        "621"
        "743379988141063267329253552286881372149012981122451451889849057222307285255133155755015914"
        "397"
        "476397983411801999323962548289017107081850690630666655994938275772572015763062690663332647"
        "565"
        "300009245888316433037779791869612049497390377829704905051080609940730262937128958950003583"
        "799"
        "967207254304360284078895771796150945516748243471030702609144621572289880258182545180325707"
        "018"
        "860872113128079512233426288368622321503775666622503982534335974568884423900265498198385487"
        "948"
        "292206894721689831099698365846814022854243330660339850886445804001034933970427567186443383"
        "770"
        "486037861622771738545623065874679014086723327636718751234567890123456789012345678901e-308",
        "4.9406564584124654e-324",
        "5e-324",
        "2.4703282292062328e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328261e-324",
        "7.4109846876186982e-324",
        "1e-323",
        "6.9294956446009195e15",
        "3.7455744005952583e15",
        "8.988465674311579e307",
        "1.448997445238699",
        "5e-320",
        "9214843084008499",
        "0.500000000000000166533453693773481063544750213623046875",
        "30078505129381147446200",
        "1777820000000000000001",
        "0.500000000000000166547006220929549868969843373633921146392822265625",
        "3.2378839133029012895883524125015321748630094238853e-319",
        "100000000000000000000000000000000000000000000000000e-50",
        "0.00000000000000000000000000001e29"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        assertSame(parse(texts[i]), strtod(texts[i], NULL), texts[i]);
    }
}

static void testTooLargeIsInfinite(void** state)
{
    (void)state;
    assertSame(parse("1.7976931348623159e308"), HUGE_VAL, "just over");
    assertSame(parse("-1e309"), -HUGE_VAL, "-1e309");
    assertSame(parse("1e99999999999999999999999"), HUGE_VAL, "huge exponent");
    assertSame(parse("1e-99999999999999999999999"), 0, "tiny exponent");
}

// An exponent can take back any number of zeros.
static void testLongTexts(void** state)
{
    (void)state;
    enum { zeros = 20000 };
    char* text = malloc(zeros + 32);
    memset(text, '0', zeros + 2);
    text[1] = '.';
    snprintf(text + 2 + zeros, 30, "1e%d", zeros + 1);
    assertSame(parse(text), 1, "0.000...1e+");
    memset(text, '0', zeros);
    text[0] = '1';
    snprintf(text + zeros, 30, "e-%d", zeros - 1);
    assertSame(parse(text), 1, "1000...e-");
    // the very last digit of a long text decides a tie
    memset(text, '0', zeros);
    memcpy(text, "9007199254740993.", 17);
    text[zeros] = 0;
    assertSame(parse(text), 9007199254740992.0, "tie");
    text[zeros - 1] = '1';
    assertSame(parse(text), 9007199254740994.0, "above the tie");
    free(text);
}

static void testGrammar(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        size_t used;
        double value;
    } cases[] = {
        {"", 0, 0},      {"-", 0, 0},        {"+1", 0, 0},     {".5", 0, 0},        {"e5", 0, 0},
        {"nan", 0, 0},   {"Infinity", 0, 0}, {"-x", 0, 0},     {"01", 1, 0},        {"1.", 1, 1},
        {"1.e5", 1, 1},  {"1e", 1, 1},       {"1e+", 1, 1},    {"1e-x", 1, 1},      {"0x10", 1, 0},
        {"12,5", 2, 12}, {"1.5.5", 3, 1.5},  {"2e1e1", 3, 20}, {"-3E+2]", 5, -300}, {"7 8", 1, 7},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        double value = 0;
        size_t used = snNumber_Parse(cases[i].text, strlen(cases[i].text), &value);
        assert_int_equal(used, cases[i].used);
        assertSame(value, cases[i].value, cases[i].text);
    }
    // the length ends the text, not a 0 byte
    double value;
    assert_int_equal(snNumber_Parse("1234", 2, &value), 2);
    assertSame(value, 12, "12");
    assert_int_equal(snNumber_Parse("1.5", 2, &value), 1);
    assert_int_equal(snNumber_Parse("1e5", 2, &value), 1);
}

static void testRandomDoubles(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(1);
    for (int i = 0; i < 200000; ++i) {
        double value = randomDouble(&random);
        char text[64];
        snNumber_Print(value, text);
        assertSame(parse(text), value, text);
        assertSame(strtod(text, NULL), value, text);
        // no shorter text does: the library's rounding to one digit less is another number, except
        // beside a power of two where the nearest decimal need not be the one that reads back
        int digits = digitCount(text);
        if (i % 4 == 0 && digits > 1 && (bitsOf(value) & 0xFFFFFFFFFFFFFu) != 0) {
            char shorter[64];
            snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, value);
            assert_true(strtod(shorter, NULL) != value);
        }
        // and as the C library writes it, with digits to spare
        if (i % 4 == 1) {
            snprintf(text, sizeof(text), "%.*e", 10 + i % 30, value);
            assertSame(parse(text), strtod(text, NULL), text);
        }
    }
}

// Numbers as people and programs write them, where the fast path is taken.
static void testRandomDecimals(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(2);
    for (int i = 0; i < 30000; ++i) {
        uint64_t w = (uint64_t)snRandom_Bits(&random) << 32 | snRandom_Bits(&random);
        char text[64];
        snprintf(text, sizeof(text), "%llue%d", (unsigned long long)(w >> (i % 64)),
                 (int)snRandom_Below(&random, 60) - 30);
        assertSame(parse(text), strtod(text, NULL), text);
        double value = ((double)snRandom_Below(&random, 2000001) - 1e6) / 1000;
        snNumber_Print(value, text);
        assertSame(parse(text), value, text);
        assert_true(digitCount(text) <= 7);
    }
}

static void testMidpoints(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(3);
    for (int i = 0; i < 500; ++i) {
        double value = fabs(randomDouble(&random));
        double next = nextafter(value, HUGE_VAL);
        if (next > 1e300 || value < 1e-280) {
            continue; // the exact text of the midpoint needs head room in long double
        }
        char text[1200];
        long double middle = ((long double)value + (long double)next) / 2;
        snprintf(text, sizeof(text), "%.1100Le", middle);
        double even = (bitsOf(value) & 1) == 0 ? value : next;
        assertSame(parse(text), even, text);
        char* end = strchr(text, 'e');
        end[-1] = '1'; // a little more
        assertSame(parse(text), next, text);
    }
}

static void testPowersOfTwo(void** state)
{
    (void)state;
    for (int e = -1074; e <= 1023; ++e) {
        double value = ldexp(1, e);
        char text[64];
        snNumber_Print(value, text);
        assertSame(parse(text), value, text);
        assertSame(strtod(text, NULL), value, text);
    }
    char text[SN_NUMBER_SIZE];
    snNumber_Print(0x1p-44, text); // its nearest decimal of 16 digits is read as another number
    assert_true(digitCount(text) <= 16);
}

static void testFloats(void** state)
{
    (void)state;
    snRandom random = snRandom_Seed(4);
    for (int i = 0; i < 50000; ++i) {
        uint32_t bits = snRandom_Bits(&random);
        float value;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        char text[64];
        snNumber_PrintFloat(value, text);
        assert_true((float)parse(text) == value);
        assert_true(strtof(text, NULL) == value);
        assert_true(digitCount(text) <= 9);
        int digits = digitCount(text);
        if (digits > 1 && (bits & 0x7FFFFF) != 0) {
            snprintf(text, sizeof(text), "%.*e", digits - 2, (double)value);
            float shorter = strtof(text, NULL);
            double middle = ((double)value + (double)nextafterf(value, INFINITY)) / 2;
            double other = ((double)value + (double)nextafterf(value, -INFINITY)) / 2;
            double read = strtod(text, NULL);
            assert_true(shorter != value || read == middle || read == other);
        }
    }
}

static void testPrintedForms(void** state)
{
    (void)state;
    static const struct {
        double value;
        const char* text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {100, "100"},
        {123456, "123456"},
        {1e20, "100000000000000000000"},
        {1e21, "1e21"},
        {1e22, "1e22"},
        {0.000001, "0.000001"},
        {1e-7, "1e-7"},
        {1.25e-9, "1.25e-9"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e308"},
        {1.0 / 3, "0.3333333333333333"},
        {HUGE_VAL, "null"},
        {-HUGE_VAL, "null"},
        {9.5, "9.5"},
        {0.05, "0.05"},
    };
    char text[SN_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_int_equal(snNumber_Print(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    snNumber_Print(nan(""), text);
    assert_string_equal(text, "null");
    snNumber_PrintFloat(0.1f, text);
    assert_string_equal(text, "0.1");
    snNumber_PrintFloat(FLT_MAX, text);
    assert_string_equal(text, "3.4028235e38");
    snNumber_PrintFloat(1e-45f, text);
    assert_string_equal(text, "1e-45");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testHardCases),     cmocka_unit_test(testTooLargeIsInfinite),
        cmocka_unit_test(testLongTexts),     cmocka_unit_test(testGrammar),
        cmocka_unit_test(testRandomDoubles), cmocka_unit_test(testRandomDecimals),
        cmocka_unit_test(testMidpoints),     cmocka_unit_test(testPowersOfTwo),
        cmocka_unit_test(testFloats),        cmocka_unit_test(testPrintedForms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
