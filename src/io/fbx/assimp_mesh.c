// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Meshes and skins. Assimp gives every corner of a polygon a vertex of its own, and every material
// a mesh; here corners that are the same become one vertex again, in the order of the file's
// control points where these are known, and meshes of one name on a node become one.
#include "io/fbx/assimp_scene.h"

#ifdef SN_HAVE_ASSIMP

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geom/sort.h"

// Control points have a number that floats hold exactly.
#define MOST_POINTS (1 << 24)

// Bind matrices of one joint that differ by more, of their size, are different ones.
#define SAME_BIND 1e-4

// Where things are in a vertex's row; -1 = not there
typedef struct Columns {
    int32_t position, normal, uv, color, point, influence, target;
    int32_t influences; // places for these
} Columns;

// A mesh of the document that is made of some of a node's meshes
typedef struct Group {
    int32_t node, skin;
    snDocumentMesh* mesh;
    unsigned first, count; // in the node's list
    int32_t own_joint;     // place of the node itself among the joints; -1 = not needed
} Group;

static const struct aiMesh* meshOf(const snAssimp* a, int32_t node, unsigned k)
{
    unsigned index = a->nodes[node]->mMeshes[k];
    return index < a->scene->mNumMeshes ? a->scene->mMeshes[index] : NULL;
}

static bool isTriangle(const struct aiMesh* m, unsigned face)
{
    const struct aiFace* f = &m->mFaces[face];
    return f->mNumIndices == 3 && f->mIndices[0] < m->mNumVertices &&
           f->mIndices[1] < m->mNumVertices && f->mIndices[2] < m->mNumVertices;
}

static bool hasTriangles(const struct aiMesh* m)
{
    for (unsigned i = 0; m && m->mVertices && i < m->mNumFaces; ++i) {
        if (isTriangle(m, i)) {
            return true;
        }
    }
    return false;
}

static bool isSameBind(const struct aiMatrix4x4* a, const struct aiMatrix4x4* b)
{
    const float *x = &a->a1, *y = &b->a1;
    double size = 1, apart = 0;
    for (int i = 0; i < 12; ++i) {
        size = fmax(size, fabs((double)x[i]));
        apart = fmax(apart, fabs((double)x[i] - (double)y[i]));
    }
    return apart <= SAME_BIND * size;
}

// They are parts of one mesh: of the same name, with the same skin and morph targets.
static bool belongTogether(const struct aiMesh* m, const struct aiMesh* n)
{
    if (strcmp(m->mName.data, n->mName.data) != 0 || m->mNumAnimMeshes != n->mNumAnimMeshes ||
        !m->mNumBones != !n->mNumBones) {
        return false;
    }
    for (unsigned i = 0; i < m->mNumBones; ++i) {
        for (unsigned k = 0; k < n->mNumBones; ++k) {
            const struct aiBone *b = m->mBones[i], *c = n->mBones[k];
            if (strcmp(b->mName.data, c->mName.data) == 0 &&
                !isSameBind(&b->mOffsetMatrix, &c->mOffsetMatrix)) {
                return false;
            }
        }
    }
    return true;
}

// Skins ----------------------------------------------------------------------------

// Weights that count: of vertices that are there, above 0
static bool counts(const struct aiMesh* m, const struct aiVertexWeight* w)
{
    return w->mVertexId < m->mNumVertices && w->mWeight > 0 && w->mWeight < 1e30F;
}

// How many weights each vertex has; (mNumVertices). NULL when memory runs out.
static int32_t* countWeights(const snAssimp* a, const struct aiMesh* m)
{
    int32_t* count = snArena_Push(a->arena, m->mNumVertices, sizeof *count);
    for (unsigned i = 0; count && i < m->mNumBones; ++i) {
        const struct aiBone* b = m->mBones[i];
        for (unsigned k = 0; k < b->mNumWeights; ++k) {
            if (counts(m, &b->mWeights[k])) {
                ++count[b->mWeights[k].mVertexId];
            }
        }
    }
    return count;
}

