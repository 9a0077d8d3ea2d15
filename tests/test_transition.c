// Fades and cross-fades: no jump whatever happens to them, and the arithmetic of one that nothing happens to.
#include "check_pose.h"

enum { JOINTS = 19, BLOCKS = SQT_POSE_BLOCKS(JOINTS), SEED = 0xFADE };

static const sqt_transition half_second = {.duration_seconds = 0.5f}, at_once = {.duration_seconds = 0.0f};

/// Curves, and their largest slopes.
static const sqt_ease eases[] = {{SQT_EASE_LINEAR, {0, 0, 0, 0}},
                                 {SQT_EASE_CUBIC, {0, 0, 0, 0}},
                                 {SQT_EASE_BEZIER, {0.42f, 0, 0.58f, 1}},
                                 {SQT_EASE_HERMITE, {0, 0, 0, 0}},
                                 {SQT_EASE_HERMITE, {3, -2, 0, 0}}}; // goes beyond 1 and comes back

enum { EASES = sizeof eases / sizeof *eases };

static double largest_slopes[EASES];

static void measure_slopes(void) {
    for (uint32_t e = 0; e < EASES; ++e) {
        for (int i = 0; i < 10000; ++i) {
            const double slope =
                10000 * (sqt_ease_value(eases[e], (i + 1) / 10000.0) - sqt_ease_value(eases[e], i / 10000.0));
            if (fabs(slope) > largest_slopes[e]) largest_slopes[e] = fabs(slope);
        }
        largest_slopes[e] *= 1.001;
    }
}

/// The largest rate of a weight between 0 and 1.
static double largest_rate(const sqt_transition *transition) {
    for (uint32_t e = 0; e < EASES; ++e) {
        if (memcmp(&transition->ease, eases + e, sizeof *eases) == 0) {
            return transition->duration_seconds > 0 ? largest_slopes[e] / (double)transition->duration_seconds : 0;
        }
    }
    fail();
    return 0;
}

static bool same_fade(const sqt_fade *a, const sqt_fade *b) { return memcmp(a, b, sizeof *a) == 0; }

/// A pose of one joint, moved along x.
static sqt_pose_block at_x(float x) {
    sqt_pose_block pose;
    assert_int_equal(sqt_pose_identity(&pose, 1), SQT_OK);
    pose.tx[0] = x;
    return pose;
}

static const sqt_pose_block one_rest = {.rw = {1}, .sx = {1}, .sy = {1}, .sz = {1}};
static const sqt_skeleton one_joint = {.joint_count = 1, .full_joint_count = 1, .rest = &one_rest};

/// Where a fade between A at 0 and B at 10 is.
static float x_of(const sqt_fade *fade, double now) {
    const sqt_pose_block a = at_x(0), b = at_x(10);
    sqt_pose_block out;
    assert_int_equal(sqt_blend_pair(&out, &one_joint, &a, &b, NULL, sqt_fade_weight(fade, now), SQT_NLERP), SQT_OK);
    return out.tx[0];
}

/// Where a cross-fade is between sources that stand still at `xs`, by id, and a frozen pose.
static float x_of_cross(const sqt_cross_fade *fade, const float *xs, const sqt_pose_block *frozen, double now) {
    sqt_fade_source sources[SQT_FADE_SOURCES];
    sqt_pose_block poses[SQT_FADE_SOURCES], out;
    sqt_blend_input inputs[SQT_FADE_SOURCES];
    uint32_t count;
    assert_int_equal(sqt_cross_fade_weights(sources, &count, fade, now), SQT_OK);
    for (uint32_t k = 0; k < count; ++k) {
        poses[k] = sources[k].id == SQT_FADE_FROZEN ? *frozen : at_x(xs[sources[k].id]);
        inputs[k] = (sqt_blend_input){.pose = poses + k, .weight = sources[k].weight};
    }
    assert_int_equal(sqt_blend_many(&out, &one_joint, inputs, count, 0, SQT_NLERP), SQT_OK);
    return out.tx[0];
}

// ---- Fades

