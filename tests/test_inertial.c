// Inertial blending: the decay against the polynomial of the talk in double precision, and what it promises of every
// offset: no overshoot, no change of sign, nothing left at the end, no jump at a switch.
#include "check_pose.h"

enum { JOINTS = 37, BLOCKS = SQT_POSE_BLOCKS(JOINTS), SEED = 0x1E27 };

/// The offset by the coefficients of Bollo's talk: x0 >= 0, v0 any.
static double quintic(double x0, double v0, double duration, double t) {
    if (x0 == 0) return 0;
    if (v0 > 0) v0 = 0;
    const double t1 = v0 < 0 && -5 * x0 / v0 < duration ? -5 * x0 / v0 : duration;
    if (t >= t1) return 0;
    const double t2 = t1 * t1, t3 = t2 * t1, t4 = t3 * t1, t5 = t4 * t1;
    const double limit = (-8 * v0 * t1 - 20 * x0) / t2, a0 = limit > 0 ? limit : 0;
    const double a = -(a0 * t2 + 6 * v0 * t1 + 12 * x0) / (2 * t5);
    const double b = (3 * a0 * t2 + 16 * v0 * t1 + 30 * x0) / (2 * t4);
    const double c = -(3 * a0 * t2 + 12 * v0 * t1 + 20 * x0) / (2 * t3);
    return ((((a * t + b) * t + c) * t + a0 / 2) * t + v0) * t + x0;
}

typedef struct scene {
    sqt_skeleton skeleton;
    sqt_pose_block pose[BLOCKS], pose_before[BLOCKS], target[BLOCKS], target_before[BLOCKS], out[BLOCKS];
    sqt_inertial inertial;
    sqt_inertial_block offsets[BLOCKS];
    sqt_inertial_switch change;
} scene;

static scene *scene_make(uint32_t joint_count) {
    static scene s;
    memset(&s, 0, sizeof s);
    s.skeleton.joint_count = s.skeleton.full_joint_count = joint_count;
    sqt_pose_block *const poses[] = {s.pose, s.pose_before, s.target, s.target_before, s.out};
    for (uint32_t i = 0; i < 5; ++i) assert_int_equal(sqt_pose_identity(poses[i], joint_count), SQT_OK);
    s.change = (sqt_inertial_switch){s.pose, s.pose_before, s.target, s.target_before, 5, 1.0f / 60, 0.5f};
    return &s;
}

static void begin(scene *s) {
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &s->change), SQT_OK);
}

static void apply(scene *s, double now) {
    assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, s->target, &s->inertial, s->offsets, now), SQT_OK);
}

static sqt_transform moved(float x, float y, float z) {
    const sqt_transform t = {SQT_QUAT_IDENTITY, {x, y, z}, {1, 1, 1}};
    return t;
}

static sqt_transform turned(sqt_quat rotation) {
    const sqt_transform t = {rotation, {0, 0, 0}, {1, 1, 1}};
    return t;
}

/// Angle of a rotation, 0..pi.
static double angle_of(sqt_quat q) {
    return 2 * atan2(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z), fabs((double)q.w));
}

static void an_offset_at_rest_decays_by_hand_values(void **state) {
    (void)state; // 1 - 10 u^3 + 15 u^4 - 6 u^5: 0.896484375, 0.5 and 0.103515625 at the quarters
    scene *const s = scene_make(1);
    sqt_pose_set(s->pose, 0, moved(3, 0, -4));
    s->pose->sy[0] = 3;
    s->change.pose_before = s->change.target_before = NULL;
    s->change.frame_seconds = 0; // is not read
    begin(s);
    static const float left[] = {1, 0.896484375f, 0.5f, 0.103515625f, 0};
    for (int i = 0; i < 5; ++i) {
        apply(s, 5 + 0.125 * i);
        const sqt_vec3 expected = {3 * left[i], 0, -4 * left[i]}, scale = {1, 1 + 2 * left[i], 1};
        assert_vec3_close(sqt_pose_get(s->out, 0).translation, expected, 1e-6);
        assert_vec3_close(sqt_pose_get(s->out, 0).scale, scale, 1e-6);
    }
}

static void a_turn_decays_along_the_shorter_arc(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) { // q and -q are one rotation
        scene *const s = scene_make(2);
        sqt_quat quarter = check_degrees(0, 0, 1, 90), most = check_degrees(0, 0.6, 0.8, 270); // a quarter back
        if (sign < 0) quarter = check_negated(quarter), most = check_negated(most);
        const sqt_quat base = check_degrees(1, 0, 0, 50);
        sqt_pose_set(s->target, 0, turned(base));
        sqt_pose_set(s->pose, 0, turned(sqt_quat_multiply(quarter, base)));
        sqt_pose_set(s->pose, 1, turned(most));
        s->change.pose_before = s->change.target_before = NULL;
        begin(s);
        apply(s, 5.25);
        const sqt_quat half = sqt_quat_multiply(check_degrees(0, 0, 1, 45), base);
        assert_rotation_close(sqt_pose_get(s->out, 0).rotation, half, 5e-7);
        assert_rotation_close(sqt_pose_get(s->out, 1).rotation, check_degrees(0, 0.6, 0.8, -45), 5e-7);
    }
}