static void addJoint(snAssimp* a, snDocumentSkin* skin, int32_t node, snMatrix inverse_bind)
{
    a->place[node] = skin->joint_count;
    a->is_joint[node] = true;
    skin->joints[skin->joint_count] = node;
    skin->inverse_bind[skin->joint_count++] = inverse_bind;
}

static snStatus addBones(snAssimp* a, snDocumentSkin* skin, const struct aiMesh* m)
{
    for (unsigned i = 0; i < m->mNumBones; ++i) {
        const struct aiBone* b = m->mBones[i];
        int32_t node = snAssimp_FindNode(a, b->mName.data);
        snMatrix inverse_bind;
        if (node < 0 || !snAssimp_Matrix(&b->mOffsetMatrix, &inverse_bind)) {
            return snFail(
                a->why, sn_errorFile, "mesh '%.60s': its bone '%.60s' %s; export it again",
                m->mName.data, b->mName.data,
                node < 0 ? "is no node of the file" : "was bound at a place that is not finite");
        }
        if (a->place[node] < 0) {
            addJoint(a, skin, node, inverse_bind);
        }
    }
    return sn_ok;
}

// Vertices without weights ride on the node that shows the mesh: it becomes a joint.
static snStatus addOwnJoint(snAssimp* a, Group* g, snDocumentSkin* skin)
{
    size_t loose = 0;
    for (unsigned k = 0; k < g->count; ++k) {
        const struct aiMesh* m = meshOf(a, g->node, g->first + k);
        const int32_t* count = countWeights(a, m);
        if (!count) {
            return snAssimp_FailMemory(a);
        }
        for (unsigned v = 0; v < m->mNumVertices; ++v) {
            loose += count[v] == 0;
        }
    }
    if (loose) {
        if (a->place[g->node] < 0) {
            addJoint(a, skin, g->node, snMatrix_Identity());
        }
        g->own_joint = a->place[g->node];
        snRig_Warn(a->rig,
                   "mesh '%.60s': %zu corners of polygons have no weights; they ride on node "
                   "'%.60s'",
                   g->mesh->name, loose, a->document.nodes[g->node].name);
    }
    return sn_ok;
}

static snStatus makeSkin(snAssimp* a, Group* g)
{
    snRigDocument* d = &a->document;
    size_t room = (size_t)a->scene_count;
    snDocumentSkin* skins =
        snAssimp_Grow(a, d->skins, &a->skin_room, d->skin_count, sizeof *d->skins);
    if (!skins) {
        return snAssimp_FailMemory(a);
    }
    d->skins = skins;
    snDocumentSkin* skin = &skins[d->skin_count];
    skin->joints = snArena_Push(a->arena, room, sizeof *skin->joints);
    skin->inverse_bind = snArena_Push(a->arena, room, sizeof *skin->inverse_bind);
    if (a->arena->failed) {
        return snAssimp_FailMemory(a);
    }
    snStatus status = sn_ok;
    for (unsigned k = 0; k < g->count && !status; ++k) {
        status = addBones(a, skin, meshOf(a, g->node, g->first + k));
    }
    status = status ? status : addOwnJoint(a, g, skin);
    g->skin = d->skin_count++;
    if (!status && skin->joint_count > UINT16_MAX) {
        status = snFail(a->why, sn_errorUnsupported, "mesh '%.60s' has more than 65535 joints",
                        g->mesh->name);
    }
    return status;
}

static void forgetPlaces(snAssimp* a, int32_t skin)
{
    const snDocumentSkin* s = &a->document.skins[skin];
    for (int32_t i = 0; i < s->joint_count; ++i) {
        a->place[s->joints[i]] = -1;
    }
}

// Vertices -------------------------------------------------------------------------

