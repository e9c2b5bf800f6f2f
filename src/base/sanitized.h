// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// SN_SANITIZED is 1 where a sanitizer looks on: it maps the whole address space, keeps what was
// freed, slows everything down, and writes its findings to stderr.
#ifndef SN_BASE_SANITIZED_H
#define SN_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SN_SANITIZED 1
#endif
#endif
#ifndef SN_SANITIZED
#define SN_SANITIZED 0
#endif

#endif
