// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Reading: a decimal of at most 15 digits or so and a small power of ten is one exact double
// operation (Clinger 1990). All else is a quotient of two exact big integers, rounded once.
// Printing: the first digits come from such a quotient; the shortest of their roundings to 15, 16
// and 17 digits (float: 6 to 9) that reads back is taken. Fewer than 15 digits show up as zeros at
// the end of the 15, since no two decimals of 15 digits share a normal double (float: 6);
// subnormals start at one digit.
#include "base/number.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The digits that can decide a rounding: 767 for a midpoint between two subnormals; the rest only
// counts as "more than this".
#define DIGITS 768

// (10^769) and 5^1100 both have less than 2560 bits; a quotient adds 128.
#define LIMBS 96

typedef struct Big {
    int count;             // limbs in use; the last one is not 0
    uint32_t limbs[LIMBS]; // least significant first
} Big;

static void bigSet(Big* b, uint64_t value)
{
    b->count = 0;
    for (; value > 0; value >>= 32) {
        b->limbs[b->count++] = (uint32_t)value;
    }
}

// b = b * factor + term
static void bigMulAdd(Big* b, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < b->count; ++i) {
        carry += (uint64_t)b->limbs[i] * factor;
        b->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0) {
        assert(b->count < LIMBS);
        b->limbs[b->count++] = (uint32_t)carry;
    }
}

static void bigMulPow5(Big* b, int power)
{
    for (; power >= 13; power -= 13) {
        bigMulAdd(b, 1220703125u, 0); // 5^13, the largest in 32 bits
    }
    uint32_t rest = 1;
    for (; power > 0; --power) {
        rest *= 5;
    }
    bigMulAdd(b, rest, 0);
}

static void bigShift(Big* b, int bits)
{
    int limbs = bits / 32;
    int part = bits % 32;
    assert(b->count + limbs < LIMBS);
    uint32_t high = 0;
    for (int i = b->count - 1; i >= 0; --i) {
        uint64_t two = (uint64_t)b->limbs[i] << part;
        b->limbs[i + limbs + 1] = high | (uint32_t)(two >> 32);
        high = (uint32_t)two;
    }
    if (b->count > 0) {
        b->limbs[limbs] = high;
        memset(b->limbs, 0, (size_t)limbs * sizeof(b->limbs[0]));
        b->count += limbs + 1;
        b->count -= b->limbs[b->count - 1] == 0;
    }
}

static int bitLength(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

static int bigBits(const Big* b)
{
    return b->count == 0 ? 0 : 32 * (b->count - 1) + bitLength(b->limbs[b->count - 1]);
}

// a -= b * factor; must not become negative
static void bigMulSub(Big* a, const Big* b, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < a->count; ++i) {
        carry += i < b->count ? (uint64_t)b->limbs[i] * factor : 0;
        uint32_t low = (uint32_t)carry;
        carry = (carry >> 32) + (a->limbs[i] < low);
        a->limbs[i] -= low;
    }
    assert(carry == 0);
    while (a->count > 0 && a->limbs[a->count - 1] == 0) {
        a->count -= 1;
    }
}

static bool bigLess(const Big* a, const Big* b)
{
    if (a->count != b->count) {
        return a->count < b->count;
    }
    for (int i = a->count - 1; i >= 0; --i) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i];
        }
    }
    return false;
}

// floor(n / m) for n < 2^32 m, m's top bit set; n becomes the rest. The quotient of the leading
// limbs with m's rounded up is at most 6 too small.
static uint32_t bigDigit(Big* n, const Big* m)
{
    int top = m->count - 1;
    uint64_t lead = n->count > top ? n->limbs[top] : 0;
    lead |= n->count > top + 1 ? (uint64_t)n->limbs[top + 1] << 32 : 0;
    uint32_t digit = (uint32_t)(lead / ((uint64_t)m->limbs[top] + 1));
    bigMulSub(n, m, digit);
    for (; !bigLess(n, m); ++digit) {
        bigMulSub(n, m, 1);
    }
    return digit;
}

// floor(n 2^shift / m), which must be below 2^64; *more tells whether something was cut. Spoils n
// and m.
static uint64_t bigDivide(Big* n, Big* m, int shift, bool* more)
{
    if (shift >= 32) {
        bigShift(n, shift - 32);
    } else {
        bigShift(m, 32 - shift);
    }
    int align = (32 - bigBits(m) % 32) % 32;
    bigShift(n, align);
    bigShift(m, align);
    uint64_t high = bigDigit(n, m);
    bigShift(n, 32);
    uint64_t low = bigDigit(n, m);
    *more = n->count > 0;
    return high << 32 | low;
}

