// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "io/save/save.h"

#define MOST_NODES 1000000

// Nodes and skins ------------------------------------------------------------------

static void saveVec3(snArchive* a, snVec3* v)
{
    double most = SN_ARCHIVE_LARGEST;
    snArchive_Real(a, &v->x, -most, most, "a place is not finite");
    snArchive_Real(a, &v->y, -most, most, "a place is not finite");
    snArchive_Real(a, &v->z, -most, most, "a place is not finite");
}

static void saveMatrix(snArchive* a, snMatrix* m)
{
    saveVec3(a, &m->x);
    saveVec3(a, &m->y);
    saveVec3(a, &m->z);
    saveVec3(a, &m->p);
}

static void saveNode(snArchive* a, snRigNode* node, int32_t number, int32_t weights)
{
    snArchive_Text(a, &node->name);
    snArchive_Int(a, &node->parent, -1, number - 1, "a node comes before its parent");
    snArchive_Int(a, &node->file_index, INT32_MIN, INT32_MAX, "");
    snArchive_Int(a, &node->is_joint, INT32_MIN, INT32_MAX, "");
    snArchive_Int(a, &node->is_shown, INT32_MIN, INT32_MAX, "");
    snArchive_Int(a, &node->has_matrix, INT32_MIN, INT32_MAX, "");
    saveVec3(a, &node->translation);
    snArchive_Real(a, &node->rotation.x, -2, 2, "a rotation is none");
    snArchive_Real(a, &node->rotation.y, -2, 2, "a rotation is none");
    snArchive_Real(a, &node->rotation.z, -2, 2, "a rotation is none");
    snArchive_Real(a, &node->rotation.w, -2, 2, "a rotation is none");
    saveVec3(a, &node->scale);
    saveMatrix(a, &node->local);
    snArchive_Int(a, &node->weight_first, 0, weights, "a node's morph weights are not there");
    snArchive_Int(a, &node->weight_count, 0, weights - node->weight_first,
                  "a node's morph weights are not there");
}

static void saveSkin(snArchive* a, snRigSkin* skin, int32_t nodes)
{
    snArchive_Text(a, &skin->name);
    snArchive_Int(a, &skin->joint_count, 0, SN_RIG_MOST, "a skin has too many joints");
    size_t count = (size_t)skin->joint_count;
    skin->joints = snArchive_Indices(a, skin->joints, count, 0, nodes - 1, "a joint is no node");
    skin->inverse_bind = snArchive_Block(a, skin->inverse_bind, count, sizeof *skin->inverse_bind,
                                         "a skin's matrices");
    snArchive_CheckDoubles(a, skin->inverse_bind, 12 * count, "a skin's matrices are not finite");
    skin->given = snArchive_Has(a, skin->given);
}

// Shapes ---------------------------------------------------------------------------

static float* saveIf(snArchive* a, const float* numbers, size_t count, const char* what)
{
    return snArchive_Has(a, numbers != NULL) ? snArchive_Floats(a, numbers, count, what) : NULL;
}

static void checkInfluences(snArchive* a, const snRigShape* s)
{
    bool ok = s->first[0] == 0;
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        ok &= s->first[v] < s->first[v + 1];
    }
    if (!ok) {
        snArchive_Fail(a, "vertices' joints are out of order");
    }
}

static void saveInfluences(snArchive* a, snRigShape* s)
{
    size_t vertices = (size_t)s->vertex_count;
    int32_t most = SN_RIG_MOST;
    if (!snArchive_Has(a, s->first != NULL)) {
        s->first = NULL;
        return;
    }
    s->first = snArchive_Indices(a, s->first, vertices + 1, 0, most, "vertices' joints");
    size_t count = s->first ? (size_t)s->first[vertices] : 0;
    snArchive_Int(a, &s->influence_most, 0, most, "vertices' joints");
    snArchive_Int(a, &s->joint_most, -1, most, "vertices' joints");
    s->joint = snArchive_Indices(a, s->joint, count, 0, s->joint_most, "a vertex' joint");
    s->weight = snArchive_Floats(a, s->weight, count, "vertices' weights are not finite");
    if (!a->status && a->reads) {
        checkInfluences(a, s);
    }
}

