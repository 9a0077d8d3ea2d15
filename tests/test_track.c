// Tracks: hand-calculated values, the clip's loop policy, and locators against clips of channels and matrices.
#include "check_pose.h"

static const sqt_timeline clamped = {2, SQT_LOOP_CLAMP}, wrapped = {2, SQT_LOOP_WRAP},
                          ping_pong = {2, SQT_LOOP_PING_PONG};

static float sample1(const sqt_curve *curve, const sqt_timeline *timeline, double seconds) {
    float value = -99;
    assert_int_equal(sqt_track_sample(&value, curve, timeline, NULL, seconds), SQT_OK);
    return value;
}

static void a_float_track_plays_at_the_clips_time(void **state) {
    (void)state;
    static const float times[] = {0, 1, 2}, values[] = {10, 20, 40};
    const sqt_curve zoom = {times, values, 3, 1, SQT_LINEAR};
    assert_close(sample1(&zoom, &clamped, 0.5), 15, 1e-6);
    assert_close(sample1(&zoom, &clamped, 1.5), 30, 1e-6);
    assert_close(sample1(&zoom, &clamped, 9), 40, 0);
    assert_close(sample1(&zoom, &clamped, -9), 10, 0);
    assert_close(sample1(&zoom, &wrapped, 9.5), 30, 1e-6);
    assert_close(sample1(&zoom, &wrapped, 2), 10, 0);
    assert_close(sample1(&zoom, &wrapped, -0.5), 30, 1e-6);
    assert_close(sample1(&zoom, &wrapped, 2e8 + 0.5), 15, 1e-6);
    assert_close(sample1(&zoom, &ping_pong, 2.5), 30, 1e-6);
    assert_close(sample1(&zoom, &ping_pong, -1.5), 30, 1e-6);
}

static void a_float_track_has_all_interpolations_and_up_to_four_components(void **state) {
    (void)state;
    static const float times[] = {0, 2};
    static const float steps[] = {1, 2, 5, 6};
    static const float cubic[] = {9, 0, 3, -1, 4, 9}; // in, value, out: 0 with slope 3, 4 with slope -1
    static const float colours[] = {0, 1, 2, 3, 4, 3, 2, 1};
    const sqt_curve step = {times, steps, 2, 2, SQT_STEP}, spline = {times, cubic, 2, 1, SQT_CUBIC};
    const sqt_curve colour = {times, colours, 2, 4, SQT_LINEAR};
    float value[4];
    assert_int_equal(sqt_track_sample(value, &step, &wrapped, NULL, 3.999), SQT_OK);
    assert_close(value[0], 1, 0);
    assert_close(value[1], 2, 0);
    assert_int_equal(sqt_track_sample(value, &step, &clamped, NULL, 2), SQT_OK);
    assert_close(value[1], 6, 0);
    assert_close(sample1(&spline, &wrapped, 4.5), 1.5625, 1e-6);
    assert_close(sample1(&spline, &wrapped, 5), 3, 1e-6);
    assert_close(sample1(&spline, &ping_pong, 2.5), 3.9375, 1e-6);
    assert_int_equal(sqt_track_sample(value, &colour, &wrapped, NULL, 2.5), SQT_OK);
    const float expected[] = {1, 1.5f, 2, 2.5f};
    assert_all_close(value, expected, 4, 1e-6);
}

static void a_cursor_changes_no_bit(void **state) {
    (void)state;
    check_random random = {0x7AC};
    print_message("seed 0x7AC\n");
    float times[20], values[20];
    for (int k = 0; k < 20; ++k) {
        times[k] = (float)k * 0.1f;
        values[k] = check_random_float(&random, -5, 5);
    }
    const sqt_curve curve = {times, values, 20, 1, SQT_LINEAR};
    uint32_t cursor = 0xFFFFFFFFu;
    for (int i = 0; i < 20000; ++i) {
        const double seconds = (double)check_random_float(&random, -20, 20);
        const sqt_timeline timeline = {2, check_random_below(&random, 3)};
        float with, without;
        assert_int_equal(sqt_track_sample(&with, &curve, &timeline, &cursor, seconds), SQT_OK);
        assert_int_equal(sqt_track_sample(&without, &curve, &timeline, NULL, seconds), SQT_OK);
        assert_memory_equal(&with, &without, sizeof with);
    }
}

