// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the commands of the tool share.
#ifndef SINEW_APPS_CLI_H
#define SINEW_APPS_CLI_H

#include "cli/body.h"

#include <stdio.h>

// Exit codes.
enum {
    EXIT_DONE = 0,
    EXIT_RUN_FAILED = 1, // the work failed half-way
    EXIT_BAD_CALL = 2,   // the call or a file is wrong
};

// One command.
typedef struct Command {
    const char* name;
    const char* usage; // after the name
    const char* about; // one line
    const char* help;  // options and examples
    int (*run)(int argc, char** argv);
    void (*more)(FILE* out); // prints the rest of the help; NULL = that was all
} Command;

extern const Command RUN_COMMAND, RENDER_COMMAND, RIG_COMMAND, BAKE_COMMAND, INFO_COMMAND,
    CHECK_COMMAND, DESCRIBE_COMMAND, BENCH_COMMAND;

// Values of an option that may be given several times.
#define MOST_WORDS 100
typedef struct Words {
    int32_t count;
    const char* at[MOST_WORDS];
} Words;

// One option of a command: `--name VALUE` or `--name=VALUE`, or `--name` alone.
typedef struct Option {
    const char* name;   // with its dashes
    const char** value; // gets the text that follows
    bool* flag;         // or is set
    Words* words;       // or gets another one
} Option;

// Sorts argv into options (in any order) and at most `most` plain words. Returns their number, or
// -1 after saying on stderr what is wrong.
int parseArguments(const Command* command, int argc, char** argv, const Option* options,
                   const char** words, int most);

// Prints "sinew: ..." on stderr and returns the code.
int complain(int code, const char* format, ...);

// What it printed last, without "sinew: ".
const char* lastComplaint(void);

// A number in [low, high] from text; complains and returns false otherwise.
bool readNumber(const char* option, const char* text, double low, double high, double* value);

// A number in three digits, or more for large ones, but never with an exponent above 1.
const char* shortNumber(double value, char out[24]);

// The exit code that fits a failed call.
int exitCode(snStatus status);

// Could it be a scene file, or a built-in scene, by its extension or for want of one?
bool isSceneName(const char* name);

// A built-in scene, a scene file, or a mesh file as a body that is dropped, which alone takes the
// options (NULL = none). Complains and returns an exit code when it is none of them.
int openScene(const snHost* host, const char* name, const BodyOptions* body, snScene** scene);

// Lines with names and what they are.
void listScenes(FILE* out);
void listCharacters(FILE* out);
void listSkeletons(FILE* out);

// A host's log: warnings go to stderr.
void printWarning(void* user, snLogLevel level, const char* text);

// A host with the importers that the tool is linked with, otherwise as snHost_Init fills it.
snHost toolHost(void);

// Fills the host from --threads and --isa texts (NULL = default). False after complaining.
bool readHost(const char* threads, const char* isa, snHost* host);

#endif