static void saveShape(snArchive* a, snRigShape* s)
{
    snArchive_Int(a, &s->vertex_count, 0, SN_RIG_MOST, "too many vertices");
    snArchive_Int(a, &s->triangle_count, 0, SN_RIG_MOST, "too many triangles");
    size_t numbers = 3 * (size_t)s->vertex_count, corners = 3 * (size_t)s->triangle_count;
    s->position = snArchive_Floats(a, s->position, numbers, "places are not finite");
    s->normal = saveIf(a, s->normal, numbers, "normals are not finite");
    s->triangles = snArchive_Indices(a, s->triangles, corners, 0, s->vertex_count - 1,
                                     "a triangle's vertex is not there");
    saveInfluences(a, s);
    snArchive_Int(a, &s->target_count, 0, SN_RIG_MOST, "too many morph targets");
    s->targets = snArchive_Records(a, s->targets, s->target_count, sizeof *s->targets);
    for (int32_t i = 0; i < s->target_count && !a->status; ++i) {
        snRigTarget* t = &s->targets[i];
        t->position = saveIf(a, t->position, numbers, "a morph is not finite");
        t->normal = saveIf(a, t->normal, numbers, "a morph is not finite");
    }
    s->color = NULL;
    s->color_width = 0;
    s->model = "";
    s->point_count = 0;
    s->attributes = NULL;
    s->attribute_count = 0;
}

static void saveInstance(snArchive* a, const snRig* rig, snRigInstance* n)
{
    snRigMesh* info = &n->info;
    int32_t shape = a->reads ? 0 : (int32_t)(n->shape - rig->shapes);
    snArchive_Text(a, &info->name);
    snArchive_Text(a, &info->material);
    snArchive_Int(a, &info->node, 0, rig->info.node_count - 1, "a mesh hangs on no node");
    snArchive_Int(a, &info->skin, -1, rig->info.skin_count - 1, "a mesh has no such skin");
    snArchive_Int(a, &info->mesh, INT32_MIN, INT32_MAX, "");
    snArchive_Int(a, &info->primitive, INT32_MIN, INT32_MAX, "");
    snArchive_Int(a, &shape, 0, rig->shape_count - 1, "a mesh has no shape");
    if (a->status || !a->reads) {
        return;
    }
    const snRigShape* s = n->shape = &rig->shapes[shape];
    const snRigNode* node = &rig->nodes[info->node];
    if (info->skin >= 0 && (!s->first || s->joint_most >= rig->skins[info->skin].joint_count)) {
        snArchive_Fail(a, "a mesh names joints that its skin does not have");
    }
    if (node->weight_count > 0 && node->weight_count < s->target_count) {
        snArchive_Fail(a, "a mesh has more morph targets than weights");
    }
    info->vertex_count = s->vertex_count;
    info->triangle_count = s->triangle_count;
    info->target_count = s->target_count;
    info->influence_most = s->first ? s->influence_most : 0;
    info->position = s->position;
    info->normal = s->normal;
    info->triangles = s->triangles;
}

// Clips ----------------------------------------------------------------------------

static int32_t widthOf(const snRig* rig, const snRigChannel* c)
{
    return c->path == sn_pathRotation  ? 4
           : c->path == sn_pathWeights ? rig->nodes[c->node].weight_count
                                       : 3;
}

// before: the channel before it, NULL = none
static void saveChannel(snArchive* a, const snRig* rig, snRigChannel* c, const snRigChannel* before)
{
    int32_t first = before ? before->node : 0;
    snArchive_Int(a, &c->node, first, rig->info.node_count - 1, "channels are out of order");
    snArchive_Int(a, &c->path, 0, sn_pathCount - 1, "a channel moves nothing known");
    snArchive_Int(a, &c->interpolation, 0, sn_interpolateCubic, "no known interpolation");
    snArchive_Int(a, &c->key_count, 1, SN_RIG_MOST, "a channel without keys");
    if (a->status) {
        return;
    }
    c->width = widthOf(rig, c);
    size_t keys = (size_t)c->key_count, parts = c->interpolation == sn_interpolateCubic ? 3 : 1;
    c->times = snArchive_Floats(a, c->times, keys, "keys' times are not finite");
    c->values = snArchive_Floats(a, c->values, parts * keys * (size_t)c->width,
                                 "keys' values are not finite");
    bool ok = true;
    for (size_t i = 1; i < keys && !a->status && a->reads; ++i) {
        ok &= c->times[i] >= c->times[i - 1];
    }
    if (!ok) {
        snArchive_Fail(a, "keys are out of order");
    }
}

static void saveClip(snArchive* a, const snRig* rig, snRigClipData* clip)
{
    snRigClip* info = &clip->info;
    double most = SN_ARCHIVE_LARGEST;
    snArchive_Text(a, &info->name);
    snArchive_Real(a, &info->first, -most, most, "a clip's time is not finite");
    snArchive_Real(a, &info->last, info->first, most, "a clip ends before it begins");
    info->duration = info->last - info->first;
    snArchive_Int(a, &info->channel_count, 0, sn_pathCount * MOST_NODES, "too many channels");
    clip->channels =
        snArchive_Records(a, clip->channels, info->channel_count, sizeof *clip->channels);
    for (int32_t i = 0; i < info->channel_count && !a->status; ++i) {
        saveChannel(a, rig, &clip->channels[i], i > 0 ? &clip->channels[i - 1] : NULL);
    }
}

