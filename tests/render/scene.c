// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: render

// The renderer and its draw list: a bumpy ball of 35,000 vertices on the ground with lines and
// spheres.
#include "render/ball.h"
#include <render/shapes.h>

#define SPHERES 300

static void addMore(DrawList* list, const Ball* b)
{
    float spheres[4 * SPHERES];
    for (int i = 0; i < SPHERES; ++i) {
        double r = 0.65 + 0.0015 * i;
        spheres[4 * i] = (float)(r * cos(0.13 * i));
        spheres[4 * i + 1] = 0.02f + (i % 20 ? 0 : 0.3f);
        spheres[4 * i + 2] = (float)(r * sin(0.13 * i));
        spheres[4 * i + 3] = 0.02f;
    }
    addLines(list, b->lines, b->line_count, (Colour){0.15f, 0.2f, 0.3f, 0.8f}, 1.2f);
    addSpheres(list, spheres, NULL, SPHERES, (Colour){0.35f, 0.55f, 0.75f, 1});
}

static Image draw(Renderer* r, const DrawList* list, const Shot* shot)
{
    const Image* image;
    snMessage why;
    Image copy = {WIDTH, HEIGHT, malloc(3 * WIDTH * HEIGHT)};
    if (renderPicture(r, list, shot, &image, &why)) {
        fail_msg("%s", why.text);
    }
    memcpy(copy.pixels, image->pixels, 3 * WIDTH * HEIGHT);
    return copy;
}

static const uint8_t* pixel(const Image* image, int x, int y)
{
    return image->pixels + 3 * ((size_t)y * WIDTH + (size_t)x);
}

// Where a point is in the picture.
static const uint8_t* pixelOf(const Image* image, const Shot* shot, snVec3 p)
{
    Matrix m = cameraMatrix(&shot->camera, (double)WIDTH / HEIGHT, 0.1, 100);
    double c[4];
    for (int i = 0; i < 4; ++i) {
        c[i] = (double)m.m[i] * p.x + (double)m.m[4 + i] * p.y + (double)m.m[8 + i] * p.z +
               (double)m.m[12 + i];
    }
    return pixel(image, (int)((c[0] / c[3] + 1) * 0.5 * WIDTH),
                 (int)((1 - c[1] / c[3]) * 0.5 * HEIGHT));
}

static bool isBall(const uint8_t* p)
{
    return p[0] > p[2] + 40;
}

static void closedMeshesAreKnown(void** state)
{
    (void)state;
    Ball b = makeBall();
    MeshForm form = measureMesh(b.positions, b.triangles, TRIANGLES);
    assert_int_equal(form.side, 1);
    assert_true(fabs(form.area - 3.14159) < 0.3); // of the smooth ball; bumps add some
    for (int i = 0; i < 3 * TRIANGLES; i += 3) {
        int32_t first = b.triangles[i];
        b.triangles[i] = b.triangles[i + 1];
        b.triangles[i + 1] = first;
    }
    assert_int_equal(measureMesh(b.positions, b.triangles, TRIANGLES).side, -1);
    assert_int_equal(measureMesh(b.positions, b.triangles + 60000, TRIANGLES - 20000).side, 0);
    freeBall(&b);
}

// Smooth normals of a ball without bumps point outward.
static void normalsAreThoseOfTheSurface(void** state)
{
    (void)state;
    Shape s;
    makeCapsule(&s, 32, 7);
    float positions[3 * SHAPE_MOST_VERTICES], normals[3 * SHAPE_MOST_VERTICES];
    for (int i = 0; i < s.vertex_count; ++i) {
        memcpy(positions + 3 * i, s.vertices + 4 * i, 3 * sizeof(float));
    }
    smoothNormals(positions, s.vertex_count, s.triangles, s.triangle_count, normals);
    for (int i = 0; i < s.vertex_count; ++i) {
        const float *p = positions + 3 * i, *n = normals + 3 * i;
        // facets of 11 degrees are weighted by area, so a part of that remains
        assert_true(p[0] * n[0] + p[1] * n[1] + p[2] * n[2] > 0.98f);
    }
}

