// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What C17 and C++17 spell differently. CUDA's compiler takes C++ alone, so headers that it may
// read are both; scripts/check_cpp.sh knows their folders.
#ifndef SN_BASE_LANGUAGE_H
#define SN_BASE_LANGUAGE_H

#if defined(__cplusplus)
#define SN_ALIGN(bytes) alignas(bytes)
// around a header's functions, which are C's whoever calls them
#define SN_BEGIN_C extern "C" {
#define SN_END_C }
#else
#define SN_ALIGN(bytes) _Alignas(bytes)
#define SN_BEGIN_C
#define SN_END_C
#endif

#endif
