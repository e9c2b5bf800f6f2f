// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/log.h"

typedef struct Seen {
    int count;
    snLogLevel level;
    char text[2 * SN_MESSAGE_SIZE];
} Seen;

static void keep(void* user, snLogLevel level, const char* text)
{
    Seen* seen = user;
    seen->count += 1;
    seen->level = level;
    strcpy(seen->text, text);
}

static void testLinesReachTheHost(void** state)
{
    (void)state;
    Seen seen = {0};
    snHost host;
    snHost_Init(&host);
    snLog(NULL, sn_logInfo, "nobody");
    snLog(&host, sn_logInfo, "nobody");
    host.user = &seen;
    host.log = keep;
    snLog(&host, sn_logWarning, "%d of %s", 2, "three");
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.level, sn_logWarning);
    assert_string_equal(seen.text, "2 of three");
    snLog(&host, sn_logDebug, "%*d", 5000, 1);
    assert_int_equal(strlen(seen.text), SN_MESSAGE_SIZE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testLinesReachTheHost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