static bool hasNormals(const struct aiMesh* m)
{
    for (unsigned v = 0; m->mNormals && v < m->mNumVertices; ++v) {
        const struct aiVector3D* n = &m->mNormals[v];
        double size = (double)(n->x * n->x + n->y * n->y + n->z * n->z);
        if (!(size > 1e-12 && size < 1e12)) {
            return false;
        }
    }
    return m->mNormals != NULL;
}

// Control points of a mesh's corners; NULL when they are not known. Corners of one point are at one
// place, or these are the points of something else.
static const int32_t* findPoints(const snAssimp* a, int32_t node, unsigned k,
                                 const struct aiMesh* m, int32_t* point_count)
{
    const snFbxPart* p = NULL;
    for (size_t i = 0; a->fbx && i < a->fbx->part_count && !p; ++i) {
        const snFbxPart* part = &a->fbx->parts[i];
        bool fits = part->number == (int32_t)k && part->corner_count == m->mNumVertices &&
                    part->point_count <= MOST_POINTS;
        p = fits && strcmp(part->node, a->document.nodes[node].name) == 0 ? part : NULL;
    }
    uint64_t* key = p ? snArena_Push(a->arena, p->corner_count, sizeof *key) : NULL;
    int32_t* corner = p ? snArena_Push(a->arena, p->corner_count, sizeof *corner) : NULL;
    if (!key || !corner) {
        return NULL;
    }
    for (size_t i = 0; i < p->corner_count; ++i) {
        key[i] = (uint64_t)p->point[i];
        corner[i] = (int32_t)i;
    }
    snSort_Pairs(a->arena, key, corner, (int64_t)p->corner_count);
    for (size_t i = 1; i < p->corner_count; ++i) {
        const struct aiVector3D *x = &m->mVertices[corner[i]], *y = &m->mVertices[corner[i - 1]];
        if (key[i] == key[i - 1] && (x->x != y->x || x->y != y->y || x->z != y->z)) {
            return NULL;
        }
    }
    *point_count = (int32_t)p->point_count;
    return p->point;
}

// False when there are too many fields.
static bool chooseColumns(const struct aiMesh* m, const int32_t* points, int32_t influences,
                          snDocumentPart* p, Columns* c)
{
    c->position = snDocumentPart_AddField(p, "POSITION", 3);
    c->normal = hasNormals(m) ? snDocumentPart_AddField(p, "NORMAL", 3) : -1;
    c->uv = m->mTextureCoords[0] ? snDocumentPart_AddField(p, "TEXCOORD_0", 2) : -1;
    c->color = m->mColors[0] ? snDocumentPart_AddField(p, "COLOR_0", 4) : -1;
    c->point = points ? snDocumentPart_AddField(p, "_CONTROL_POINT", 1) : -1;
    c->influence = influences ? (int32_t)p->width : -1;
    c->influences = (influences + 3) / 4 * 4;
    int32_t last = 0;
    for (int32_t i = 0; i < c->influences / 4 && last >= 0; ++i) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%d", (int)i);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", (int)i);
        snDocumentPart_AddField(p, joints, 4);
        last = snDocumentPart_AddField(p, weights, 4);
    }
    c->target = (int32_t)p->width;
    for (unsigned i = 0; i < m->mNumAnimMeshes && last >= 0; ++i) {
        last = snDocumentPart_AddField(p, "", 3);
    }
    return last >= 0;
}

// Finite, and never -0, which would tell vertices apart
static float plain(float x)
{
    return x > -1e30F && x < 1e30F ? x + 0.0F : 0;
}

static void putVector(float* out, struct aiVector3D v, int width)
{
    out[0] = plain(v.x);
    out[1] = plain(v.y);
    if (width == 3) {
        out[2] = plain(v.z);
    }
}

static float unit(float x)
{
    return x >= 0 ? fminf(x, 1) : 0;
}