// The rig --------------------------------------------------------------------------

static void saveInfo(snArchive* a, snRigInfo* info)
{
    snArchive_Text(a, &info->generator);
    snArchive_Text(a, &info->unit_name);
    snArchive_Real(a, &info->unit, 0, SN_ARCHIVE_LARGEST, "the unit is none");
    saveVec3(a, &info->low);
    saveVec3(a, &info->high);
    snArchive_Int(a, &info->node_count, 0, MOST_NODES, "too many nodes");
    snArchive_Int(a, &info->skin_count, 0, MOST_NODES, "too many skins");
    snArchive_Int(a, &info->mesh_count, 0, MOST_NODES, "too many meshes");
    snArchive_Int(a, &info->clip_count, 0, MOST_NODES, "too many clips");
    snArchive_Int(a, &info->weight_count, 0, SN_RIG_MOST, "too many morph weights");
    snArchive_Int(a, &info->human_count, 0, MOST_NODES, "too many bones");
    snArchive_Int(a, &info->is_baked, INT32_MIN, INT32_MAX, "");
}

static void countUp(snArchive* a, snRig* rig)
{
    snRigInfo* info = &rig->info;
    int64_t vertices = 0, triangles = 0, targets = 0;
    info->kind = SN_SAVE_KIND;
    info->joint_count = 0;
    for (int32_t n = 0; n < info->node_count; ++n) {
        info->joint_count += rig->nodes[n].is_joint != 0;
    }
    for (int32_t i = 0; i < info->mesh_count; ++i) {
        vertices += rig->instances[i].info.vertex_count;
        triangles += rig->instances[i].info.triangle_count;
        targets += rig->instances[i].info.target_count;
    }
    if (vertices > SN_RIG_MOST || triangles > SN_RIG_MOST || targets > SN_RIG_MOST) {
        snArchive_Fail(a, "its meshes are too large");
        return;
    }
    info->vertex_count = (int32_t)vertices;
    info->triangle_count = (int32_t)triangles;
    info->target_count = (int32_t)targets;
}

void snSave_Rig(snArchive* a, snRig* rig)
{
    snRigInfo* info = &rig->info;
    saveInfo(a, info);
    rig->weights = snArchive_Doubles(a, rig->weights, (size_t)info->weight_count, "morph weights");
    rig->nodes = snArchive_Records(a, rig->nodes, info->node_count, sizeof *rig->nodes);
    for (int32_t i = 0; i < info->node_count && !a->status; ++i) {
        saveNode(a, &rig->nodes[i], i, info->weight_count);
    }
    rig->skins = snArchive_Records(a, rig->skins, info->skin_count, sizeof *rig->skins);
    for (int32_t i = 0; i < info->skin_count && !a->status; ++i) {
        saveSkin(a, &rig->skins[i], info->node_count);
    }
    snArchive_Int(a, &rig->shape_count, 0, MOST_NODES, "too many shapes");
    const snRigShape* shapes = rig->shapes;
    snRigShape* copies = snArchive_Records(a, shapes, rig->shape_count, sizeof *copies);
    for (int32_t i = 0; i < rig->shape_count && !a->status; ++i) {
        saveShape(a, &copies[i]);
    }
    rig->shapes = a->reads ? copies : rig->shapes; // instances point to these
    rig->instances = snArchive_Records(a, rig->instances, info->mesh_count, sizeof *rig->instances);
    for (int32_t i = 0; i < info->mesh_count && !a->status; ++i) {
        saveInstance(a, rig, &rig->instances[i]);
    }
    rig->clips = snArchive_Records(a, rig->clips, info->clip_count, sizeof *rig->clips);
    for (int32_t i = 0; i < info->clip_count && !a->status; ++i) {
        saveClip(a, rig, &rig->clips[i]);
    }
    rig->humans = snArchive_Records(a, rig->humans, info->human_count, sizeof *rig->humans);
    for (int32_t i = 0; i < info->human_count && !a->status; ++i) {
        snArchive_Text(a, &rig->humans[i].bone);
        snArchive_Int(a, &rig->humans[i].node, 0, info->node_count - 1, "a bone is no node");
    }
    if (a->reads && !a->status) {
        countUp(a, rig);
    }
}
