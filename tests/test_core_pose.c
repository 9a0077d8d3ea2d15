// Distances between poses, against sums by hand.
#include "check.h"

enum { JOINTS = 5 };

static const sqt_skeleton rig = {.joint_count = JOINTS, .full_joint_count = JOINTS};

/// Joint j at (x, y, z) * (j + 1).
static void place(sqt_mat4 *global, float x, float y, float z) {
    const sqt_mat4 identity = SQT_MAT4_IDENTITY;
    for (uint32_t j = 0; j < JOINTS; ++j) {
        global[j] = identity;
        global[j].m[12] = x * (float)(j + 1);
        global[j].m[13] = y * (float)(j + 1);
        global[j].m[14] = z * (float)(j + 1);
    }
}

static void distances_are_root_mean_squares_and_the_largest(void **state) {
    (void)state;
    sqt_mat4 a[JOINTS], b[JOINTS];
    place(a, 0, 0, 0);
    place(b, 2, -1, 2); // 3 (j + 1) away
    const sqt_vec3 velocities[JOINTS] = {{0, 0, 0}, {3, 4, 0}, {0, 0, -13}, {1, 2, 2}, {0, 0, 0}};
    const sqt_core_pose still = {a, NULL}, moving = {b, velocities};
    sqt_core_distance d;
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &still, &moving, NULL), SQT_OK);
    assert_close(d.position, sqrt(9 * 55.0 / 5), 1e-6); // 1 + 4 + 9 + 16 + 25
    assert_close(d.position_most, 15, 1e-6);
    assert_int_equal(d.position_at, 4);
    assert_close(d.velocity, sqrt((25 + 169 + 9) / 5.0), 1e-6);
    assert_close(d.velocity_most, 13, 1e-6);
    assert_int_equal(d.velocity_at, 2);
    // Both ways the same.
    sqt_core_distance back;
    assert_int_equal(sqt_core_pose_distance(&back, &rig, &moving, &still, NULL), SQT_OK);
    assert_memory_equal(&d, &back, sizeof d);
}

static void a_mask_weighs_and_leaves_out(void **state) {
    (void)state;
    sqt_mat4 a[JOINTS], b[JOINTS];
    place(a, 0, 0, 0);
    place(b, 1, 0, 0);
    b[4].m[13] = NAN; // does not count, so it is not read
    sqt_vec3 velocities[JOINTS] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0, 0, 0}, {NAN, 0, 0}};
    const sqt_core_pose still = {a, NULL}, moving = {b, velocities};
    const float mask[JOINTS] = {1, 0.5f, 0, 2, -1};
    sqt_core_distance d;
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &still, &moving, mask), SQT_OK);
    assert_close(d.position, sqrt((1 * 1 + 0.5 * 4 + 2 * 16) / 3.5), 1e-6);
    assert_close(d.position_most, 4, 1e-6);
    assert_int_equal(d.position_at, 3);
    assert_close(d.velocity, sqrt((1 * 1 + 0.5 * 4) / 3.5), 1e-6);
    assert_close(d.velocity_most, 2, 1e-6);
    assert_int_equal(d.velocity_at, 1);
    const float none[JOINTS] = {0, 0, -1, 0, NAN};
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &still, &moving, none), SQT_OK);
    assert_true(d.position == 0 && d.velocity == 0 && d.position_most == 0 && d.velocity_most == 0);
    assert_true(d.position_at == SQT_NO_JOINT && d.velocity_at == SQT_NO_JOINT);
}

static void a_pose_is_at_no_distance_from_itself(void **state) {
    (void)state;
    sqt_mat4 a[JOINTS];
    place(a, 0.3f, -7, 1e10f);
    const sqt_vec3 velocities[JOINTS] = {{1, 2, 3}, {4, 5, 6}, {0, 0, 0}, {-1, 0, 0}, {0, 1e10f, 0}};
    const sqt_core_pose pose = {a, velocities};
    sqt_core_distance d;
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &pose, &pose, NULL), SQT_OK);
    assert_true(d.position == 0 && d.velocity == 0 && d.position_most == 0 && d.velocity_most == 0);
    assert_true(d.position_at == 0 && d.velocity_at == 0);
}

static void velocities_are_differences_over_time(void **state) {
    (void)state;
    sqt_mat4 a[JOINTS], b[JOINTS];
    place(a, 1, 2, 3);
    place(b, 1.5f, 1, 3);
    sqt_vec3 forwards[JOINTS], backwards[JOINTS];
    assert_int_equal(sqt_core_pose_velocities(forwards, &rig, b, a, 0.25f), SQT_OK);
    assert_int_equal(sqt_core_pose_velocities(backwards, &rig, a, b, -0.25f), SQT_OK); // the pose after it
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const sqt_vec3 expected = {2.0f * (float)(j + 1), -4.0f * (float)(j + 1), 0};
        assert_vec3_close(forwards[j], expected, 1e-6);
        assert_vec3_close(backwards[j], expected, 1e-6);
    }
}

static void wrong_arguments_are_refused_and_write_nothing(void **state) {
    (void)state;
    sqt_mat4 a[JOINTS];
    place(a, 1, 2, 3);
    const sqt_core_pose pose = {a, NULL}, none = {NULL, NULL};
    sqt_core_distance d, before;
    memset(&d, 0xA5, sizeof d);
    before = d;
    const sqt_skeleton empty = {.joint_count = 0}, large = {.joint_count = SQT_MAX_JOINTS + 1};
    assert_int_equal(sqt_core_pose_distance(NULL, &rig, &pose, &pose, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, NULL, &pose, &pose, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, &rig, NULL, &pose, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &pose, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &none, &pose, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, &rig, &pose, &none, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_distance(&d, &empty, &pose, &pose, NULL), SQT_ERROR_COUNT);
    assert_int_equal(sqt_core_pose_distance(&d, &large, &pose, &pose, NULL), SQT_ERROR_COUNT);
    assert_memory_equal(&d, &before, sizeof d);
    sqt_vec3 v[JOINTS], v_before[JOINTS];
    memset(v, 0xA5, sizeof v);
    memcpy(v_before, v, sizeof v);
    assert_int_equal(sqt_core_pose_velocities(NULL, &rig, a, a, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_velocities(v, NULL, a, a, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_velocities(v, &rig, NULL, a, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_velocities(v, &rig, a, NULL, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_core_pose_velocities(v, &empty, a, a, 1), SQT_ERROR_COUNT);
    assert_int_equal(sqt_core_pose_velocities(v, &large, a, a, 1), SQT_ERROR_COUNT);
    static const float wrong[] = {0, -0.0f, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(sqt_core_pose_velocities(v, &rig, a, a, wrong[i]), SQT_ERROR_NUMBER);
    }
    assert_memory_equal(v, v_before, sizeof v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_root_mean_squares_and_the_largest),
        cmocka_unit_test(a_mask_weighs_and_leaves_out),
        cmocka_unit_test(a_pose_is_at_no_distance_from_itself),
        cmocka_unit_test(velocities_are_differences_over_time),
        cmocka_unit_test(wrong_arguments_are_refused_and_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
