#include "bench_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The upper three rows, row by row.
typedef struct affine {
    double m[3][4];
} affine;

static affine affine_of(const double t[10]) {
    const double x = t[0], y = t[1], z = t[2], w = t[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    affine a;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) a.m[i][k] = r[i][k] * t[7 + k];
        a.m[i][3] = t[4 + i];
    }
    return a;
}

static affine multiply(const affine *a, const affine *b) {
    affine r;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
            r.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k];
        }
        r.m[i][3] += a->m[i][3];
    }
    return r;
}

/// The global matrix from the parent's, which is already there.
static void place(affine *global, const bench_rig *rig, uint32_t joint, const double local[10]) {
    const affine own = affine_of(local);
    const uint32_t parent = rig->joints[joint].parent;
    global[joint] = parent == SQT_NO_JOINT ? own : multiply(global + parent, &own);
}

static void slerp(double out[4], const double a[4], const double b[4], double u) {
    const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double angle = acos(fmin(fabs(cosine), 1));
    const double from = angle < 1e-8 ? 1 - u : sin((1 - u) * angle) / sin(angle);
    const double to = (angle < 1e-8 ? u : sin(u * angle) / sin(angle)) * (cosine < 0 ? -1 : 1);
    for (int i = 0; i < 4; ++i) out[i] = from * a[i] + to * b[i];
}

static void motion_between_keys(double t[10], const bench_rig *rig, uint32_t motion, uint32_t joint, double seconds) {
    const double rate = 30, position = fmod(seconds, bench_motion_duration(motion)) * rate, key = floor(position);
    double a[10], b[10];
    bench_motion_at(a, rig, motion, joint, key / rate);
    bench_motion_at(b, rig, motion, joint, (key + 1) / rate);
    slerp(t, a, b, position - key);
    for (int i = 4; i < 10; ++i) t[i] = a[i] + (position - key) * (b[i] - a[i]);
}

static double distance_of(const affine *a, const affine *b, int axis) {
    double square = 0;
    for (int i = 0; i < 3; ++i) {
        const double x = a->m[i][3] + (axis < 3 ? 0.1 * a->m[i][axis] : 0);
        const double y = b->m[i][3] + (axis < 3 ? 0.1 * b->m[i][axis] : 0);
        square += (x - y) * (x - y);
    }
    return sqrt(square);
}

double bench_pose_error(const bench_rig *rig, uint32_t motion, double seconds, const sqt_pose_block *pose) {
    bench_pool pool = {0};
    affine *const expected = bench_alloc(&pool, rig->joint_count, sizeof *expected);
    affine *const found = bench_alloc(&pool, rig->joint_count, sizeof *found);
    double error = 0;
    for (uint32_t j = 0; j < rig->joint_count; ++j) {
        double t[10];
        motion_between_keys(t, rig, motion, j, seconds);
        place(expected, rig, j, t);
        const sqt_transform s = sqt_pose_get(pose, j);
        const double sampled[10] = {(double)s.rotation.x,    (double)s.rotation.y,    (double)s.rotation.z,
                                    (double)s.rotation.w,    (double)s.translation.x, (double)s.translation.y,
                                    (double)s.translation.z, (double)s.scale.x,       (double)s.scale.y,
                                    (double)s.scale.z};
        place(found, rig, j, sampled);
        for (int axis = 0; axis < 4; ++axis) error = fmax(error, distance_of(expected + j, found + j, axis));
    }
    bench_free(&pool);
    return error;
}