static const float id_times[] = {0.5f, 1, 1, 1.5f};
static const uint32_t ids[] = {7, 8, 9, 0xFFFFFFFFu};
static const sqt_id_track states = {id_times, ids, 4};

static uint32_t id_at(const sqt_timeline *timeline, double seconds) {
    uint32_t id = 1234;
    assert_int_equal(sqt_track_id(&id, &states, timeline, seconds), SQT_OK);
    return id;
}

static void an_id_is_held_from_key_to_key(void **state) {
    (void)state;
    assert_int_equal(id_at(&wrapped, 0), 7); // before the first key: that key
    assert_int_equal(id_at(&wrapped, 0.5), 7);
    assert_int_equal(id_at(&wrapped, 0.9999999), 7);
    assert_int_equal(id_at(&wrapped, 1), 9); // of equal times the last
    assert_int_equal(id_at(&wrapped, 1.4999), 9);
    assert_true(id_at(&wrapped, 1.5) == 0xFFFFFFFFu);
    assert_true(id_at(&wrapped, 1.999) == 0xFFFFFFFFu);
    assert_int_equal(id_at(&wrapped, 2), 7);
    assert_int_equal(id_at(&wrapped, -0.75), 9);
    assert_true(id_at(&clamped, 50) == 0xFFFFFFFFu);
    assert_int_equal(id_at(&clamped, -50), 7);
    assert_int_equal(id_at(&ping_pong, 2.75), 9); // on the way back at 1.25
    assert_int_equal(id_at(&ping_pong, 3.25), 7);
}

static void ids_agree_with_a_search_from_the_front(void **state) {
    (void)state;
    check_random random = {0x7AD};
    print_message("seed 0x7AD\n");
    for (int round = 0; round < 300; ++round) {
        float times[33];
        uint32_t values[33];
        const sqt_id_track track = {times, values, 1 + check_random_below(&random, 33)};
        for (uint32_t k = 0; k < track.key_count; ++k) {
            times[k] = (k ? times[k - 1] : 0) + 0.125f * (float)check_random_below(&random, 3);
            values[k] = check_random_u32(&random);
        }
        for (int i = 0; i < 100; ++i) {
            const double seconds = 0.0625 * check_random_below(&random, 150);
            const sqt_timeline timeline = {8, SQT_LOOP_WRAP};
            uint32_t expected = values[0], id;
            for (uint32_t k = 0; k < track.key_count; ++k) {
                if ((double)times[k] <= fmod(seconds, 8)) expected = values[k];
            }
            assert_int_equal(sqt_track_id(&id, &track, &timeline, seconds), SQT_OK);
            assert_true(id == expected);
        }
    }
}