static void decay_is_the_polynomial_of_the_talk(void **state) {
    (void)state;
    check_random random = {SEED};
    const double worst = 3e-6; // of the offset's start: the polynomial in float
    for (int round = 0; round < 2000; ++round) {
        scene *const s = scene_make(1);
        const float x0 = check_random_float(&random, 0.01f, 3), v0 = check_random_float(&random, -40, 10);
        const float duration = check_random_float(&random, 0.05f, 1);
        const sqt_vec3 direction = check_random_vec3(&random, -1, 1);
        const double length = sqrt((double)direction.x * direction.x + (double)direction.y * direction.y +
                                   (double)direction.z * direction.z);
        const float frame = 1.0f / 64, x_before = x0 - v0 * frame;
        const sqt_vec3 d = {(float)(direction.x / length), (float)(direction.y / length),
                            (float)(direction.z / length)};
        sqt_pose_set(s->pose, 0,
                     (sqt_transform){sqt_quat_from_axis_angle(d, x0),
                                     {x0 * d.x, x0 * d.y, x0 * d.z},
                                     {1 + x0 * d.x, 1 + x0 * d.y, 1 + x0 * d.z}});
        sqt_pose_set(s->pose_before, 0,
                     (sqt_transform){sqt_quat_from_axis_angle(d, x_before),
                                     {x_before * d.x, x_before * d.y, x_before * d.z},
                                     {1 + x_before * d.x, 1 + x_before * d.y, 1 + x_before * d.z}});
        s->change.frame_seconds = frame;
        s->change.duration_seconds = duration;
        begin(s);
        for (int i = 0; i <= 20; ++i) {
            const double t = (double)duration * i / 20;
            apply(s, 5 + t);
            const double x = quintic((double)x0, (double)v0, (double)duration, t);
            const sqt_transform left = sqt_pose_get(s->out, 0);
            const sqt_vec3 way = {(float)x * d.x, (float)x * d.y, (float)x * d.z},
                           scale = {1 + (float)x * d.x, 1 + (float)x * d.y, 1 + (float)x * d.z};
            // v0 is that of two floats a frame apart: 64 times their rounding.
            const double tolerance = worst * (double)x0 + 64 * 2e-7 * (fabs((double)x_before) + 1) * t;
            assert_vec3_close(left.translation, way, tolerance);
            assert_vec3_close(left.scale, scale, tolerance + 64 * 2e-7 * t + 2e-7);
            if (fabs((double)v0 * (double)frame) < 3) { // a frame's turn is below half a turn
                assert_rotation_close(left.rotation, sqt_quat_from_axis_angle(d, (float)x), tolerance + 1e-6);
            }
        }
    }
}

static void an_offset_never_exceeds_its_start_nor_changes_sign_and_ends_at_0(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (int round = 0; round < 300; ++round) {
        scene *const s = scene_make(JOINTS);
        for (uint32_t j = 0; j < JOINTS; ++j) { // along one axis each, so that the output is the offset with its sign
            const float size = check_random_float(&random, -2, 2), before = check_random_float(&random, -3, 3);
            sqt_pose_set(s->pose, j, moved(size, 0, 0));
            sqt_pose_set(s->pose_before, j, moved(before, 1, 0));
            s->pose[j / 16].sz[j % 16] = 1 - size;
            const sqt_vec3 axis = {0, 1, 0};
            sqt_transform t = sqt_pose_get(s->pose, j), b = sqt_pose_get(s->pose_before, j);
            t.rotation = sqt_quat_from_axis_angle(axis, size);
            b.rotation = sqt_quat_from_axis_angle(axis, before);
            sqt_pose_set(s->pose, j, t);
            sqt_pose_set(s->pose_before, j, b);
        }
        begin(s);
        sqt_transform before[JOINTS];
        for (uint32_t j = 0; j < JOINTS; ++j) before[j] = sqt_pose_get(s->pose, j);
        for (int i = 0; i <= 100; ++i) {
            apply(s, 5 + 0.005 * i);
            for (uint32_t j = 0; j < JOINTS; ++j) {
                const sqt_transform t = sqt_pose_get(s->out, j);
                const float sign = before[j].translation.x < 0 ? -1.0f : 1.0f;
                assert_true(sign * t.translation.x >= 0);
                // Each frame at most what it was, to the rounding of the polynomial.
                assert_true(sign * t.translation.x <= sign * before[j].translation.x + 1e-6f);
                assert_true(t.translation.y == 0 && t.translation.z == 0);
                const float start = 1 - sqt_pose_get(s->pose, j).scale.z, now = 1 - t.scale.z;
                assert_true(start < 0 ? now <= 0 && now >= start : now >= 0 && now <= start);
                assert_true(sign * t.rotation.y >= 0);
                assert_true(angle_of(t.rotation) <= angle_of(before[j].rotation) + 1e-6);
                before[j] = t;
            }
        }
        const sqt_transform nothing = SQT_TRANSFORM_IDENTITY;
        for (uint32_t j = 0; j < JOINTS; ++j) assert_memory_equal(before + j, &nothing, sizeof nothing);
    }
}