static uint64_t bitsOf(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static double doubleOf(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// The double nearest to m 2^e (plus a little if more); m has at least 55 bits unless nothing was
// cut.
static double roundBinary(uint64_t m, bool more, int e)
{
    int bits = bitLength(m);
    int top = e + bits - 1; // m 2^e is in [2^top, 2^(top+1))
    if (m == 0 || top < -1075) {
        return 0;
    }
    if (top > 1023) {
        return doubleOf(0x7FF0000000000000u);
    }
    int least = top < -1022 ? -1074 : top - 52; // the exponent of the last bit kept
    int drop = least - e;
    if (drop <= 0) {
        m <<= -drop;
    } else {
        uint64_t rest = drop > 63 ? m : m & (((uint64_t)1 << drop) - 1);
        uint64_t half = (uint64_t)1 << (drop - 1);
        m = drop > 63 ? 0 : m >> drop;
        m += rest > half || (rest == half && (more || (m & 1)));
    }
    // a carry out of the fraction steps the exponent, up to infinity: the format is made for that
    return doubleOf(top < -1022 ? m : ((uint64_t)(top + 1022) << 52) + m);
}

// The double nearest to n 10^e10. Spoils n.
static double bigToDouble(Big* n, int e10)
{
    Big m;
    bigSet(&m, 1);
    bigMulPow5(e10 < 0 ? &m : n, e10 < 0 ? -e10 : e10);
    int shift = 63 - (bigBits(n) - bigBits(&m));
    bool more;
    uint64_t q = bigDivide(n, &m, shift, &more);
    return roundBinary(q, more, e10 - shift);
}

// The double nearest to digits 10^e10, for up to 19 digits
static double smallToDouble(uint64_t digits, int64_t e10)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits <= (uint64_t)1 << 53 && e10 >= -22 && e10 <= 22) {
        return e10 < 0 ? (double)digits / powers[-e10] : (double)digits * powers[e10];
    }
    if (digits == 0 || e10 < -350) {
        return 0;
    }
    if (e10 > 310) {
        return doubleOf(0x7FF0000000000000u);
    }
    Big n;
    bigSet(&n, digits);
    return bigToDouble(&n, (int)e10);
}

// A decimal in the text: 0.ddd 10^point
typedef struct Decimal {
    const char* first; // first digit that is not 0
    const char* end;   // after the last digit before the exponent
    int64_t point;
    uint64_t digits; // the first 19
    int kept;        // how many of them there are
    bool cut;        // some later digit is not 0
} Decimal;

