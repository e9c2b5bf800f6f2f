// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// How fast a free bar of flesh rings, in bending and lengthwise, against theory and as cells get
// finer.
#include "accuracy/bodies.h"
#include "accuracy/table.h"

#define SLENDER 10
#define HEIGHT 0.1 // m
#define LENGTH (SLENDER * HEIGHT)
#define YOUNG 30e3
#define DENSITY 1000.0
#define POISSON 0.3
#define LOOKS 1000

static Table table = {.test = "accuracy_frequency"};

// First bending frequency of a free bar of square section, Hz, by the formula of ASTM E1876, which
// has Timoshenko's corrections for shear and rotation.
static double bendingByTheory(double slender)
{
    double t = 1 / (slender * slender), nu = POISSON;
    double factor = 1 + 6.585 * (1 + 0.0752 * nu + 0.8109 * nu * nu) * t - 0.868 * t * t -
                    8.340 * (1 + 0.2023 * nu + 2.173 * nu * nu) * t * t /
                        (1 + 6.338 * (1 + 0.1408 * nu + 1.536 * nu * nu) * t);
    double mass = DENSITY * HEIGHT * HEIGHT * LENGTH;
    return sqrt(YOUNG * HEIGHT / (0.9465 * mass * slender * slender * slender * factor));
}

static snSim* startBar(int across, snScene** scene)
{
    snSceneDef def;
    snCharacterDef bar;
    snCharacterDef_Init(&bar);
    bar.name = "bar";
    bar.cell_size = HEIGHT / across;
    bar.material = (snFleshMaterial){DENSITY, YOUNG, POISSON, 0};
    snSceneDef_Init(&def);
    def.gravity = STILL;
    def.self_contact = 0;
    *scene = makeSceneOf(NULL, &def,
                         buildBlock(&bar, snV3(0.5 * LENGTH, 0.5 * HEIGHT, 0.5 * HEIGHT)), NULL);
    return startSim(*scene);
}

// Mean place of surface vertices within a tenth of the height of a section, along an axis.
static double placeOf(const snFleshInfo* info, const snFrameCharacter* c, double section, int axis)
{
    double sum = 0;
    int count = 0;
    for (int32_t i = 0; i < info->vertex_count; ++i) {
        if (fabs(info->vertices[3 * i] - section) < 0.1 * HEIGHT) {
            sum += (double)c->surfaces[0].position[3 * i + axis] - info->vertices[3 * i + axis];
            ++count;
        }
    }
    assert_true(count > 0);
    return sum / count;
}

// The frequency within a factor 0.6..2.5 of `near` that is strongest in a record, Hz.
static double strongest(const double* record, double interval, double near)
{
    double best = 0, at = 0;
    for (double f = 0.6 * near; f < 2.5 * near; f *= 1.0005) {
        double re = 0, im = 0;
        for (int i = 0; i < LOOKS; ++i) {
            double window = 0.5 - 0.5 * snCos(2 * SN_PI * (i + 0.5) / LOOKS);
            re += window * record[i] * snCos(2 * SN_PI * f * interval * i);
            im += window * record[i] * snSin(2 * SN_PI * f * interval * i);
        }
        if (re * re + im * im > best) {
            best = re * re + im * im;
            at = f;
        }
    }
    return at;
}

// Pushed at its ends and the other way at its middle; along: pulled at both ends.
static double ring(int across, bool along, double near)
{
    static double record[LOOKS];
    snMessage why;
    snScene* scene;
    snSim* sim = startBar(across, &scene);
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    double push = 1e-4 * info->total_mass, interval = 20 / near / LOOKS; // s: twenty periods
    for (int end = -1; end <= 1; ++end) {
        snVec3 way = along ? snV3(end * push, 0, 0) : snV3(0, end ? push : -2 * push, 0);
        if (!along || end) {
            assert_ok(snSim_Push(sim, 0, snV3(0.5 * end * LENGTH, 0, 0), way, HEIGHT, &why), why);
        }
    }
    int axis = along ? 0 : 1;
    for (int i = 0; i < LOOKS; ++i) {
        advance(sim, interval);
        const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
        record[i] = placeOf(info, c, 0.5 * LENGTH, axis) -
                    (along ? placeOf(info, c, -0.5 * LENGTH, axis) : placeOf(info, c, 0, axis));
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return strongest(record, interval, near);
}

static void barsRingAsTheyShould(void** state)
{
    (void)state;
    // linear tets are too stiff in bending, the more the fewer there are across
    static const int ACROSS[3] = {1, 2, 4};
    static const double ALLOWED[2][3] = {{0.22, 0.1, 0.025}, {0.03, 0.006, 0.006}};
    for (int along = 0; along < 2; ++along) {
        double due = along ? sqrt(YOUNG / DENSITY) / (2 * LENGTH) : bendingByTheory(SLENDER);
        double found[3];
        for (int i = 0; i < 3; ++i) {
            char what[100];
            found[i] = ring(ACROSS[i], along, due);
            snprintf(what, sizeof what, "%s frequency of a free bar, %d across, Hz",
                     along ? "lengthwise" : "bending", ACROSS[i]);
            addFigure(&table, what, due, found[i], ALLOWED[along][i],
                      along ? "√(E/ρ)/2L" : "ASTM E1876");
        }
        if (!along) {
            addFigure(&table, "order in the cell of the bending frequency's error, 2 to 4 across",
                      2, log2((found[1] - due) / (found[2] - due)), 0.25, "");
        }
    }
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(barsRingAsTheyShould)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
