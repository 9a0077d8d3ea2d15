// What a clip of 16 bits costs: its error against the float clip.
#include "simd/isa.h"

#include "sqt/uniform_clip.h"

#include <math.h>

#include "affine.h"
#include "fault.h"
#include "sqt/blend.h"
#include "uniform_row.h"

enum { ALIGNMENT = 64 };

static double larger(double a, double b) { return a > b ? a : b; }

/// Both clips' poses and global transforms.
typedef struct error_scratch {
    sqt_pose_block *poses[2];
    sqt_affine *globals[2];
} error_scratch;

size_t sqt_uniform_clip_error_bytes(const sqt_skeleton *skeleton) {
    if (!skeleton || skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return 0;
    const size_t joint_count = skeleton->joint_count;
    return 2 * (joint_count * sizeof(sqt_affine) + SQT_POSE_BLOCKS(joint_count) * sizeof(sqt_pose_block)) + ALIGNMENT -
           1;
}

static double distance(const double *a, const double *b) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(sqt_dot_double(d, d));
}

static void raise(float *largest, double value) {
    if (value > (double)*largest) *largest = (float)value;
}

/// The angle between two rotations: twice that of their quaternions, by its tangent, which small angles keep.
static double angle_between(sqt_quat a, sqt_quat b) {
    const sqt_quat d = sqt_quat_multiply(sqt_quat_conjugate(a), b);
    const double sine = sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return 2.0 * (double)sqt_atan2((float)sine, fabsf(d.w));
}

static void compare_local(sqt_clip_error *error, sqt_transform a, sqt_transform b) {
    const double ta[3] = {(double)a.translation.x, (double)a.translation.y, (double)a.translation.z};
    const double tb[3] = {(double)b.translation.x, (double)b.translation.y, (double)b.translation.z};
    raise(&error->rotation_radians, angle_between(a.rotation, b.rotation));
    raise(&error->translation, distance(ta, tb));
    raise(&error->scale, fabs((double)a.scale.x - (double)b.scale.x));
    raise(&error->scale, fabs((double)a.scale.y - (double)b.scale.y));
    raise(&error->scale, fabs((double)a.scale.z - (double)b.scale.z));
}

/// The largest distance of a joint's origin and of the points on its axes.
static double compare_global(const sqt_affine *a, const sqt_affine *b, double shell_distance) {
    double largest = distance(a->m + 9, b->m + 9);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double pa[3], pb[3];
        for (uint32_t i = 0; i < 3; ++i) {
            pa[i] = a->m[9 + i] + shell_distance * a->m[3 * axis + i];
            pb[i] = b->m[9 + i] + shell_distance * b->m[3 * axis + i];
        }
        largest = larger(largest, distance(pa, pb));
    }
    return largest;
}

static void compare_poses(sqt_clip_error *error, const sqt_skeleton *skeleton, const error_scratch *scratch,
                          double shell_distance, double seconds) {
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        sqt_transform local[2];
        for (uint32_t k = 0; k < 2; ++k) {
            local[k] = sqt_pose_get(scratch->poses[k], j);
            const sqt_affine affine = sqt_affine_from_transform(local[k]);
            scratch->globals[k][j] =
                parent == SQT_NO_JOINT ? affine : sqt_affine_multiply(scratch->globals[k][parent], affine);
        }
        compare_local(error, local[0], local[1]);
        const double far = compare_global(scratch->globals[0] + j, scratch->globals[1] + j, shell_distance);
        if (far > (double)error->distance) {
            error->joint = j;
            error->seconds = seconds;
        }
        raise(&error->distance, far);
    }
}

/// Parts of an interval. Near its ends, where the error of one sample counts whole, the time is rounded to w by half of
/// 1/32767 down and up: in between, linear quantities are no worse. The middle is where rotations bend.
enum { MOMENTS = 6 };
static const double moments[MOMENTS] = {0.0, 0.49 / 32767.0,       0.51 / 32767.0,
                                        0.5, 1.0 - 0.51 / 32767.0, 1.0 - 0.49 / 32767.0};

/// Both clips' poses at an instant, on the rest pose where they are differences.
static sqt_result sample_both(const error_scratch *scratch, const sqt_skeleton *skeleton, const sqt_clip *clip,
                              const sqt_uniform_clip *uniform, double seconds, uint32_t flags) {
    sqt_result result = sqt_clip_sample(scratch->poses[0], skeleton, clip, seconds, flags);
    if (result == SQT_OK) result = sqt_uniform_clip_sample(scratch->poses[1], skeleton, uniform, seconds, flags);
    for (uint32_t k = 0; k < 2 && result == SQT_OK && clip->flags & SQT_CLIP_DIFFERENCE; ++k) {
        result = sqt_blend_add(scratch->poses[k], skeleton, skeleton->rest, scratch->poses[k], NULL, 1.0f, 0);
    }
    return result;
}

sqt_result sqt_uniform_clip_error(sqt_clip_error *error, const sqt_skeleton *skeleton, const sqt_clip *clip,
                                  const sqt_uniform_clip *uniform, float shell_distance, uint32_t flags, void *memory,
                                  size_t memory_bytes) {
    if (!error || !skeleton || !skeleton->parents || !clip || !uniform || !memory) return SQT_ERROR_NULL;
    if (skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    if (clip->sample_count != uniform->sample_count || clip->flags != uniform->flags) return SQT_ERROR_COUNT;
    if (!sqt_finite(shell_distance) || shell_distance < 0.0f) return SQT_ERROR_NUMBER;
    if (memory_bytes < sqt_uniform_clip_error_bytes(skeleton)) return SQT_ERROR_SPACE;
    char *const base = (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count);
    sqt_pose_block *const poses = (sqt_pose_block *)base;
    sqt_affine *const globals = (sqt_affine *)(poses + 2 * blocks);
    const error_scratch scratch = {{poses, poses + blocks}, {globals, globals + skeleton->joint_count}};
    // Clamped, so that the last instant is not the first.
    sqt_clip exact = *clip;
    sqt_uniform_clip lossy = *uniform;
    exact.timeline.loop = lossy.timeline.loop = SQT_LOOP_CLAMP;
    const uint32_t intervals = sqt_uniform_intervals(clip->sample_count, clip->flags);
    sqt_clip_error found = {0};
    for (uint64_t i = 0; i <= MOMENTS * (uint64_t)intervals; ++i) {
        const uint32_t index = (uint32_t)(i / MOMENTS);
        const double u = moments[i % MOMENTS];
        const double from = sqt_clip_sample_seconds(&exact, index), to = sqt_clip_sample_seconds(&exact, index + 1);
        const double seconds = u == 0.0 ? from : from + (to - from) * u;
        const sqt_result result = sample_both(&scratch, skeleton, &exact, &lossy, seconds, flags);
        if (result) return result;
        compare_poses(&found, skeleton, &scratch, (double)shell_distance, seconds);
    }
    *error = found;
    return SQT_OK;
}
