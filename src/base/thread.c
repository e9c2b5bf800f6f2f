// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sysconf, pthread_sigmask
#define _POSIX_C_SOURCE 200809L

#include "base/thread.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void*), "a lock is a pointer");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(void*), "a condition is a pointer");

static unsigned __stdcall begin(void* argument)
{
    const snThread* thread = argument;
    thread->run(thread->argument);
    return 0;
}

bool snThread_Start(snThread* thread, snThreadFcn* run, void* argument)
{
    thread->run = run;
    thread->argument = argument;
    thread->handle = (void*)_beginthreadex(NULL, 0, begin, thread, 0, NULL);
    return thread->handle != NULL;
}

void snThread_Join(snThread* thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

uintptr_t snThread_Self(void)
{
    return GetCurrentThreadId();
}

int snThread_CoreCount(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (int)info.dwNumberOfProcessors;
}

void snMutex_Init(snMutex* mutex)
{
    InitializeSRWLock((SRWLOCK*)&mutex->state);
}

void snMutex_Free(snMutex* mutex)
{
    (void)mutex;
}

void snMutex_Lock(snMutex* mutex)
{
    AcquireSRWLockExclusive((SRWLOCK*)&mutex->state);
}

void snMutex_Unlock(snMutex* mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK*)&mutex->state);
}

void snCondition_Init(snCondition* condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE*)&condition->state);
}

void snCondition_Free(snCondition* condition)
{
    (void)condition;
}

void snCondition_Wait(snCondition* condition, snMutex* mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE*)&condition->state, (SRWLOCK*)&mutex->state,
                              INFINITE, 0);
}

void snCondition_Signal(snCondition* condition)
{
    WakeConditionVariable((CONDITION_VARIABLE*)&condition->state);
}

void snCondition_Broadcast(snCondition* condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE*)&condition->state);
}

#elif defined(__wasm__)

bool snThread_Start(snThread* thread, snThreadFcn* run, void* argument)
{
    thread->run = run;
    thread->argument = argument;
    return false;
}

void snThread_Join(snThread* thread)
{
    (void)thread;
}

uintptr_t snThread_Self(void)
{
    return 1;
}

int snThread_CoreCount(void)
{
    return 1;
}

void snMutex_Init(snMutex* mutex)
{
    mutex->state = 0;
}

void snMutex_Free(snMutex* mutex)
{
    (void)mutex;
}

void snMutex_Lock(snMutex* mutex)
{
    (void)mutex;
}

void snMutex_Unlock(snMutex* mutex)
{
    (void)mutex;
}

void snCondition_Init(snCondition* condition)
{
    condition->state = 0;
}

void snCondition_Free(snCondition* condition)
{
    (void)condition;
}

void snCondition_Wait(snCondition* condition, snMutex* mutex)
{
    (void)condition;
    (void)mutex;
}

void snCondition_Signal(snCondition* condition)
{
    (void)condition;
}

void snCondition_Broadcast(snCondition* condition)
{
    (void)condition;
}

#else

#include <signal.h>
#include <unistd.h>

static void* begin(void* argument)
{
    const snThread* thread = argument;
    thread->run(thread->argument);
    return NULL;
}

bool snThread_Start(snThread* thread, snThreadFcn* run, void* argument)
{
    sigset_t all, before;
    thread->run = run;
    thread->argument = argument;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread->handle, NULL, begin, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

void snThread_Join(snThread* thread)
{
    pthread_join(thread->handle, NULL);
}

uintptr_t snThread_Self(void)
{
    return (uintptr_t)pthread_self();
}

int snThread_CoreCount(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (int)cores;
}

void snMutex_Init(snMutex* mutex)
{
    pthread_mutex_init(&mutex->state, NULL);
}

void snMutex_Free(snMutex* mutex)
{
    pthread_mutex_destroy(&mutex->state);
}

void snMutex_Lock(snMutex* mutex)
{
    pthread_mutex_lock(&mutex->state);
}

void snMutex_Unlock(snMutex* mutex)
{
    pthread_mutex_unlock(&mutex->state);
}

void snCondition_Init(snCondition* condition)
{
    pthread_cond_init(&condition->state, NULL);
}

void snCondition_Free(snCondition* condition)
{
    pthread_cond_destroy(&condition->state);
}

void snCondition_Wait(snCondition* condition, snMutex* mutex)
{
    pthread_cond_wait(&condition->state, &mutex->state);
}

void snCondition_Signal(snCondition* condition)
{
    pthread_cond_signal(&condition->state);
}

void snCondition_Broadcast(snCondition* condition)
{
    pthread_cond_broadcast(&condition->state);
}

#endif
