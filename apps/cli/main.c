// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew: the command line tool.
#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "cli/cli.h"
#include "cli/clip.h"
#include "cli/kind.h"
#include "cli/progress.h"
#include "cli/rig_facts.h"
#include "cli/saved.h"
#include "cli/setting.h"

#include <errno.h>
#include <math.h>
#include <sinew/import.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const Command* const COMMANDS[] = {&BAKE_COMMAND,     &RIG_COMMAND,   &RUN_COMMAND,
                                          &RENDER_COMMAND,   &INFO_COMMAND,  &CHECK_COMMAND,
                                          &DESCRIBE_COMMAND, &BENCH_COMMAND, NULL};

static char complaint[640];

int complain(int code, const char* format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    fprintf(stderr, "sinew: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    vsnprintf(complaint, sizeof complaint, format, again);
    va_end(again);
    va_end(list);
    return code;
}

const char* lastComplaint(void)
{
    return complaint;
}

int exitCode(snStatus status)
{
    bool run =
        status == sn_errorNumeric || status == sn_errorInterrupted || status == sn_errorMemory;
    return status == sn_ok ? EXIT_DONE : run ? EXIT_RUN_FAILED : EXIT_BAD_CALL;
}

bool readNumber(const char* option, const char* text, double low, double high, double* value)
{
    char* end;
    *value = strtod(text, &end);
    if (end == text || *end || !(*value >= low && *value <= high)) {
        complain(EXIT_BAD_CALL, "%s takes a number in %g..%g, found '%s'", option, low, high, text);
        return false;
    }
    return true;
}

const char* shortNumber(double value, char out[24])
{
    snprintf(out, 24, fabs(value) >= 99.5 && fabs(value) < 1e15 ? "%.0f" : "%.3g", value);
    return out;
}

static void printHelp(const Command* c)
{
    printf("sinew %s %s\n\n%s\n\n%s", c->name, c->usage, c->about, c->help);
    if (c->more) {
        c->more(stdout);
    }
}

#define LONGEST 32 // mistyped options that are compared

// Letters to change, add, drop or exchange with their neighbour to get from one word to the other
static size_t typosBetween(const char* a, const char* b)
{
    size_t rows[3][LONGEST + 1], m = strlen(a), n = strlen(b);
    for (size_t i = 0; i <= m; ++i) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; ++j) {
            if (i == 0) {
                row[j] = j;
                continue;
            }
            size_t least = above[j - 1] + (a[i - 1] != b[j - 1]);
            least = above[j] + 1 < least ? above[j] + 1 : least;
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row[j] = swapped && second[j - 2] + 1 < least ? second[j - 2] + 1 : least;
        }
    }
    return rows[m % 3][n];
}

// The option that a mistyped one is most like, or begins; NULL when there is none.
static const char* nearestOption(const Option* options, const char* word)
{
    const char* best = NULL;
    size_t length = strlen(word), least = length / 4 + 1;
    for (const Option* o = options; o->name && length < LONGEST; ++o) {
        bool begun = length >= 4 && strncmp(o->name, word, length) == 0;
        size_t typos = begun ? 0 : strlen(o->name) < LONGEST ? typosBetween(word, o->name) : least;
        if (typos < least && length > 3) {
            least = typos;
            best = o->name;
        }
    }
    return best;
}

// Takes a value that was found; false after complaining that there are too many.
static bool takeValue(const Option* option, const char* text)
{
    if (!option->words) {
        *option->value = text;
        return true;
    }
    if (option->words->count == MOST_WORDS) {
        complain(EXIT_BAD_CALL, "%s is given more than %d times", option->name, MOST_WORDS);
        return false;
    }
    option->words->at[option->words->count++] = text;
    return true;
}

static const Option* findOption(const Option* options, const char* word, size_t length)
{
    const Option* o = options;
    while (o->name && (strlen(o->name) != length || strncmp(o->name, word, length) != 0)) {
        ++o;
    }
    return o->name ? o : NULL;
}

// Takes --name, --name VALUE or --name=VALUE at argv[*i]; false after complaining.
static bool takeOption(const Command* command, int argc, char** argv, const Option* options, int* i)
{
    const char *word = argv[*i], *equals = strchr(word, '=');
    char name[LONGEST + 1];
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const Option* o = findOption(options, word, length);
    if (!o) {
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (findOption(options, "--set", 5) && isSetting(name + 2)) {
            complain(EXIT_BAD_CALL, "'%s' is a setting of a method: write --set %s=VALUE", name + 2,
                     name + 2);
            return false;
        }
        const char* near = nearestOption(options, name);
        complain(EXIT_BAD_CALL, "there is no option '%.*s'; %s%s%ssee 'sinew %s --help'",
                 (int)length, word, near ? "did you mean " : "", near ? near : "",
                 near ? "? Or " : "", command->name);
        return false;
    }
    if (o->flag && equals) {
        complain(EXIT_BAD_CALL, "%s takes no value, found '%s'", o->name, word);
        return false;
    }
    if (o->flag) {
        *o->flag = true;
        return true;
    }
    if (equals) {
        return takeValue(o, equals + 1);
    }
    if (*i + 1 == argc || findOption(options, argv[*i + 1], strlen(argv[*i + 1]))) {
        complain(EXIT_BAD_CALL, "%s needs a value; see 'sinew %s --help'", word, command->name);
        return false;
    }
    return takeValue(o, argv[++*i]);
}

