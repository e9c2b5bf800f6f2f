// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fbx/facts.h"

#include <math.h>
#include <string.h>

#include "geom/sort.h"

// Time of a second in a file
#define TICKS 46186158000.0

// Keys no further apart than this are taken to be every frame's, s
#define SPARSE 0.06

// Of KeyAttrFlags: constant or cubic between keys
#define BENT 10

// Scale is inherited, but for that of the parent itself
#define INHERIT_LONE 2

typedef struct Objects {
    snArena* arena;
    size_t count;
    const snFbxRecord** records; // (count)
    uint64_t* ids;               // in rising order; (count)
    int32_t* order;              // records of these; (count)
    size_t link_count;
    int32_t (*links)[2]; // child, parent: records; (link_count)
    snMessage* why;
} Objects;

static snStatus failMemory(const Objects* o)
{
    return snFail(o->why, sn_errorMemory, "out of memory");
}

// Objects and what connects them ---------------------------------------------------

static int32_t findObject(const Objects* o, int64_t id)
{
    size_t low = 0, high = o->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->ids[middle] < (uint64_t)id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < o->count && o->ids[low] == (uint64_t)id ? o->order[low] : -1;
}

static size_t countChildren(const snFbxRecord* record)
{
    size_t count = 0;
    for (const snFbxRecord* c = record ? record->child : NULL; c; c = c->next) {
        ++count;
    }
    return count;
}

static snStatus readObjects(Objects* o, const snFbxRecord* root)
{
    const snFbxRecord* all = snFbx_Child(root, "Objects");
    const snFbxRecord* links = snFbx_Child(root, "Connections");
    size_t room = countChildren(all), link_room = countChildren(links);
    o->records = snArena_Push(o->arena, room, sizeof *o->records);
    o->ids = snArena_Push(o->arena, room, sizeof *o->ids);
    o->order = snArena_Push(o->arena, room, sizeof *o->order);
    o->links = snArena_Push(o->arena, link_room, sizeof *o->links);
    if (o->arena->failed) {
        return failMemory(o);
    }
    for (const snFbxRecord* r = all ? all->child : NULL; r; r = r->next) {
        if (r->value_count >= 3 && r->values[0].kind == sn_fbxNumber) {
            o->ids[o->count] = (uint64_t)r->values[0].integer;
            o->order[o->count] = (int32_t)o->count;
            o->records[o->count++] = r;
        }
    }
    snSort_Pairs(o->arena, o->ids, o->order, (int64_t)o->count);
    for (const snFbxRecord* r = links ? links->child : NULL; r; r = r->next) {
        bool whole = r->value_count >= 3 && snFbxValue_Is(r, 0, "OO");
        int32_t child = whole ? findObject(o, r->values[1].integer) : -1;
        int32_t parent = whole ? findObject(o, r->values[2].integer) : -1;
        if (child >= 0 && parent >= 0) {
            o->links[o->link_count][0] = child;
            o->links[o->link_count++][1] = parent;
        }
    }
    return o->arena->failed ? failMemory(o) : sn_ok;
}

static bool isA(const snFbxRecord* r, const char* class, const char* kind)
{
    return strcmp(r->name, class) == 0 && (!kind || snFbxValue_Is(r, 2, kind));
}

// "name\0\1Model" in binary files, "Model::name" in others
static const char* nameOf(const Objects* o, const snFbxRecord* r)
{
    const char* prefix = isA(r, "AnimationStack", NULL) ? "AnimStack::" : "Model::";
    const snFbxValue* v = &r->values[1];
    size_t length = v->kind == sn_fbxText ? v->size : 0, begin = 0;
    const char* zero = length ? memchr(v->bytes, 0, length) : NULL;
    length = zero ? (size_t)(zero - v->bytes) : length;
    if (!zero && length >= strlen(prefix) && memcmp(v->bytes, prefix, strlen(prefix)) == 0) {
        begin = strlen(prefix);
    }
    const char* name = length ? snArena_String(o->arena, v->bytes + begin, length - begin) : "";
    return name ? name : "";
}

