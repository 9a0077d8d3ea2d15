// The game's tests of its turret. Skeletons and poses are literals: no files, no asset pipeline, no engine.
#include <string.h>

#include "pose_assert.h"
#include "turret.h"

#define QUARTER_TURN 1.5707964f
#define SIN_45 0.70710678f
#define SIN_40 0.64278761f
#define COS_40 0.76604444f

// A base on the ground, a barrel one unit above it, a muzzle two units ahead (-z).
#define AT(x, y, z)                               \
    {                                             \
        SQT_QUAT_IDENTITY, {x, y, z}, { 1, 1, 1 } \
    }

enum { JOINTS = 3 };

static const sqt_joint joints[JOINTS] = {
    {"base", SQT_NO_JOINT, AT(0, 0, 0)},
    {"barrel", 0, AT(0, 1, 0)},
    {"muzzle", 1, AT(0, 0, -2)},
};

typedef struct fixture {
    unsigned char memory[1024];
    sqt_skeleton skeleton;
    turret turret;
    sqt_pose_block pose[SQT_POSE_BLOCKS(JOINTS)];
} fixture;

static int set_up(void **state) {
    static fixture f;
    *state = &f;
    return sqt_skeleton_build(&f.skeleton, joints, JOINTS, f.memory, sizeof f.memory, NULL) != SQT_OK ||
           turret_init(&f.turret, &f.skeleton, NULL) != SQT_OK;
}

static void aiming_turns_the_base_left_and_the_barrel_up(void **state) {
    fixture *const f = *state;
    static const sqt_transform expected[JOINTS] = {
        {{0, SIN_45, 0, SIN_45}, {0, 0, 0}, {1, 1, 1}}, // a quarter turn about y
        {{SIN_40, 0, 0, COS_40}, {0, 1, 0}, {1, 1, 1}}, // 80 degrees about x: 2 radians are too much
        AT(0, 0, -2),
    };
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, QUARTER_TURN, 2), SQT_OK);
    assert_pose_close(f->pose, expected, &f->skeleton, 1e-6f);
}

static void shells_leave_at_the_muzzle(void **state) {
    fixture *const f = *state;
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, 0, 0), SQT_OK);
    assert_point_close(turret_muzzle(&f->skeleton, &f->turret, f->pose), ((sqt_vec3){0, 1, -2}), 1e-6f);
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, QUARTER_TURN, 0), SQT_OK);
    assert_point_close(turret_muzzle(&f->skeleton, &f->turret, f->pose), ((sqt_vec3){-2, 1, 0}), 1e-6f);
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, 0, 0.5235988f), SQT_OK); // 30 degrees up
    assert_point_close(turret_muzzle(&f->skeleton, &f->turret, f->pose), ((sqt_vec3){0, 2, -1.7320508f}), 1e-6f);
}

static void a_kick_slides_the_barrel_back_along_itself(void **state) {
    fixture *const f = *state;
    // A pose that no code has made: a literal, packed.
    static const sqt_transform raised[JOINTS] = {
        AT(0, 0, 0),
        {{SIN_45, 0, 0, SIN_45}, {0, 1, 0}, {1, 1, 1}}, // straight up
        AT(0, 0, -2),
    };
    assert_int_equal(sqt_pose_pack(f->pose, raised, JOINTS), SQT_OK);
    assert_int_equal(turret_kick(f->pose, &f->skeleton, &f->turret, 0.5f), SQT_OK);
    sqt_transform expected[JOINTS];
    memcpy(expected, raised, sizeof expected);
    expected[1].translation.y = 0.875f; // half of a quarter of a unit
    assert_pose_close(f->pose, expected, &f->skeleton, 1e-6f);
}