static void fillRow(const struct aiMesh* m, unsigned v, const int32_t* points, const Columns* c,
                    float* row)
{
    putVector(row + c->position, m->mVertices[v], 3);
    if (c->normal >= 0) {
        struct aiVector3D n = m->mNormals[v];
        double size = 1 / sqrt((double)n.x * (double)n.x + (double)n.y * (double)n.y +
                               (double)n.z * (double)n.z);
        struct aiVector3D scaled = {(float)((double)n.x * size), (float)((double)n.y * size),
                                    (float)((double)n.z * size)};
        putVector(row + c->normal, scaled, 3);
    }
    if (c->uv >= 0) {
        // glTF's images begin at the top
        struct aiVector3D uv = m->mTextureCoords[0][v];
        uv.y = 1 - uv.y;
        putVector(row + c->uv, uv, 2);
    }
    if (c->color >= 0) {
        const struct aiColor4D* x = &m->mColors[0][v];
        const float color[4] = {unit(x->r), unit(x->g), unit(x->b), unit(x->a)};
        memcpy(row + c->color, color, sizeof color);
    }
    if (c->point >= 0) {
        row[c->point] = (float)points[v];
    }
    for (unsigned i = 0; i < m->mNumAnimMeshes; ++i) {
        const struct aiAnimMesh* t = m->mAnimMeshes[i];
        struct aiVector3D to =
            t->mVertices && v < t->mNumVertices ? t->mVertices[v] : m->mVertices[v];
        struct aiVector3D delta = {to.x - m->mVertices[v].x, to.y - m->mVertices[v].y,
                                   to.z - m->mVertices[v].z};
        putVector(row + c->target + 3 * i, delta, 3);
    }
}

// Joint and weight number i of a row
static float* influenceAt(float* row, const Columns* c, int32_t i)
{
    return row + c->influence + i / 4 * 8 + i % 4;
}

// Puts an influence among the others of its vertex, the largest first: some readers take four.
static void insert(float* row, const Columns* c, int32_t used, float joint, float weight)
{
    int32_t i = used;
    for (; i > 0 && influenceAt(row, c, i - 1)[4] < weight; --i) {
        float *to = influenceAt(row, c, i), *from = influenceAt(row, c, i - 1);
        to[0] = from[0];
        to[4] = from[4];
    }
    influenceAt(row, c, i)[0] = joint;
    influenceAt(row, c, i)[4] = weight;
}

// FBX means shares of the sum. What rounding leaves goes to the largest.
static void normalise(float* row, const Columns* c)
{
    double sum = 0, rest = 1;
    for (int32_t i = 0; i < c->influences; ++i) {
        sum += (double)influenceAt(row, c, i)[4];
    }
    for (int32_t i = c->influences - 1; i >= 0; --i) {
        float* w = influenceAt(row, c, i) + 4;
        *w = i ? (float)((double)*w / sum) : (float)rest;
        rest -= (double)*w;
    }
}

static snStatus fillInfluences(const snAssimp* a, const Group* g, const struct aiMesh* m,
                               const Columns* c, snDocumentPart* p)
{
    int32_t* used = snArena_Push(a->arena, m->mNumVertices, sizeof *used);
    if (!used) {
        return snAssimp_FailMemory(a);
    }
    for (unsigned i = 0; i < m->mNumBones; ++i) {
        const struct aiBone* b = m->mBones[i];
        float joint = (float)a->place[snAssimp_FindNode(a, b->mName.data)];
        for (unsigned k = 0; k < b->mNumWeights; ++k) {
            const struct aiVertexWeight* w = &b->mWeights[k];
            if (counts(m, w)) {
                insert(p->rows + w->mVertexId * p->width, c, used[w->mVertexId]++, joint,
                       w->mWeight);
            }
        }
    }
    for (unsigned v = 0; v < m->mNumVertices; ++v) {
        if (used[v] == 0) {
            insert(p->rows + v * p->width, c, 0, (float)g->own_joint, 1);
        }
        normalise(p->rows + v * p->width, c);
    }
    return sn_ok;
}