static void a_fade_goes_evenly_and_arrives_exactly(void **state) {
    (void)state;
    sqt_fade fade = {0};
    assert_int_equal(sqt_fade_to(&fade, 7, 1, half_second), SQT_OK);
    static const float expected[] = {0, 2.5f, 5, 7.5f, 10, 10};
    for (int i = 0; i < 6; ++i) assert_true(x_of(&fade, 7 + 0.125 * i) == expected[i]);
    assert_true(x_of(&fade, 1e9) == 10 && x_of(&fade, 6) == 0 && x_of(&fade, -1e300) == 0);
}

static void a_fade_at_rest_is_0(void **state) {
    (void)state;
    const sqt_fade fade = {0};
    assert_true(sqt_fade_weight(&fade, 0) == 0 && sqt_fade_weight(&fade, 1e9) == 0 && sqt_fade_weight(&fade, -3) == 0);
    assert_true(sqt_fade_weight(NULL, 1) == 0);
}

static void a_fade_without_duration_arrives_at_once(void **state) {
    (void)state;
    sqt_fade fade = {0};
    assert_int_equal(sqt_fade_to(&fade, 3, 1, at_once), SQT_OK);
    assert_true(x_of(&fade, 3) == 10);
    sqt_fade going = {0}; // also in the middle of a slower one to the same target
    assert_int_equal(sqt_fade_to(&going, 3, 1, half_second), SQT_OK);
    assert_int_equal(sqt_fade_to(&going, 3.25, 1, at_once), SQT_OK);
    assert_true(x_of(&going, 3.25) == 10);
}

static void a_fade_asked_again_every_frame_arrives_in_time(void **state) {
    (void)state;
    sqt_fade fade = {0};
    for (int frame = 0; frame <= 60; ++frame) {
        assert_int_equal(sqt_fade_to(&fade, frame / 60.0, 1, half_second), SQT_OK);
        if (frame >= 30) assert_true(x_of(&fade, frame / 60.0) == 10);
        if (frame < 30) assert_close(x_of(&fade, frame / 60.0), 10 * frame / 30.0, 1e-5);
    }
    sqt_fade before = fade;
    assert_int_equal(sqt_fade_to(&fade, 99, 1, half_second), SQT_OK);
    assert_true(same_fade(&fade, &before));
}

static void a_fade_reversed_midway_does_not_jump(void **state) {
    (void)state;
    sqt_fade fade = {0};
    assert_int_equal(sqt_fade_to(&fade, 0, 1, half_second), SQT_OK);
    assert_true(x_of(&fade, 0.25) == 5);
    assert_int_equal(sqt_fade_to(&fade, 0.25, 0, half_second), SQT_OK);
    assert_true(x_of(&fade, 0.25) == 5);
    assert_true(fabsf(x_of(&fade, 0.375) - 5) <= 2.5f);
    assert_true(x_of(&fade, 0.375) == 3.75f);
    assert_true(x_of(&fade, 0.75) == 0);
}

