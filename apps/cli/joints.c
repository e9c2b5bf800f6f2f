// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/joints.h"

#include "cli/advice.h"
#include "cli/cli.h"
#include "cli/column.h"

#include <math.h>
#include <stdio.h>

#define DEGREES (180 / 3.14159265358979323846)

// Changes of scale from this part on are worth a remark.
#define STRETCH 0.01

static const char* nameOf(const snRigJoint* j)
{
    return j->name[0] ? j->name : "(no name)";
}

static const char* kindOf(const snRigJoint* j)
{
    return j->parent < 0                 ? "root"
           : j->follows                  ? "clip"
           : j->type == sn_jointWeld     ? "fixed"
           : j->type == sn_jointBall     ? "ball"
           : j->type == sn_jointRevolute ? "hinge"
                                         : "free";
}

static void printLimits(const snRigJoint* j)
{
    char swing[16] = "";
    bool turns = j->type == sn_jointRevolute || j->type == sn_jointBall;
    if (j->type == sn_jointBall) {
        snprintf(swing, sizeof swing, isfinite(j->swing) ? "%.0f" : "any", DEGREES * j->swing);
    }
    if (!turns) {
        return;
    }
    printf("  %5.2f %5.2f %5.2f %7s", j->axis.x, j->axis.y, j->axis.z, swing);
    if (isfinite(j->low)) {
        printf("  %4.0f..%.0f", DEGREES * j->low, DEGREES * j->high);
    } else {
        printf("  any");
    }
}

static void printRemarks(const snRigJoints* joints)
{
    for (int32_t i = 0; i < joints->count; ++i) {
        const snRigJoint* j = &joints->joints[i];
        if (j->is_moved) {
            printf("  '%s' hangs on '%s': in the file it slides against what it hangs on\n",
                   nameOf(j), nameOf(&joints->joints[j->parent]));
        }
        if (j->follows) {
            printf("  '%s' slides against '%s' by up to %.2g %% of the size: there it follows the "
                   "clip, whatever pushes\n",
                   nameOf(j), nameOf(&joints->joints[j->parent]), 100 * j->slide);
        }
        if (j->stretch > STRETCH) {
            printf("  '%s' changes its scale by up to %.2g %%, which physics does not see\n",
                   nameOf(j), 100 * j->stretch);
        }
    }
}

int printJoints(const snRig* rig)
{
    snMessage why;
    snRigJoints* joints = NULL;
    snStatus status = snRigJoints_Fit(NULL, rig, &joints, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    printf("  %-24s %-24s %6s %5s  %-17s %7s  %s\n", "joint", "hangs on", "skin %", "type", "axis",
           "swing", "turn, degrees");
    for (int32_t i = 0; i < joints->count; ++i) {
        const snRigJoint* j = &joints->joints[i];
        printf("  %-24.24s %-24.24s %6.1f %5s", nameOf(j),
               j->parent >= 0 ? nameOf(&joints->joints[j->parent]) : "-", 100 * j->share,
               kindOf(j));
        printLimits(j);
        printf("\n");
    }
    printRemarks(joints);
    snRigJoints_Free(joints);
    return EXIT_DONE;
}

int checkJoints(const snRig* rig, bool quiet)
{
    snMessage why;
    snRigJoints* joints = NULL;
    snStatus status = snRigJoints_Fit(NULL, rig, &joints, &why);
    if (status) {
        return complain(exitCode(status), "--two-way: %s", why.text);
    }
    if (!quiet) {
        printRemarks(joints);
    }
    snRigJoints_Free(joints);
    return EXIT_DONE;
}

void printTwoWay(const snBakeReport* r)
{
    ClipColumn column = columnOf(r);
    printf("  %-*s %28s %10s %7s %6s\n", column.width, "two-way", "joints miss it by (rms, most)",
           "root (mm)", "limits", "reset");
    for (int32_t i = 0; i < r->clip_count; ++i) {
        const snBakedClip* c = &r->clips[i];
        char root[24], number[16];
        if (c->skipped) {
            continue;
        }
        printf("  %-*.*s %9.2f %8.1f degrees %10s %6.0f%% %6d  %s\n", column.width, column.width,
               bakedName(c, number) + column.shared, DEGREES * c->turn_rms, DEGREES * c->turn_most,
               shortNumber(1e3 * c->root_miss, root), 100 * c->joint_limited, (int)c->joint_resets,
               c->turn_node);
        if (c->morphs_lost) {
            printf("  %s: the clip's own morphs do not move in it\n", c->name);
        }
    }
}
