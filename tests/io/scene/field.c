// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Known mistakes in scene files: each gets an error with its exact place, what is wrong and what to
// do.
#include "check.h"

#include "scenes/scenes.h"

// What stands around a mistake; the mistake itself begins in line 2, column 1. ' is written for ".
typedef enum Around {
    whole,     // nothing: the text is the file
    setting,   // a member of the scene
    character, // a character
    member,    // a member of a character of five bones: root, knee, hip, slide, foot
    bone,      // a bone after the bone 'a'
    drive,     // a drive of that character
    drag,      // a drag of that character
} Around;

#define FIVE                                                                                      \
    "{'name':'c','skeleton':{'bones':[{'name':'root','joint':'free','mass':1,"                    \
    "'inertia':[1,1,1]},{'name':'knee','parent':'root','joint':'revolute','capsule':"             \
    "{'to':[0,1,0],'radius':0.1}},{'name':'hip','parent':'root','joint':'ball','capsule':"        \
    "{'to':[0,1,0],'radius':0.1}},{'name':'slide','parent':'root','joint':'prismatic','mass':1}," \
    "{'name':'foot','parent':'knee'}]}"

static const struct {
    const char *before, *after;
} AROUND[] = {
    [whole] = {"", ""},
    [setting] = {"{'sinew':1,\n", ",'characters':[" FIVE "}]}"},
    [character] = {"{'sinew':1,'characters':[\n", "]}"},
    [member] = {"{'sinew':1,'characters':[" FIVE ",\n", "}]}"},
    [bone] = {"{'sinew':1,'characters':[{'name':'c','skeleton':{'bones':[{'name':'a','mass':1},\n",
              "]}}]}"},
    [drive] = {"{'sinew':1,'characters':[" FIVE ",'drives':[\n", "]}]}"},
    [drag] = {"{'sinew':1,'characters':[" FIVE ",'drags':[\n", "]}]}"},
};

typedef struct Mistake {
    Around around;
    const char* text;
    unsigned line, column;
    const char* says; // part of the message
} Mistake;

#define SOLID "'mass':1,'inertia':[1,1,1]"
#define TETRA "'vertices':[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]"
#define FACES "'triangles':[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]"