static void numbers_that_are_none_are_refused_and_change_nothing(void **state) {
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    sqt_fade fade = {0};
    assert_int_equal(sqt_fade_to(&fade, 0, 1, half_second), SQT_OK);
    const sqt_fade before = fade;
    sqt_cross_fade cross = {0};
    assert_int_equal(sqt_cross_fade_to(&cross, 0, 4, half_second), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&cross, 1, 5, half_second), SQT_OK);
    const sqt_cross_fade cross_before = cross;
    sqt_fade_source sources[SQT_FADE_SOURCES];
    uint32_t count = 77;
    for (int i = 0; i < 3; ++i) {
        const sqt_transition duration = {.duration_seconds = wrong[i]};
        const sqt_transition curve = {.duration_seconds = 1, .ease = {SQT_EASE_HERMITE, {0, wrong[i], 0, 0}}};
        assert_int_equal(sqt_fade_to(&fade, (double)wrong[i], 0, half_second), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_fade_to(&fade, 0.1, wrong[i], half_second), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_fade_to(&fade, 0.1, 0, duration), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_fade_to(&fade, 0.1, 0, curve), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_cross_fade_to(&cross, (double)wrong[i], 6, half_second), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_cross_fade_to(&cross, 1.1, 6, duration), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_cross_fade_to(&cross, 1.1, 6, curve), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_cross_fade_weights(sources, &count, &cross, (double)wrong[i]), SQT_ERROR_NUMBER);
        assert_true(sqt_fade_weight(&fade, (double)wrong[i]) == 1); // has no way to report: as if it had arrived
    }
    const sqt_transition backwards = {.duration_seconds = -0.1f}, unknown = {.duration_seconds = 1, .ease = {9, {0}}};
    assert_int_equal(sqt_fade_to(&fade, 0.1, 0, backwards), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_fade_to(&fade, 0.1, 0, unknown), SQT_ERROR_FLAG);
    assert_int_equal(sqt_fade_to(&fade, 0.1, 2e15f, half_second), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_fade_to(NULL, 0.1, 0, half_second), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_to(&cross, 1.1, 6, backwards), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_cross_fade_to(&cross, 1.1, 6, unknown), SQT_ERROR_FLAG);
    assert_int_equal(sqt_cross_fade_to(&cross, 1.1, SQT_FADE_FROZEN, half_second), SQT_ERROR_COUNT);
    assert_int_equal(sqt_cross_fade_to(NULL, 1.1, 6, half_second), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_weights(NULL, &count, &cross, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_weights(sources, NULL, &cross, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_weights(sources, &count, NULL, 1), SQT_ERROR_NULL);
    assert_true(same_fade(&fade, &before));
    assert_memory_equal(&cross, &cross_before, sizeof cross);
    assert_int_equal(count, 77);
    sqt_cross_fade broken = cross; // a state that came from outside
    broken.source_count = SQT_FADE_SOURCES + 1;
    const sqt_cross_fade broken_before = broken;
    assert_int_equal(sqt_cross_fade_weights(sources, &count, &broken, 1), SQT_ERROR_COUNT);
    assert_int_equal(sqt_cross_fade_to(&broken, 1.1, 6, half_second), SQT_ERROR_COUNT);
    assert_memory_equal(&broken, &broken_before, sizeof broken);
}

static void a_fade_sent_about_at_random_never_jumps(void **state) {
    (void)state;
    check_random random = {SEED};
    const double dt = 1.0 / 240;
    for (int run = 0; run < 100; ++run) {
        sqt_fade fade = {0};
        double now = check_random_float(&random, -1e5f, 1e5f), bound = 0;
        float before = sqt_fade_weight(&fade, now);
        for (int frame = 0; frame < 400; ++frame, now += dt) {
            const float weight = sqt_fade_weight(&fade, now);
            assert_true(fabsf(weight - before) <= bound + 1e-6);
            before = weight;
            if (check_random_below(&random, 20) == 0) {
                const sqt_transition transition = {check_random_float(&random, 0.01f, 0.5f),
                                                   eases[check_random_below(&random, EASES)]};
                const float target = check_random_below(&random, 3) ? (float)check_random_below(&random, 2)
                                                                    : check_random_float(&random, -1, 2);
                assert_int_equal(sqt_fade_to(&fade, now, target, transition), SQT_OK);
                assert_true(sqt_fade_weight(&fade, now) == weight);
            }
            bound = largest_rate(&fade.transition) * fabs((double)fade.to - (double)fade.from) * dt;
        }
    }
}

static void a_fade_follows_its_curve(void **state) {
    (void)state;
    for (uint32_t e = 0; e < EASES; ++e) {
        const sqt_transition transition = {2, eases[e]};
        sqt_fade fade = {0};
        assert_int_equal(sqt_fade_to(&fade, 10, -3, at_once), SQT_OK);
        assert_int_equal(sqt_fade_to(&fade, 10, 5, transition), SQT_OK);
        for (int i = 0; i <= 40; ++i) {
            assert_close(sqt_fade_weight(&fade, 10 + i / 20.0), -3 + 8 * sqt_ease_value(eases[e], i / 40.0), 1e-6);
        }
    }
}

// ---- Cross-fades

static void smooth_and_frozen_cross_fades_go_evenly_and_arrive_exactly(void **state) {
    (void)state;
    static const float xs[] = {0, 10}, expected[] = {0, 2.5f, 5, 7.5f, 10, 10};
    sqt_cross_fade smooth = {0}, frozen = {0};
    assert_int_equal(sqt_cross_fade_to(&smooth, 1, 0, half_second), SQT_OK);
    assert_true(x_of_cross(&smooth, xs, NULL, 1) == 0); // nothing before it: at once
    assert_int_equal(sqt_cross_fade_to(&smooth, 7, 1, half_second), SQT_OK);
    const sqt_pose_block a = at_x(0);
    sqt_pose_block held;
    assert_int_equal(sqt_cross_fade_freeze(&frozen, &held, &one_joint, &a), SQT_OK);
    assert_true(x_of_cross(&frozen, xs, &held, 6) == 0);
    assert_int_equal(sqt_cross_fade_to(&frozen, 7, 1, half_second), SQT_OK);
    for (int i = 0; i < 6; ++i) {
        assert_true(x_of_cross(&smooth, xs, NULL, 7 + 0.125 * i) == expected[i]);
        assert_true(x_of_cross(&frozen, xs, &held, 7 + 0.125 * i) == expected[i]);
    }
    sqt_fade_source sources[SQT_FADE_SOURCES];
    uint32_t count;
    assert_int_equal(sqt_cross_fade_weights(sources, &count, &smooth, 7.5), SQT_OK);
    assert_true(count == 1 && sources[0].id == 1 && sources[0].weight == 1 && sources[0].start_seconds == 7);
}

static void a_cross_fade_without_duration_arrives_at_once(void **state) {
    (void)state;
    static const float xs[] = {0, 10};
    sqt_cross_fade fade = {0};
    assert_int_equal(sqt_cross_fade_to(&fade, 1, 0, at_once), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&fade, 3, 1, at_once), SQT_OK);
    assert_true(x_of_cross(&fade, xs, NULL, 3) == 10);
    assert_int_equal(fade.source_count, 1);
    assert_int_equal(sqt_cross_fade_to(&fade, 4, 0, half_second), SQT_OK); // in the middle of a slower one
    assert_int_equal(sqt_cross_fade_to(&fade, 4.25, 0, at_once), SQT_OK);
    assert_true(x_of_cross(&fade, xs, NULL, 4.25) == 0);
}