int parseArguments(const Command* command, int argc, char** argv, const Option* options,
                   const char** words, int most)
{
    int count = 0;
    for (int i = 0; i < argc; ++i) {
        if (argv[i][0] == '-' && argv[i][1]) {
            if (!takeOption(command, argc, argv, options, &i)) {
                return -1;
            }
        } else if (count == most) {
            return complain(-1, "one word too many: '%s'; see 'sinew %s --help'", argv[i],
                            command->name);
        } else {
            words[count++] = argv[i];
        }
    }
    return count;
}

static void listOne(FILE* out, const char* name, const char* about)
{
    fprintf(out, "  %-18s %s\n", name, about);
}

void listScenes(FILE* out)
{
    for (const snBuiltinScene* s = snBuiltinScenes(); s->name; ++s) {
        listOne(out, s->name, s->about);
    }
}

void listCharacters(FILE* out)
{
    for (const snBuiltinCharacter* c = snBuiltinCharacters(); c->name; ++c) {
        listOne(out, c->name, c->about);
    }
}

void listSkeletons(FILE* out)
{
    for (const snBuiltinSkeleton* s = snBuiltinSkeletons(); s->name; ++s) {
        listOne(out, s->name, s->about);
    }
}

// A name that is no scene.
static int complainScene(const char* name)
{
    if (snBuiltinSkeleton_Find(name)) {
        complain(EXIT_BAD_CALL,
                 "'%s' is a skeleton, not a scene; 'sinew info %s' shows it. Scenes are:", name,
                 name);
    } else {
        complain(EXIT_BAD_CALL, "there is no scene '%s'; give a scene file or one of:", name);
    }
    listScenes(stderr);
    return EXIT_BAD_CALL;
}

// A file that nothing is read from.
static int complainKind(const char* name)
{
    FileList scenes, surfaces, tets, characters, rigs, animations, motion;
    return complain(EXIT_BAD_CALL,
                    "'%s' is of no kind that is read: scenes are %s, surfaces %s, tets %s, saved "
                    "characters %s, rigs %s, animations %s, motion %s",
                    name, listFilesOf(sn_fileScene, scenes), listFilesOf(sn_fileSurface, surfaces),
                    listFilesOf(sn_fileTets, tets), listFilesOf(sn_fileCharacter, characters),
                    listFilesOf(sn_fileRig, rigs), listFilesOf(sn_fileFrames, animations),
                    listFilesOf(sn_fileMotion, motion));
}

// Anything with another extension was surely meant for something else.
bool isSceneName(const char* name)
{
    const char* slash = strrchr(name, '/');
    return isFileOf(name, sn_fileScene) || !strchr(slash ? slash : name, '.');
}

static int findScene(const snHost* host, const char* name, const BodyOptions* body, snScene** scene)
{
    snMessage why;
    const snBuiltinScene* builtin = snBuiltinScene_Find(name);
    const snBuiltinCharacter* character = builtin ? NULL : snBuiltinCharacter_Find(name);
    bool mesh = !builtin && isFileOf(name, MESH_FILES),
         saved = !builtin && isFileOf(name, sn_fileCharacter);
    const char* option = body ? givenMeshOption(body) : NULL;
    FileList surfaces;
    if (!mesh && (option || (body && body->height && !character && !saved))) {
        return complain(EXIT_BAD_CALL,
                        "%s is for surface files and tet meshes%s, which '%s' is not",
                        option ? option : "--height", option ? "" : " and characters", name);
    }
    if (character) {
        return openCharacter(host, character, body, scene);
    }
    if (builtin) {
        snStatus status = builtin->make(host, scene, &why);
        return status ? complain(exitCode(status), "%s: %s", name, why.text) : EXIT_DONE;
    }
    FILE* file = fopen(name, "rb");
    if (!file && strpbrk(name, "/.")) {
        return complain(EXIT_BAD_CALL, "cannot open '%s': %s; check the path", name,
                        strerror(errno));
    }
    if (!file) {
        return complainScene(name);
    }
    fclose(file);
    if (mesh) {
        return openBody(host, name, body, scene);
    }
    if (saved) {
        return openSavedCharacter(host, name, body, scene);
    }
    if (isFileOf(name, sn_fileRig)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' is a rig: 'sinew bake %s -o OUT.glb' gives it flesh in its clips, "
                        "'sinew render' shows them. To drop its body, save it as a surface (%s)",
                        name, name, listFilesOf(sn_fileSurface, surfaces));
    }
    if (isFileOf(name, sn_fileBody)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' is a saved body, which programs play (snBody_Load); 'sinew info' "
                        "shows what is in it, and this takes the rig that it was made of",
                        name);
    }
    if (!isSceneName(name)) {
        return complainKind(name);
    }
    snStatus status = snScene_Load(host, name, snBuiltinLibrary(), scene, &why);
    if (status && holdsControls(name)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' holds the controls of a body, and no scene: 'sinew bake RIG --body "
                        "%s' uses them",
                        name, name);
    }
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

