// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/body.h"

#include "cli/cli.h"
#include "cli/remarks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST 0.1    // m; files with smaller or larger bodies are mostly not in metres
#define LARGEST 3.0     // m
#define USUAL_SIZE 1.0  // m; what such bodies are scaled to
#define USUAL_DROP 0.3  // height of the fall as part of the size
#define NAME_BYTES 256u // of a character's name, the final 0 included

// Young's modulus over density, gravity and size: an upright body then sags by 1 / (2 x 12), 4 %,
// under its own weight, whatever its size. A fixed modulus would let large bodies collapse.
#define USUAL_STIFFNESS 12.0

// The last dot of the file's name, or its end.
static const char* extensionOf(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : path + strlen(path);
}

const char* givenMeshOption(const BodyOptions* o)
{
    return o->cells     ? "--cells"
           : o->young   ? "--young"
           : o->density ? "--density"
           : o->size    ? "--size"
                        : NULL;
}

// The numbers of the options over the defaults.
typedef struct BodyWish {
    snCharacterDef def;
    bool young;    // was given
    bool tets;     // the file has cells of its own
    bool odd;      // there is something to say about it
    double size;   // m; 0 = as in the file, when that is sensible
    double height; // m; negative = a part of the size
    char name[NAME_BYTES];
} BodyWish;

// The file's name without folder and extension.
static void nameBody(const char* path, BodyWish* wish)
{
    const char* slash = strrchr(path, '/');
    const char* base = slash ? slash + 1 : path;
    size_t length = (size_t)(extensionOf(path) - base);
    length = length < sizeof wish->name ? length : sizeof wish->name - 1;
    memcpy(wish->name, length ? base : "body", length ? length : 5);
    wish->name[length ? length : 4] = 0;
    wish->def.name = wish->name;
}

static bool readWish(const char* path, const BodyOptions* o, BodyWish* wish)
{
    static const BodyOptions NONE = {0};
    snCharacterDef_Init(&wish->def);
    nameBody(path, wish);
    wish->young = o && o->young;
    wish->tets = wish->odd = false;
    wish->size = 0;
    wish->height = -1;
    o = o ? o : &NONE;
    double cells = wish->def.cells;
    if ((o->cells && !readNumber("--cells", o->cells, 1, 1e7, &cells)) ||
        (o->young && !readNumber("--young", o->young, 1, 1e10, &wish->def.material.young)) ||
        (o->density && !readNumber("--density", o->density, 1, 1e5, &wish->def.material.density)) ||
        (o->size && !readNumber("--size", o->size, 1e-3, 1e3, &wish->size)) ||
        (o->height && !readNumber("--height", o->height, 0, 1e3, &wish->height))) {
        return false;
    }
    wish->def.cells = (int32_t)cells;
    return true;
}

typedef struct Box {
    double low[3], high[3];
} Box;

// Around the vertices that triangles use.
static Box boxOf(const snFleshInfo* flesh)
{
    Box b = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (size_t i = 0; i < 3 * (size_t)flesh->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = flesh->vertices[3 * (size_t)flesh->triangles[i] + (size_t)k];
            b.low[k] = fmin(b.low[k], x);
            b.high[k] = fmax(b.high[k], x);
        }
    }
    return b;
}