static snStatus makeRows(snAssimp* a, const struct aiMesh* m, snDocumentPart* p)
{
    uint64_t numbers = (uint64_t)m->mNumVertices * p->width;
    if (numbers > a->left || m->mNumVertices > INT32_MAX / 4) {
        return snFail(a->why, sn_errorUnsupported,
                      "mesh '%.60s': its vertices take more memory than is given to them; export "
                      "the character alone, or with fewer polygons",
                      m->mName.data);
    }
    a->left -= numbers;
    for (unsigned v = 0; v < m->mNumVertices; ++v) {
        const struct aiVector3D* x = &m->mVertices[v];
        if (!(fabsf(x->x) < 1e15F && fabsf(x->y) < 1e15F && fabsf(x->z) < 1e15F)) {
            return snFail(a->why, sn_errorFile,
                          "mesh '%.60s': a vertex is at a place that is not finite; export it "
                          "again",
                          m->mName.data);
        }
    }
    p->vertex_count = m->mNumVertices;
    p->rows = snArena_Push(a->arena, p->vertex_count, p->width * sizeof *p->rows);
    p->indices = snArena_Push(a->arena, m->mNumFaces, 3 * sizeof *p->indices);
    if (a->arena->failed) {
        return snAssimp_FailMemory(a);
    }
    for (unsigned i = 0; i < m->mNumFaces; ++i) {
        for (int k = 0; k < 3 && isTriangle(m, i); ++k) {
            p->indices[p->index_count++] = m->mFaces[i].mIndices[k];
        }
    }
    return sn_ok;
}

static snStatus makePart(snAssimp* a, const Group* g, unsigned k, snDocumentPart* p)
{
    const struct aiMesh* m = meshOf(a, g->node, g->first + k);
    const int32_t* points = findPoints(a, g->node, g->first + k, m, &g->mesh->point_count);
    int32_t most = 0;
    Columns c;
    if (g->skin >= 0) {
        const int32_t* count = countWeights(a, m);
        for (unsigned v = 0; count && v < m->mNumVertices; ++v) {
            most = count[v] > most ? count[v] : most;
        }
        most = most ? most : 1;
    }
    p->material =
        (int32_t)m->mMaterialIndex < a->document.material_count ? (int32_t)m->mMaterialIndex : -1;
    if (!chooseColumns(m, points, most, p, &c)) {
        return snFail(a->why, sn_errorUnsupported,
                      "mesh '%.60s' has more than about 200 morph targets, or joints a vertex; "
                      "export it with fewer",
                      m->mName.data);
    }
    snStatus status = makeRows(a, m, p);
    for (unsigned v = 0; v < m->mNumVertices && !status; ++v) {
        fillRow(m, v, points, &c, p->rows + v * p->width);
    }
    if (!status && g->skin >= 0) {
        status = fillInfluences(a, g, m, &c, p);
    }
    if (!status && a->fbx && !points) {
        snRig_Warn(
            a->rig,
            "mesh '%.60s': the file's numbers of its vertices are not known, so point caches "
            "do not fit it",
            m->mName.data);
    }
    return status                                      ? status
           : snDocumentPart_Weld(p, a->arena, c.point) ? sn_ok
                                                       : snAssimp_FailMemory(a);
}

// Meshes ---------------------------------------------------------------------------

static snStatus nameTargets(const snAssimp* a, snDocumentMesh* mesh, const struct aiMesh* m)
{
    mesh->target_names = snArena_Push(a->arena, m->mNumAnimMeshes, sizeof *mesh->target_names);
    mesh->weights = snArena_Push(a->arena, m->mNumAnimMeshes, sizeof *mesh->weights);
    if (a->arena->failed) {
        return snAssimp_FailMemory(a);
    }
    for (unsigned i = 0; i < m->mNumAnimMeshes; ++i) {
        mesh->target_names[i] = snAssimp_Text(a, &m->mAnimMeshes[i]->mName);
        // of FBX, Assimp says 1 whatever the file does
        mesh->weights[i] = a->fbx ? 0 : unit(m->mAnimMeshes[i]->mWeight);
    }
    mesh->target_count = (int32_t)m->mNumAnimMeshes;
    return sn_ok;
}