int openScene(const snHost* host, const char* name, const BodyOptions* body, snScene** scene)
{
    Progress progress = startProgress(body && body->quiet);
    showBuilding(&progress, name);
    int code = findScene(host, name, body, scene);
    endProgress(&progress);
    code = code || !body || !body->method ? code : applyMethod(body->method, *scene);
    bool clip = body && body->clip;
    return !code && clip ? playClip(host, *scene, body->clip, body->quiet) : code;
}

void printWarning(void* user, snLogLevel level, const char* text)
{
    (void)user;
    if (level >= sn_logWarning) {
        complain(0, "warning: %s", text);
    }
}

snHost toolHost(void)
{
    snHost host;
    snHost_Init(&host);
    snImport_Register(&host);
    return host;
}

bool readHost(const char* threads, const char* isa, snHost* host)
{
    static const char* const ISAS[] = {"auto", "baseline", "avx2", "avx512"};
    double count = 0;
    *host = toolHost();
    if (threads && !readNumber("--threads", threads, 1, 64, &count)) {
        return false;
    }
    host->thread_count = (int32_t)count;
    if (host->thread_count != count) {
        complain(EXIT_BAD_CALL, "--threads takes a whole number, found '%s'", threads);
        return false;
    }
    const char* from = isa ? "--isa" : "SINEW_ISA";
    isa = isa ? isa : getenv("SINEW_ISA");
    isa = isa && isa[0] ? isa : NULL;
    for (int32_t i = 0; isa && i < 4; ++i) {
        if (strcmp(isa, ISAS[i]) == 0) {
            host->isa = i;
            return true;
        }
    }
    if (isa) {
        complain(EXIT_BAD_CALL, "%s takes auto, baseline, avx2 or avx512, found '%s'", from, isa);
    }
    return !isa;
}

static void printUsage(FILE* out)
{
    fprintf(out, "Sinew gives a rigged character a body.\n\nusage: sinew COMMAND ...\n\n");
    for (int i = 0; COMMANDS[i]; ++i) {
        fprintf(out, "  sinew %-8s %-25s %s\n", COMMANDS[i]->name, COMMANDS[i]->usage,
                COMMANDS[i]->about);
    }
    fprintf(out, "\n  sinew COMMAND --help says more; sinew --version prints the version.\n"
                 "\nbuilt-in scenes:\n");
    listScenes(out);
    fprintf(out, "\nbuilt-in characters and skeletons: see sinew info\n");
    fprintf(out, "\nexit codes: 0 done, 1 the run failed, 2 the call or a file is wrong\n");
}

static bool isHelp(const char* word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// Output that could not be written is no success.
static int finish(int code)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    return lost && code == EXIT_DONE
               ? complain(EXIT_RUN_FAILED, "cannot write to the standard output; is the disk full?")
               : code;
}

static int complainCommand(const char* name)
{
    const char* near = NULL;
    size_t least = strlen(name) < LONGEST ? 3 : 0;
    for (int i = 0; COMMANDS[i]; ++i) {
        size_t typos = least > 0 ? typosBetween(name, COMMANDS[i]->name) : 0;
        near = typos < least ? COMMANDS[i]->name : near;
        least = typos < least ? typos : least;
    }
    return complain(EXIT_BAD_CALL, "there is no command '%s'; %s%s%s'sinew --help' lists them",
                    name, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        printUsage(stderr);
        return EXIT_BAD_CALL;
    }
    if (isHelp(argv[1]) || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        printUsage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        uint32_t v = snVersion();
        printf("sinew %u.%u.%u\n", v / 10000, v / 100 % 100, v % 100);
        return EXIT_DONE;
    }
    bool help = strcmp(argv[1], "help") == 0;
    const char* name = help ? argv[2] : argv[1];
    for (int i = 0; COMMANDS[i]; ++i) {
        if (strcmp(name, COMMANDS[i]->name) == 0) {
            for (int k = 2; k < argc; ++k) {
                help = help || isHelp(argv[k]);
            }
            if (help) {
                printHelp(COMMANDS[i]);
                return EXIT_DONE;
            }
            return finish(COMMANDS[i]->run(argc - 2, argv + 2));
        }
    }
    return complainCommand(name);
}