static void listsSurviveTheFile(void** state)
{
    (void)state;
    Ball b = makeBall();
    DrawList list = {0}, first = {0}, second = {0};
    FILE* file = tmpfile();
    addBall(&list, &b, 1);
    addMore(&list, &b);
    assert_false(list.failed);
    assert_true(writeDrawList(file, &list, NULL));
    long size = ftell(file);
    assert_true(writeDrawList(file, &list, &list));
    assert_true(ftell(file) - size < 1000); // what is the same is not written twice
    rewind(file);
    assert_true(readDrawList(file, &first, NULL));
    assert_true(readDrawList(file, &second, &first));
    assert_int_equal(second.count, list.count);
    for (int i = 0; i < list.count; ++i) {
        for (int k = 0; k < DRAW_PIECES; ++k) {
            assert_int_equal(second.items[i].bytes[k], list.items[i].bytes[k]);
            if (list.items[i].bytes[k]) {
                assert_memory_equal(second.items[i].data[k], list.items[i].data[k],
                                    list.items[i].bytes[k]);
            }
        }
    }
    assert_false(readDrawList(file, &list, NULL));
    fclose(file);
    clearDrawList(&list);
    clearDrawList(&first);
    clearDrawList(&second);
    freeBall(&b);
}

static void badIndicesAreRefused(void** state)
{
    (void)state;
    Ball b = makeBall();
    DrawList list = {0};
    b.triangles[17] = VERTICES;
    addBall(&list, &b, 1);
    assert_true(list.failed);
    clearDrawList(&list);
    freeBall(&b);
}

static void fitTouchesTheMargins(void** state)
{
    (void)state;
    Ball b = makeBall();
    DrawList list = {0};
    addBall(&list, &b, 1);
    Shot shot = fitShot(&list);
    shot.has_ground = false;
    Renderer* r = openRenderer();
    Image image = draw(r, &list, &shot);
    int top = HEIGHT, bottom = -1, left = WIDTH, right = -1;
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            if (isBall(pixel(&image, x, y))) {
                top = y < top ? y : top;
                bottom = y;
                left = x < left ? x : left;
                right = x > right ? x : right;
            }
        }
    }
    // 4 % of the height above and below, give or take antialiasing; across there is room to spare,
    // evenly shared by angle from the middle
    assert_in_range(top, 26, 31);
    assert_in_range(HEIGHT - 1 - bottom, 26, 31);
    assert_true(left > 100 && abs(left - (WIDTH - 1 - right)) < 12);
    freeImage(&image);
    freeRenderer(r);
    clearDrawList(&list);
    freeBall(&b);
}

static void lightAndShadowAreWhereTheyBelong(void** state)
{
    (void)state;
    Ball b = makeBall();
    DrawList list = {0};
    addBall(&list, &b, 1);
    addMore(&list, &b);
    Shot shot = fitShot(&list);
    Renderer* r = openRenderer();
    Image image = draw(r, &list, &shot), again = draw(r, &list, &shot);
    assert_memory_equal(image.pixels, again.pixels, 3 * WIDTH * HEIGHT);
    freeImage(&again);

    // the ball's middle, along the light to the ground, and the same distance on the sunny side
    double way = 0.5 / shot.light.y;
    snVec3 dark = {-way * shot.light.x + 0.25, 0, -way * shot.light.z - 0.1};
    snVec3 open = {0.42, 0, 0.42};
    const uint8_t* shaded = pixelOf(&image, &shot, dark);
    const uint8_t* bright = pixelOf(&image, &shot, open);
    assert_true(bright[1] > 200);
    assert_true(shaded[1] < bright[1] - 25);

    // what is looked through shows what is behind, and is still there
    DrawList glass = {0};
    addBall(&glass, &b, 0.4f);
    addMore(&glass, &b);
    Image seen = draw(r, &glass, &shot);
    const uint8_t* before = pixel(&image, 480, 300);
    const uint8_t* after = pixel(&seen, 480, 300);
    assert_true(isBall(before) && after[0] > after[2] + 10);
    assert_true(after[2] > before[2]);
    freeImage(&seen);
    clearDrawList(&glass);

    snMessage why;
    assert_int_equal(writePng(&image, "scene.png", &why), sn_ok);
    freeImage(&image);
    freeRenderer(r);
    clearDrawList(&list);
    freeBall(&b);
}

