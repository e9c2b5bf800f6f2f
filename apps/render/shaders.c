// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "render/shaders.h"

const char SHADER_HEAD[] =
    "#version 330 core\n"
    "layout(std140) uniform Scene {\n"
    "    mat4 camera, light_box, floor_box;\n"
    "    vec4 eye, light, ground, centre, picture;\n"
    "};\n"
    "vec3 linear(vec3 c)\n"
    "{\n"
    "    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04)));\n"
    "}\n"
    "vec3 background(float height)\n"
    "{\n"
    "    return mix(linear(vec3(0.93, 0.935, 0.94)), linear(vec3(0.74, 0.78, 0.83)),\n"
    "               smoothstep(0.2, 1.1, height));\n"
    "}\n"
    // A key light with soft shadow, a sky and a floor that throws light back, a broad highlight,
    // and brighter rims, so that form reads also in the shade. Shadows are looked up at the corners
    // of a slanted square of 3.4 texels, so a flat face that light falls on at an angle must be
    // left by that times the angle's sine, along the face's own normal, or it shades itself in
    // stripes. Outside the map there is light.
    "uniform sampler2DShadow shadow_map;\n"
    "float keyLight(vec3 point, vec3 n, vec3 face, float facing)\n"
    "{\n"
    "    float slant = sqrt(max(1 - dot(face, light.xyz) * dot(face, light.xyz), 0));\n"
    "    vec3 p = point + eye.w * (n + face * (0.5 + 3 * slant));\n"
    "    vec3 at = (light_box * vec4(p, 1)).xyz * 0.5 + 0.5;\n"
    "    vec2 off = abs(at.xy - 0.5);\n"
    "    if (max(off.x, off.y) > 0.5 || at.z > 1)\n"
    "        return facing;\n"
    "    float texel = 0.5 * eye.w / light.w, sum = 0;\n"
    "    for (int i = 0; i < 4; ++i) {\n"
    "        vec2 d = i % 2 == 0 ? vec2(1.6, 0.6) : vec2(-0.6, 1.6);\n"
    "        d *= i < 2 ? texel : -texel;\n"
    "        sum += textureLod(shadow_map, vec3(at.xy + d, at.z), 0.0);\n"
    "    }\n"
    "    return facing * 0.25 * sum;\n"
    "}\n"
    "vec3 shade(vec3 point, vec3 n, vec3 face, vec3 colour, bool solid)\n"
    "{\n"
    "    vec3 v = normalize(eye.xyz - point), l = light.xyz, h = normalize(l + v);\n"
    "    float facing = max(dot(n, l), 0);\n"
    "    float key = solid && facing > 0 ? keyLight(point, n, face, facing) : facing;\n"
    "    float near = clamp((point.y - ground.x) / (0.5 * centre.w), 0, 1);\n"
    "    float open = mix(0.45 + 0.55 * near, 1, 0.5 + 0.5 * n.y);\n"
    "    vec3 sky = mix(vec3(0.22, 0.205, 0.19), vec3(0.36, 0.39, 0.44), 0.5 + 0.5 * n.y) * open;\n"
    "    float gloss = max(dot(n, h), 0), rim = 1 - max(dot(n, v), 0);\n"
    "    gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss;\n"
    "    gloss *= 0.12 * min(20 * facing, 1) * key / max(facing, 0.001);\n"
    "    rim *= rim * rim * 0.2 * open;\n"
    "    vec3 c = colour * (sky + key * vec3(1.0, 0.96, 0.9) * 0.92) + gloss + rim * sky;\n"
    "    return c / (1 + 0.12 * c * c);\n"
    "}\n";

const char MESH_VERTEX[] = "layout(location = 0) in vec3 position;\n"
                           "layout(location = 1) in vec3 direction;\n"
                           "layout(location = 2) in vec3 tint;\n"
                           "uniform mat4 matrix;\n"
                           "uniform vec4 base;\n"
                           "out vec3 point, normal;\n"
                           "out vec4 colour;\n"
                           "void main()\n"
                           "{\n"
                           "    point = position;\n"
                           "    normal = direction;\n"
                           "    colour = vec4(linear(base.rgb * tint), base.a);\n"
                           "    gl_Position = matrix * vec4(position, 1);\n"
                           "}\n";

// A vertex of a shape is an offset in radii, in axes with z along the bone, from a point that
// divides the bone.
const char SHAPE_VERTEX[] =
    "layout(location = 0) in vec4 shape;\n"
    "layout(location = 3) in vec4 from;\n"
    "layout(location = 4) in vec3 to;\n"
    "layout(location = 5) in vec4 tint;\n"
    "uniform mat4 matrix;\n"
    "out vec3 point, normal;\n"
    "out vec4 colour;\n"
    "void main()\n"
    "{\n"
    "    vec3 z = to - from.xyz;\n"
    "    z = dot(z, z) > 0 ? normalize(z) : vec3(0, 1, 0);\n"
    "    vec3 x = normalize(cross(abs(z.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0), z));\n"
    "    normal = mat3(x, cross(z, x), z) * shape.xyz;\n"
    "    point = mix(from.xyz, to, shape.w) + from.w * normal;\n"
    "    colour = vec4(linear(tint.rgb), tint.a);\n"
    "    gl_Position = matrix * vec4(point, 1);\n"
    "}\n";

