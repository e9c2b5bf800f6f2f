// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tables of methods: capabilities, settings, and what is said when something is missing.
#include "method/method.h"
#include "sim/puppet.h"

static const snSetting TABLE[] = {
    {"stiffness", sn_scopeScene, sn_settingNumber, "Pa", 0.5, 1e6, "1000", NULL, "how stiff"},
    {"rounds", sn_scopeScene, sn_settingInteger, "", 1, 64, "8", NULL, "how many"},
    {"order", sn_scopeScene, sn_settingChoice, "", 0, 0, "second", "first|second|third", "which"},
    {"warm", sn_scopeCharacter, sn_settingFlag, "", 0, 0, "false", NULL, "whether"},
    {NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL},
};

// The tables -----------------------------------------------------------------

static void capabilitiesAreBits(void** state)
{
    (void)state;
    uint32_t all = 0;
    int count = 0;
    for (const snCapability* c = snCapabilities(); c->name; ++c, ++count) {
        assert_true(c->bit == (uint32_t)1 << count);
        assert_true(c->name[0] && c->about[0]);
        all |= c->bit;
    }
    for (int32_t i = 0; snMethod_Name(i); ++i) {
        uint32_t does = snMethod_Does(snMethod_Name(i));
        assert_true(does != 0 && (does & ~all) == 0);
    }
}

static void checkSetting(const snSetting* s)
{
    double value = 0;
    snMessage why;
    assert_true(s->name[0] && s->about[0] && s->unit);
    assert_non_null(snSettingKind_Name(s->kind));
    assert_non_null(snSettingScope_Name(s->scope));
    assert_true((s->choices != NULL) == (s->kind == sn_settingChoice));
    assert_ok(snSetting_Parse(s, s->preset, &value, &why), why);
    if (s->kind == sn_settingNumber || s->kind == sn_settingInteger) {
        assert_true(s->low < s->high);
    }
}

static void everyMethodIsWhole(void** state)
{
    (void)state;
    int32_t count = 0;
    for (; snMethod_Name(count); ++count) {
        const char* name = snMethod_Name(count);
        const snSetting* s;
        assert_true(name[0] && strlen(name) < 32 && snMethod_About(name)[0]);
        for (int32_t i = 0; (s = snMethod_Setting(name, i)); ++i) {
            assert_true(i < SN_MOST_SETTINGS);
            checkSetting(s);
            assert_int_equal(snSettings_Find(snMethod_Setting(name, 0), s->name), i); // no twins
        }
    }
    assert_int_equal(count, snMethod_Count());
    assert_true(count > 0);
}

static void askingForNothing(void** state)
{
    (void)state;
    assert_null(snMethod_Name(-1));
    assert_null(snMethod_Name(snMethod_Count()));
    assert_null(snMethod_About("magic"));
    assert_null(snMethod_About(NULL));
    assert_int_equal(snMethod_Does("magic"), 0);
    assert_null(snMethod_Setting("magic", 0));
    assert_null(snMethod_Setting("explicit", -1));
    assert_null(snMethod_Setting("explicit", 1000));
    assert_null(snSettingKind_Name(sn_settingKindCount));
    assert_null(snSettingKind_Name(-1));
    assert_null(snSettingScope_Name(sn_scopeCount));
    assert_null(snSettingScope_Name(-1));
    assert_int_equal(snSettings_Find(NULL, "x"), -1);
}

// The explicit method takes the place of a choice for an snIntegrator.
static void integratorsKeepTheirOrder(void** state)
{
    (void)state;
    const snSetting* table = snMethod_Setting("explicit", 0);
    const snSetting* s = &table[snSettings_Find(table, "integrator")];
    for (int32_t i = 0; i < sn_integratorCount; ++i) {
        double value = -1;
        snMessage why;
        assert_ok(snSetting_Parse(s, snIntegrator_Name(i), &value, &why), why);
        assert_close(value, i, 0);
    }
}

// Values ----------------------------------------------------------------------

