// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "bake/script.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

#define END "_apply_in_blender.py"

static const char HEAD[] =
    "# Makes Blender play the caches beside this file. Import %s first (File > Import > %s,\n"
    "# with the importer's own settings), then run this: in the Scripting tab, or\n"
    "#   blender hero.blend -P hero" END "\n"
    "# Each object gets a Mesh Cache modifier called Sinew; its Armature modifiers are switched "
    "off,\n"
    "# and caches in the world set theirs free from its parents, since they have all of its "
    "motion. To\n"
    "# play another clip, set CLIP and run it again.\n"
    "import os\n"
    "import re\n"
    "\n"
    "import bpy\n"
    "\n"
    "ZERO = %d  # frame where the importer puts time 0\n";

static const char BODY[] =
    "\n"
    "\n"
    "def folder():\n"
    "    text = getattr(bpy.context.space_data, \"text\", None)\n"
    "    path = bpy.path.abspath(text.filepath) if text and text.filepath else __file__\n"
    "    return os.path.dirname(os.path.abspath(path))\n"
    "\n"
    "\n"
    "# The object that was imported from a node: by its name, or by its number of vertices alone "
    "if\n"
    "# no other has as many\n"
    "def find(cache, taken):\n"
    "    fits = [o for o in bpy.data.objects if o.type == \"MESH\" and o not in taken\n"
    "            and len(o.data.vertices) == cache[\"vertices\"]]\n"
    "    names = [n[:59] for n in cache[\"names\"] if n]\n"
    "    named = [o for o in fits if re.sub(r\"\\.\\d\\d\\d+$\", \"\", o.name)[:59] in names]\n"
    "    chosen = [o for o in named if o.select_get()] or named\n"
    "    if not chosen and len(fits) == 1:\n"
    "        chosen = fits\n"
    "    if not chosen:\n"
    "        raise RuntimeError(\n"
    "            \"no mesh object %s with %d vertices is here: import the rig first, and do not "
    "merge or\"\n"
    "            \" add vertices before\" % (\" or \".join(map(repr, names)), "
    "cache[\"vertices\"]))\n"
    "    return min(chosen, key=lambda o: o.name)\n"
    "\n"
    "\n"
    "def play(cache, obj, fps):\n"
    "    for m in obj.modifiers:\n"
    "        if m.type == \"ARMATURE\":\n"
    "            m.show_viewport = m.show_render = False\n"
    "    if cache[\"world\"]:\n"
    "        obj.parent = None\n"
    "        obj.matrix_world.identity()\n"
    "    m = obj.modifiers.get(\"Sinew\") or obj.modifiers.new(\"Sinew\", \"MESH_CACHE\")\n"
    "    m.cache_format = cache[\"file\"][-3:].upper()\n"
    "    m.filepath = os.path.join(folder(), cache[\"file\"])\n"
    "    m.time_mode = \"FRAME\"\n"
    "    # sample = scale * frame - start\n"
    "    m.frame_scale = cache[\"rate\"] / fps\n"
    "    m.frame_start = cache[\"first\"] * cache[\"rate\"] + ZERO * m.frame_scale\n"
    "    # caches are Y up, as glTF is\n"
    "    m.forward_axis = \"POS_Z\"\n"
    "    m.up_axis = \"NEG_Y\"\n"
    "    with bpy.context.temp_override(object=obj):\n"
    "        bpy.ops.object.modifier_move_to_index(modifier=m.name, index=0)\n"
    "\n"
    "\n"
    "def main():\n"
    "    scene = bpy.context.scene\n"
    "    fps = scene.render.fps / scene.render.fps_base\n"
    "    taken = []\n"
    "    for cache in CACHES:\n"
    "        if cache[\"clip\"] == CLIP:\n"
    "            obj = find(cache, taken)\n"
    "            taken.append(obj)\n"
    "            play(cache, obj, fps)\n"
    "            print(\"%s plays %s\" % (obj.name, cache[\"file\"]))\n"
    "\n"
    "\n"
    "main()\n";

