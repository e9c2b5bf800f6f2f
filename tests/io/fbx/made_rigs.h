// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The smallest rigs that FBX and Collada can hold, as text: a cube on two joints, the upper of
// which turns for a second. The cube's sides have their own texture coordinates, so every control
// point has several vertices.
#ifndef SN_TESTS_IO_FBX_MADE_RIGS_H
#define SN_TESTS_IO_FBX_MADE_RIGS_H

#include <stdio.h>

#define MADE_POINTS 8
#define MADE_TRIANGLES 12

#define MADE_SIZE 16384

static const char DAE_HEAD[] =
    "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\">\n"
    "<asset><unit name=\"meter\" meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n";

static const char DAE_MESH[] =
    "</profile_COMMON></effect></library_effects>\n"
    "<library_materials><material id=\"mat\" name=\"mat\"><instance_effect url=\"#fx\"/>"
    "</material></library_materials>\n"
    "<library_geometries><geometry id=\"cube\" name=\"cube\"><mesh>\n"
    "<source id=\"p\"><float_array id=\"pa\" count=\"24\">0 0 0 1 0 0 1 0 1 0 0 1 0 2 0 1 2 0 1 "
    "2 1 0 2 1</float_array><technique_common><accessor source=\"#pa\" count=\"8\" stride=\"3\">"
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
    "type=\"float\"/></accessor></technique_common></source>\n"
    "<source id=\"t\"><float_array id=\"ta\" count=\"8\">0 0 1 0 1 1 0 1</float_array>"
    "<technique_common><accessor source=\"#ta\" count=\"4\" stride=\"2\"><param name=\"S\" "
    "type=\"float\"/><param name=\"T\" type=\"float\"/></accessor></technique_common></source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
    "<polylist material=\"m\" count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><input semantic=\"TEXCOORD\" source=\"#t\" offset=\"1\" set=\"0\"/>"
    "<vcount>4 4 4 4 4 4</vcount><p>0 0 1 1 2 2 3 3 4 0 7 1 6 2 5 3 0 0 4 1 5 2 1 3 1 0 5 1 6 2 "
    "2 3 2 0 6 1 7 2 3 3 3 0 7 1 4 2 0 3</p></polylist></mesh></geometry></library_geometries>\n";

static const char DAE_REST[] =
    "<library_controllers><controller id=\"skin\"><skin source=\"#cube\">"
    "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>\n"
    "<source id=\"j\"><Name_array id=\"ja\" count=\"2\">low high</Name_array><technique_common>"
    "<accessor source=\"#ja\" count=\"2\" stride=\"1\"><param name=\"JOINT\" type=\"name\"/>"
    "</accessor></technique_common></source>\n"
    "<source id=\"b\"><float_array id=\"ba\" count=\"32\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 "
    "0 0 1 0 -1 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source=\"#ba\" "
    "count=\"2\" stride=\"16\"><param name=\"TRANSFORM\" type=\"float4x4\"/></accessor>"
    "</technique_common></source>\n"
    "<source id=\"w\"><float_array id=\"wa\" count=\"2\">1 0.5</float_array><technique_common>"
    "<accessor source=\"#wa\" count=\"2\" stride=\"1\"><param name=\"WEIGHT\" type=\"float\"/>"
    "</accessor></technique_common></source>\n"
    "<joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" "
    "source=\"#b\"/></joints>\n"
    "<vertex_weights count=\"8\"><input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/><input "
    "semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>1 1 1 1 1 1 1 2</vcount><v>0 0 0 0 "
    "0 0 0 0 1 0 1 0 1 0 0 1 1 1</v></vertex_weights></skin></controller></library_controllers>\n"
    "<library_animations><animation id=\"a\"><source id=\"ti\"><float_array id=\"tia\" "
    "count=\"2\">0 1</float_array><technique_common><accessor source=\"#tia\" count=\"2\" "
    "stride=\"1\"><param name=\"TIME\" type=\"float\"/></accessor></technique_common></source>\n"
    "<source id=\"to\"><float_array id=\"toa\" count=\"32\">1 0 0 0 0 1 0 1 0 0 1 0 0 0 0 1 0 -1 "
    "0 0 1 0 0 1 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source=\"#toa\" "
    "count=\"2\" stride=\"16\"><param name=\"TRANSFORM\" type=\"float4x4\"/></accessor>"
    "</technique_common></source>\n"
    "<source id=\"il\"><Name_array id=\"ila\" count=\"2\">LINEAR LINEAR</Name_array>"
    "<technique_common><accessor source=\"#ila\" count=\"2\" stride=\"1\"><param "
    "name=\"INTERPOLATION\" type=\"name\"/></accessor></technique_common></source>\n"
    "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#ti\"/><input semantic=\"OUTPUT\" "
    "source=\"#to\"/><input semantic=\"INTERPOLATION\" source=\"#il\"/></sampler><channel "
    "source=\"#s\" target=\"high/transform\"/></animation></library_animations>\n"
    "<library_visual_scenes><visual_scene id=\"scene\">\n"
    "<node id=\"low\" name=\"low\" sid=\"low\" type=\"JOINT\"><matrix sid=\"transform\">1 0 0 0 "
    "0 1 0 0 0 0 1 0 0 0 0 1</matrix><node id=\"high\" name=\"high\" sid=\"high\" "
    "type=\"JOINT\"><matrix sid=\"transform\">1 0 0 0 0 1 0 1 0 0 1 0 0 0 0 1</matrix></node>"
    "</node>\n"
    "<node id=\"body\" name=\"body\" type=\"NODE\"><instance_controller url=\"#skin\"><skeleton>"
    "#low</skeleton><bind_material><technique_common><instance_material symbol=\"m\" "
    "target=\"#mat\"/></technique_common></bind_material></instance_controller></node>\n"
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/>"
    "</scene></COLLADA>\n";

