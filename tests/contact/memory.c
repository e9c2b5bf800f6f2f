// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What points remember: found and forgotten touches, and what becomes of them when steps change.
#include "contact/memory.h"
#include "check.h"

#define POINTS 5
#define BODY 3

typedef struct Memory {
    _Alignas(64) uint8_t bytes[4096];
} Memory;

static snContactMemory begin(Memory* memory)
{
    snContactMemory feeler;
    assert_true(snContactMemory_StateSize(POINTS) <= sizeof memory->bytes);
    memset(memory, 0, sizeof *memory);
    snContactMemory_At(&feeler, POINTS, memory->bytes);
    return feeler;
}

// As a row that is found: in the place that is free for it, if there is one.
static snContactMemo* touch(snContactMemory* f, int32_t point, int32_t other)
{
    int32_t slot = snContactMemory_Slot(f, point, other, 0);
    snContactMemo* at = f->memos + SN_MEMOS * (size_t)point + slot;
    snContactMemo now = slot < 0 ? (snContactMemo){0} : *at;
    now.other = other;
    if (slot >= 0) {
        snContactMemory_Store(f, point, slot, &now);
    }
    return slot < 0 ? NULL : at;
}

static void foundAndForgotten(void** state)
{
    (void)state;
    Memory memory;
    snContactMemory f = begin(&memory);
    assert_int_equal(snContactMemory_Slot(&f, 2, BODY, 0), 0);
    assert_int_equal(snContactMemory_Slot(&f, 2, BODY, 1), 1); // the first is promised
    assert_int_equal(snContactMemory_Slot(&f, 2, BODY, 7), -1);
    for (int32_t k = 0; k < SN_MEMOS; ++k) { // the sides of a corner
        assert_non_null(touch(&f, 2, BODY + k));
    }
    assert_null(touch(&f, 2, BODY + SN_MEMOS)); // as much as it can
    snContactMemory_Settle(&f, 1e-3);
    assert_non_null(snContactMemory_Find(&f, 2, BODY));
    assert_null(snContactMemory_Find(&f, 2, BODY + SN_MEMOS));
    assert_int_equal(*f.active_count, 1);
    touch(&f, 2, BODY); // the others are not found again
    snContactMemory_Settle(&f, 1e-3);
    assert_null(snContactMemory_Find(&f, 2, BODY + 1));
    snContactMemory_Settle(&f, 1e-3);
    assert_int_equal(*f.active_count, 0);
}

// After a step in which not all were looked for nothing is forgotten, and none counts as found: who
// is not found in the next full one is.
static void keptAndThenForgotten(void** state)
{
    (void)state;
    Memory memory;
    snContactMemory f = begin(&memory);
    touch(&f, 1, BODY);
    touch(&f, 3, BODY);
    snContactMemory_Settle(&f, 1e-3);
    touch(&f, 3, BODY);
    snContactMemory_CommitAll(&f);
    for (int32_t point = 1; point <= 3; point += 2) {
        const snContactMemo* kept = snContactMemory_Find(&f, point, BODY);
        assert_non_null(kept);
        assert_int_equal(kept->fresh, 0);
    }
    touch(&f, 1, BODY);
    snContactMemory_Settle(&f, 1e-3);
    assert_non_null(snContactMemory_Find(&f, 1, BODY));
    assert_null(snContactMemory_Find(&f, 3, BODY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foundAndForgotten),
        cmocka_unit_test(keptAndThenForgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