// A property's number; `otherwise` when there is none
static double propertyOf(const snFbxRecord* record, const char* name, double otherwise)
{
    const snFbxRecord* all = snFbx_Child(record, "Properties70");
    for (const snFbxRecord* p = all ? all->child : NULL; p; p = p->next) {
        if (p->value_count >= 5 && p->values[4].kind == sn_fbxNumber && snFbxValue_Is(p, 0, name)) {
            return p->values[4].number;
        }
    }
    return otherwise;
}

// Clusters -------------------------------------------------------------------------

// Marks parents that have a child of that class.
static void markParents(const Objects* o, const char* class, bool* marked)
{
    for (size_t i = 0; i < o->link_count; ++i) {
        bool fits = strcmp(o->records[o->links[i][0]]->name, class) == 0;
        marked[o->links[i][1]] = marked[o->links[i][1]] || fits;
    }
}

static snStatus checkClusters(const Objects* o)
{
    bool* has_bone = snArena_Push(o->arena, o->count, sizeof *has_bone);
    if (!has_bone) {
        return failMemory(o);
    }
    markParents(o, "Model", has_bone);
    for (size_t i = 0; i < o->count; ++i) {
        const snFbxRecord* r = o->records[i];
        const snFbxRecord* held = snFbx_Child(r, "Indexes");
        size_t count = held && held->value_count ? held->values[0].count : 0;
        if (isA(r, "Deformer", "Cluster") && count > 0 && !has_bone[i]) {
            return snFail(o->why, sn_errorFile,
                          "a skin cluster that holds %zu vertices has no bone: the file is "
                          "damaged, and they would stay behind; bind the mesh again and export it "
                          "again",
                          count);
        }
    }
    return sn_ok;
}

// Meshes ---------------------------------------------------------------------------

// A mesh as the file has it
typedef struct Mesh {
    const char* node;
    double *corner, *material;
    size_t point_count, corner_count, material_count, face_count;
} Mesh;

static snStatus readMesh(const Objects* o, const snFbxRecord* r, Mesh* m)
{
    const snFbxRecord* layer = snFbx_Child(r, "LayerElementMaterial");
    const snFbxRecord* mapping = snFbx_Child(layer, "MappingInformationType");
    const snFbxRecord* points = snFbx_Child(r, "Vertices");
    m->point_count = points && points->value_count ? points->values[0].count / 3 : 0;
    bool fine = snFbx_Numbers(o->arena, r, "PolygonVertexIndex", &m->corner, &m->corner_count) &&
                (!mapping || !snFbxValue_Is(mapping, 0, "ByPolygon") ||
                 snFbx_Numbers(o->arena, layer, "Materials", &m->material, &m->material_count));
    for (size_t i = 0; fine && i < m->corner_count; ++i) {
        double point = m->corner[i] < 0 ? -1 - m->corner[i] : m->corner[i];
        fine = point >= 0 && point < (double)m->point_count && m->point_count < INT32_MAX;
        m->face_count += m->corner[i] < 0;
    }
    fine = fine && (m->corner_count == 0 || m->corner[m->corner_count - 1] < 0);
    // as many as there are polygons, or they mean nothing
    m->material_count = m->material_count == m->face_count ? m->material_count : 0;
    return fine ? sn_ok
                : snFail(o->why, sn_errorFile,
                         "mesh of '%.60s': its vertices or polygons cannot be read; the file is "
                         "damaged, export it again",
                         m->node);
}