static void rounding_never_makes_an_offset_larger_than_its_start(void **state) {
    (void)state;
    check_random random = {SEED + 13};
    for (int round = 0; round < 2000; ++round) {
        scene *const s = scene_make(1);
        const float size = check_random_float(&random, 0.001f, 2);
        sqt_pose_set(s->pose, 0, moved(size, 0, 0));
        s->change.pose_before = s->change.target_before = NULL;
        begin(s);
        for (int i = 0; i < 50; ++i) { // it has hardly begun to fall: 10 u^3 is less than the rounding
            apply(s, 5 + (double)check_random_float(&random, 0, 0.005f));
            const float left = s->out->tx[0];
            assert_true(left <= size && left >= size * (1 - 2e-5f));
        }
    }
}

static void from_its_own_end_on_nothing_is_left_of_an_offset_of_any_pull(void **state) {
    (void)state; // a state that was not made by sqt_inertial_begin, which ends early with a pull of 5 only
    scene *const s = scene_make(1);
    sqt_pose_set(s->pose, 0, moved(1, 0, 0));
    begin(s);
    for (int i = 0; i <= 10; ++i) {
        s->offsets->translation.rate[0] = i % 2 ? 4.0f : 1e30f;
        s->offsets->translation.pull[0] = 0.5f * (float)i;
        for (int k = 0; k < 4; ++k) {
            apply(s, 5.25 + 0.05 * k);
            assert_true(s->out->tx[0] == 0);
        }
    }
}

static void from_the_end_on_it_is_the_target_bit_for_bit(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    scene *const s = scene_make(JOINTS);
    sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target, s->target_before};
    for (uint32_t i = 0; i < 4; ++i) check_random_pose(poses[i], JOINTS, &random);
    s->target->tx[0] = -0.0f;
    begin(s);
    for (int i = 0; i < 3; ++i) {
        apply(s, i == 0 ? 5.5 : i == 1 ? 5.75 : 1e12);
        check_assert_pose_bits(s->out, s->target, JOINTS);
    }
    // Just before it, nothing that can be seen is left; nothing is under way in zeros, nor where the duration is 0.
    apply(s, 5.5 - 1e-5);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        check_assert_transform(sqt_pose_get(s->out, j), sqt_pose_get(s->target, j), 1e-6);
    }
    s->change.duration_seconds = 0;
    begin(s);
    apply(s, 5);
    check_assert_pose_bits(s->out, s->target, JOINTS);
    memset(&s->inertial, 0, sizeof s->inertial);
    apply(s, 0);
    check_assert_pose_bits(s->out, s->target, JOINTS);
    apply(s, -3.0); // before 0 as well
    check_assert_pose_bits(s->out, s->target, JOINTS);
}

static void at_the_switch_it_is_the_pose_that_was_shown(void **state) {
    (void)state;
    check_random random = {SEED + 3};
    for (int round = 0; round < 200; ++round) {
        scene *const s = scene_make(JOINTS);
        sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target, s->target_before};
        for (uint32_t i = 0; i < 4; ++i) check_random_pose(poses[i], JOINTS, &random);
        begin(s);
        for (int i = 0; i < 2; ++i) { // before the switch counts as the switch
            apply(s, i ? 4 : 5);
            for (uint32_t j = 0; j < JOINTS; ++j) {
                const sqt_transform a = sqt_pose_get(s->out, j), b = sqt_pose_get(s->pose, j);
                assert_rotation_close(a.rotation, b.rotation, 5e-7);
                assert_vec3_close(a.translation, b.translation, 1e-6);
                assert_vec3_close(a.scale, b.scale, 1e-6);
                const double length = sqrt((double)a.rotation.x * a.rotation.x + (double)a.rotation.y * a.rotation.y +
                                           (double)a.rotation.z * a.rotation.z + (double)a.rotation.w * a.rotation.w);
                assert_close(length, 1, 4e-7);
            }
        }
    }
}

static void half_angles_are_right_to_the_last_digits(void **state) {
    (void)state; // offsets of every angle, as they stand at the switch
    double most = 0;
    for (int i = 0; i <= 20000; ++i) {
        scene *const s = scene_make(1);
        const float angle = (float)(3.14159265 * i / 20000);
        sqt_pose_set(s->pose, 0, turned(check_degrees(0, 0, 1, (double)angle * (180 / 3.14159265358979323846))));
        s->change.pose_before = s->change.target_before = NULL;
        begin(s);
        apply(s, 5);
        const sqt_quat q = sqt_pose_get(s->out, 0).rotation;
        const double half = (double)s->offsets->rotation.size[0] / 2, e = fabs(fabs((double)q.z) - sin(half)),
                     f = fabs(fabs((double)q.w) - cos(half));
        if (e > most) most = e;
        if (f > most) most = f;
    }
    print_message("largest error of sine and cosine: %.2g\n", most);
    assert_true(most < 1.5e-7);
}