static void a_turret_without_a_muzzle_is_refused_by_name(void **state) {
    (void)state;
    static const sqt_joint renamed[JOINTS] = {
        {"base", SQT_NO_JOINT, AT(0, 0, 0)}, {"barrel", 0, AT(0, 1, 0)}, {"end", 1, AT(0, 0, -2)}};
    unsigned char memory[1024];
    sqt_skeleton skeleton;
    sqt_fault fault = {0};
    assert_int_equal(sqt_skeleton_build(&skeleton, renamed, JOINTS, memory, sizeof memory, &fault), SQT_OK);
    turret untouched = {7, 7, 7};
    assert_int_equal(turret_init(&untouched, &skeleton, &fault), SQT_ERROR_NOT_FOUND);
    assert_int_equal(fault.index, 2);
    assert_int_equal(untouched.muzzle, 7);
}

static void a_skeleton_with_a_child_before_its_parent_is_refused(void **state) {
    (void)state;
    static const sqt_joint disordered[2] = {{"barrel", 1, AT(0, 1, 0)}, {"base", SQT_NO_JOINT, AT(0, 0, 0)}};
    unsigned char memory[1024];
    sqt_skeleton skeleton;
    sqt_fault fault = {0};
    assert_int_equal(sqt_skeleton_build(&skeleton, disordered, 2, memory, sizeof memory, &fault), SQT_ERROR_ORDER);
    assert_string_equal(fault.field, "parent");
    assert_int_equal(fault.index, 0);
}

static void a_failed_call_leaves_the_pose_alone(void **state) {
    fixture *const f = *state;
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, 0.3f, 0.2f), SQT_OK);
    const sqt_pose_block before = f->pose[0];
    assert_int_equal(turret_kick(f->pose, &f->skeleton, &f->turret, NAN), SQT_ERROR_NUMBER);
    assert_int_equal(turret_kick(NULL, &f->skeleton, &f->turret, 0.5f), SQT_ERROR_NULL);
    assert_memory_equal(f->pose, &before, sizeof before);
}

// A replay or a server can rely on it, so the game may test it: no tolerance at all.
static void every_machine_aims_with_the_same_bits(void **state) {
    fixture *const f = *state;
    sqt_pose_block plain[SQT_POSE_BLOCKS(JOINTS)];
    sqt_isa_cap(SQT_ISA_SCALAR);
    assert_int_equal(turret_aim(plain, &f->skeleton, &f->turret, 0.7f, 0.3f), SQT_OK);
    assert_int_equal(turret_kick(plain, &f->skeleton, &f->turret, 0.3f), SQT_OK);
    sqt_isa_cap(SQT_ISA_BEST);
    assert_int_equal(turret_aim(f->pose, &f->skeleton, &f->turret, 0.7f, 0.3f), SQT_OK);
    assert_int_equal(turret_kick(f->pose, &f->skeleton, &f->turret, 0.3f), SQT_OK);
    assert_memory_equal(f->pose, plain, sizeof plain);
}

static void the_comparison_fails_nan_and_takes_opposite_quaternions_for_one_rotation(void **state) {
    (void)state;
    const sqt_transform a = AT(1, 2, 3);
    sqt_transform b = a;
    b.rotation.w = -1;
    assert_true(transform_close(a, b, 0));
    b.translation.y = 2.5f;
    assert_false(transform_close(a, b, 0.4f));
    b.translation.y = NAN;
    assert_false(transform_close(a, b, INFINITY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aiming_turns_the_base_left_and_the_barrel_up),
        cmocka_unit_test(shells_leave_at_the_muzzle),
        cmocka_unit_test(a_kick_slides_the_barrel_back_along_itself),
        cmocka_unit_test(a_turret_without_a_muzzle_is_refused_by_name),
        cmocka_unit_test(a_skeleton_with_a_child_before_its_parent_is_refused),
        cmocka_unit_test(a_failed_call_leaves_the_pose_alone),
        cmocka_unit_test(every_machine_aims_with_the_same_bits),
        cmocka_unit_test(the_comparison_fails_nan_and_takes_opposite_quaternions_for_one_rotation),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