static void a_cross_fade_asked_again_every_frame_arrives_in_time(void **state) {
    (void)state;
    static const float xs[] = {0, 10};
    sqt_cross_fade fade = {0};
    assert_int_equal(sqt_cross_fade_to(&fade, -5, 0, half_second), SQT_OK);
    for (int frame = 0; frame <= 60; ++frame) {
        assert_int_equal(sqt_cross_fade_to(&fade, frame / 60.0, 1, half_second), SQT_OK);
        if (frame >= 30) assert_true(x_of_cross(&fade, xs, NULL, frame / 60.0) == 10);
    }
}

static void a_cross_fade_reversed_midway_goes_back_from_where_it_is(void **state) {
    (void)state;
    static const float xs[] = {0, 10};
    sqt_cross_fade fade = {0};
    assert_int_equal(sqt_cross_fade_to(&fade, -5, 0, half_second), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&fade, 0, 1, half_second), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&fade, 0.25, 0, half_second), SQT_OK);
    assert_true(x_of_cross(&fade, xs, NULL, 0.25) == 5);
    assert_true(fabsf(x_of_cross(&fade, xs, NULL, 0.375) - 5) <= 2.5f);
    assert_true(x_of_cross(&fade, xs, NULL, 0.75) == 0);
    sqt_fade_source sources[SQT_FADE_SOURCES];
    uint32_t count;
    assert_int_equal(sqt_cross_fade_weights(sources, &count, &fade, 0.75), SQT_OK);
    assert_true(count == 1 && sources[0].id == 0 && sources[0].start_seconds == -5); // it has played on
    // Once it had faded out, the other starts anew.
    assert_int_equal(sqt_cross_fade_to(&fade, 2, 1, half_second), SQT_OK);
    assert_int_equal(sqt_cross_fade_weights(sources, &count, &fade, 2.5), SQT_OK);
    assert_true(count == 1 && sources[0].id == 1 && sources[0].start_seconds == 2);
}