// What is imported before, and where
typedef struct Importer {
    const char *kind, *what, *menu;
    int32_t zero; // frame of time 0
} Importer;

static const Importer* importerOf(const char* kind)
{
    static const Importer ALL[] = {
        {"fbx", "the FBX file", "FBX", 1},
        {"dae", "the GLB file that 'sinew bake' makes of the Collada file", "glTF", 0},
        {"", "the rig", "glTF", 0}};
    const Importer* i = ALL;
    while (i->kind[0] && strcmp(i->kind, kind) != 0) {
        ++i;
    }
    return i;
}

static const char* fileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Clips without a name have their number.
static void nameClip(const snBakeClip* c, snJsonWriter* w)
{
    char number[16];
    snprintf(number, sizeof number, "%d", (int)c->facts->clip);
    snJsonWriter_String(w, c->facts->name[0] ? c->facts->name : number);
}

// Strings and numbers are written alike in JSON and Python.
static void listCaches(const snRig* rig, const snCacheList* list, snJsonWriter* w)
{
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; i < list->file_count; ++i) {
        const snCacheFile* file = &list->files[i];
        const snCacheObject* o = &list->objects[file->object];
        int32_t clip = file->clip->facts->clip;
        double start = clip < 0 ? 0 : rig->clips[clip].start;
        snJsonWriter_BeginObject(w);
        snJsonWriter_Key(w, "file");
        snJsonWriter_String(w, fileName(file->path));
        snJsonWriter_Key(w, "clip");
        nameClip(file->clip, w);
        snJsonWriter_Key(w, "names");
        snJsonWriter_BeginArray(w);
        snJsonWriter_String(w, o->name);
        snJsonWriter_String(w, o->mesh);
        snJsonWriter_EndArray(w);
        snJsonWriter_Key(w, "vertices");
        snJsonWriter_Int(w, o->points);
        snJsonWriter_Key(w, "world");
        snJsonWriter_Int(w, o->is_in_world);
        snJsonWriter_Key(w, "first");
        snJsonWriter_Number(w, snBakeClip_Time(file->clip, 0) + start);
        snJsonWriter_Key(w, "rate");
        snJsonWriter_Number(w, file->clip->rate);
        snJsonWriter_EndObject(w);
    }
    snJsonWriter_EndArray(w);
}

snStatus snBaker_WriteScript(snBaker* b, const snCacheList* list)
{
    snFileWriter file;
    snJsonWriter caches, clip;
    const Importer* importer = importerOf(b->rig->info.kind);
    char head[sizeof HEAD + 200];
    const char* end = strrchr(b->path, '.');
    size_t stem = (size_t)(end - b->path);
    char* path = snArena_Push(&b->arena, stem + sizeof END, 1);
    if (!path) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    memcpy(path, b->path, stem);
    memcpy(path + stem, END, sizeof END);
    b->path = path;
    snJsonWriter_Init(&caches, &b->host, 1);
    snJsonWriter_Init(&clip, &b->host, 0);
    listCaches(b->rig, list, &caches);
    nameClip(&b->clips[0], &clip);
    snStatus status = snJsonWriter_Finish(&caches, b->why);
    status = status ? status : snJsonWriter_Finish(&clip, b->why);
    status = status ? status : snFileWriter_Open(&file, path, b->why);
    if (!status) {
        snprintf(head, sizeof head, HEAD, importer->what, importer->menu, (int)importer->zero);
        snFileWriter_Write(&file, head, strlen(head));
        snFileWriter_Write(&file, "CLIP = ", 7);
        snFileWriter_Write(&file, clip.text, clip.length);
        snFileWriter_Write(&file, "\nCACHES = ", 10);
        snFileWriter_Write(&file, caches.text, caches.length);
        snFileWriter_Write(&file, BODY, sizeof BODY - 1);
        status = snFileWriter_Close(&file, b->why);
    }
    snJsonWriter_Free(&caches);
    snJsonWriter_Free(&clip);
    return status;
}
