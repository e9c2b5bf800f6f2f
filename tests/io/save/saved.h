// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of saved bodies and characters, and what becomes of them.
#ifndef SN_TESTS_IO_SAVE_SAVED_H
#define SN_TESTS_IO_SAVE_SAVED_H

#include "check.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

#define HEAD 64 // bytes before those that the checksum is of

typedef struct Bytes {
    uint8_t* at;
    size_t count;
} Bytes;

static inline Bytes readBytes(const char* path)
{
    snMessage why;
    Bytes b;
    assert_ok(snFile_Read(NULL, path, 1 << 28, &b.at, &b.count, &why), why);
    return b;
}

static inline void giveBack(Bytes* b)
{
    snHost_Release(NULL, b->at, b->count + 1);
}

// Gives two files back, which are the same.
static inline void assertSameBytes(Bytes* a, Bytes* b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->at, b->at, b->count);
    giveBack(a);
    giveBack(b);
}

// The checksum of what is there now
static inline void sign(Bytes* b)
{
    uint64_t hash = snHash(b->at + HEAD, b->count - HEAD, 0);
    memcpy(b->at + 24, &hash, sizeof hash);
}

// Every cut, every byte with one bit wrong, and one byte more are refused.
static inline void assertDamageIsRefused(Bytes* b, void (*assertRefused)(const Bytes* b))
{
    for (size_t cut = 0; cut < b->count; ++cut) {
        assertRefused(&(Bytes){b->at, cut});
    }
    for (size_t i = 0; i < b->count; ++i) {
        b->at[i] ^= (uint8_t)(1 << i % 8);
        assertRefused(b);
        b->at[i] ^= (uint8_t)(1 << i % 8);
    }
    assertRefused(&(Bytes){b->at, b->count + 1}); // there is a 0 after it
}

// Every four bytes say something extreme, and the checksum is right. What is taken is the caller's
// to try: `number` tells one lie from another.
static inline void tellLies(Bytes* b, void (*hear)(void* user, const Bytes* b, size_t number),
                            void* user)
{
    static const uint32_t LIES[] = {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fc00000u, 1000};
    for (size_t at = HEAD; at + 4 <= b->count; at += 4) {
        uint8_t kept[4];
        memcpy(kept, b->at + at, 4);
        for (size_t k = 0; k < sizeof LIES / sizeof *LIES; ++k) {
            memcpy(b->at + at, &LIES[k], 4);
            sign(b);
            hear(user, b, at / 4 + k);
        }
        memcpy(b->at + at, kept, 4);
    }
}

// How it went: files that were refused and taken, and the most memory that one took, bytes
typedef struct Heard {
    int refused, taken;
    size_t most;
} Heard;

#endif