static void what_fades_to_itself_stays_bit_for_bit(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    check_rig rig;
    check_rig_init(&rig, JOINTS, &random);
    sqt_pose_block a[BLOCKS], out[BLOCKS], held[BLOCKS];
    check_random_pose(a, JOINTS, &random);
    sqt_cross_fade fade = {0}, frozen = {0};
    assert_int_equal(sqt_cross_fade_to(&fade, 0, 3, half_second), SQT_OK);
    assert_int_equal(sqt_cross_fade_freeze(&frozen, held, &rig.skeleton, a), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&frozen, 1, 3, half_second), SQT_OK);
    for (int i = 0; i <= 8; ++i) {
        const double now = 1 + i / 8.0;
        sqt_fade_source sources[SQT_FADE_SOURCES];
        uint32_t count;
        assert_int_equal(sqt_cross_fade_to(&fade, now, 3, half_second), SQT_OK);
        assert_int_equal(sqt_cross_fade_weights(sources, &count, &fade, now), SQT_OK);
        assert_true(count == 1);
        const sqt_blend_input input = {.pose = a, .weight = sources[0].weight};
        assert_int_equal(sqt_blend_many(out, &rig.skeleton, &input, 1, 0, SQT_NLERP), SQT_OK);
        check_assert_pose_bits(out, a, JOINTS);
        // A frozen pose that equals what it fades to: the same to rounding.
        assert_int_equal(sqt_cross_fade_weights(sources, &count, &frozen, now), SQT_OK);
        sqt_blend_input inputs[SQT_FADE_SOURCES];
        for (uint32_t k = 0; k < count; ++k) {
            inputs[k] =
                (sqt_blend_input){.pose = sources[k].id == SQT_FADE_FROZEN ? held : a, .weight = sources[k].weight};
        }
        assert_int_equal(sqt_blend_many(out, &rig.skeleton, inputs, count, 0, SQT_NLERP), SQT_OK);
        for (uint32_t j = 0; j < JOINTS; ++j) check_assert_transform(sqt_pose_get(out, j), sqt_pose_get(a, j), 1e-6);
    }
}

static void too_many_sources_are_refused_until_they_are_frozen(void **state) {
    (void)state;
    static const float xs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    sqt_cross_fade fade = {0};
    for (uint32_t id = 0; id < SQT_FADE_SOURCES; ++id) {
        assert_int_equal(sqt_cross_fade_to(&fade, 0.01 * id, id, half_second), SQT_OK);
    }
    const sqt_cross_fade before = fade;
    assert_int_equal(sqt_cross_fade_to(&fade, 0.08, 8, half_second), SQT_ERROR_SPACE);
    assert_memory_equal(&fade, &before, sizeof fade);
    assert_int_equal(sqt_cross_fade_to(&fade, 0.08, 3, half_second), SQT_OK); // one of them
    fade = before;
    assert_int_equal(sqt_cross_fade_to(&fade, 0.08, 8, at_once), SQT_OK); // none of them stays
    fade = before;
    const float x = x_of_cross(&fade, xs, NULL, 0.08);
    const sqt_pose_block shown = at_x(x);
    sqt_pose_block held;
    assert_int_equal(sqt_cross_fade_freeze(&fade, &held, &one_joint, &shown), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&fade, 0.08, 8, half_second), SQT_OK);
    assert_close(x_of_cross(&fade, xs, &held, 0.08), x, 1e-6);
    assert_close(x_of_cross(&fade, xs, &held, 0.33), (x + 8) / 2, 1e-6);
    fade = before; // and once the earlier ones are gone there is room again
    assert_int_equal(sqt_cross_fade_to(&fade, 0.6, 8, half_second), SQT_OK);
    assert_int_equal(fade.source_count, 2);
}