// Lines come a little nearer so that they win over the surface they lie on. Short ones are thinner
// to the eye, or dense nets would be black.
const char LINE_VERTEX[] =
    "layout(location = 3) in vec3 from;\n"
    "layout(location = 4) in vec3 to;\n"
    "uniform float width;\n"
    "out float strength;\n"
    "vec4 clip(vec3 p)\n"
    "{\n"
    "    return camera * vec4(mix(p, eye.xyz, 0.0015), 1);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec4 a = clip(from), b = clip(to), p = gl_VertexID % 2 == 0 ? a : b;\n"
    "    vec2 along = (b.xy / b.w - a.xy / a.w) * picture.xy;\n"
    "    strength = clamp(length(along) / 20, 0.3, 1);\n"
    "    along = dot(along, along) > 0 ? normalize(along) : vec2(1, 0);\n"
    "    vec2 side = vec2(-along.y, along.x) * (gl_VertexID < 2 ? width : -width);\n"
    "    gl_Position = p + vec4(side / picture.xy * p.w, 0, 0);\n"
    "}\n";

// The ground goes a little farther off, so that what lies in its plane, or dips into it by a
// little, wins.
const char GROUND_VERTEX[] = "out vec3 point;\n"
                             "void main()\n"
                             "{\n"
                             "    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2 - 1;\n"
                             "    vec2 p = centre.xz + ground.w * corner;\n"
                             "    point = vec3(p.x, ground.x, p.y);\n"
                             "    gl_Position = camera * vec4(mix(point, eye.xyz, -0.004), 1);\n"
                             "}\n";

const char SCREEN_VERTEX[] =
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 1, 1);\n"
    "}\n";

const char LIT_FRAGMENT[] =
    "in vec3 point, normal;\n"
    "in vec4 colour;\n"
    "uniform bool facets, fades;\n"
    "out vec4 result;\n"
    "void main()\n"
    "{\n"
    "    vec3 face = cross(dFdx(point), dFdy(point));\n"
    "    face = dot(face, face) > 0 ? normalize(face) : normalize(normal);\n"
    "    face = faceforward(face, point - eye.xyz, face);\n"
    "    vec3 n = facets ? face : gl_FrontFacing ? normalize(normal) : -normalize(normal);\n"
    // an opacity of 1 may come here as a little less, rounded between vertices
    "    bool solid = colour.a > 0.999;\n"
    "    vec3 c = shade(point, n, face, colour.rgb, solid);\n"
    // scenery ends where the ground does
    "    float fade = smoothstep(ground.z, ground.w, length(point.xz - centre.xz));\n"
    "    fade = fades ? fade : 0.0;\n"
    "    c = mix(c, background(gl_FragCoord.y / picture.y), fade);\n"
    // what is looked through takes no shadows from what is inside, and is denser where it is
    // looked along, as skins and bubbles are
    "    float along = 1 - abs(dot(n, normalize(eye.xyz - point)));\n"
    "    float a = colour.a + (0.75 - colour.a) * along * along * along;\n"
    "    result = vec4(c, solid ? 1.0 : a * (1 - fade));\n"
    "}\n";

const char DENSE_VERTEX[] = "layout(location = 0) in vec3 position;\n"
                            "layout(location = 1) in vec3 direction;\n"
                            "layout(location = 2) in vec3 tint;\n"
                            "uniform mat4 matrix;\n"
                            "uniform vec4 base;\n"
                            "uniform float side;\n"
                            "out vec3 shaded;\n"
                            "void main()\n"
                            "{\n"
                            "    vec3 n = side * normalize(direction);\n"
                            "    shaded = shade(position, n, n, linear(base.rgb * tint), true);\n"
                            "    gl_Position = matrix * vec4(position, 1);\n"
                            "}\n";

const char DENSE_FRAGMENT[] = "in vec3 shaded;\n"
                              "out vec4 result;\n"
                              "void main()\n"
                              "{\n"
                              "    result = vec4(shaded, 1);\n"
                              "}\n";

const char EMPTY_FRAGMENT[] = "void main()\n"
                              "{\n"
                              "}\n";

const char LINE_FRAGMENT[] = "uniform vec4 base;\n"
                             "in float strength;\n"
                             "out vec4 result;\n"
                             "void main()\n"
                             "{\n"
                             "    result = vec4(linear(base.rgb), base.a * strength);\n"
                             "}\n";

const char GROUND_FRAGMENT[] =
    "in vec3 point;\n"
    "uniform sampler2D shadows, contact;\n"
    "out vec4 result;\n"
    "float look(sampler2D map, mat4 box)\n"
    "{\n"
    "    vec2 at = (box * vec4(point, 1)).xy;\n"
    "    return max(abs(at.x), abs(at.y)) < 1 ? texture(map, at * 0.5 + 0.5).r : 0.0;\n"
    "}\n"
    "float grid()\n"
    "{\n"
    "    vec2 g = point.xz / ground.y, w = max(fwidth(g), 1e-6);\n"
    "    vec2 lines = clamp(1.2 - abs(fract(g - 0.5) - 0.5) / w, 0, 1);\n"
    "    return max(lines.x, lines.y) * clamp(1.4 - 4 * max(w.x, w.y), 0, 1);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec3 far = background(gl_FragCoord.y / picture.y);\n"
    "    float fade = smoothstep(ground.z, ground.w, length(point.xz - centre.xz));\n"
    "    vec3 base = linear(vec3(0.85, 0.86, 0.87)) * (1 - 0.10 * grid());\n"
    "    vec3 dark = mix(vec3(1), vec3(0.50, 0.53, 0.58), look(shadows, light_box));\n"
    "    result = vec4(mix(base * dark * (1 - look(contact, floor_box)), far, fade), 1);\n"
    "}\n";

const char BACKGROUND_FRAGMENT[] = "out vec4 result;\n"
                                   "void main()\n"
                                   "{\n"
                                   "    result = vec4(background(gl_FragCoord.y / picture.y), 1);\n"
                                   "}\n";