// ---- Velocity

/// A joint that moves along one line and turns about one axis: x(t) along it, in double.
typedef struct line {
    sqt_vec3 axis;
    double start, rate, bend; ///< start + rate t + bend sin(t)
} line;

static double line_at(const line *l, double t) { return l->start + l->rate * t + l->bend * sin(t); }

static sqt_transform line_transform(const line *l, double t) {
    const double x = line_at(l, t);
    const sqt_vec3 v = {(float)(l->axis.x * x), (float)(l->axis.y * x), (float)(l->axis.z * x)};
    const sqt_transform transform = {
        check_degrees((double)l->axis.x, (double)l->axis.y, (double)l->axis.z, x * (180 / 3.14159265358979323846)),
        v,
        {1, 1, 1}};
    return transform;
}

static double along(const line *l, sqt_transform t) {
    return (double)t.translation.x * l->axis.x + (double)t.translation.y * l->axis.y +
           (double)t.translation.z * l->axis.z;
}

static double about(const line *l, sqt_transform t) {
    return 2 *
           atan2((double)t.rotation.x * l->axis.x + (double)t.rotation.y * l->axis.y + (double)t.rotation.z * l->axis.z,
                 (double)t.rotation.w);
}

static void the_first_frame_has_the_velocity_of_the_last(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    const double frame = 1.0 / 240;
    uint32_t checked = 0;
    for (int round = 0; round < 5000; ++round) {
        scene *const s = scene_make(1);
        const sqt_quat q = check_random_quat(&random);
        const double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
        const sqt_vec3 axis = {(float)(q.x / length), (float)(q.y / length), (float)(q.z / length)};
        const line old = {axis, check_random_float(&random, 0.5f, 1), check_random_float(&random, -2, -0.6f),
                          check_random_float(&random, -0.2f, 0.2f)};
        const line new = {axis, check_random_float(&random, -1, -0.5f), check_random_float(&random, -0.2f, 0.3f),
                          check_random_float(&random, -0.2f, 0.2f)};
        // What the talk keeps: an offset that gets smaller, slowly enough for the time that it has.
        const double x0 = line_at(&old, 0) - line_at(&new, 0);
        const double v0 = (x0 - (line_at(&old, -frame) - line_at(&new, -frame))) / frame;
        if (v0 > 0 || -v0 * 0.5 > 2.5 * x0) continue;
        sqt_pose_set(s->pose, 0, line_transform(&old, 0));
        sqt_pose_set(s->pose_before, 0, line_transform(&old, -frame));
        sqt_pose_set(s->target, 0, line_transform(&new, 0));
        sqt_pose_set(s->target_before, 0, line_transform(&new, -frame));
        s->change.frame_seconds = (float)frame;
        begin(s);
        sqt_pose_set(s->target, 0, line_transform(&new, frame));
        apply(s, 5 + frame);
        const double last = (line_at(&old, 0) - line_at(&old, -frame)) / frame;
        const sqt_transform shown = sqt_pose_get(s->pose, 0), first = sqt_pose_get(s->out, 0);
        const double way = (along(&old, first) - along(&old, shown)) / frame;
        const double turn = (about(&old, first) - about(&old, shown)) / frame;
        // 1%, and the rounding of two floats a frame apart.
        assert_close(way, last, 0.01 * fabs(last) + 240 * 3e-7);
        assert_close(turn, last, 0.01 * fabs(last) + 240 * 6e-7);
        ++checked;
    }
    assert_true(checked > 2000);
}

static void velocity_that_leads_away_is_dropped(void **state) {
    (void)state;
    scene *const s = scene_make(1);
    const sqt_vec3 axis = {0, 0, 1};
    sqt_pose_set(s->pose, 0, moved(2, 0, 0));
    sqt_pose_set(s->pose_before, 0, moved(1, 0, 0)); // away from the target at 60 a second
    sqt_transform t = sqt_pose_get(s->pose, 0), b = sqt_pose_get(s->pose_before, 0);
    t.rotation = sqt_quat_from_axis_angle(axis, 1);
    b.rotation = sqt_quat_from_axis_angle(axis, 0.5f);
    sqt_pose_set(s->pose, 0, t);
    sqt_pose_set(s->pose_before, 0, b);
    begin(s);
    apply(s, 5.125);
    assert_close(sqt_pose_get(s->out, 0).translation.x, 2 * 0.896484375, 1e-6);
    assert_close(angle_of(sqt_pose_get(s->out, 0).rotation), 0.896484375, 1e-6);
}