static void freezing_checks_its_arguments(void **state) {
    (void)state;
    sqt_cross_fade fade = {0};
    const sqt_cross_fade before = fade;
    sqt_pose_block pose = at_x(1), held = at_x(2), held_before = held;
    const sqt_skeleton empty = {.joint_count = 0}, large = {.joint_count = SQT_MAX_JOINTS + 1};
    assert_int_equal(sqt_cross_fade_freeze(NULL, &held, &one_joint, &pose), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_freeze(&fade, NULL, &one_joint, &pose), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_freeze(&fade, &held, NULL, &pose), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_freeze(&fade, &held, &one_joint, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_cross_fade_freeze(&fade, &held, &empty, &pose), SQT_ERROR_COUNT);
    assert_int_equal(sqt_cross_fade_freeze(&fade, &held, &large, &pose), SQT_ERROR_COUNT);
    assert_memory_equal(&fade, &before, sizeof fade);
    assert_memory_equal(&held, &held_before, sizeof held);
    memset(&pose.rx[1], 0xFF, 15 * sizeof(float)); // lanes behind the last joint are not read
    assert_int_equal(sqt_cross_fade_freeze(&fade, &pose, &one_joint, &pose), SQT_OK);
    const sqt_pose_block expected = at_x(1);
    assert_memory_equal(&pose, &expected, sizeof pose);
}

// ---- Cross-fades of moving poses, interrupted at random

enum { CLIPS = 12 };

/// Motions whose rates are known: x is sin(rate t + phase) in each component, and rotations swing about an axis.
typedef struct motion {
    float rate[JOINTS], phase[JOINTS];
    sqt_vec3 axis[JOINTS];
} motion;

static const double most_rate = 2, swing = 0.4;

static void motion_init(motion *m, check_random *random) {
    for (uint32_t j = 0; j < JOINTS; ++j) {
        m->rate[j] = check_random_float(random, 0.3f, (float)most_rate);
        m->phase[j] = check_random_float(random, 0, 6);
        m->axis[j] = check_random_vec3(random, -1, 1);
    }
}

static void motion_pose(sqt_pose_block *pose, const motion *m, double t) {
    assert_int_equal(sqt_pose_identity(pose, JOINTS), SQT_OK);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const float s = (float)sin((double)m->rate[j] * t + (double)m->phase[j]);
        const sqt_transform transform = {sqt_quat_from_axis_angle(m->axis[j], (float)swing * s),
                                         {s, -0.5f * s, s * s * 0.25f},
                                         {1 + 0.25f * s, 1, 1 - 0.25f * s}};
        sqt_pose_set(pose, j, transform);
    }
}

/// One character, as a game keeps it.
typedef struct player {
    sqt_cross_fade fade;
    sqt_pose_block frozen[BLOCKS];
} player;

static void player_pose(sqt_pose_block *pose, const player *p, const sqt_skeleton *skeleton, const motion *motions,
                        double now) {
    sqt_fade_source sources[SQT_FADE_SOURCES];
    sqt_pose_block poses[SQT_FADE_SOURCES][BLOCKS];
    sqt_blend_input inputs[SQT_FADE_SOURCES];
    uint32_t count;
    assert_int_equal(sqt_cross_fade_weights(sources, &count, &p->fade, now), SQT_OK);
    double sum = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const bool held = sources[k].id == SQT_FADE_FROZEN;
        inputs[k] = (sqt_blend_input){.pose = held ? p->frozen : poses[k], .weight = sources[k].weight};
        if (!held) motion_pose(poses[k], motions + sources[k].id, now - sources[k].start_seconds);
        assert_true(sources[k].weight > 0 && sources[k].weight <= 1);
        sum += (double)sources[k].weight;
    }
    if (count) assert_close(sum, 1, 1e-6);
    assert_int_equal(sqt_blend_many(pose, skeleton, inputs, count, 0, SQT_NLERP), SQT_OK);
}

/// The largest change of a component of rotation, and of translation or scale.
static void assert_change_below(const sqt_pose_block *a, const sqt_pose_block *b, double turn, double way) {
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const sqt_transform p = sqt_pose_get(a, j), q = sqt_pose_get(b, j);
        assert_rotation_close(p.rotation, q.rotation, turn);
        assert_vec3_close(p.translation, q.translation, way);
        assert_vec3_close(p.scale, q.scale, way);
    }
}