static double sizeOf(const Box* b)
{
    return fmax(fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
}

static double* scaled(const double* points, int32_t count, double scale)
{
    size_t total = 3 * (size_t)count;
    double* out = malloc((total + 1) * sizeof *out);
    for (size_t i = 0; out && i < total; ++i) {
        out[i] = scale * points[i];
    }
    return out;
}

// The same body at its final size and stiffness in place of the given one.
static snStatus rebuildBody(const snHost* host, const BodyWish* wish, double scale, double size,
                            snCharacter** character, snMessage* why)
{
    const snFleshInfo* flesh = snCharacter_Flesh(*character);
    double* vertices = scaled(flesh->vertices, flesh->vertex_count, scale);
    double* nodes = scaled(flesh->nodes, flesh->node_count, scale);
    if (!vertices || !nodes) {
        free(vertices);
        free(nodes);
        snprintf(why->text, sizeof why->text, "no memory for %d vertices",
                 (int)flesh->vertex_count);
        return sn_errorMemory;
    }
    snCharacterDef def = wish->def;
    if (!wish->young) {
        def.material.young =
            fmin(fmax(USUAL_STIFFNESS * def.material.density * SN_GRAVITY * size, 1), 1e10);
    }
    def.vertex_count = flesh->vertex_count;
    def.triangle_count = flesh->triangle_count;
    def.vertices = vertices;
    def.triangles = flesh->triangles;
    if (wish->tets) {
        def.node_count = flesh->node_count;
        def.cell_count = flesh->cell_count;
        def.nodes = nodes;
        def.tets = flesh->cells;
    }
    snCharacter* rebuilt = NULL;
    snStatus status = snCharacter_Build(host, &def, &rebuilt, why);
    free(vertices);
    free(nodes);
    if (!status) {
        snCharacter_Release(*character);
        *character = rebuilt;
    }
    return status;
}

// Looks into the file: does it bring its own cells, is there something to say about it?
static int inspect(const snHost* host, const char* path, const BodyOptions* o, BodyWish* wish)
{
    snMessage why;
    snMeshFacts facts;
    snStatus status = snMeshFacts_Read(host, path, &facts, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    wish->tets = facts.tet_count > 0;
    if (wish->tets && o && o->cells) {
        return complain(EXIT_BAD_CALL, "--cells is for surfaces; %s has %d tet%s of its own", path,
                        (int)facts.tet_count, plural(facts.tet_count));
    }
    wish->odd = printRemarks(NULL, &facts) > 0;
    return EXIT_DONE;
}

// Loads the body at the size that is wanted.
static int loadBody(const snHost* host, const char* path, const BodyWish* wish, bool quiet,
                    snCharacter** character)
{
    snMessage why;
    snStatus status = snCharacter_Load(host, path, &wish->def, character, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    Box box = boxOf(snCharacter_Flesh(*character));
    double size = sizeOf(&box), wanted = wish->size;
    if (wanted == 0) {
        wanted = size < SMALLEST || size > LARGEST ? USUAL_SIZE : size;
    }
    if (wanted == size && wish->young) {
        return EXIT_DONE;
    }
    status = rebuildBody(host, wish, wanted / size, wanted, character, &why);
    if (status) {
        return complain(exitCode(status), "%s: %s", path, why.text);
    }
    if (!quiet && wanted != size) {
        printf("%s: scaled by %.4g from %.4g to %.4g m%s\n", path, wanted / size, size, wanted,
               wish->size > 0 ? "" : "; 'sinew run --size M' chooses another size");
    }
    return EXIT_DONE;
}

static snStatus dropBody(const snHost* host, snCharacter* character, double height, snScene** scene,
                         snMessage* why)
{
    snSceneDef def;
    snStart start;
    Box box = boxOf(snCharacter_Flesh(character));
    snSceneDef_Init(&def);
    snStart_Init(&start);
    def.ground = 1;
    start.pose.p = (snVec3){-0.5 * (box.low[0] + box.high[0]),
                            (height < 0 ? USUAL_DROP * sizeOf(&box) : height) - box.low[1],
                            -0.5 * (box.low[2] + box.high[2])};
    snStatus status = snScene_Create(host, &def, scene, why);
    return status ? status : snScene_Add(*scene, character, &start, NULL, why);
}

// A root on a joint of another kind is held where it is, so it stands on the ground.
static double dropHeight(const snCharacter* character, double height)
{
    const snBoneDef* root = snSkeleton_Bone(snCharacter_Skeleton(character), 0);
    return height < 0 && root && root->joint != sn_jointFree ? 0 : height;
}

// Takes the character, which may be NULL when it failed.
static int dropCharacter(const snHost* host, const char* name, snCharacter* character,
                         snStatus status, snMessage* why, const BodyOptions* options,
                         snScene** scene)
{
    BodyWish wish;
    if (!readWish(name, options, &wish)) {
        snCharacter_Release(character);
        return EXIT_BAD_CALL;
    }
    if (!status && !snCharacter_Flesh(character)) {
        snCharacter_Release(character);
        return complain(EXIT_BAD_CALL, "'%s' has bones and no flesh to drop", name);
    }
    if (!status) {
        status = dropBody(host, character, dropHeight(character, wish.height), scene, why);
    }
    snCharacter_Release(character);
    return status ? complain(exitCode(status), "%s", why->text) : EXIT_DONE;
}

int openCharacter(const snHost* host, const snBuiltinCharacter* builtin, const BodyOptions* options,
                  snScene** scene)
{
    snMessage why;
    snCharacter* character = NULL;
    snStatus status = builtin->make(host, &character, &why);
    return dropCharacter(host, builtin->name, character, status, &why, options, scene);
}

int openSavedCharacter(const snHost* host, const char* path, const BodyOptions* options,
                       snScene** scene)
{
    snMessage why;
    snCharacter* character = NULL;
    snStatus status = snCharacter_Load(host, path, NULL, &character, &why);
    return dropCharacter(host, path, character, status, &why, options, scene);
}

int openBody(const snHost* host, const char* path, const BodyOptions* options, snScene** scene)
{
    snMessage why;
    BodyWish wish;
    snCharacter* character = NULL;
    if (!readWish(path, options, &wish)) {
        return EXIT_BAD_CALL;
    }
    int code = inspect(host, path, options, &wish);
    code = code ? code : loadBody(host, path, &wish, options && options->quiet, &character);
    if (!code && wish.odd && options && !options->quiet) {
        printf("%s: not all is as it should be; 'sinew check %s' says what\n", path, path);
    }
    if (!code) {
        snStatus status = dropBody(host, character, wish.height, scene, &why);
        code = status ? complain(exitCode(status), "%s: %s", path, why.text) : EXIT_DONE;
    }
    snCharacter_Release(character);
    return code;
}
