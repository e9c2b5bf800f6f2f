// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sin, cos, atan2, asin, acos and exp in double, within 2 units in the last place and with the same
// bits from every compiler, instruction set and processor: only + - * / and sqrt in a fixed order,
// round to nearest, no fused multiply-add (the build says -ffp-contract=off; nvcc needs
// -fmad=false).
//
// The polynomials are Remez fits made for these intervals; each states its error relative to the
// result. Measured worst errors (tests/math/trig.c), in ulp: sin and cos 0.85, atan2 0.6,
// asin 1.3, acos 1.1, exp 0.9.
#ifndef SN_MATH_TRIG_H
#define SN_MATH_TRIG_H

#include "math/fn.h"
#include <string.h>

SN_FN uint64_t snBitsOf(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SN_FN double snFromBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// An angle as quadrant * pi/2 + (hi + lo), |hi| <= pi/4 and a little, |lo| at most a few ulps of
// hi.
typedef struct snReducedAngle {
    double hi, lo;
    uint64_t quadrant; // the last two bits count
} snReducedAngle;

// For 0 <= x <= 1e6. Cody & Waite 1980: pi/2 in three parts of 33 bits, whose products with n <
// 2^20 are exact, and a rest. The rounding errors of the two differences are found exactly
// (Dekker's fast two-sum: where the subtrahend is the larger, few enough bits are left that nothing
// was rounded), so that the result has an error below 2^-130, while no double is nearer than 2^-62
// to a multiple of pi/2.
SN_FN snReducedAngle snReduceAngle(double x)
{
    const double shift = 6755399441055744.0; // 1.5 * 2^52: adding it leaves no room for a fraction
    double shifted = x * 0.6366197723675814 + shift, n = shifted - shift;
    double a = x - n * 0x1.921fb544p+0;
    double v = n * 0x1.0b4611a6p-34, b = a - v;
    double w = n * 0x1.3198a2ep-69, c = b - w;
    double b_low = (a - b) - v, c_low = (b - c) - w;
    snReducedAngle r;
    r.hi = c;
    r.lo = (b_low + c_low) - n * 0x1.b839a252049c1p-104;
    r.quadrant = snBitsOf(shifted);
    return r;
}

// For any finite x >= 2^19, without loss (Payne & Hanek 1983): with x = m 2^e, m of 53 bits, only
// 192 bits of 2/pi matter to x 2/pi mod 4: those above are multiples of 4, those below less than
// 2^-137.
SN_FN_RARE snReducedAngle snReduceLargeAngle(double x)
{
    // 64 zero bits, then the binary digits of 2/pi
    static const uint32_t digits[39] = {
        0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
        0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
        0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
        0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
        0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
        0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};
    uint64_t bits = snBitsOf(x);
    uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
    int first = (int)(bits >> 52) - 1075 - 2 + 64; // e - 2 digits are skipped
    const uint32_t* word = digits + first / 32;
    int shift = first % 32;

    // product = m * (192 digits) mod 2^192, in 32-bit limbs, the highest first: x 2/pi mod 4, times
    // 2^190
    uint32_t limb[6] = {0, 0, 0, 0, 0, 0};
    for (int j = 0; j < 2; ++j) {
        uint64_t half = j == 0 ? m & 0xffffffff : m >> 32, carry = 0;
        for (int i = 5 - j; i >= 0; --i) {
            uint64_t pair = (uint64_t)word[i + j] << 32 | word[i + j + 1];
            carry += half * (uint32_t)(pair >> (32 - shift)) + limb[i];
            limb[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }

    // the fraction's top 128 bits, made a signed distance to the nearest integer
    uint64_t high = (uint64_t)limb[0] << 32 | limb[1], low = (uint64_t)limb[2] << 32 | limb[3];
    uint32_t rest = limb[4];
    uint64_t quadrant = high >> 62;
    high = high << 2 | low >> 62;
    low = low << 2 | rest >> 30;
    rest <<= 2;
    double sign = 1;
    if (high >> 63) {
        ++quadrant;
        sign = -1;
        high = ~high;
        low = ~low;
        rest = ~rest;
    }
    double scale = 1;
    while (!(high >> 63)) {
        high = high << 1 | low >> 63;
        low = low << 1 | rest >> 31;
        rest <<= 1;
        scale *= 0.5;
    }

    // times pi/2, both factors cut after 26 bits so that the leading product is exact
    double f_high = (double)(high >> 38) * 0x1p-26;
    double f_low = (double)((high & 0x3fffffffff) << 15 | low >> 49) * 0x1p-79;
    double product = f_high * 0x1.921fb5p+0;
    double small = f_high * 0x1.110b4611a6263p-26 + f_low * 1.5707963267948966;
    snReducedAngle r;
    r.hi = product + small;
    r.lo = (product - r.hi) + small;
    r.hi *= sign * scale;
    r.lo *= sign * scale;
    r.quadrant = quadrant;
    return r;
}

// Both at once, from one reduction; s and c may not be NULL. Infinity and NaN give NaN.
SN_FN void snSinCos(double angle, double* s, double* c)
{
    double x = fabs(angle);
    snReducedAngle r;
    if (x <= 1e6) {
        r = snReduceAngle(x);
    } else if (x <= 0x1.fffffffffffffp+1023) {
        r = snReduceLargeAngle(x);
    } else {
        r.hi = r.lo = x - x;
        r.quadrant = 0;
    }
    double h = r.hi, z = h * h, z2 = z * z, z4 = z2 * z2;
    // (sin h - h)/h^3, error 2^-58
    double p = (-0.16666666666666632 + z * 0.00833333333332241) +
               z2 * (-0.00019841269829805094 + z * 2.75573136909363e-06) +
               z4 * (-2.505075795566221e-08 + z * 1.5896786079356583e-10);
    // (cos h - 1 + h^2/2)/h^4, error 2^-64
    double q = (0.0416666666666666 + z * -0.001388888888887412) +
               z2 * (2.4801587289479315e-05 + z * -2.755731435146522e-07) +
               z4 * (2.0875723150473872e-09 + z * -1.135964121286002e-11);
    // sin(h + lo) = sin h + lo cos h, cos(h + lo) = cos h - lo sin h to 2^-107
    double half = 0.5 * z, top = 1 - half;
    double sine = h + (z * h * p + (r.lo - half * r.lo));
    double cosine = top + (((1 - top) - half) + (z2 * q - h * r.lo));
    // odd quadrants exchange the two, then signs are set; in bits, for a branch would be guessed
    // wrong
    uint64_t s_bits = snBitsOf(sine), c_bits = snBitsOf(cosine);
    uint64_t exchange = (s_bits ^ c_bits) & (0 - (r.quadrant & 1));
    uint64_t s_sign = (r.quadrant << 62 ^ snBitsOf(angle)) & 0x8000000000000000;
    uint64_t c_sign = ((r.quadrant + 1) << 62) & 0x8000000000000000;
    *s = snFromBits(s_bits ^ exchange ^ s_sign);
    *c = snFromBits(c_bits ^ exchange ^ c_sign);
}

SN_FN double snSin(double angle)
{
    double s, c;
    snSinCos(angle, &s, &c);
    return s;
}

SN_FN double snCos(double angle)
{
    double s, c;
    snSinCos(angle, &s, &c);
    return c;
}

// The angle of (x, y) in -pi..pi, with C's conventions for zeros and infinities. With 0 <= low <=
// high the two coordinates and k = 0, 1/2 or 1 near low/high, atan(low/high) = atan k + atan t, t =
// (low - k high)/(high + k low), |t| <= 1/4, whose numerator is exact. Everything but atan t is
// then one constant in two parts.
SN_FN double snAtan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    bool swap = ay > ax, left = copysign(1.0, x) < 0;
    double high = swap ? ay : ax, low = swap ? ax : ay;
    double unit = high > 1e300 ? 0x1p-100 : high < 1e-200 ? 0x1p+500 : 1;
    high *= unit;
    low *= unit;
    if (!(high > 0 && high < HUGE_VAL)) {
        // zero: angle 0; infinity: 0 or, both, pi/4; NaN stays
        low = low == high && low > 0 ? 1 : low < HUGE_VAL ? 0 : low;
        high = high >= 0 ? 1 : high;
    }
    double k = low < 0.25 * high ? 0 : low < 0.75 * high ? 0.5 : 1;
    double top = low - k * high, bottom = high + k * low, bottom_low = (high - bottom) + k * low;
    // the quotient to 75 bits: 26 by a product without rounding error, the others from the
    // remainder
    const uint64_t leading = ~(uint64_t)0x7ffffff;
    double t_high = snFromBits(snBitsOf(top / bottom) & leading);
    double d_high = snFromBits(snBitsOf(bottom) & leading);
    double remainder = (top - t_high * d_high) - t_high * ((bottom - d_high) + bottom_low);
    double t_low = remainder / bottom, t = t_high + t_low;
    double z = t * t, zz = z * z;
    // (atan t - t)/t^3, error 2^-63
    double p = (-0.3333333333333332 + z * 0.1999999999999091) +
               zz * ((-0.14285714283708678 + z * 0.11111110893949698) +
                     zz * ((-0.09090895767177297 + z * 0.07691812551385785) +
                           zz * ((-0.06655270938474511 + z * 0.05722595328366003) +
                                 zz * -0.03991429890354887)));
    double sign = swap != left ? -1 : 1;
    double base = 0, base_low = 0;
    if (k == 0) {
        base = swap ? 1.5707963267948966 : left ? 3.141592653589793 : 0;
        base_low = swap ? 6.123233995736766e-17 : left ? 1.2246467991473532e-16 : 0;
    } else if (k == 1) {
        base = left ? 2.356194490192345 : 0.7853981633974483;
        base_low = left ? 9.184850993605148e-17 : 3.061616997868383e-17;
    } else if (swap) {
        base = left ? 2.0344439357957027 : 1.1071487177940904;
        base_low = left ? 2.841996617907152e-17 : 9.40447137356638e-17;
    } else {
        base = left ? 2.677945044588987 : 0.4636476090008061;
        base_low = left ? 1.5527705369303147e-16 : 2.2698777452961687e-17;
    }
    double rest = (t_low + t * z * p) + sign * base_low;
    double angle = sign * base + t_high;
    double lost = (sign * base - angle) + t_high; // exact: base is zero or larger than t
    return copysign(1.0, y) * sign * (angle + (lost + rest));
}

// NaN outside -1..1
SN_FN double snAsin(double x)
{
    double square = fabs(x) < 0.5 ? 1 - x * x : (1 - x) * (1 + x);
    return snAtan2(x, sqrt(square));
}

// What is missing in s = sqrt(w), w + w_low - s^2 over 2 s, from a square without rounding error.
SN_FN double snSqrtRest(double w, double w_low, double s)
{
    double s_high = snFromBits(snBitsOf(s) & ~(uint64_t)0x7ffffff), s_low = s - s_high;
    double rest = ((w - s_high * s_high) - 2 * s_high * s_low) - s_low * s_low;
    return s > 0 ? (rest + w_low) / (2 * s) : 0;
}

// NaN outside -1..1. The half angle has sine a/sqrt 2, cosine b/sqrt 2 and keeps its digits near x
// = 1.
SN_FN double snAcos(double x)
{
    double aa = 1 - x, bb = 1 + x, a = sqrt(aa), b = sqrt(bb);
    double a_rest = snSqrtRest(aa, (1 - aa) - x, a), b_rest = snSqrtRest(bb, (1 - bb) + x, b);
    return 2 * snAtan2(a, b) + (b * a_rest - a * b_rest);
}

// e^x = 2^k e^r, |r| <= ln(2)/2. Overflows to infinity; below the smallest normal number gives
// zero, whether or not the processor flushes subnormals.
SN_FN double snExp(double x)
{
    double t = x > 710 ? 710 : x < -709 ? -709 : x;
    const double shift = 6755399441055744.0;
    double k = (t * 1.4426950408889634 + shift) - shift;
    double a = t - k * 0x1.62e42feep-1, a_low = -(k * 0x1.a39ef35793c76p-33);
    double r = a + a_low, r_low = (a - r) + a_low;
    double z = r * r, zz = z * z;
    // (e^r - 1 - r)/r^2, error 2^-57
    double p = (0.5000000000000006 + r * 0.16666666666666688) +
               z * ((0.04166666666656867 + r * 0.008333333333312761) +
                    z * ((0.0013888888934614717 + r * 0.00019841269907049344) +
                         z * (2.4801501569857393e-05 + r * 2.7557224412013835e-06))) +
               zz * zz * (2.762747217858528e-07 + r * 2.5115566025497967e-08);
    double e = 1 + (r + (r_low + z * p));
    // 2^k in two factors, each a normal number
    int whole = x == x ? (int)k : 0, part = whole / 2;
    e = e * snFromBits((uint64_t)(part + 1023) << 52);
    e = e * snFromBits((uint64_t)(whole - part + 1023) << 52);
    return x < -708.3964185322641 ? 0 : e;
}

#endif