// Adds the polygons of one material.
static snStatus addPart(const Objects* o, const Mesh* m, double material, int32_t number,
                        snFbxPart* part)
{
    int32_t* point = snArena_Push(o->arena, m->corner_count, sizeof *point);
    if (!point) {
        return failMemory(o);
    }
    *part = (snFbxPart){m->node, number, 0, point, m->point_count};
    for (size_t i = 0, face = 0; i < m->corner_count; ++i) {
        if (m->material_count == 0 || m->material[face] == material) {
            point[part->corner_count++] =
                (int32_t)(m->corner[i] < 0 ? -1 - m->corner[i] : m->corner[i]);
        }
        face += m->corner[i] < 0;
    }
    return sn_ok;
}

#define MOST_PARTS 256 // of a mesh

// Parts in the order in which their materials first appear
static snStatus splitMesh(const Objects* o, const Mesh* m, snFbxFacts* facts)
{
    double seen[MOST_PARTS];
    int32_t count = 0;
    snStatus status = sn_ok;
    size_t faces = m->material_count ? m->material_count : 1;
    for (size_t i = 0; i < faces && !status; ++i) {
        double material = m->material_count ? m->material[i] : 0;
        int32_t k = 0;
        while (k < count && seen[k] != material) {
            ++k;
        }
        if (k == count && count < MOST_PARTS) {
            seen[count++] = material;
        }
    }
    snFbxPart* parts =
        snArena_Push(o->arena, facts->part_count + (size_t)count, sizeof *facts->parts);
    if (!parts) {
        return failMemory(o);
    }
    if (facts->part_count) {
        memcpy(parts, facts->parts, facts->part_count * sizeof *parts);
    }
    facts->parts = parts;
    for (int32_t k = 0; k < count && !status; ++k) {
        status = addPart(o, m, seen[k], k, &parts[facts->part_count++]);
    }
    return status;
}

static snStatus readMeshes(const Objects* o, snFbxFacts* facts)
{
    snStatus status = sn_ok;
    for (size_t i = 0; i < o->link_count && !status; ++i) {
        const snFbxRecord* child = o->records[o->links[i][0]];
        const snFbxRecord* parent = o->records[o->links[i][1]];
        if (isA(child, "Geometry", "Mesh") && isA(parent, "Model", NULL)) {
            Mesh mesh = {.node = nameOf(o, parent)};
            status = readMesh(o, child, &mesh);
            status = status ? status : splitMesh(o, &mesh, facts);
        }
    }
    return status;
}

// Nodes, curves, axes --------------------------------------------------------------

static snStatus readNodes(const Objects* o, snFbxFacts* facts)
{
    facts->loners = snArena_Push(o->arena, o->count, sizeof *facts->loners);
    if (!facts->loners) {
        return failMemory(o);
    }
    for (size_t i = 0; i < o->count; ++i) {
        const snFbxRecord* r = o->records[i];
        if (isA(r, "Model", NULL) && propertyOf(r, "InheritType", 0) == INHERIT_LONE) {
            facts->loners[facts->loner_count++] = nameOf(o, r);
        }
    }
    return sn_ok;
}

static bool isBent(const Objects* o, const snFbxRecord* r)
{
    double *time, *value, *flags;
    size_t times, values, flag_count;
    bool fine = snFbx_Numbers(o->arena, r, "KeyTime", &time, &times) &&
                snFbx_Numbers(o->arena, r, "KeyValueFloat", &value, &values) &&
                snFbx_Numbers(o->arena, r, "KeyAttrFlags", &flags, &flag_count);
    bool bent = false, sparse = false;
    for (size_t i = 0; fine && i < flag_count; ++i) {
        bent = bent || (fabs(flags[i]) < 1e9 && ((int64_t)flags[i] & BENT) != 0);
    }
    for (size_t i = 1; fine && i < times && i < values; ++i) {
        sparse = sparse || (time[i] - time[i - 1] > SPARSE * TICKS && value[i] != value[i - 1]);
    }
    return bent && sparse;
}

