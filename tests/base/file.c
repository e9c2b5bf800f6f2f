// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static char folder[64];

static int makeFolder(void** state)
{
    (void)state;
    strcpy(folder, "file-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int removeFolder(void** state)
{
    (void)state;
    return rmdir(folder);
}

// No temporary file is left: a folder with something in it cannot be removed.
static void assertFolderEmpty(void)
{
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
}

static const char* pathOf(const char* name)
{
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void writePlain(const char* path, const void* bytes, size_t count)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void assertHolds(const char* path, const void* expected, size_t expected_count)
{
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, SIZE_MAX, &bytes, &count, &why), why);
    assert_int_equal(count, expected_count);
    assert_memory_equal(bytes, expected, expected_count);
    assert_int_equal(bytes[count], 0);
    snHost_Release(NULL, bytes, count + 1);
}

static void testReads(void** state)
{
    (void)state;
    const char* path = pathOf("plain");
    static uint8_t content[200000];
    for (size_t i = 0; i < sizeof(content); ++i) {
        content[i] = (uint8_t)(i * 7 + i / 251);
    }
    static const size_t counts[] = {0, 1, 63, 64, 65, 4095, 4096, 200000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i) {
        writePlain(path, content, counts[i]);
        assertHolds(path, content, counts[i]);
    }
    remove(path);
}

static void testLimit(void** state)
{
    (void)state;
    const char* path = pathOf("limit");
    writePlain(path, "0123456789", 10);
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, 10, &bytes, &count, &why), why);
    snHost_Release(NULL, bytes, count + 1);
    assert_int_equal(snFile_Read(NULL, path, 9, &bytes, &count, &why), sn_errorFile);
    assert_null(bytes);
    assert_int_equal(count, 0);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, "limit of 9 bytes"));
    // a file that says it is empty and is not
    assert_int_equal(snFile_Read(NULL, "/dev/zero", 100000, &bytes, &count, &why), sn_errorFile);
    assert_null(bytes);
    remove(path);
}

static void testWhatCannotBeRead(void** state)
{
    (void)state;
    uint8_t* bytes;
    size_t count;
    snMessage why;
    const char* path = pathOf("absent");
    assert_int_equal(snFile_Read(NULL, path, 100, &bytes, &count, &why), sn_errorIo);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, strerror(ENOENT)));
    assert_non_null(strstr(why.text, "check the path"));
    assert_int_equal(snFile_Read(NULL, folder, 100, &bytes, &count, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "directory"));
    assert_null(bytes);
    assert_int_equal(snFile_Read(NULL, folder, 100, &bytes, &count, NULL), sn_errorIo);
}

static void* fillPipe(void* argument)
{
    FILE* pipe = fopen(argument, "wb");
    for (int i = 0; pipe && i < 300000; ++i) {
        fputc(i % 251, pipe);
    }
    return pipe && fclose(pipe) == 0 ? NULL : argument;
}

static void testReadsAPipe(void** state)
{
    (void)state;
    char path[256];
    strcpy(path, pathOf("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fillPipe, path), 0);
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, 1000000, &bytes, &count, &why), why);
    void* failed;
    pthread_join(thread, &failed);
    assert_null(failed);
    assert_int_equal(count, 300000);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(bytes[i], i % 251);
    }
    snHost_Release(NULL, bytes, count + 1);
    remove(path);
}

// Until Close the old file is there whole, and after it the new one.
static void testWritesAtOnce(void** state)
{
    (void)state;
    char path[256];
    strcpy(path, pathOf("target"));
    snMessage why;
    snFileWriter writer;
    for (int round = 0; round < 3; ++round) {
        assert_ok(snFileWriter_Open(&writer, path, &why), why);
        snFileWriter_Write(&writer, "ab", 2);
        snFileWriter_Write(&writer, NULL, 0);
        snFileWriter_Write(&writer, "cde", round == 0 ? 1 : 3);
        if (round == 0) {
            assert_int_not_equal(access(path, F_OK), 0);
        } else {
            assertHolds(path, "abcde", round == 1 ? 3 : 5);
        }
        assert_ok(snFileWriter_Close(&writer, &why), why);
        assertHolds(path, "abcde", round == 0 ? 3 : 5);
    }
    assert_int_equal(snFileWriter_Close(&writer, &why), sn_errorArgument);
    snFileWriter_Abort(&writer);
    assertHolds(path, "abcde", 5);
    remove(path);
}