static void an_offset_that_closes_fast_ends_early(void **state) {
    (void)state; // x0 = 1, v0 = -50: it ends at 0.1, along (1 - u)^5
    scene *const s = scene_make(1);
    sqt_pose_set(s->pose, 0, moved(1, 0, 0));
    sqt_pose_set(s->pose_before, 0, moved(1.5f, 0, 0));
    s->change.frame_seconds = 0.01f;
    begin(s);
    for (int i = 0; i <= 12; ++i) {
        apply(s, 5 + 0.01 * i);
        const double rest = i < 10 ? 1 - i / 10.0 : 0;
        assert_close(sqt_pose_get(s->out, 0).translation.x, rest * rest * rest * rest * rest, 1e-6);
    }
}

static void turns_are_measured_across_the_half_turn(void **state) {
    (void)state; // 179 degrees now and 181 a frame before: one way they close at 2 degrees a frame, not at 358
    scene *const s = scene_make(2);
    sqt_pose_set(s->pose, 0, turned(check_degrees(0, 0, 1, 179)));
    sqt_pose_set(s->pose_before, 0, turned(check_degrees(0, 0, 1, 181)));
    sqt_pose_set(s->pose, 1, turned(check_negated(check_degrees(0, 0, 1, 100))));
    sqt_pose_set(s->pose_before, 1, turned(check_degrees(0, 0, 1, 102)));
    s->change.frame_seconds = 1.0f / 64;
    begin(s);
    const double unit = 3.14159265358979323846 / 180;
    for (int i = 1; i < 8; ++i) {
        apply(s, 5 + i / 16.0);
        assert_close(angle_of(sqt_pose_get(s->out, 0).rotation), quintic(179 * unit, -128 * unit, 0.5, i / 16.0), 2e-5);
        assert_close(angle_of(sqt_pose_get(s->out, 1).rotation), quintic(100 * unit, -128 * unit, 0.5, i / 16.0), 2e-5);
    }
}

static void a_target_that_moves_counts(void **state) {
    (void)state; // both move alike: there is no velocity between them, and the offset decays as at rest
    scene *const s = scene_make(1);
    sqt_pose_set(s->pose, 0, moved(5, 0, 0));
    sqt_pose_set(s->pose_before, 0, moved(5.5f, 0, 0));
    sqt_pose_set(s->target, 0, moved(3, 0, 0));
    sqt_pose_set(s->target_before, 0, moved(3.5f, 0, 0));
    begin(s);
    apply(s, 5.25);
    assert_close(sqt_pose_get(s->out, 0).translation.x, 3 + 2 * 0.5, 1e-6);
    // The same with a target at rest: the offset closes.
    s->change.target_before = NULL;
    begin(s);
    apply(s, 5.25);
    assert_close(sqt_pose_get(s->out, 0).translation.x, 3 + quintic(2, -30, 0.5, 0.25), 2e-5);
    s->change.target_before = s->target_before;
    s->change.pose_before = NULL; // the shown pose at rest, the target comes towards it: no, it goes away
    begin(s);
    apply(s, 5.25);
    assert_close(sqt_pose_get(s->out, 0).translation.x, 3 + 2 * 0.5, 1e-6);
}

// ---- Switches in the middle of others

enum { MOTIONS = 6 };

typedef struct swings {
    float rate[JOINTS], phase[JOINTS];
    sqt_vec3 axis[JOINTS];
} swings;

static const double most_rate = 3;

static void swings_pose(sqt_pose_block *pose, const swings *m, double t) {
    assert_int_equal(sqt_pose_identity(pose, JOINTS), SQT_OK);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const double s = sin((double)m->rate[j] * t + (double)m->phase[j]);
        const sqt_transform transform = {sqt_quat_from_axis_angle(m->axis[j], (float)s),
                                         {(float)s, (float)(-0.5 * s), (float)(0.25 * s)},
                                         {1 + 0.25f * (float)s, 1, 1}};
        sqt_pose_set(pose, j, transform);
    }
}

static double turn_between(sqt_quat a, sqt_quat b) { return angle_of(sqt_quat_multiply(a, sqt_quat_conjugate(b))); }

static double way_between(sqt_vec3 a, sqt_vec3 b) {
    return sqrt((double)(a.x - b.x) * (a.x - b.x) + (double)(a.y - b.y) * (a.y - b.y) +
                (double)(a.z - b.z) * (a.z - b.z));
}

