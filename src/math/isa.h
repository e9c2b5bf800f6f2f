// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Names for functions that are compiled once per instruction set. Files named *_isa.c are compiled
// with SN_ISA = 1 (baseline), 2 (AVX2) and 3 (AVX-512) on x86-64, where SN_HAVE_X86_ISA is 1 for
// all files, and with SN_ISA = 1 alone elsewhere.
#ifndef SN_MATH_ISA_H
#define SN_MATH_ISA_H

#if !defined(SN_HAVE_X86_ISA)
#define SN_HAVE_X86_ISA 0
#endif

#if defined(SN_ISA) && SN_ISA == 3
#define SN_ISA_NAME(name) name##_avx512
#elif defined(SN_ISA) && SN_ISA == 2
#define SN_ISA_NAME(name) name##_avx2
#else
#define SN_ISA_NAME(name) name##_baseline
#endif

// declares the three (or the one) of a function type, for the file that chooses among them
#if SN_HAVE_X86_ISA
#define SN_ISA_DECLARE(type, name) type name##_baseline, name##_avx2, name##_avx512
#define SN_ISA_CHOOSE(isa, name) \
    ((isa) == sn_isaAvx512 ? name##_avx512 : (isa) == sn_isaAvx2 ? name##_avx2 : name##_baseline)
#else
#define SN_ISA_DECLARE(type, name) type name##_baseline
#define SN_ISA_CHOOSE(isa, name) ((void)(isa), name##_baseline)
#endif

#endif