static void testAbortLeavesNothing(void** state)
{
    (void)state;
    char path[256];
    strcpy(path, pathOf("aborted"));
    snMessage why;
    snFileWriter writers[3];
    writePlain(path, "old", 3);
    // several writers of one target do not meet
    for (int i = 0; i < 3; ++i) {
        assert_ok(snFileWriter_Open(&writers[i], path, &why), why);
        snFileWriter_Write(&writers[i], "new", (size_t)i + 1);
    }
    snFileWriter_Abort(&writers[0]);
    snFileWriter_Abort(&writers[0]);
    assertHolds(path, "old", 3);
    assert_ok(snFileWriter_Close(&writers[1], &why), why);
    assertHolds(path, "ne", 2);
    snFileWriter_Abort(&writers[2]);
    remove(path);
    assertFolderEmpty();
}

static void testWhatCannotBeWritten(void** state)
{
    (void)state;
    snMessage why;
    snFileWriter writer;
    char path[256];
    strcpy(path, pathOf("no/such/folder"));
    assert_int_equal(snFileWriter_Open(&writer, path, &why), sn_errorIo);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, strerror(ENOENT)));
    snFileWriter_Write(&writer, "a", 1);
    snFileWriter_Abort(&writer);
    assert_int_equal(snFileWriter_Open(&writer, folder, &why), sn_errorIo);
    assert_int_equal(snFileWriter_Open(&writer, "", &why), sn_errorArgument);
    static char longest[SN_PATH_SIZE + 1];
    memset(longest, 'a', SN_PATH_SIZE);
    assert_int_equal(snFileWriter_Open(&writer, longest, &why), sn_errorArgument);

    // the target turns into a directory while it is written
    strcpy(path, pathOf("becomes"));
    assert_ok(snFileWriter_Open(&writer, path, &why), why);
    snFileWriter_Write(&writer, "a", 1);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(snFileWriter_Close(&writer, &why), sn_errorIo);
    assert_int_equal(rmdir(path), 0);
    assertFolderEmpty();
}

static void* drainPipe(void* argument)
{
    FILE* pipe = fopen(argument, "rb");
    char got[8] = "";
    size_t count = pipe ? fread(got, 1, sizeof(got), pipe) : 0;
    if (pipe) {
        fclose(pipe);
    }
    return count == 3 && memcmp(got, "abc", 3) == 0 ? NULL : argument;
}

// What is no plain file is written and stays what it is. All of it lives in the test's own folder:
// a broken writer, run as root, must not be able to replace a device of the machine.
static void testPipesAndLinksStay(void** state)
{
    (void)state;
    char path[256];
    snMessage why;
    snFileWriter writer;
    struct stat info;
    strcpy(path, pathOf("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, drainPipe, path), 0);
    assert_ok(snFileWriter_Open(&writer, path, &why), why);
    // before Close: had it been replaced by a file, the reader would wait for ever
    assert_int_equal(writer.temp[0], 0);
    snFileWriter_Write(&writer, "abc", 3);
    assert_ok(snFileWriter_Close(&writer, &why), why);
    void* failed;
    pthread_join(thread, &failed);
    assert_null(failed);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    remove(path);

    char target[256];
    strcpy(target, pathOf("target"));
    strcpy(path, pathOf("link"));
    assert_int_equal(symlink("target", path), 0);
    assert_ok(snFileWriter_Open(&writer, path, &why), why);
    snFileWriter_Write(&writer, "abc", 3);
    assert_ok(snFileWriter_Close(&writer, &why), why);
    assertHolds(target, "abc", 3);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    remove(path);
    remove(target);
    assertFolderEmpty();
}

// A full disk is an error at Close, also when all still fitted in the buffer.
static void testFullDisk(void** state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    char path[256];
    strcpy(path, pathOf("full"));
    assert_int_equal(symlink("/dev/full", path), 0);
    static uint8_t bytes[100000];
    static const size_t counts[] = {10, sizeof(bytes)};
    for (int i = 0; i < 2; ++i) {
        snMessage why;
        snFileWriter writer;
        assert_ok(snFileWriter_Open(&writer, path, &why), why);
        snFileWriter_Write(&writer, bytes, counts[i]);
        snFileWriter_Write(&writer, bytes, counts[i]);
        assert_int_equal(snFileWriter_Close(&writer, &why), sn_errorIo);
        assert_non_null(strstr(why.text, strerror(ENOSPC)));
    }
    remove(path);
    assertFolderEmpty();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testReads),
        cmocka_unit_test(testLimit),
        cmocka_unit_test(testWhatCannotBeRead),
        cmocka_unit_test(testReadsAPipe),
        cmocka_unit_test(testWritesAtOnce),
        cmocka_unit_test(testAbortLeavesNothing),
        cmocka_unit_test(testWhatCannotBeWritten),
        cmocka_unit_test(testPipesAndLinksStay),
        cmocka_unit_test(testFullDisk),
    };
    return cmocka_run_group_tests(tests, makeFolder, removeFolder);
}