static void switches_at_random_never_jump(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    static swings motions[MOTIONS];
    for (uint32_t c = 0; c < MOTIONS; ++c) {
        for (uint32_t j = 0; j < JOINTS; ++j) {
            motions[c].rate[j] = check_random_float(&random, 0.3f, (float)most_rate);
            motions[c].phase[j] = check_random_float(&random, 0, 6);
            motions[c].axis[j] = check_random_vec3(&random, -1, 1);
        }
    }
    const double dt = 1.0 / 120, least = 0.15;
    double most_way = 0;
    for (int run = 0; run < 20; ++run) {
        scene *const s = scene_make(JOINTS);
        uint32_t current = 0;
        double now = 3;
        swings_pose(s->pose, motions, now);
        swings_pose(s->pose_before, motions, now - dt);
        for (int frame = 0; frame < 240; ++frame) {
            if (check_random_below(&random, 12) == 0) {
                current = check_random_below(&random, MOTIONS);
                swings_pose(s->target, motions + current, now);
                swings_pose(s->target_before, motions + current, now - dt);
                s->change.seconds = now;
                s->change.frame_seconds = (float)dt;
                s->change.duration_seconds = check_random_float(&random, (float)least, 0.6f);
                begin(s);
                apply(s, now);
                for (uint32_t j = 0; j < JOINTS; ++j) { // the switch itself changes nothing
                    const sqt_transform a = sqt_pose_get(s->out, j), b = sqt_pose_get(s->pose, j);
                    assert_rotation_close(a.rotation, b.rotation, 1e-6);
                    assert_vec3_close(a.translation, b.translation, 1e-6);
                    assert_vec3_close(a.scale, b.scale, 1e-6);
                }
            }
            now += dt;
            swings_pose(s->target, motions + current, now);
            apply(s, now);
            for (uint32_t j = 0; j < JOINTS; ++j) {
                // A frame: the motion's own way, and what the offset closes by. It starts with no more than the
                // velocity between the two, which was that of a frame before, and gains at most 1.875 x0 / duration.
                const sqt_transform a = sqt_pose_get(s->out, j), b = sqt_pose_get(s->pose, j),
                                    c = sqt_pose_get(s->pose_before, j);
                const double way = way_between(a.translation, b.translation),
                             way_before = way_between(b.translation, c.translation);
                const double turn = turn_between(a.rotation, b.rotation),
                             turn_before = turn_between(b.rotation, c.rotation);
                // x0 is at most the way across the motions, 2.3, and half a turn.
                assert_true(way <= way_before + 2 * most_rate * 1.15 * dt + 1.875 * 2.3 / least * dt);
                assert_true(turn <= turn_before + 2 * most_rate * dt + 1.875 * 3.1416 / least * dt);
                if (way > most_way) most_way = way;
            }
            memcpy(s->pose_before, s->pose, sizeof s->pose);
            memcpy(s->pose, s->out, sizeof s->pose);
        }
    }
    print_message("largest way of a frame: %.3g\n", most_way);
    assert_true(most_way < 0.3); // the motions are up to 2.3 apart: a jump would be seen
}

static void a_copy_made_midway_goes_on_bit_for_bit(void **state) {
    (void)state;
    check_random random = {SEED + 7};
    scene *const s = scene_make(JOINTS);
    sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target, s->target_before};
    for (uint32_t i = 0; i < 4; ++i) check_random_pose(poses[i], JOINTS, &random);
    begin(s);
    apply(s, 5.1);
    sqt_inertial inertial;
    static unsigned char saved[sizeof s->offsets];
    static sqt_inertial_block offsets[BLOCKS];
    static sqt_pose_block out[BLOCKS];
    memcpy(saved, s->offsets, sizeof saved);
    memcpy(&inertial, &s->inertial, sizeof inertial);
    memcpy(offsets, saved, sizeof offsets);
    for (int i = 0; i < 30; ++i) {
        const double now = 5.1 + i / 60.0;
        check_random_pose(s->target, JOINTS, &random);
        apply(s, now);
        assert_int_equal(sqt_inertial_apply(out, &s->skeleton, s->target, &inertial, offsets, now), SQT_OK);
        assert_memory_equal(out, s->out, sizeof out);
    }
    assert_memory_equal(offsets, s->offsets, sizeof offsets); // playing writes no state
}

// ---- Numbers, counts and arguments

static void what_is_left_is_never_a_denormal(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    for (int round = 0; round < 200; ++round) {
        scene *const s = scene_make(JOINTS);
        for (uint32_t j = 0; j < JOINTS; ++j) { // 1e-16..1 in size, along directions with tiny components
            const float size = (float)pow(10, check_random_float(&random, -16, 0));
            const float side = size * (float)pow(10, check_random_float(&random, -18, 0));
            sqt_pose_set(s->pose, j, moved(size, side, 0));
            sqt_transform t = sqt_pose_get(s->pose, j);
            t.rotation.x = side, t.rotation.y = size;
            t.rotation = sqt_quat_normalize(t.rotation);
            sqt_pose_set(s->pose, j, t);
        }
        begin(s);
        for (int i = 0; i <= 200; ++i) {
            apply(s, 5.5 - pow(10, -i / 20.0)); // ever nearer to the end
            const float *const numbers = (const float *)s->out;
            for (size_t k = 0; k < BLOCKS * 10u * 16u; ++k) {
                assert_true(numbers[k] == 0 || fabsf(numbers[k]) >= 1.2e-38f);
            }
        }
    }
}