static const Mistake MISTAKES[] = {
    // the text
    {whole, "", 1, 1, "found the end of the text"},
    {whole, "{'sinew':1,\n'characters':[", 2, 15, "found the end of the text"},
    {whole, "{'sinew':1,\n 'sinew':1}", 2, 2, "is there twice"},
    {whole, "{'sinew':1 // scene\n}", 1, 12, "no comments"},
    {whole, "{'sinew':NaN}", 1, 10, "'NaN'"},
    {whole, "{'sinew':1e999}", 1, 10, "number out of range"},
    {whole, "{'sinew':01}", 1, 10, "malformed number"},
    {whole, "\xFF\xFE{", 1, 1, "UTF-16"},
    {whole, "{'sinew\xFF':1}", 1, 8, "UTF-8"},
    {whole, "{'sinew':1}}", 1, 12, "the end of the text"},
    // the scene
    {whole, "[1, 2]", 1, 1, "the file is an array of 2; give a scene"},
    {whole, "\n {}", 2, 2, "a scene must have \"sinew\"; add it"},
    {whole, "{'sinew':2}", 1, 2, "\"sinew\" is 2; give 1"},
    {whole, "{'sinew':'1'}", 1, 2, "\"sinew\" is \"1\"; give 1"},
    {whole, "{'sinew':1}", 1, 1, "a scene must have \"characters\""},
    {whole, "{'sinew':1,'characters':[]}", 1, 12, "is an array of 0; give an array of 1 to 10000"},
    {whole, "{'sinew':1,'characters':{}}", 1, 12, "is an object; give an array"},
    {setting, "'gravty':[0,0,0]", 2, 1, "did you mean \"gravity\"?"},
    {setting, "'#########':0", 2, 1, "its keys are \"sinew\", \"method\", \"gravity\""},
    {setting, "'gravity':-9.81", 2, 1, "an array of 3 numbers, each from -100000 to 100000 m/s^2"},
    {setting, "'gravity':[0,-9.81]", 2, 1, "is an array of 2; give an array of 3"},
    {setting, "'gravity':[0,-9.81,'0']", 2, 20, "an entry of \"gravity\" is \"0\"; give a number"},
    {setting, "'gravity':[0,1e300,0]", 2, 14, "is 1e300; give a number from -100000"},
    {setting, "'frame_rate':0", 2, 1, "is 0; give a number from 1 to 10000 frames/s"},
    {setting, "'duration':-1", 2, 1, "is -1; give a number from 0 to 86400 s"},
    {setting, "'duration':null", 2, 1, "is null; give a number"},
    {setting, "'step':'fast'", 2, 1, "give \"auto\" or a number from 1e-7 to 0.1 s"},
    {setting, "'step':0", 2, 1, "is 0; give \"auto\" or"},
    {setting, "'integrator':'euler'", 2, 1,
     "a setting of the method \"explicit\"; write \"settings\": {\"explicit\": {\"integrator\": "
     "...}}"},
    {setting, "'keep_momentum':true", 2, 1, "is a setting of the method \"explicit\""},
    {setting, "'contact':'penalty'", 2, 1, "is a setting of the method \"explicit\""},
    // settings of methods
    {setting, "'settings':1", 2, 1, "is 1; give an object with a method's name"},
    {setting, "'settings':{'explicit':true}", 2, 13, "is true; give an object with settings"},
    {setting, "'settings':{'explict':{}}", 2, 13,
     "there is no method 'explict' in this version; did you mean 'explicit'?"},
    {setting, "'settings':{'explicit':{'intergrator':'euler'}}", 2, 25,
     "method 'explicit' has no setting 'intergrator'; did you mean 'integrator'?"},
    {setting, "'settings':{'explicit':{'zzzzzzzzz':1}}", 2, 25,
     "has no setting 'zzzzzzzzz'; it has integrator, keep_momentum, contact"},
    {setting, "'settings':{'explicit':{'integrator':'midpiont'}}", 2, 25,
     "'integrator' takes midpoint or euler, found 'midpiont'; did you mean midpoint?"},
    {setting, "'settings':{'explicit':{'integrator':'euler\\u0000'}}", 2, 25,
     "give midpoint or euler"},
    {setting, "'settings':{'explicit':{'integrator':1}}", 2, 25,
     "\"integrator\" is 1; give midpoint or euler"},
    {setting, "'settings':{'explicit':{'keep_momentum':1}}", 2, 25, "is 1; give true or false"},
    {setting, "'settings':{'explicit':{'keep_momentum':'true'}}", 2, 25, "give true or false"},
    {setting, "'method':'magic'", 2, 1, "give one of \"explicit\""},
    // characters
    {character, "7", 2, 1, "a character is 7; give an object"},
    {character, "{'skeleton':'fish'}", 2, 1, "a character must have \"name\""},
    {character, "{'name':'c'}", 2, 1, "a character must have \"skeleton\""},
    {character, "{'name':'','skeleton':'fish'}", 2, 2, "1 to 255 bytes"},
    {character, "{'name':'a\\u0000b','skeleton':'fish'}", 2, 2, "without control characters"},
    {character, "{'name':'c','skeleton':'starfsh'}", 2, 13, "did you mean \"starfish\"?"},
    {character, "{'name':'c','skeleton':'dragon'}", 2, 13, "no built-in skeleton \"dragon\""},
    {character, "{'name':'c','skeleton':7}", 2, 13, "give a built-in skeleton's name or"},
    {character, "{'name':'c','skeleton':{}}", 2, 13, "a skeleton must have \"bones\""},
    {character, "{'name':'c','skeleton':{'bones':[]}}", 2, 25, "an array of 1 to 100000"},
    {character, "{'name':'c','skeleton':{'bone':[]}}", 2, 25, "did you mean \"bones\"?"},
    {character, "{'name':'c','skeleton':{'bones':[{'name':'b'}]},\n'velocity':[1,0,0]}", 2, 1,
     "one root on a free joint"},
    {member, "'rotation':[0,0,0,0]", 2, 1, "the quaternion has the length 0"},
    {member, "'rotation':[0,0,1]", 2, 1, "is an array of 3; give an array of 4"},
    {member, "'rotation':[0,0,0,1],'rotation_degrees':[0,0,0]", 2, 22, "remove one"},
    {member, "'rotation_degrees':[0,0,1e7]", 2, 25, "to 1000000 degrees"},
    {member, "'spin':[0,0,true]", 2, 13, "an entry of \"spin\" is true"},
    {member, "'pose':[1]", 2, 1, "give an object: {\"bone\": coordinates"},
    {member, "'pose':{'kne':1}", 2, 9, "did you mean \"knee\"?"},
    {member, "'pose':{'foot':1}", 2, 9, "a weld has no coordinates"},
    {member, "'pose':{'knee':[1,2]}", 2, 9, "give an angle in degrees"},
    {member, "'pose':{'slide':'far'}", 2, 9, "give a travel in metres"},
    {member, "'pose':{'hip':[1,0,0]}", 2, 9, "a quaternion [x, y, z, w] or"},
    {member, "'pose':{'hip':[1,1,1,1]}", 2, 9, "the quaternion has the length 2"},
    {member, "'pose':{'hip':{'degree':[0,0,0]}}", 2, 16, "did you mean \"degrees\"?"},
    {member, "'pose':{'hip':{'position':[0,0,0]}}", 2, 16, "does not go with a ball joint"},
    {member, "'pose':{'root':[0,0,0]}", 2, 9, "[x, y, z, qx, qy, qz, qw]"},
    // bones
    {bone, "null", 2, 1, "a bone is null; give an object"},
    {bone, "{'mass':1}", 2, 1, "a bone must have \"name\""},
    {bone, "{'name':'a'}", 2, 2, "the bone of line 1 is called \"a\" too"},
    {bone, "{'name':'b','perent':'a'}", 2, 13, "did you mean \"parent\"?"},
    {bone, "{'name':'b','parent':'b'}", 2, 13,
     "is the bone of line 2, which is not an earlier one"},
    {bone, "{'name':'b','parent':'c'},\n{'name':'c'}", 2, 13, "list parents before their children"},
    {bone, "{'name':'b','parent':'zz'}", 2, 13, "there is no bone \"zz\" to be the parent"},
    {bone, "{'name':'b','parent':0}", 2, 13, "\"parent\" is 0; give a text"},
    {bone, "{'name':'b','joint':'hinge'}", 2, 13, "give one of \"weld\", \"revolute\""},
    {bone, "{'name':'b','joint':'bal'," SOLID "}", 2, 13, "did you mean \"ball\"?"},
    {bone, "{'name':'b','joint':'revolute'}", 2, 1, "no mass or inertia to move"},
    {bone, "{'name':'b','joint':'revolute','axis':[0,0,0]," SOLID "}", 2, 1, "not zero"},
    {bone, "{'name':'b','joint':'universal','axis2':[2,0,0]," SOLID "}", 2, 1, "second axis"},
    {bone, "{'name':'b','joint':'revolute','axis2':[0,1,0]," SOLID "}", 2, 32,
     "does not go with a revolute joint"},
    {bone, "{'name':'b','joint':'revolute','swing':9," SOLID "}", 2, 32, "remove it"},
    {bone, "{'name':'b','joint':'ball','swing':0," SOLID "}", 2, 28,
     "above 0 and up to 180 degrees"},
    {bone, "{'name':'b','mass':-1}", 2, 13, "\"mass\" is -1; give a number from 0"},
    {bone, "{'name':'b','mass':'heavy'}", 2, 13, "\"mass\" is \"heavy\""},
    {bone, "{'name':'b','com':[0,0,0]}", 2, 13, "\"com\" goes with a \"mass\" above 0"},
    {bone, "{'name':'b','mass':0,'inertia':[1,1,1]}", 2, 22, "\"inertia\" goes with a \"mass\""},
    {bone, "{'name':'b','mass':1,'inertia':[1,1,1,0]}", 2, 22,
     "is an array of 4; give an array of 3"},
    {bone, "{'name':'b','mass':1,'inertia':[9,1,1]}", 2, 1, "no rigid body has the inertia"},
    {bone, "{'name':'b','radius':-1}", 2, 13, "is -1; give a number from 0"},
    {bone, "{'name':'b','limit_frequency':0}", 2, 13, "above 0 and up to 1000000 Hz"},
    {bone, "{'name':'b','capsule':{'radius':1}}", 2, 13, "a capsule must have \"to\""},
    {bone, "{'name':'b','capsule':{'to':[0,1,0]}}", 2, 13, "a capsule must have \"radius\""},
    {bone, "{'name':'b','capsule':{'to':[0,1,0],'radius':0}}", 2, 37, "above 0"},
    {bone, "{'name':'b','capsule':{'to':[0,1,0],'radius':1,'density':-3}}", 2, 48, "is -3"},
    {bone, "{'name':'b','capsule':[0,1,0]}", 2, 13, "\"capsule\" is an array of 3; give an object"},
    {bone, "{'name':'b','mesh':{" TETRA "}}", 2, 13, "a mesh must have \"triangles\""},
    {bone, "{'name':'b','mesh':{" TETRA ",'triangles':[[0,1,2]]}}", 2, 66, "an array of 4 to"},
    {bone, "{'name':'b','mesh':{" TETRA ",\n'triangles':[[0,2,1],[0,1,3],[0,3,2],[1,2,4]]}}", 3, 43,
     "is 4; give a number from 0 to 3"},
    {bone, "{'name':'b','mesh':{" TETRA ",\n'triangles':[[0,2,1],[0,1,3],[0,3,2],[1,2,2.5]]}}", 3,
     43, "is 2.5; give a whole number"},
    {bone, "{'name':'b','mesh':{" TETRA ",'triangles':[[0,2,1],[0,1,3],[0,3,2],[0,3,2]]}}", 2, 13,
     "not closed"},
    {bone, "{'name':'b','mesh':{" TETRA ",'triangles':[[0,1,2],[0,3,1],[0,2,3],[1,3,2]]}}", 2, 13,
     "inside out"},
    {bone, "{'name':'b','mesh':{" FACES ",\n'vertices':[[0,0,0],[1,0,0],[0,1],[0,0,1]]}}", 3, 29,
     "an entry of \"vertices\" is an array of 2"},
    {bone, "{'name':'b','point_masses':[{'mass':1}]}", 2, 29, "a point mass must have \"at\""},
    {bone, "{'name':'b','point_masses':{}}", 2, 13, "is an object; give an array"},
    {bone, "{'name':'b','dofs':[{}]}", 2, 13, "at most 0, as many as a weld joint takes"},
    {bone, "{'name':'b','joint':'revolute','dofs':[3]," SOLID "}", 2, 40, "give an object"},
    {bone, "{'name':'b','joint':'revolute','dofs':[{'limits':[10,-10]}]," SOLID "}", 2, 41,
     "the lower limit is above the upper one"},
    {bone, "{'name':'b','joint':'revolute','dofs':[{'limits':[10]}]," SOLID "}", 2, 41,
     "give [lower, upper]"},
    {bone, "{'name':'b','joint':'revolute','dofs':[{'limits':[0,'x']}]," SOLID "}", 2, 53,
     "an entry of \"limits\" is \"x\""},
    {bone, "{'name':'b','joint':'free','dofs':[{'limits':[0,1]}]," SOLID "}", 2, 37,
     "does not go with a free joint"},
    {bone, "{'name':'b','joint':'revolute','dofs':[{'stiffness':-1}]," SOLID "}", 2, 41, "is -1"},
    // drives
    {member, "'drives':{}", 2, 1, "is an object; give an array"},
    {drive, "{'kind':'free'}", 2, 1, "a drive must have \"bone\""},
    {drive, "{'bone':'knee'}", 2, 1, "a drive must have \"kind\""},
    {drive, "{'bone':'kneee','kind':'free'}", 2, 2, "did you mean \"knee\"?"},
    {drive, "{'bone':'knee','kind':'torqe'}", 2, 16, "did you mean \"torque\"?"},
    {drive, "{'bone':'foot','kind':'free'}", 2, 1, "welded to its parent"},
    {drive, "{'bone':'knee','kind':'free'},\n{'bone':'knee','kind':'free'}", 3, 2,
     "has a drive already, in line 2"},
    {drive, "{'bone':'knee','kind':'torque'}", 2, 1, "a drive must have \"value\""},
    {drive, "{'bone':'hip','kind':'torque','value':1}", 2, 31, "an array of 3 numbers"},
    {drive, "{'bone':'knee','kind':'torque','value':[1,2]}", 2, 32,
     "give an array of 1 number from"},
    {drive, "{'bone':'knee','kind':'torque','value':1,'keys':[]}", 2, 42,
     "does not go with a torque drive"},
    {drive, "{'bone':'knee','kind':'trajectory'}", 2, 1, "a drive must have \"keys\""},
    {drive, "{'bone':'knee','kind':'trajectory','keys':[]}", 2, 36, "an array of 1 to 100000"},
    {drive, "{'bone':'knee','kind':'trajectory','keys':[{'at':1}]}", 2, 44, "must have \"time\""},
    {drive, "{'bone':'knee','kind':'trajectory','keys':[{'time':1}]}", 2, 44, "must have \"at\""},
    {drive, "{'bone':'knee','kind':'servo','keys':[{'time':1,'at':0},\n{'time':1,'at':0}]}", 3, 1,
     "sort keys by time"},
    {drive,
     "{'bone':'knee','kind':'servo','ends':'periodic','keys':[{'time':0,'at':0},\n"
     "{'time':1,'at':5}]}",
     2, 1, "drive of bone 'knee'"},
    {drive, "{'bone':'knee','kind':'servo','ends':'open','keys':[]}", 2, 31,
     "give one of \"clamped\", \"periodic\""},
    {drive, "{'bone':'knee','kind':'servo','limit':0,'keys':[]}", 2, 31, "above 0"},
    {drive, "{'bone':'knee','kind':'trajectory','stiffness':1,'keys':[]}", 2, 36,
     "does not go with a trajectory drive"},
    {drive, "{'bone':'knee','kind':'free','begin':-1}", 2, 30, "is -1"},
    {drive, "{'bone':'knee','kind':'free','begin':2},\n{'bone':'knee','kind':'free','begin':1}", 3,
     2, "\"begin\" after 2 s"},
    {drive, "{'bone':'knee','kind':'pose','end':1}", 2, 1, "a drive must have \"pose\""},
    {drive, "{'bone':'knee','kind':'pose','pose':1}", 2, 1, "a drive must have \"end\""},
    {drive, "{'bone':'knee','kind':'pose','pose':1,'begin':2,'end':2}", 2, 49, "after \"begin\""},
    {drive, "{'bone':'hip','kind':'pose','pose':1,'end':2}", 2, 29, "a rotation"},
    {drive, "{'bone':'knee','kind':'pose','pose':1,'end':2,'keys':[]}", 2, 47,
     "does not go with a pose drive"},
    {drive, "{'bone':'knee','kind':'free','end':2}", 2, 30, "does not go with a free drive"},
    // drags
    {member, "'drags':{}", 2, 1, "is an object; give an array"},
    {member, "'direct':[]", 2, 1, "is an array"},
    {member, "'direct':{'torqe':1}", 2, 11, "did you mean \"torque\"?"},
    {member, "'direct':{'torque':0}", 2, 11, "above 0"},
    {member, "'direct':{'torques':1}", 2, 11, "an object"},
    {member, "'direct':{'torques':{'nee':1}}", 2, 22, "did you mean \"knee\"?"},
    {member, "'direct':{'torques':{'knee':-1}}", 2, 1, "must be above 0"},
    {member, "'direct':{'pose':{'knee':'x'}}", 2, 19, "an angle in degrees"},
    {member, "'direct':{'command':'speed'}", 2, 11, "\"acceleration\", \"torque\""},
    {drag, "{'keys':[]}", 2, 1, "a drag must have \"bone\""},
    {drag, "{'bone':'knee'}", 2, 1, "a drag must have \"keys\""},
    {drag, "{'bone':'nee','keys':[]}", 2, 2, "did you mean \"knee\"?"},
    {drag, "{'bone':'knee','keys':[]}", 2, 16, "an array of 1 to 100000"},
    {drag, "{'bone':'knee','keys':[{'position':[0,0,0]}]}", 2, 24, "must have \"time\""},
    {drag, "{'bone':'knee','keys':[{'time':0}]}", 2, 24, "\"position\" or a rotation"},
    {drag,
     "{'bone':'knee','keys':[{'time':0,'position':[0,0,0]},\n{'time':1,'rotation':[0,0,0,1]}]}", 3,
     1, "the same"},
    {drag, "{'bone':'knee','keys':[{'time':1,'position':[0,0,0]},\n{'time':1,'position':[0,0,0]}]}",
     3, 1, "sort keys by time"},
    {drag, "{'bone':'knee','begin':2,'end':1,'keys':[{'time':1,'position':[0,0,0]}]}", 2, 26,
     "after \"begin\""},
    {drag, "{'bone':'knee','frequency':0,'keys':[]}", 2, 16, "Hz"},
};

