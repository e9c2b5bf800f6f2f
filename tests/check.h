// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// cmocka, and assertions on real numbers that say what they compared.
#ifndef SN_TESTS_CHECK_H
#define SN_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

// A test that shares a program with others has another name there: tests/program.c calls it.
#ifdef SN_TEST_MAIN
#define main SN_TEST_MAIN
int SN_TEST_MAIN(void);
#endif

// |a - b| <= tolerance; NaN fails
#define assert_close(a, b, tolerance) checkClose((a), (b), (tolerance), #a, #b, __FILE__, __LINE__)

// |a - b| <= tolerance * max(|a|, |b|, floor); NaN fails
#define assert_relative(a, b, tolerance, floor) \
    checkRelative((a), (b), (tolerance), (floor), #a, #b, __FILE__, __LINE__)

// value <= bound; NaN fails
#define assert_below(value, bound) checkBelow((value), (bound), #value, __FILE__, __LINE__)

// status is sn_ok, else the message is printed
#define assert_ok(status, why) checkOk((int)(status), (why).text, #status, __FILE__, __LINE__)

static inline void checkClose(double a, double b, double tolerance, const char* at, const char* bt,
                              const char* file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s:%d: %s = %.17g, %s = %.17g, apart by %.3g > %.3g\n", file, line, at, a, bt,
                    b, fabs(a - b), tolerance);
        _fail(file, line);
    }
}

static inline void checkRelative(double a, double b, double tolerance, double floor, const char* at,
                                 const char* bt, const char* file, int line)
{
    checkClose(a, b, tolerance * fmax(fmax(fabs(a), fabs(b)), floor), at, bt, file, line);
}

static inline void checkBelow(double value, double bound, const char* text, const char* file,
                              int line)
{
    if (!(value <= bound)) {
        print_error("%s:%d: %s = %.6g > %.6g\n", file, line, text, value, bound);
        _fail(file, line);
    }
}

static inline void checkOk(int status, const char* why, const char* text, const char* file,
                           int line)
{
    if (status != 0) {
        print_error("%s:%d: %s = %d: %s\n", file, line, text, status, why);
        _fail(file, line);
    }
}

#endif
