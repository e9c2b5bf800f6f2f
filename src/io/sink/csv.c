// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/csv.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/number.h"
#include "math/vec.h"

static const char header[] =
    "time [s],name,"
    "kinetic energy [J],gravity energy [J],elastic energy [J],"
    "linear momentum x [kg m/s],linear momentum y [kg m/s],linear momentum z [kg m/s],"
    "angular momentum x [kg m^2/s],angular momentum y [kg m^2/s],angular momentum z [kg m^2/s],"
    "centre of mass x [m],centre of mass y [m],centre of mass z [m],"
    "guard retries,guard level,contacts,inverted cells,"
    "depth [m],power [W],torque [Nm],"
    "rotation x,rotation y,rotation z,rotation w";

typedef struct Table {
    snFileWriter file;
} Table;

// A column for each kind of work, and one for what is left over.
static void putHeader(snFileWriter* file)
{
    snFileWriter_Write(file, header, strlen(header));
    for (int32_t k = 0; k < sn_workCount; ++k) {
        char text[64];
        int length = snprintf(text, sizeof text, ",work of %s [J]", snWorkKind_Name(k));
        snFileWriter_Write(file, text, (size_t)length);
    }
    snFileWriter_Write(file, ",remainder [J]\n", 15);
}

static snStatus openCsv(snSink* sink, const char* path, snMessage* why)
{
    Table* table = snArena_Push(&sink->arena, 1, sizeof *table);
    if (!table) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    sink->state = table;
    snStatus status = snFileWriter_Open(&table->file, path, why);
    if (!status) {
        putHeader(&table->file);
    }
    return status;
}

// A field in quotes, quotes inside doubled, when it holds what would end it.
static void putText(snFileWriter* file, const char* text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        snFileWriter_Write(file, text, strlen(text));
        return;
    }
    snFileWriter_Write(file, "\"", 1);
    for (const char* c = text; *c; ++c) {
        snFileWriter_Write(file, "\"\"", *c == '"' ? 1 : 0);
        snFileWriter_Write(file, c, 1);
    }
    snFileWriter_Write(file, "\"", 1);
}

static void putNumber(snFileWriter* file, double value)
{
    char text[SN_NUMBER_SIZE];
    snFileWriter_Write(file, text, snNumber_Print(value, text));
}

static void putNumbers(snFileWriter* file, const double* values, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        snFileWriter_Write(file, ",", 1);
        putNumber(file, values[k]);
    }
}

// The largest of any joint; frames that no sim made may have none.
static double torqueOf(const snSinkCharacter* it, const snFrameCharacter* c)
{
    double most = 0;
    for (int32_t k = 0; c->tau && k < snSkeleton_VelocityCount(it->skeleton); ++k) {
        most = fabs(c->tau[k]) > most ? fabs(c->tau[k]) : most;
    }
    return most;
}

// What a row begins with.
static void putMotion(snFileWriter* file, double time, const char* name, const snEnergy* e,
                      const snMomentum* m)
{
    const double values[] = {e->kinetic,   e->gravity,  e->elastic,   m->linear.x,
                             m->linear.y,  m->linear.z, m->angular.x, m->angular.y,
                             m->angular.z, m->com.x,    m->com.y,     m->com.z};
    putNumber(file, time);
    snFileWriter_Write(file, ",", 1);
    putText(file, name);
    putNumbers(file, values, sizeof(values) / sizeof(values[0]));
}

// NULL: there is none.
static void putRotation(snFileWriter* file, const snTransform* pose)
{
    if (pose) {
        const double values[] = {pose->q.x, pose->q.y, pose->q.z, pose->q.w};
        putNumbers(file, values, 4);
    } else {
        snFileWriter_Write(file, ",,,,", 4);
    }
}

// The end of a row; NULL: nobody wanted it.
static void putBalance(snFileWriter* file, const snEnergyBalance* balance)
{
    double values[sn_workCount + 1];
    for (int32_t k = 0; k < sn_workCount && balance; ++k) {
        values[k] = balance->in[k] - balance->out[k];
    }
    if (balance) {
        values[sn_workCount] = balance->rest;
        putNumbers(file, values, sn_workCount + 1);
    } else {
        for (int32_t k = 0; k <= sn_workCount; ++k) {
            snFileWriter_Write(file, ",", 1);
        }
    }
    snFileWriter_Write(file, "\n", 1);
}

// Counts and efforts are of characters: their fields stay empty.
static void putObstacle(snFileWriter* file, double time, const snFrameObstacle* o)
{
    putMotion(file, time, o->name, &o->energy, &o->momentum);
    snFileWriter_Write(file, ",,,,,,,", 7);
    putRotation(file, &o->pose);
    putBalance(file, o->balance);
}

static snStatus writeCsv(snSink* sink, const snFrame* frame, snMessage* why)
{
    (void)why;
    Table* table = sink->state;
    snFileWriter* file = &table->file;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        const int64_t counts[] = {frame->guard.retries, frame->guard.level, c->contact_count,
                                  c->inverted};
        const double efforts[] = {c->depth, c->power, torqueOf(&sink->characters[i], c)};
        putMotion(file, frame->time, sink->characters[i].name, &c->energy, &c->momentum);
        for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); ++k) {
            char text[32];
            int length = snprintf(text, sizeof(text), ",%lld", (long long)counts[k]);
            snFileWriter_Write(file, text, (size_t)length);
        }
        putNumbers(file, efforts, sizeof(efforts) / sizeof(efforts[0]));
        putRotation(file, c->bone_count > 0 ? &c->bones[0] : NULL);
        putBalance(file, c->balance);
    }
    for (int32_t i = 0; i < frame->obstacle_count; ++i) {
        if (frame->obstacles[i].momentum.mass > 0) {
            putObstacle(file, frame->time, &frame->obstacles[i]);
        }
    }
    return sn_ok; // a full disk shows when the file is closed
}

static snStatus finishCsv(snSink* sink, snMessage* why)
{
    Table* table = sink->state;
    return snFileWriter_Close(&table->file, why);
}

static void releaseCsv(snSink* sink)
{
    Table* table = sink->state;
    if (table) {
        snFileWriter_Abort(&table->file);
    }
}

const snSinkFormat snCsvFormat = {openCsv, writeCsv, finishCsv, releaseCsv};
