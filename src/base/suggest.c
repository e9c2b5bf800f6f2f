// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "base/json.h"

// Words longer than this are compared no further; no name in Sinew is.
#define LONGEST 48

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Letters to insert, delete, replace or swap with their neighbour (optimal string alignment, case
// ignored) to turn a into b; both at most LONGEST long.
static int distance(const char* a, int a_length, const char* b, int b_length)
{
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= b_length; ++j) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= a_length; ++i) {
        int* now = rows[i % 3];
        const int* last = rows[(i + 2) % 3];
        const int* before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b_length; ++j) {
            char p = lower(a[i - 1]);
            char q = lower(b[j - 1]);
            now[j] = least(last[j - 1] + (p != q), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && p == lower(b[j - 2]) && q == lower(a[i - 2])) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

const char* snSuggest(const char* word, const char* const* candidates, size_t count)
{
    size_t length = strlen(word);
    if (length > LONGEST) {
        return NULL;
    }
    // one wrong letter in three is a slip, more is another word
    int best = 1 + ((int)length > 3 ? (int)length / 3 : 1);
    const char* found = NULL;
    for (size_t i = 0; i < count; ++i) {
        size_t other = strlen(candidates[i]);
        if (other > LONGEST) {
            continue;
        }
        int d = distance(word, (int)length, candidates[i], (int)other);
        if (d < best && d < (int)other) {
            best = d;
            found = candidates[i];
        }
    }
    return found;
}