// Skinned meshes do not feel their node, so they hang on none; a node that has nothing else to do
// is taken for that.
static snStatus showMesh(snAssimp* a, const Group* g, int32_t mesh)
{
    snDocumentNode* own = &a->document.nodes[g->node];
    bool skinned = g->skin >= 0, free = own->mesh < 0;
    int32_t node = g->node;
    if (skinned && free && a->nodes[node]->mNumChildren == 0 && !a->is_joint[node]) {
        *own = (snDocumentNode){.name = own->name,
                                .parent = -1,
                                .skin = -1,
                                .rotation = snQIdentity(),
                                .scale = snV3(1, 1, 1)};
        a->is_moved[node] = true;
    } else if (skinned || !free) {
        node = snAssimp_AddNode(a, free ? own->name : a->document.meshes[mesh].name,
                                skinned ? -1 : g->node);
    }
    if (node < 0) {
        return snAssimp_FailMemory(a);
    }
    a->document.nodes[node].mesh = mesh;
    a->document.nodes[node].skin = g->skin;
    return sn_ok;
}

static snStatus makeMesh(snAssimp* a, Group* g)
{
    snRigDocument* d = &a->document;
    const struct aiMesh* m = meshOf(a, g->node, g->first);
    snDocumentMesh* meshes =
        snAssimp_Grow(a, d->meshes, &a->mesh_room, d->mesh_count, sizeof *d->meshes);
    if (!meshes) {
        return snAssimp_FailMemory(a);
    }
    d->meshes = meshes;
    g->mesh = &meshes[d->mesh_count];
    g->mesh->name = snAssimp_Text(a, &m->mName);
    g->mesh->model = a->document.nodes[g->node].name;
    g->mesh->parts = snArena_Push(a->arena, g->count, sizeof *g->mesh->parts);
    snStatus status = g->mesh->parts ? nameTargets(a, g->mesh, m) : snAssimp_FailMemory(a);
    status = !status && m->mNumBones ? makeSkin(a, g) : status;
    for (unsigned k = 0; k < g->count && !status; ++k) {
        status = makePart(a, g, k, &g->mesh->parts[g->mesh->part_count++]);
    }
    if (g->skin >= 0) {
        forgetPlaces(a, g->skin);
    }
    return status ? status : showMesh(a, g, d->mesh_count++);
}

static void markJoints(const snAssimp* a)
{
    for (unsigned i = 0; i < a->scene->mNumMeshes; ++i) {
        const struct aiMesh* m = a->scene->mMeshes[i];
        for (unsigned k = 0; k < m->mNumBones; ++k) {
            int32_t node = snAssimp_FindNode(a, m->mBones[k]->mName.data);
            if (node >= 0) {
                a->is_joint[node] = true;
            }
        }
    }
}

snStatus snAssimp_ReadMeshes(snAssimp* a)
{
    snStatus status = sn_ok;
    markJoints(a);
    for (int32_t i = 0; i < a->scene_count && !status; ++i) {
        unsigned count = a->nodes[i]->mNumMeshes;
        for (unsigned k = 0; k < count && !status;) {
            const struct aiMesh* m = meshOf(a, i, k);
            Group g = {.node = i, .skin = -1, .first = k, .count = 1, .own_joint = -1};
            while (hasTriangles(m) && k + g.count < count) {
                const struct aiMesh* next = meshOf(a, i, k + g.count);
                if (!next || !hasTriangles(next) || !belongTogether(m, next)) {
                    break;
                }
                ++g.count;
            }
            status = hasTriangles(m) ? makeMesh(a, &g) : sn_ok;
            k += g.count;
        }
    }
    return status;
}

#endif