#define MADE_PLAIN                                               \
    "<technique sid=\"c\"><lambert><diffuse><color>0.2 0.4 0.6 " \
    "1</color></diffuse></lambert></technique>"

static const char FBX_HEAD[] =
    "; FBX 7.5.0 project file\n"
    "FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7500\n}\n"
    "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
    "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n"
    "\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
    "\t\tP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n\t}\n}\n"
    "Objects:  {\n"
    "\tGeometry: 10, \"Geometry::cube\", \"Mesh\" {\n"
    "\t\tVertices: *24 {\n\t\t\ta: 0,0,0,1,0,0,1,0,1,0,0,1,0,2,0,1,2,0,1,2,1,0,2,1\n\t\t}\n"
    "\t\tPolygonVertexIndex: *24 {\n\t\t\ta: "
    "0,1,2,-4,4,7,6,-6,0,4,5,-2,1,5,6,-3,2,6,7,-4,3,7,4,-1\n\t\t}\n"
    "\t\tGeometryVersion: 124\n"
    "\t\tLayerElementUV: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"map\"\n"
    "\t\t\tMappingInformationType: \"ByPolygonVertex\"\n"
    "\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
    "\t\t\tUV: *8 {\n\t\t\t\ta: 0,0,1,0,1,1,0,1\n\t\t\t}\n"
    "\t\t\tUVIndex: *24 {\n\t\t\t\ta: "
    "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3\n\t\t\t}\n\t\t}\n"
    "\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n"
    "\t\t\tMappingInformationType: \"AllSame\"\n"
    "\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
    "\t\t\tMaterials: *1 {\n\t\t\t\ta: 0\n\t\t\t}\n\t\t}\n"
    "\t\tLayer: 0 {\n\t\t\tVersion: 100\n"
    "\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementMaterial\"\n"
    "\t\t\t\tTypedIndex: 0\n\t\t\t}\n"
    "\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementUV\"\n"
    "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n"
    "\tModel: 11, \"Model::body\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n";

static const char FBX_BONES[] =
    "\tModel: 12, \"Model::low\", \"LimbNode\" {\n\t\tVersion: 232\n\t}\n"
    "\tModel: 13, \"Model::high\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
    "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n\t\t}\n\t}\n"
    "\tMaterial: 20, \"Material::mat\", \"\" {\n\t\tVersion: 102\n"
    "\t\tShadingModel: \"phong\"\n\t\tMultiLayer: 0\n\t\tProperties70:  {\n"
    "\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.2,0.4,0.6\n\t\t}\n\t}\n"
    "\tDeformer: 30, \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n"
    "\t\tLink_DeformAcuracy: 50\n\t}\n"
    "\tDeformer: 31, \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n"
    "\t\tUserData: \"\", \"\"\n"
    "\t\tIndexes: *5 {\n\t\t\ta: 0,1,2,3,7\n\t\t}\n"
    "\t\tWeights: *5 {\n\t\t\ta: 1,1,1,1,0.5\n\t\t}\n"
    "\t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n"
    "\t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n\t}\n"
    "\tDeformer: 32, \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n"
    "\t\tUserData: \"\", \"\"\n"
    "\t\tIndexes: *4 {\n\t\t\ta: 4,5,6,7\n\t\t}\n"
    "\t\tWeights: *4 {\n\t\t\ta: 1,1,1,0.5\n\t\t}\n"
    "\t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1\n\t\t}\n"
    "\t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1\n\t\t}\n\t}\n"
    "\tAnimationStack: 40, \"AnimStack::bow\", \"\" {\n\t}\n"
    "\tAnimationLayer: 41, \"AnimLayer::base\", \"\" {\n\t}\n"
    "\tAnimationCurveNode: 42, \"AnimCurveNode::R\", \"\" {\n\t\tProperties70:  {\n"
    "\t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",0\n\t\t}\n\t}\n"
    "\tAnimationCurve: 43, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4009\n"
    "\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n"
    "\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,90\n\t\t}\n"
    "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 260\n\t\t}\n"
    "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n"
    "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n";

static const char FBX_LINKS[] =
    "}\n"
    "Connections:  {\n\tC: \"OO\",11,0\n\tC: \"OO\",12,0\n\tC: \"OO\",13,12\n"
    "\tC: \"OO\",10,11\n\tC: \"OO\",20,11\n\tC: \"OO\",30,10\n\tC: \"OO\",31,30\n"
    "\tC: \"OO\",32,30\n\tC: \"OO\",12,31\n\tC: \"OO\",13,32\n\tC: \"OO\",41,40\n"
    "\tC: \"OO\",42,41\n\tC: \"OP\",42,13, \"Lcl Rotation\"\n"
    "\tC: \"OP\",43,42, \"d|Z\"\n";

// images, effect: of its material
static inline const char* makeDae(char out[MADE_SIZE], const char* images, const char* effect)
{
    snprintf(out, MADE_SIZE, "%s%s<library_effects><effect id=\"fx\"><profile_COMMON>%s%s%s",
             DAE_HEAD, images, effect, DAE_MESH, DAE_REST);
    return out;
}

// objects, connections: besides; its material is number 20
static inline const char* makeFbx(char out[MADE_SIZE], const char* objects, const char* connections)
{
    snprintf(out, MADE_SIZE, "%s%s%s%s%s}\n", FBX_HEAD, FBX_BONES, objects, FBX_LINKS, connections);
    return out;
}

#endif