static void cross_fades_interrupted_at_random_never_jump(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    static motion motions[CLIPS];
    check_rig rig;
    check_rig_init(&rig, JOINTS, &random);
    for (uint32_t c = 0; c < CLIPS; ++c) motion_init(motions + c, &random);
    const double dt = 1.0 / 120;
    uint32_t smooth = 0, held = 0, refused = 0;
    for (int run = 0; run < 30; ++run) {
        static player p;
        static sqt_pose_block pose[BLOCKS], before[BLOCKS];
        memset(&p, 0, sizeof p);
        assert_int_equal(sqt_cross_fade_to(&p.fade, 0, 0, half_second), SQT_OK);
        player_pose(before, &p, &rig.skeleton, motions, 0);
        double rate = 0; // of the weights
        for (int frame = 0; frame < 360; ++frame) {
            const double now = frame * dt;
            player_pose(pose, &p, &rig.skeleton, motions, now);
            // Sources move at most at most_rate in a component (times the swing for half angles), and are at most 2
            // apart (2 sin(swing / 2) for quaternions, whose mix is longer than 0.9).
            const double way = most_rate * dt + rate * dt * 2,
                         turn = (most_rate * dt + rate * dt * 2) * swing / 2 / 0.9;
            assert_change_below(pose, before, turn + 1e-6, way + 2e-6);
            memcpy(before, pose, sizeof pose);
            if (check_random_below(&random, 8) == 0) {
                const uint32_t ease = check_random_below(&random, EASES), id = check_random_below(&random, CLIPS);
                const sqt_transition transition = {check_random_float(&random, 0.05f, 1.5f), eases[ease]};
                const bool freeze = check_random_below(&random, 6) == 0;
                sqt_result result = SQT_ERROR_SPACE;
                if (!freeze) result = sqt_cross_fade_to(&p.fade, now, id, transition);
                if (result == SQT_ERROR_SPACE) {
                    assert_int_equal(sqt_cross_fade_freeze(&p.fade, p.frozen, &rig.skeleton, pose), SQT_OK);
                    result = sqt_cross_fade_to(&p.fade, now, id, transition);
                    if (freeze) ++held;
                    if (!freeze) ++refused;
                } else {
                    ++smooth;
                }
                assert_int_equal(result, SQT_OK);
                player_pose(pose, &p, &rig.skeleton, motions, now);
                assert_change_below(pose, before, 1e-6, 2e-6); // the switch itself changes nothing
                rate = largest_rate(&p.fade.transition);
            }
        }
    }
    assert_true(smooth > 500 && held > 50 && refused > 20);
}

static void weights_stay_within_0_and_1_where_the_curve_does_not(void **state) {
    (void)state;
    const sqt_transition beyond = {1, eases[EASES - 1]};
    sqt_cross_fade fade = {0};
    assert_int_equal(sqt_cross_fade_to(&fade, 0, 0, beyond), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&fade, 0, 1, beyond), SQT_OK);
    bool held = false;
    for (int i = 0; i < 100; ++i) {
        sqt_fade_source sources[SQT_FADE_SOURCES];
        uint32_t count;
        assert_int_equal(sqt_cross_fade_weights(sources, &count, &fade, i / 100.0), SQT_OK);
        if (sqt_ease_value(beyond.ease, i / 100.0) > 1) {
            assert_true(count == 1 && sources[0].id == 1 && sources[0].weight == 1);
            held = true;
        }
    }
    assert_true(held);
}

static void a_copy_made_midway_goes_on_bit_for_bit(void **state) {
    (void)state;
    check_random random = {SEED + 3};
    static motion motions[CLIPS];
    check_rig rig;
    check_rig_init(&rig, JOINTS, &random);
    for (uint32_t c = 0; c < CLIPS; ++c) motion_init(motions + c, &random);
    static player original, copy;
    static sqt_pose_block a[BLOCKS], b[BLOCKS];
    const sqt_transition gentle = {0.4f, eases[2]};
    assert_int_equal(sqt_cross_fade_to(&original.fade, 0, 1, gentle), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&original.fade, 1, 2, gentle), SQT_OK);
    player_pose(a, &original, &rig.skeleton, motions, 1.2);
    assert_int_equal(sqt_cross_fade_freeze(&original.fade, original.frozen, &rig.skeleton, a), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&original.fade, 1.2, 3, gentle), SQT_OK);
    assert_int_equal(sqt_cross_fade_to(&original.fade, 1.3, 4, gentle), SQT_OK);
    static unsigned char saved[sizeof original + 1]; // anywhere: nothing in it points to anything
    memcpy(saved + 1, &original, sizeof original);
    memcpy(&copy, saved + 1, sizeof copy);
    for (int frame = 0; frame < 60; ++frame) {
        const double now = 1.3 + frame / 60.0;
        if (frame == 10) {
            assert_int_equal(sqt_cross_fade_to(&original.fade, now, 5, gentle), SQT_OK);
            assert_int_equal(sqt_cross_fade_to(&copy.fade, now, 5, gentle), SQT_OK);
        }
        player_pose(a, &original, &rig.skeleton, motions, now);
        player_pose(b, &copy, &rig.skeleton, motions, now);
        assert_memory_equal(a, b, sizeof a);
    }
}