// The earliest key of all curves, s
static double firstKey(const Objects* o)
{
    double first = HUGE_VAL, *time;
    size_t times;
    for (size_t i = 0; i < o->count; ++i) {
        if (isA(o->records[i], "AnimationCurve", NULL) &&
            snFbx_Numbers(o->arena, o->records[i], "KeyTime", &time, &times) && times > 0) {
            first = fmin(first, time[0] / TICKS);
        }
    }
    return isfinite(first) ? first : 0;
}

// As Assimp takes it: where a stack's range begins, and of one without a range its first key. Which
// keys are whose is not looked at, so several without ranges are left alone.
static snStatus readStacks(const Objects* o, snFbxFacts* facts)
{
    facts->stacks = snArena_Push(o->arena, o->count, sizeof *facts->stacks);
    if (!facts->stacks) {
        return failMemory(o);
    }
    bool has_range = false;
    for (size_t i = 0; i < o->count; ++i) {
        const snFbxRecord* r = o->records[i];
        if (isA(r, "AnimationStack", NULL)) {
            double start = propertyOf(r, "LocalStart", 0), stop = propertyOf(r, "LocalStop", 0);
            has_range = has_range || start != 0 || stop != 0;
            facts->stacks[facts->stack_count++] = (snFbxStack){nameOf(o, r), start / TICKS};
        }
    }
    if (facts->stack_count == 1 && !has_range) {
        facts->stacks[0].start = firstKey(o);
    }
    return sn_ok;
}

static void readAxes(const snFbxRecord* settings, snFbxFacts* facts)
{
    static const char* const AXIS[] = {"CoordAxis", "UpAxis", "FrontAxis"};
    static const char* const SIGN[] = {"CoordAxisSign", "UpAxisSign", "FrontAxisSign"};
    int met = 0;
    double unit = propertyOf(settings, "UnitScaleFactor", 1);
    facts->unit = 0.01 * (unit > 1e-6 && unit < 1e6 ? unit : 1);
    for (int k = 0; k < 3; ++k) {
        double axis = propertyOf(settings, AXIS[k], k);
        facts->axis[k] = axis >= 0 && axis <= 2 ? (int32_t)axis : k;
        facts->sign[k] = propertyOf(settings, SIGN[k], 1) < 0 ? -1 : 1;
        met |= 1 << facts->axis[k];
    }
    for (int k = 0; k < 3 && met != 7; ++k) {
        facts->axis[k] = k;
        facts->sign[k] = 1;
    }
}

static snStatus checkVersion(const uint8_t* bytes, size_t count, snMessage* why)
{
    int32_t version = snFbx_Version(bytes, count);
    if (version >= 7000) {
        return sn_ok;
    }
    return snFail(
        why, sn_errorUnsupported,
        "it is an FBX from before 2011 (its version is %d, 7000 or more is read); save it "
        "as FBX 2011 or newer, binary, in the program it came from or with Autodesk's "
        "FBX Converter, or as .glb",
        (int)version);
}

snStatus snFbxFacts_Read(snArena* arena, const uint8_t* bytes, size_t count, snFbxFacts* facts,
                         snMessage* why)
{
    const snFbxRecord* root;
    Objects o = {.arena = arena, .why = why};
    *facts = (snFbxFacts){0};
    snStatus status = checkVersion(bytes, count, why);
    status = status ? status : snFbx_Parse(arena, bytes, count, &root, why);
    status = status ? status : readObjects(&o, root);
    if (status) {
        return status;
    }
    readAxes(snFbx_Child(root, "GlobalSettings"), facts);
    status = checkClusters(&o);
    status = status ? status : readMeshes(&o, facts);
    status = status ? status : readNodes(&o, facts);
    status = status ? status : readStacks(&o, facts);
    for (size_t i = 0; i < o.count && !status; ++i) {
        facts->bent_count += isA(o.records[i], "AnimationCurve", NULL) && isBent(&o, o.records[i]);
    }
    return !status && arena->failed ? failMemory(&o) : status;
}