static void tracks_refuse_what_is_wrong(void **state) {
    (void)state;
    static const float times[] = {0}, values[] = {3};
    const sqt_curve curve = {times, values, 1, 1, SQT_LINEAR}, empty = {times, values, 0, 1, SQT_LINEAR};
    const sqt_timeline bad_loop = {1, 3}, negative = {-1, SQT_LOOP_WRAP};
    const sqt_id_track no_times = {NULL, ids, 4}, no_ids = {id_times, NULL, 4}, no_keys = {id_times, ids, 0};
    float value = 5;
    uint32_t id = 5;
    assert_int_equal(sqt_track_sample(NULL, &curve, &wrapped, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_sample(&value, NULL, &wrapped, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_sample(&value, &curve, NULL, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_sample(&value, &empty, &wrapped, NULL, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_track_sample(&value, &curve, &bad_loop, NULL, 0), SQT_ERROR_FLAG);
    assert_int_equal(sqt_track_sample(&value, &curve, &negative, NULL, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_track_sample(&value, &curve, &wrapped, NULL, (double)NAN), SQT_ERROR_NUMBER);
    assert_close(value, 5, 0);
    assert_int_equal(sqt_track_id(NULL, &states, &wrapped, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_id(&id, NULL, &wrapped, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_id(&id, &states, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_id(&id, &no_times, &wrapped, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_id(&id, &no_ids, &wrapped, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_track_id(&id, &no_keys, &wrapped, 0), SQT_ERROR_COUNT);
    assert_int_equal(sqt_track_id(&id, &states, &bad_loop, 0), SQT_ERROR_FLAG);
    assert_int_equal(sqt_track_id(&id, &states, &negative, 0), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_track_id(&id, &states, &wrapped, (double)INFINITY), SQT_ERROR_NUMBER);
    assert_int_equal(id, 5);
    sqt_fault fault;
    assert_int_equal(sqt_track_id_validate(&states, &fault), SQT_OK);
    assert_int_equal(sqt_track_id_validate(NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "track", 0, 0);
    assert_int_equal(sqt_track_id_validate(&no_times, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "times", 0, 0);
    assert_int_equal(sqt_track_id_validate(&no_ids, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "ids", 0, 0);
    assert_int_equal(sqt_track_id_validate(&no_keys, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "key_count", 0, 0);
    const float wrong[][4] = {{0, 1, NAN, 3}, {0, 1, INFINITY, 3}};
    for (int i = 0; i < 2; ++i) {
        const sqt_id_track track = {wrong[i], ids, 4};
        assert_int_equal(sqt_track_id_validate(&track, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "times", 0, 2);
    }
    const float falling[] = {0, 1, 2, 1.5f};
    const sqt_id_track track = {falling, ids, 4};
    assert_int_equal(sqt_track_id_validate(&track, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "times", 0, 3);
}

// Locators

static const float turn_times[] = {0, 2},
                   turn_keys[] = {0, 0, 0, 1, 0, 0.70710678f, 0, 0.70710678f}; // 90 degrees about y
static const float place_keys[] = {0, 0, 0, 4, 8, 0};
static const sqt_channel camera_channels[] = {
    {{turn_times, turn_keys, 2, 4, SQT_LINEAR}, 0, SQT_TARGET_ROTATION, 0, {0, 0, 0}},
    {{turn_times, place_keys, 2, 3, SQT_LINEAR}, 0, SQT_TARGET_TRANSLATION, 0, {0, 0, 0}}};
static const sqt_locator camera = {camera_channels, 2, {{0, 0, 0, 1}, {1, 2, 3}, {2, 2, 2}}, SQT_NO_JOINT};

static sqt_transform locator_at(const sqt_locator *locator, const sqt_timeline *timeline, double seconds) {
    sqt_transform transform;
    memset(&transform, 0xFF, sizeof transform);
    assert_int_equal(sqt_locator_sample(&transform, locator, timeline, NULL, seconds), SQT_OK);
    return transform;
}

static void a_camera_plays_at_the_clips_time(void **state) {
    (void)state;
    const double times[] = {1, 5, -1, -3, 1e8 + 1};
    for (int i = 0; i < 5; ++i) {
        const sqt_transform at = locator_at(&camera, &wrapped, times[i]);
        assert_rotation_close(at.rotation, check_degrees(0, 1, 0, 45), 1e-6);
        assert_vec3_close(at.translation, ((sqt_vec3){2, 4, 0}), 1e-6);
        assert_vec3_close(at.scale, ((sqt_vec3){2, 2, 2}), 0); // no channel: as it rests
    }
    assert_rotation_close(locator_at(&camera, &clamped, 9).rotation, check_degrees(0, 1, 0, 90), 1e-6);
    assert_vec3_close(locator_at(&camera, &ping_pong, 3).translation, ((sqt_vec3){2, 4, 0}), 1e-6);
}

static void a_locator_without_channels_rests(void **state) {
    (void)state;
    const sqt_locator still = {NULL, 0, {{0, 0, 0, 1}, {1, 2, 3}, {1, 1, 1}}, SQT_NO_JOINT};
    assert_vec3_close(locator_at(&still, &wrapped, 77).translation, ((sqt_vec3){1, 2, 3}), 0);
}

static void a_locator_is_the_same_bits_as_a_joint(void **state) {
    (void)state;
    check_random random = {0x7AE};
    print_message("seed 0x7AE\n");
    for (int i = 0; i < 2000; ++i) {
        const uint32_t joint = check_random_below(&random, 20);
        float times[4] = {0, 0.3f, 1.1f, 2}, rotations[48], places[36], angles[4];
        for (int k = 0; k < 48; ++k) rotations[k] = check_random_float(&random, -1, 1);
        for (int k = 0; k < 36; ++k) places[k] = check_random_float(&random, -4, 4);
        for (int k = 0; k < 4; ++k) angles[k] = check_random_float(&random, -3, 3);
        const uint16_t kind = (uint16_t)check_random_below(&random, 3);
        sqt_channel channels[] = {
            {{times, rotations, 4, 4, kind}, 0, SQT_TARGET_ROTATION, 0, {0, 0, 0}},
            {{times, places, 4, 3, kind}, 0, SQT_TARGET_TRANSLATION, 0, {0, 0, 0}},
            {{times, places, 4, 1, SQT_STEP}, 0, SQT_TARGET_SCALE_Y, 0, {0, 0, 0}},
            {{times, angles, 4, 1, SQT_LINEAR}, 0, SQT_TARGET_EULER_Z, SQT_EULER_ZXY, {0.1f, 0.2f, 0}},
        };
        const sqt_locator locator = {channels, 4, check_random_transform(&random), SQT_NO_JOINT};
        check_rig rig;
        check_rig_init(&rig, 20, &random);
        sqt_pose_set(rig.rest, joint, locator.rest);
        sqt_channel moved[4];
        memcpy(moved, channels, sizeof moved);
        for (int k = 0; k < 4; ++k) moved[k].joint = (uint16_t)joint;
        const sqt_timeline timeline = {2, check_random_below(&random, 3)};
        const sqt_channel_clip clip = {.timeline = timeline, .channel_count = 4, .channels = moved};
        const double seconds = (double)check_random_float(&random, -9, 9);
        sqt_pose_block pose[SQT_POSE_BLOCKS(20)];
        uint32_t cursors[4] = {7, 0, 3, 1};
        sqt_transform at;
        assert_int_equal(sqt_channel_clip_sample(pose, &rig.skeleton, &clip, NULL, seconds), SQT_OK);
        assert_int_equal(sqt_locator_sample(&at, &locator, &timeline, cursors, seconds), SQT_OK);
        const sqt_transform expected = sqt_pose_get(pose, joint);
        assert_memory_equal(&at, &expected, sizeof at);
    }
}

static void a_locator_goes_with_its_joint(void **state) {
    (void)state;
    const sqt_transform raised = {{0, 0, 0.70710678f, 0.70710678f}, {0, 5, 0}, {2, 1, 1}};
    const sqt_mat4 global[2] = {SQT_MAT4_IDENTITY, sqt_mat4_from_transform(raised)};
    const sqt_skeleton skeleton = {.joint_count = 2, .full_joint_count = 2};
    const sqt_transform local = {{0, 0, 0, 1}, {1, 0, 0}, {1, 1, 1}};
    sqt_locator grip = {NULL, 0, SQT_TRANSFORM_IDENTITY, 1};
    sqt_mat4 matrix;
    assert_int_equal(sqt_locator_global(&matrix, &skeleton, &grip, local, global), SQT_OK);
    const sqt_vec3 origin = {0, 0, 0}, ahead = {1, 0, 0};
    assert_vec3_close(sqt_mat4_point(matrix, origin), ((sqt_vec3){0, 7, 0}), 1e-5); // 5 + 2 * 1, turned up
    assert_vec3_close(sqt_mat4_point(matrix, ahead), ((sqt_vec3){0, 9, 0}), 1e-5);
    sqt_mat4 in_place[2];
    memcpy(in_place, global, sizeof in_place);
    assert_int_equal(sqt_locator_global(in_place + 1, &skeleton, &grip, local, in_place), SQT_OK);
    assert_memory_equal(in_place + 1, &matrix, sizeof matrix);
    grip.parent = SQT_NO_JOINT; // alone it stands in model space, without a skeleton
    assert_int_equal(sqt_locator_global(&matrix, NULL, &grip, local, NULL), SQT_OK);
    const sqt_mat4 alone = sqt_mat4_from_transform(local);
    assert_memory_equal(&matrix, &alone, sizeof matrix);
}

static void locators_refuse_what_is_wrong(void **state) {
    (void)state;
    const sqt_timeline bad_loop = {1, 3};
    const sqt_skeleton skeleton = {.joint_count = 2, .full_joint_count = 3}, bad = {.joint_count = 70000};
    const sqt_mat4 global[2] = {SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY};
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    sqt_transform at = identity;
    sqt_locator locator = camera;
    assert_int_equal(sqt_locator_sample(NULL, &camera, &wrapped, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_sample(&at, NULL, &wrapped, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_sample(&at, &camera, NULL, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_sample(&at, &camera, &bad_loop, NULL, 0), SQT_ERROR_FLAG);
    assert_int_equal(sqt_locator_sample(&at, &camera, &wrapped, NULL, (double)NAN), SQT_ERROR_NUMBER);
    locator.channels = NULL;
    assert_int_equal(sqt_locator_sample(&at, &locator, &wrapped, NULL, 0), SQT_ERROR_NULL);
    assert_memory_equal(&at, &identity, sizeof at);
    sqt_mat4 matrix = SQT_MAT4_IDENTITY;
    locator = camera;
    locator.parent = 2; // of the rig, but not of this level of detail
    assert_int_equal(sqt_locator_global(NULL, &skeleton, &camera, at, global), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_global(&matrix, &skeleton, NULL, at, global), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_global(&matrix, NULL, &locator, at, global), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_global(&matrix, &skeleton, &locator, at, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_locator_global(&matrix, &skeleton, &locator, at, global), SQT_ERROR_COUNT);
    assert_int_equal(sqt_locator_global(&matrix, &bad, &locator, at, global), SQT_ERROR_COUNT);
}

static void validation_names_the_channel(void **state) {
    (void)state;
    const sqt_skeleton skeleton = {.joint_count = 2, .full_joint_count = 3};
    sqt_fault fault;
    assert_int_equal(sqt_locator_validate(NULL, &camera, &fault), SQT_OK);
    sqt_locator locator = camera;
    locator.parent = 2;
    assert_int_equal(sqt_locator_validate(&skeleton, &locator, &fault), SQT_OK);
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    locator.parent = 3;
    assert_int_equal(sqt_locator_validate(&skeleton, &locator, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "parent", 0, 0);
    assert_int_equal(sqt_locator_validate(NULL, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "locator", 0, 0);
    locator = camera;
    locator.rest.scale.y = NAN;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "rest", 0, 0);
    locator = camera;
    locator.rest.rotation.w = 1.1f;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "rest", 0, 0);
    locator = camera;
    locator.channels = NULL;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "channels", 0, 0);
    sqt_channel channels[2];
    memcpy(channels, camera_channels, sizeof channels);
    locator.channels = channels;
    channels[1].joint = 1;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint", 1, 0);
    channels[1].joint = 0;
    channels[1].curve.component_count = 4;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "component_count", 1, 0);
    const float infinite[] = {0, 0, 0, 4, INFINITY, 0};
    memcpy(channels, camera_channels, sizeof channels);
    channels[1].curve.values = infinite;
    assert_int_equal(sqt_locator_validate(NULL, &locator, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "values", 1, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_float_track_plays_at_the_clips_time),
        cmocka_unit_test(a_float_track_has_all_interpolations_and_up_to_four_components),
        cmocka_unit_test(a_cursor_changes_no_bit),
        cmocka_unit_test(an_id_is_held_from_key_to_key),
        cmocka_unit_test(ids_agree_with_a_search_from_the_front),
        cmocka_unit_test(tracks_refuse_what_is_wrong),
        cmocka_unit_test(a_camera_plays_at_the_clips_time),
        cmocka_unit_test(a_locator_without_channels_rests),
        cmocka_unit_test(a_locator_is_the_same_bits_as_a_joint),
        cmocka_unit_test(a_locator_goes_with_its_joint),
        cmocka_unit_test(locators_refuse_what_is_wrong),
        cmocka_unit_test(validation_names_the_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
