// For tests only: comparisons of poses and points within a tolerance, which say what differs and where. cmocka's own
// assert_float_equal lets NaN pass; these do not.
#ifndef POSE_ASSERT_H
#define POSE_ASSERT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sqt/sqt.h>

/// False for NaN, whichever side it is on.
static inline bool close_to(float a, float b, float tolerance) { return fabsf(a - b) <= tolerance; }

static inline bool vec3_close(sqt_vec3 a, sqt_vec3 b, float tolerance) {
    return close_to(a.x, b.x, tolerance) && close_to(a.y, b.y, tolerance) && close_to(a.z, b.z, tolerance);
}

/// q and -q are one rotation.
static inline bool rotation_close(sqt_quat a, sqt_quat b, float tolerance) {
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    return close_to(a.x, sign * b.x, tolerance) && close_to(a.y, sign * b.y, tolerance) &&
           close_to(a.z, sign * b.z, tolerance) && close_to(a.w, sign * b.w, tolerance);
}

static inline bool transform_close(sqt_transform a, sqt_transform b, float tolerance) {
    return rotation_close(a.rotation, b.rotation, tolerance) && vec3_close(a.translation, b.translation, tolerance) &&
           vec3_close(a.scale, b.scale, tolerance);
}

#define assert_point_close(point, expected, tolerance) \
    assert_point_close_at((point), (expected), (tolerance), #point, __FILE__, __LINE__)

static inline void assert_point_close_at(sqt_vec3 a, sqt_vec3 b, float tolerance, const char *what, const char *file,
                                         int line) {
    if (vec3_close(a, b, tolerance)) return;
    print_error("%s is (%g, %g, %g), expected (%g, %g, %g) within %g\n", what, a.x, a.y, a.z, b.x, b.y, b.z, tolerance);
    _fail(file, line);
}

/// Compares a pose with a literal: an array with the transform of every joint of the skeleton.
#define assert_pose_close(pose, expected, skeleton, tolerance) \
    assert_pose_close_at((pose), (expected), (skeleton), (tolerance), #pose, __FILE__, __LINE__)

static inline void assert_pose_close_at(const sqt_pose_block *pose, const sqt_transform *expected,
                                        const sqt_skeleton *skeleton, float tolerance, const char *what,
                                        const char *file, int line) {
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const sqt_transform a = sqt_pose_get(pose, j), b = expected[j];
        if (transform_close(a, b, tolerance)) continue;
        print_error("%s, joint %u \"%s\", differs by more than %g\n", what, (unsigned)j,
                    sqt_skeleton_joint(skeleton, j).name, tolerance);
        print_error("  rotation (%g, %g, %g, %g), expected (%g, %g, %g, %g)\n", a.rotation.x, a.rotation.y,
                    a.rotation.z, a.rotation.w, b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w);
        print_error("  translation (%g, %g, %g), expected (%g, %g, %g)\n", a.translation.x, a.translation.y,
                    a.translation.z, b.translation.x, b.translation.y, b.translation.z);
        print_error("  scale (%g, %g, %g), expected (%g, %g, %g)\n", a.scale.x, a.scale.y, a.scale.z, b.scale.x,
                    b.scale.y, b.scale.z);
        _fail(file, line);
    }
}

#endif