static snStatus parse(const char* text, size_t length, const char* name, snMessage* why)
{
    snScene* scene;
    snStatus status = snScene_Parse(NULL, text, length, name, snBuiltinLibrary(), &scene, why);
    assert_true((status == sn_ok) == (scene != NULL));
    snScene_Free(scene);
    return status;
}

static void testMistakes(void** state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; ++i) {
        const Mistake* m = &MISTAKES[i];
        char text[2048], place[64];
        int length = snprintf(text, sizeof text, "%s%s%s", AROUND[m->around].before, m->text,
                              AROUND[m->around].after);
        assert_true(length < (int)sizeof text);
        for (char* c = text; *c; ++c) {
            *c = *c == '\'' ? '"' : *c;
        }
        snprintf(place, sizeof place, "wrong.json: line %u, column %u: ", m->line, m->column);
        snMessage why;
        snStatus status = parse(text, (size_t)length, "wrong.json", &why);
        if (status != sn_errorFile || strncmp(why.text, place, strlen(place)) != 0 ||
            !strstr(why.text, m->says)) {
            print_error("%s\n  status %d: %s\n  expected %s... %s\n", text, (int)status, why.text,
                        place, m->says);
            wrong += 1;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(sizeof MISTAKES / sizeof *MISTAKES >= 60);
}

// The frame of the table is right itself.
static void testFrames(void** state)
{
    (void)state;
    static const struct {
        Around around;
        const char* text;
    } RIGHT[] = {{setting, "'duration':1"},
                 {character, "{'name':'c','skeleton':'fish'}"},
                 {member, "'pose':{}"},
                 {bone, "{'name':'b'}"},
                 {drive, "{'bone':'knee','kind':'free'}"},
                 {drag, "{'bone':'knee','keys':[{'time':0,'position':[0,0,0]}]}"}};
    for (size_t i = 0; i < sizeof RIGHT / sizeof *RIGHT; ++i) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", AROUND[RIGHT[i].around].before, RIGHT[i].text,
                 AROUND[RIGHT[i].around].after);
        for (char* c = text; *c; ++c) {
            *c = *c == '\'' ? '"' : *c;
        }
        snMessage why;
        assert_ok(parse(text, strlen(text), "right.json", &why), why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFrames),
        cmocka_unit_test(testMistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
