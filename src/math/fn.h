// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Small functions that live in headers and run on the CPU and, under nvcc, on the GPU. Such headers
// keep to what C17 and C++17 share: no compound literals, no designated initialisers.
#ifndef SN_MATH_FN_H
#define SN_MATH_FN_H

#include "base/language.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__CUDACC__)
#define SN_FN static inline __host__ __device__
#else
#define SN_FN static inline
#endif

// for kernels, whose loops over lanes the compiler can vectorise only when nothing in them is a
// call
#if defined(__CUDACC__)
#define SN_KERNEL static __forceinline__ __host__ __device__
#elif defined(__GNUC__)
#define SN_KERNEL static inline __attribute__((always_inline))
#else
#define SN_KERNEL static inline
#endif

// for the rare case inside a function that should stay small enough to be inlined
#if defined(__CUDACC__)
#define SN_FN_RARE static __host__ __device__ __noinline__
#elif defined(__GNUC__)
#define SN_FN_RARE static __attribute__((noinline, cold, unused))
#else
#define SN_FN_RARE static inline
#endif

#define SN_PI 3.14159265358979323846

#endif