static void offsets_of_nothing_leave_the_target_as_it_is(void **state) {
    (void)state;
    check_random random = {SEED + 9};
    scene *const s = scene_make(JOINTS);
    check_random_pose(s->pose, JOINTS, &random);
    check_random_pose(s->pose_before, JOINTS, &random);
    memcpy(s->target, s->pose, sizeof s->pose);
    begin(s);
    check_random_pose(s->target, JOINTS, &random);
    apply(s, 5.01);
    check_assert_pose_bits(s->out, s->target, JOINTS);
    static const sqt_inertial_block none[BLOCKS];
    assert_memory_equal(s->offsets, none, sizeof none);
}

static void numbers_that_are_none_in_poses_stay_in_their_joint(void **state) {
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY, 3e38f};
    check_random random = {SEED + 10};
    for (int round = 0; round < 400; ++round) {
        scene *const s = scene_make(JOINTS);
        sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target_before};
        for (uint32_t i = 0; i < 3; ++i) check_random_pose(poses[i], JOINTS, &random);
        float *const numbers = (float *)poses[check_random_below(&random, 3)];
        numbers[check_random_below(&random, 10) * 16 + 3] = wrong[check_random_below(&random, 4)]; // joint 3
        begin(s);
        const float *const offsets = (const float *)s->offsets;
        for (size_t k = 0; k < BLOCKS * 18u * 16u; ++k) assert_true(fabsf(offsets[k]) <= 1e38f);
        apply(s, 5.1);
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const sqt_transform t = sqt_pose_get(s->out, j);
            const float *const parts = (const float *)&t;
            for (int i = 0; i < 10 && j != 3; ++i) assert_true(fabsf(parts[i]) < 100);
        }
    }
}

static void lanes_behind_the_last_joint_do_not_matter(void **state) {
    (void)state;
    check_random random = {SEED + 11};
    for (uint32_t n = 1; n <= JOINTS; ++n) {
        scene *const s = scene_make(JOINTS);
        sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target, s->target_before};
        for (uint32_t i = 0; i < 4; ++i) {
            check_random_pose(poses[i], JOINTS, &random);
            for (uint32_t j = n; j < BLOCKS * 16; ++j)
                sqt_pose_set(poses[i], j, turned((sqt_quat){NAN, NAN, NAN, NAN}));
        }
        s->skeleton.joint_count = n;
        memset(s->offsets, 0xA5, sizeof s->offsets);
        begin(s);
        const uint32_t blocks = SQT_POSE_BLOCKS(n);
        for (uint32_t j = n; j < blocks * 16; ++j) {
            const float *const rows = (const float *)(s->offsets + j / 16) + j % 16;
            for (int i = 0; i < 18; ++i) assert_true(rows[i * 16] == 0);
        }
        const unsigned char *const behind = (const unsigned char *)(s->offsets + blocks);
        for (size_t k = 0; k < (BLOCKS - blocks) * sizeof *s->offsets; ++k) assert_true(behind[k] == 0xA5);
        check_output out;
        check_output_reset(&out);
        assert_int_equal(sqt_inertial_apply(out.pose, &s->skeleton, s->target, &s->inertial, s->offsets, 5.1), SQT_OK);
        check_output_assert_only(&out, blocks);
        check_assert_pose_bits(out.pose, out.pose, n); // identity behind
        assert_int_equal(sqt_inertial_apply(s->target, &s->skeleton, s->target, &s->inertial, s->offsets, 5.1), SQT_OK);
        assert_memory_equal(s->target, out.pose, blocks * sizeof *out.pose); // in place
    }
}

static void a_lower_level_of_detail_plays_on_and_a_higher_one_is_refused(void **state) {
    (void)state;
    check_random random = {SEED + 12};
    scene *const s = scene_make(JOINTS);
    sqt_pose_block *const poses[] = {s->pose, s->pose_before, s->target, s->target_before};
    for (uint32_t i = 0; i < 4; ++i) check_random_pose(poses[i], JOINTS, &random);
    s->skeleton.joint_count = 20;
    begin(s);
    apply(s, 5.1);
    sqt_pose_block all[BLOCKS];
    memcpy(all, s->out, sizeof all);
    s->skeleton.joint_count = 7;
    apply(s, 5.1);
    check_assert_pose_bits(s->out, all, 7);
    s->skeleton.joint_count = 21;
    memset(s->out, 0x5A, sizeof s->out);
    memcpy(all, s->out, sizeof all);
    assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, s->target, &s->inertial, s->offsets, 5.1),
                     SQT_ERROR_COUNT);
    assert_memory_equal(s->out, all, sizeof all);
    apply(s, 5.5); // it has ended: the offsets are not read
    check_assert_pose_bits(s->out, s->target, 21);
}