// A large square table of the given height, as thin as paper.
static void addTable(DrawList* list, float height, bool scenery)
{
    const float corners[12] = {-1, height, -1, -1, height, 1, 1, height, 1, 1, height, -1};
    static const int32_t HALVES[6] = {0, 1, 2, 0, 2, 3};
    static const float UP[12] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
    const DrawMesh mesh = {.vertex_count = 4,
                           .triangle_count = 2,
                           .positions = corners,
                           .normals = UP,
                           .triangles = HALVES,
                           .colour = {0.86f, 0.52f, 0.38f, 1},
                           .scenery = scenery};
    addMesh(list, &mesh);
}

// The darkest and the brightest red of a square of pixels about a point.
static void rangeAt(const Image* image, const Shot* shot, snVec3 p, int* low, int* high)
{
    const uint8_t* middle = pixelOf(image, shot, p);
    *low = 255;
    *high = 0;
    for (int y = -12; y <= 12; ++y) {
        for (int x = -12; x <= 12; ++x) {
            int red = middle[3 * ((ptrdiff_t)y * WIDTH + x)];
            *low = red < *low ? red : *low;
            *high = red > *high ? red : *high;
        }
    }
}

// A flat face takes light evenly, one in the shade of another is dark without holes, whichever way
// light falls.
static void flatFacesAreEven(void** state)
{
    (void)state;
    Renderer* r = openRenderer();
    for (int i = 0; i < 6; ++i) {
        DrawList list = {0};
        double slant = 0.18 * i, yaw = 0.4 + i;
        addTable(&list, 0.3f, i % 2);
        DrawBone bone = {{-0.1f, 0.8f, 0}, 0.3f, {0.1f, 0.8f, 0}, {0.86f, 0.52f, 0.38f, 1}};
        addBones(&list, drawCapsules, &bone, 1);
        Shot shot = fitShot(&list);
        shot.light = (snVec3){sin(slant) * sin(yaw), cos(slant), sin(slant) * cos(yaw)};
        Image image = draw(r, &list, &shot);
        // where the ball's middle throws its shadow, and beside the ball, far from that
        snVec3 dark = {-0.5 * tan(slant) * sin(yaw), 0.3, -0.5 * tan(slant) * cos(yaw)};
        double side = dark.x < dark.z ? 0.8 : -0.8;
        snVec3 open = {side, 0.3, -side};
        int low, high, dark_low, dark_high;
        rangeAt(&image, &shot, open, &low, &high);
        assert_true(high - low < 12);
        if (i > 2) { // else the ball hides its shadow
            rangeAt(&image, &shot, dark, &dark_low, &dark_high);
            assert_true(dark_high - dark_low < 12);
            assert_true(dark_high < low - 40);
        }
        freeImage(&image);
        clearDrawList(&list);
    }
    freeRenderer(r);
}

// An empty picture, a single point: nothing to measure must not mean numbers without end.
static void littleIsNoTrouble(void** state)
{
    (void)state;
    Renderer* r = openRenderer();
    DrawList list = {0};
    Shot shot = {.camera = aimCamera((snVec3){0, 1, 3}, (snVec3){0, -1, -3}),
                 .light = {0, 0.8, 0.6},
                 .radius = 1,
                 .has_ground = true};
    Image image = draw(r, &list, &shot);
    freeImage(&image);
    DrawBone bone = {{0, 0, 0}, 0, {0, 0, 0}, {1, 1, 1, 1}};
    addBones(&list, drawOctahedra, &bone, 1);
    image = draw(r, &list, &shot);
    freeImage(&image);
    clearDrawList(&list);
    freeRenderer(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closedMeshesAreKnown), cmocka_unit_test(normalsAreThoseOfTheSurface),
        cmocka_unit_test(listsSurviveTheFile),  cmocka_unit_test(badIndicesAreRefused),
        cmocka_unit_test(fitTouchesTheMargins), cmocka_unit_test(lightAndShadowAreWhereTheyBelong),
        cmocka_unit_test(flatFacesAreEven),     cmocka_unit_test(littleIsNoTrouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