static void a_fade_whose_ease_leaves_all_bounds_stays_a_number(void **state) {
    (void)state;
    static const sqt_transition wild = {1, {SQT_EASE_BEZIER, {0.3f, 1e15f, 0.6f, 1e15f}}};
    sqt_fade fade = {0};
    assert_int_equal(sqt_fade_to(&fade, 0, 1e15f, wild), SQT_OK);
    const sqt_fade before = fade;
    assert_int_equal(sqt_fade_to(&fade, 0.5, -1e15f, wild), SQT_ERROR_NUMBER); // it is at 6e29
    assert_true(same_fade(&fade, &before));
    assert_int_equal(sqt_fade_to(&fade, 1, -1e15f, wild), SQT_OK); // from where it has arrived
    assert_true(isfinite(sqt_fade_weight(&fade, 1.5)));
}

static void weights_sum_to_1_after_many_interruptions(void **state) {
    (void)state;
    static const sqt_transition second = {.duration_seconds = 1};
    for (int frame_rate = 100; frame_rate <= 10000; frame_rate *= 10) {
        sqt_cross_fade fade = {0};
        for (int i = 0; i < 100000; ++i) { // a call a frame, each interrupted by the next
            const double now = (double)i / frame_rate;
            sqt_fade_source sources[SQT_FADE_SOURCES];
            uint32_t count;
            assert_int_equal(sqt_cross_fade_to(&fade, now, (uint32_t)i % SQT_FADE_SOURCES, second), SQT_OK);
            assert_int_equal(sqt_cross_fade_weights(sources, &count, &fade, now + 1e-3), SQT_OK);
            double sum = 0;
            for (uint32_t k = 0; k < count; ++k) sum += (double)sources[k].weight;
            assert_close(sum, 1, 1e-6);
        }
    }
}

int main(void) {
    print_message("seed 0x%X\n", SEED);
    measure_slopes();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fade_goes_evenly_and_arrives_exactly),
        cmocka_unit_test(a_fade_at_rest_is_0),
        cmocka_unit_test(a_fade_without_duration_arrives_at_once),
        cmocka_unit_test(a_fade_asked_again_every_frame_arrives_in_time),
        cmocka_unit_test(a_fade_reversed_midway_does_not_jump),
        cmocka_unit_test(numbers_that_are_none_are_refused_and_change_nothing),
        cmocka_unit_test(a_fade_sent_about_at_random_never_jumps),
        cmocka_unit_test(a_fade_follows_its_curve),
        cmocka_unit_test(smooth_and_frozen_cross_fades_go_evenly_and_arrive_exactly),
        cmocka_unit_test(a_cross_fade_without_duration_arrives_at_once),
        cmocka_unit_test(a_cross_fade_asked_again_every_frame_arrives_in_time),
        cmocka_unit_test(a_cross_fade_reversed_midway_goes_back_from_where_it_is),
        cmocka_unit_test(what_fades_to_itself_stays_bit_for_bit),
        cmocka_unit_test(too_many_sources_are_refused_until_they_are_frozen),
        cmocka_unit_test(freezing_checks_its_arguments),
        cmocka_unit_test(cross_fades_interrupted_at_random_never_jump),
        cmocka_unit_test(weights_stay_within_0_and_1_where_the_curve_does_not),
        cmocka_unit_test(a_copy_made_midway_goes_on_bit_for_bit),
        cmocka_unit_test(a_fade_whose_ease_leaves_all_bounds_stays_a_number),
        cmocka_unit_test(weights_sum_to_1_after_many_interruptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