static void wrong_arguments_are_refused_and_write_nothing(void **state) {
    (void)state;
    scene *const s = scene_make(JOINTS);
    begin(s);
    const sqt_inertial before = s->inertial;
    sqt_inertial_block offsets[BLOCKS];
    memset(s->offsets, 0x5A, sizeof s->offsets);
    memcpy(offsets, s->offsets, sizeof offsets);
    const sqt_skeleton empty = {.joint_count = 0}, large = {.joint_count = SQT_MAX_JOINTS + 1};
    sqt_inertial_switch change = s->change;
    assert_int_equal(sqt_inertial_begin(NULL, s->offsets, &s->skeleton, &change), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_begin(&s->inertial, NULL, &s->skeleton, &change), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, NULL, &change), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &empty, &change), SQT_ERROR_COUNT);
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &large, &change), SQT_ERROR_COUNT);
    change.pose = NULL;
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &change), SQT_ERROR_NULL);
    change = s->change;
    change.target = NULL;
    assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &change), SQT_ERROR_NULL);
    static const float wrong[] = {NAN, INFINITY, -INFINITY, -0.1f, 0};
    for (int i = 0; i < 5; ++i) {
        change = s->change;
        change.frame_seconds = wrong[i];
        for (int one = 0; one < 3; ++one) { // as long as either velocity is wanted
            change.pose_before = one == 1 ? NULL : s->pose_before;
            change.target_before = one == 2 ? NULL : s->target_before;
            assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &change), SQT_ERROR_NUMBER);
        }
        change = s->change;
        change.duration_seconds = wrong[i];
        if (i < 4)
            assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &change), SQT_ERROR_NUMBER);
        change = s->change;
        change.seconds = (double)wrong[i];
        if (i < 3)
            assert_int_equal(sqt_inertial_begin(&s->inertial, s->offsets, &s->skeleton, &change), SQT_ERROR_NUMBER);
    }
    assert_memory_equal(&s->inertial, &before, sizeof before);
    assert_memory_equal(s->offsets, offsets, sizeof offsets);
    sqt_pose_block out[BLOCKS];
    memcpy(out, s->out, sizeof out);
    assert_int_equal(sqt_inertial_apply(NULL, &s->skeleton, s->target, &before, offsets, 5), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_apply(s->out, NULL, s->target, &before, offsets, 5), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, NULL, &before, offsets, 5), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, s->target, NULL, offsets, 5), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, s->target, &before, NULL, 5), SQT_ERROR_NULL);
    assert_int_equal(sqt_inertial_apply(s->out, &empty, s->target, &before, offsets, 5), SQT_ERROR_COUNT);
    assert_int_equal(sqt_inertial_apply(s->out, &large, s->target, &before, offsets, 5), SQT_ERROR_COUNT);
    const sqt_inertial none = {0}; // nothing under way, and still no such skeleton
    assert_int_equal(sqt_inertial_apply(s->out, &large, s->target, &none, offsets, 5), SQT_ERROR_COUNT);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(sqt_inertial_apply(s->out, &s->skeleton, s->target, &before, offsets, (double)wrong[i]),
                         SQT_ERROR_NUMBER);
    }
    assert_memory_equal(s->out, out, sizeof out);
}

int main(void) {
    print_message("seed 0x%X\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_at_rest_decays_by_hand_values),
        cmocka_unit_test(a_turn_decays_along_the_shorter_arc),
        cmocka_unit_test(decay_is_the_polynomial_of_the_talk),
        cmocka_unit_test(an_offset_never_exceeds_its_start_nor_changes_sign_and_ends_at_0),
        cmocka_unit_test(rounding_never_makes_an_offset_larger_than_its_start),
        cmocka_unit_test(from_its_own_end_on_nothing_is_left_of_an_offset_of_any_pull),
        cmocka_unit_test(from_the_end_on_it_is_the_target_bit_for_bit),
        cmocka_unit_test(at_the_switch_it_is_the_pose_that_was_shown),
        cmocka_unit_test(half_angles_are_right_to_the_last_digits),
        cmocka_unit_test(the_first_frame_has_the_velocity_of_the_last),
        cmocka_unit_test(velocity_that_leads_away_is_dropped),
        cmocka_unit_test(an_offset_that_closes_fast_ends_early),
        cmocka_unit_test(turns_are_measured_across_the_half_turn),
        cmocka_unit_test(a_target_that_moves_counts),
        cmocka_unit_test(switches_at_random_never_jump),
        cmocka_unit_test(a_copy_made_midway_goes_on_bit_for_bit),
        cmocka_unit_test(what_is_left_is_never_a_denormal),
        cmocka_unit_test(offsets_of_nothing_leave_the_target_as_it_is),
        cmocka_unit_test(numbers_that_are_none_in_poses_stay_in_their_joint),
        cmocka_unit_test(lanes_behind_the_last_joint_do_not_matter),
        cmocka_unit_test(a_lower_level_of_detail_plays_on_and_a_higher_one_is_refused),
        cmocka_unit_test(wrong_arguments_are_refused_and_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
