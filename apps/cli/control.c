// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/control.h"

#include <stdio.h>
#include <string.h>

static void addOption(Option* options, int* count, Option option)
{
    if (*count + 1 < MOST_OPTIONS) {
        options[(*count)++] = option;
    }
}

void addControls(ControlOptions* controls, Option* options)
{
    int count = 0;
    while (options[count].name) {
        ++count;
    }
    const snBodyControl* c = snBodyControls();
    for (int i = 0; c[i].name && i < MOST_CONTROLS; ++i) {
        snprintf(controls->names[i], sizeof controls->names[i], "--%s", c[i].name);
        addOption(options, &count,
                  (Option){.name = controls->names[i], .value = &controls->texts[i]});
    }
    addOption(options, &count, (Option){.name = "--quality", .value = &controls->quality});
    addOption(options, &count, (Option){.name = "--paint", .value = &controls->paint});
    addOption(options, &count, (Option){.name = "--soft", .words = &controls->soft});
    addOption(options, &count, (Option){.name = "--rigid", .words = &controls->rigid});
}

const snBodyControl* findControl(const char* name)
{
    const snBodyControl* c = snBodyControls();
    while (c->name && strcmp(c->name, name) != 0) {
        ++c;
    }
    return c;
}

const char* givenControl(const ControlOptions* controls, const char* name)
{
    return controls->texts[findControl(name) - snBodyControls()];
}

// Ends of the range of --shape have names.
static const char* shapeNumber(const snBodyControl* c, const char* text)
{
    bool shape = strcmp(c->name, "shape") == 0;
    return shape && strcmp(text, "skinned") == 0   ? "0"
           : shape && strcmp(text, "elastic") == 0 ? "1"
                                                   : text;
}

static int readQuality(const char* text, snBodyDef* def)
{
    for (int32_t i = 0; snQuality_Name(i); ++i) {
        if (strcmp(snQuality_Name(i), text) == 0) {
            def->quality = i;
            return EXIT_DONE;
        }
    }
    return complain(EXIT_BAD_CALL, "--quality takes draft, normal or fine, found '%s'", text);
}

int readControls(const ControlOptions* controls, snBodyDef* def)
{
    const snBodyControl* c = snBodyControls();
    for (int i = 0; c[i].name && i < MOST_CONTROLS; ++i) {
        if (controls->texts[i] &&
            !readNumber(controls->names[i], shapeNumber(&c[i], controls->texts[i]), c[i].low,
                        c[i].high, snBodyDef_Number(def, &c[i]))) {
            return EXIT_BAD_CALL;
        }
    }
    if (controls->soft.count > 0) {
        def->soft = controls->soft.at;
        def->soft_count = controls->soft.count;
    }
    if (controls->rigid.count > 0) {
        def->rigid = controls->rigid.at;
        def->rigid_count = controls->rigid.count;
    }
    def->paint = controls->paint ? controls->paint : def->paint;
    return controls->quality ? readQuality(controls->quality, def) : EXIT_DONE;
}

void printControls(FILE* out)
{
    fprintf(out, "What the flesh is like (docs/tuning.md shows each):\n");
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        char name[40];
        bool known = c->usual >= c->low && c->usual <= c->high;
        snprintf(name, sizeof name, "--%s %s", c->name, c->unit[0] ? c->unit : "X");
        fprintf(out, "  %-17s %s;\n%20s%g..%g%s%s", name, c->about, "", c->low, c->high,
                c->unit[0] ? " " : "", c->unit);
        if (known) {
            fprintf(out, ", otherwise %g", c->usual);
        }
        fprintf(out, strcmp(c->name, "shape") == 0 ? "; also skinned, elastic\n" : "\n");
    }
    fprintf(out,
            "  --quality NAME    draft, normal (default) or fine: how many cells\n"
            "  --soft PATTERN    joints, meshes or materials that are soft besides; * stands "
            "for any\n"
            "                    text, ? for any character; may be given several times\n"
            "  --rigid PATTERN   those that follow their skinning\n"
            "  --paint NAME      vertex attribute that says how soft: COLOR_0, or _NAME of your "
            "own;\n"
            "                    otherwise _SOFT, if the file has it\n");
}