static void textsBecomeNumbers(void** state)
{
    (void)state;
    static const struct {
        int32_t setting;
        const char* text;
        double value;
    } CASES[] = {
        {0, "0.5", 0.5}, {0, "1e6", 1e6}, {0, "2.5e1", 25}, {1, "1", 1},    {1, "64", 64},
        {1, "1e1", 10},  {2, "first", 0}, {2, "third", 2},  {3, "true", 1}, {3, "false", 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        double value = -1;
        snMessage why;
        assert_ok(snSetting_Parse(&TABLE[CASES[i].setting], CASES[i].text, &value, &why), why);
        assert_close(value, CASES[i].value, 0);
    }
    snSettings settings;
    snSettings_Init(&settings, TABLE);
    assert_int_equal(settings.count, 4);
    assert_close(settings.value[0], 1000, 0);
    assert_close(settings.value[2], 1, 0);
    snSettings_Init(&settings, NULL);
    assert_int_equal(settings.count, 0);
}

static void wrongTextsAreRefused(void** state)
{
    (void)state;
    static const struct {
        int32_t setting;
        const char *text, *said;
    } CASES[] = {
        {0, "0.4", "'stiffness' takes a number from 0.5 to 1000000 Pa, found '0.4'"},
        {0, "1000001", "found '1000001'"},
        {0, "", "found ''"},
        {0, "12 ", "found '12 '"},
        {0, "+12", "found '+12'"},
        {0, "nan", "found 'nan'"},
        {0, "1e999", "found '1e999'"},
        {0, "1,5", "found '1,5'"},
        {0, "1.0000000000000000000000000000000000000000000000000000000000000000", "found '1.000"},
        {1, "0", "'rounds' takes a whole number from 1 to 64, found '0'"},
        {1, "2.5", "a whole number"},
        {2, "secnd", "'order' takes first, second or third, found 'secnd'; did you mean second?"},
        {2, "second ", "found 'second '"},
        {2, "0", "'order' takes first, second or third, found '0'"},
        {3, "1", "'warm' takes true or false, found '1'"},
        {3, "True", "takes true or false"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        double value;
        snMessage why;
        snStatus status = snSetting_Parse(&TABLE[CASES[i].setting], CASES[i].text, &value, &why);
        assert_refused(status, sn_errorArgument, why, CASES[i].said);
    }
}

static void hashesTellValuesApart(void** state)
{
    (void)state;
    snSettings a, b;
    snSettings_Init(&a, TABLE);
    snSettings_Init(&b, TABLE);
    uint64_t hash = snSettings_Hash(&a, 7);
    assert_true(hash == snSettings_Hash(&b, 7));
    for (int32_t i = 0; i < a.count; ++i) {
        b.value[i] += 1;
        assert_true(hash != snSettings_Hash(&b, 7));
        b.value[i] = a.value[i];
    }
    snSettings_Init(&b, TABLE + 1);
    assert_true(hash != snSettings_Hash(&b, 7));
}

// Refusing --------------------------------------------------------------------

static void whatIsMissingIsNamed(void** state)
{
    (void)state;
    const snMethod plain = {.name = "plain", .about = "does little", .does = sn_doesGround};
    const snMethod* first = snMethod_At(0);
    snMessage why;
    assert_ok(snMethod_Require(&plain, sn_doesGround, &why), why);
    assert_ok(snMethod_Require(&plain, 0, &why), why);
    assert_refused(snMethod_Refuse(&plain, sn_doesPush, &why), sn_errorUnsupported, why,
                   "method 'plain' has no 'push' (impulses between steps); method 'explicit' has "
                   "it: choose that one");
    assert_refused(snMethod_Require(&plain, sn_doesGround | sn_doesSelf | sn_doesSleep, &why),
                   sn_errorUnsupported, why, "has no 'self-contact'");
    assert_refused(snMethod_Refuse(first, sn_doesGpu, &why), sn_errorUnsupported, why,
                   "method 'explicit' has no 'gpu' (runs on a graphics processor), and no other "
                   "method has it yet");
}

static void namesAreSuggested(void** state)
{
    (void)state;
    const snMethod other = {.name = "other", .settings = TABLE};
    const snMethod bare = {.name = "bare"};
    snMessage why;
    assert_refused(snMethod_FailUnknown("explict", &why), sn_errorUnsupported, why,
                   "there is no method 'explict' in this version; did you mean 'explicit'? there "
                   "is: explicit");
    assert_refused(snMethod_FailUnknown("", &why), sn_errorUnsupported, why, "there is: explicit");
    assert_refused(snMethod_FailUnknown(NULL, &why), sn_errorUnsupported, why,
                   "there is: explicit");
    assert_refused(snMethod_FailSetting(&other, "stifness", &why), sn_errorArgument, why,
                   "method 'other' has no setting 'stifness'; did you mean 'stiffness'?");
    assert_refused(snMethod_FailSetting(&other, "integrator", &why), sn_errorArgument, why,
                   "method 'other' has no setting 'integrator'; method 'explicit' has one: choose "
                   "that method, or set it there");
    assert_refused(snMethod_FailSetting(&other, "qqqqqq", &why), sn_errorArgument, why,
                   "has no setting 'qqqqqq'; it has stiffness, rounds, order, warm");
    assert_refused(snMethod_FailSetting(&bare, "qqqqqq", &why), sn_errorArgument, why,
                   "has no setting 'qqqqqq'; it has none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capabilitiesAreBits),   cmocka_unit_test(everyMethodIsWhole),
        cmocka_unit_test(askingForNothing),      cmocka_unit_test(integratorsKeepTheirOrder),
        cmocka_unit_test(textsBecomeNumbers),    cmocka_unit_test(wrongTextsAreRefused),
        cmocka_unit_test(hashesTellValuesApart), cmocka_unit_test(whatIsMissingIsNamed),
        cmocka_unit_test(namesAreSuggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
