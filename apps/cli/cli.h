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
} Command;

extern const Command RUN_COMMAND, RENDER_COMMAND, INFO_COMMAND, CHECK_COMMAND, BENCH_COMMAND;

// One option of a command: `--name VALUE`, or `--name` alone when value is NULL and flag is not.
typedef struct Option {
    const char* name;   // with its dashes
    const char** value; // gets the text that follows
    bool* flag;         // or is set
} Option;

// Sorts argv into options (in any order) and at most `most` plain words. Returns their number, or
// -1 after saying on stderr what is wrong.
int parseArguments(const Command* command, int argc, char** argv, const Option* options,
                   const char** words, int most);

// Prints "sinew: ..." on stderr and returns the code.
int complain(int code, const char* format, ...);

// A number in [low, high] from text; complains and returns false otherwise.
bool readNumber(const char* option, const char* text, double low, double high, double* value);

// The exit code that fits a failed call.
int exitCode(snStatus status);

// A built-in scene, a scene file, or a mesh file as a body that is dropped, which alone takes the
// options (NULL = none). Complains and returns an exit code when it is none of them.
int openScene(const snHost* host, const char* name, const BodyOptions* body, snScene** scene);

// Lines with names and what they are.
void listScenes(FILE* out);
void listCharacters(FILE* out);
void listSkeletons(FILE* out);

// Fills the host from --threads and --isa texts (NULL = default). False after complaining.
bool readHost(const char* threads, const char* isa, snHost* host);

#endif