static bool isDigit(const char* at, const char* end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static void addDigit(Decimal* d, const char* at, bool fraction)
{
    if (*at == '0' && !d->first) {
        d->point -= fraction;
        return;
    }
    if (!d->first) {
        d->first = at;
    }
    if (d->kept < 19) {
        d->digits = d->digits * 10 + (uint64_t)(*at - '0');
        d->kept += 1;
    } else {
        d->cut |= *at != '0';
    }
    d->point += !fraction;
}

// The exponent at *at, if a whole one is there; moves *at behind it. Far beyond any text's length
// more digits no longer matter.
static int64_t readExponent(const char** at, const char* end)
{
    const char* p = *at;
    if (p == end || (*p != 'e' && *p != 'E')) {
        return 0;
    }
    ++p;
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (!isDigit(p, end)) {
        return 0;
    }
    int64_t value = 0;
    for (; isDigit(p, end); ++p) {
        value = value < INT64_MAX / 100 ? value * 10 + (*p - '0') : value;
    }
    *at = p;
    return negative ? -value : value;
}

static double decimalToDouble(const Decimal* d)
{
    if (!d->cut || d->point > 310 || d->point < -330) {
        return smallToDouble(d->digits, d->point - d->kept);
    }
    Big n;
    bigSet(&n, 0);
    int kept = 0;
    bool more = false;
    for (const char* at = d->first; at < d->end; ++at) {
        if (*at == '.') {
            continue;
        }
        if (kept < DIGITS) {
            bigMulAdd(&n, 10, (uint32_t)(*at - '0'));
            ++kept;
        } else {
            more |= *at != '0';
        }
    }
    if (more) {
        bigMulAdd(&n, 10, 1);
        ++kept;
    }
    return bigToDouble(&n, (int)d->point - kept);
}

size_t snNumber_Parse(const char* text, size_t length, double* out)
{
    const char* at = text;
    const char* end = text + length;
    Decimal d = {0};
    bool negative = at < end && *at == '-';
    at += negative;
    if (!isDigit(at, end)) {
        return 0;
    }
    if (*at == '0') {
        ++at;
    } else {
        for (; isDigit(at, end); ++at) {
            addDigit(&d, at, false);
        }
    }
    if (at < end && *at == '.' && isDigit(at + 1, end)) {
        for (++at; isDigit(at, end); ++at) {
            addDigit(&d, at, true);
        }
    }
    d.end = at;
    d.point += readExponent(&at, end);
    double value = d.first ? decimalToDouble(&d) : 0;
    *out = negative ? -value : value;
    return (size_t)(at - text);
}

// floor(m 2^e 10^k), which must be below 2^64
static uint64_t scaleBinary(uint64_t m, int e, int k, bool* more)
{
    Big n, d;
    bigSet(&n, m);
    bigSet(&d, 1);
    bigMulPow5(k < 0 ? &d : &n, k < 0 ? -k : k);
    return bigDivide(&n, &d, e + k, more);
}

// Whether digits 10^e10 is read as the value; as a float it must be nearer to it than to its
// neighbours.
static bool readsBack(uint64_t digits, int e10, double value, bool single)
{
    double read = smallToDouble(digits, e10);
    if (!single) {
        return bitsOf(read) == bitsOf(value);
    }
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    float beside[2];
    uint32_t neighbours[2] = {bits - 1, bits + 1};
    memcpy(beside, neighbours, sizeof(beside));
    double above = neighbours[1] == 0x7F800000u ? 0x1p128 : (double)beside[1];
    return read > ((double)beside[0] + value) / 2 && read < (value + above) / 2;
}

static uint64_t powerOfTen(int power)
{
    uint64_t value = 1;
    for (; power > 0; --power) {
        value *= 10;
    }
    return value;
}

// The shortest digits of a positive value, digits 10^(*e10), without zeros at the end
static uint64_t shortestDigits(double value, bool single, int* e10)
{
    const uint64_t e17 = 100000000000000000u;
    uint64_t bits = bitsOf(value);
    int field = (int)(bits >> 52);
    uint64_t m = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)(field > 0) << 52;
    int e = (field > 0 ? field : 1) - 1075;

    // 18 digits, one more than are ever needed, so that the rest tells the nearer side; log10 2 is
    // nearly 1233/4096, and where that is off by one the number of digits shows it
    int p = ((e + bitLength(m)) * 1233 >> 12) + 1;
    bool more;
    uint64_t digits = scaleBinary(m, e, 18 - p, &more);
    while (digits < e17 || digits >= 10 * e17) {
        p += digits < e17 ? -1 : 1;
        digits = scaleBinary(m, e, 18 - p, &more);
    }
    bool subnormal = value < (single ? 0x1p-126 : 0x1p-1022);
    int zeros = subnormal ? 17 : single ? 12 : 3;
    for (;; --zeros) {
        uint64_t unit = powerOfTen(zeros);
        uint64_t low = digits / unit;
        uint64_t rest = 2 * (digits % unit);
        bool up = rest > unit || (rest == unit && more);
        // both neighbours: just below a power of two the nearer one can be read as another number
        for (int side = 0; side < 2; ++side) {
            uint64_t tried = low + (up == (side == 0));
            *e10 = p - 18 + zeros;
            if (readsBack(tried, *e10, value, single)) {
                for (; tried % 10 == 0; tried /= 10) {
                    *e10 += 1;
                }
                return tried;
            }
        }
        assert(zeros > 1);
    }
}

// Writes 0.ddd 10^point. Plain from 1e-6 up to 1e21, with an exponent beyond: as JavaScript prints
static size_t layOut(const char* digits, int count, int point, char* out)
{
    char* at = out;
    if (point > 21 || point <= -6) {
        *at++ = digits[0];
        if (count > 1) {
            *at++ = '.';
            memcpy(at, digits + 1, (size_t)count - 1);
            at += count - 1;
        }
        int exponent = point - 1;
        *at++ = 'e';
        if (exponent < 0) {
            *at++ = '-';
            exponent = -exponent;
        }
        for (int unit = exponent >= 100 ? 100 : exponent >= 10 ? 10 : 1; unit > 0; unit /= 10) {
            *at++ = (char)('0' + exponent / unit % 10);
        }
        return (size_t)(at - out);
    }
    if (point <= 0) {
        *at++ = '0';
    }
    for (int i = point < 0 ? point : 0; i < count || i < point; ++i) {
        if (i == point) {
            *at++ = '.';
        }
        *at++ = i >= 0 && i < count ? digits[i] : '0';
    }
    return (size_t)(at - out);
}

static size_t print(double value, bool single, char* out)
{
    if ((bitsOf(value) & 0x7FF0000000000000u) == 0x7FF0000000000000u) {
        memcpy(out, "null", 5);
        return 4;
    }
    size_t length = 0;
    if (bitsOf(value) >> 63) {
        out[length++] = '-';
        value = -value;
    }
    if (bitsOf(value) == 0) {
        out[length++] = '0';
    } else {
        int e10;
        uint64_t digits = shortestDigits(value, single, &e10);
        char text[20];
        char* end = text + sizeof(text);
        char* first = end;
        do {
            *--first = (char)('0' + digits % 10);
            digits /= 10;
        } while (digits > 0);
        int count = (int)(end - first);
        length += layOut(first, count, e10 + count, out + length);
    }
    out[length] = 0;
    return length;
}

size_t snNumber_Print(double value, char out[SN_NUMBER_SIZE])
{
    return print(value, false, out);
}

size_t snNumber_PrintFloat(float value, char out[SN_NUMBER_SIZE])
{
    return print((double)value, true, out);
}
