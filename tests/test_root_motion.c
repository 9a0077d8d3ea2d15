// Root motion: hand-made walks, motion times remainder against the original, and ways over many loops against formulas
// in double precision.
#include "check_pose.h"

enum { JOINTS = 20, MOST_SAMPLES = 12, ROW = SQT_POSE_BLOCKS(JOINTS) };

static const sqt_vec3 up_y = {0, 1, 0};

/// A chain of two roots: joints 0..9 below joint 0, 10..19 below joint 10.
typedef struct rig {
    check_rig check;
    uint16_t parents[JOINTS];
} rig;

static void rig_init(rig *r, check_random *random) {
    check_rig_init(&r->check, JOINTS, random);
    for (uint32_t j = 0; j < JOINTS; ++j) r->parents[j] = (uint16_t)(j % 10 == 0 ? SQT_NO_JOINT : j - 1);
    r->check.skeleton.parents = r->parents;
}

/// Everything that an extraction writes.
typedef struct extracted {
    sqt_root_motion motion;
    sqt_transform motion_samples[MOST_SAMPLES + 1];
    sqt_clip remainder;
    sqt_pose_block samples[MOST_SAMPLES * ROW], scratch[ROW];
} extracted;

static sqt_result extract(extracted *e, const sqt_skeleton *skeleton, const sqt_clip *clip,
                          const sqt_root_motion_source *source, sqt_fault *fault) {
    return sqt_root_motion_extract(&e->motion, e->motion_samples, &e->remainder, e->samples, skeleton, clip, source,
                                   e->scratch, fault);
}

static sqt_transform delta(const sqt_root_motion *motion, double from, double to) {
    sqt_transform moved;
    double last = from;
    assert_int_equal(sqt_root_motion_delta(&moved, motion, &last, to), SQT_OK);
    assert_close(last, to, 0);
    return moved;
}

// Extraction

static void a_walk_gives_its_way_and_stays_in_place(void **state) {
    (void)state;
    check_random random = {0x4007};
    print_message("seed 0x4007\n");
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[3 * ROW];
    const float bob[] = {1, 1.1f, 1}, sway[] = {0, 0.2f, -0.1f}, way[] = {0.5f, 1.25f, 2}; // 1.5 a second
    for (uint32_t i = 0; i < 3; ++i) {
        check_random_pose(samples + i * ROW, JOINTS, &random);
        const sqt_transform root = {{0, 0, 0, 1}, {sway[i], bob[i], way[i]}, {1, 1, 1}};
        sqt_pose_set(samples + i * ROW, 0, root);
        sqt_pose_set(samples + i * ROW, 10, root);
    }
    const sqt_clip clip = {.timeline = {1, SQT_LOOP_WRAP},
                           .authored_speed = 1.5f,
                           .sample_count = 3,
                           .joint_count = JOINTS,
                           .samples = samples};
    const sqt_root_motion_source source = {.flags = SQT_MOTION_Z};
    extracted e;
    assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
    assert_int_equal(sqt_clip_validate(&e.remainder, &r.check.skeleton, NULL), SQT_OK);
    assert_int_equal(sqt_root_motion_validate(&e.motion, NULL), SQT_OK);
    assert_int_equal(e.motion.sample_count, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_vec3_close(e.motion_samples[i].translation, ((sqt_vec3){0, 0, way[i] - 0.5f}), 1e-6);
        assert_rotation_close(e.motion_samples[i].rotation, ((sqt_quat)SQT_QUAT_IDENTITY), 0);
        assert_vec3_close(sqt_pose_get(e.samples + i * ROW, 0).translation, ((sqt_vec3){sway[i], bob[i], 0.5f}), 1e-6);
        for (uint32_t j = 1; j < 10; ++j) { // no root: bit for bit
            const sqt_transform a = sqt_pose_get(e.samples + i * ROW, j), b = sqt_pose_get(samples + i * ROW, j);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    assert_vec3_close(delta(&e.motion, 0.25, 0.75).translation, ((sqt_vec3){0, 0, 0.75f}), 1e-6);
    assert_vec3_close(delta(&e.motion, 0.75, 1000.75).translation, ((sqt_vec3){0, 0, 1500}), 1e-4);
    assert_vec3_close(delta(&e.motion, 1000.75, 0.5).translation, ((sqt_vec3){0, 0, -1500.375f}), 1e-4);
}

/// Joint transforms in model space, of a row.
static void globals(sqt_transform *global, const sqt_skeleton *skeleton, const sqt_clip *clip, uint32_t sample) {
    sqt_clip one = *clip;
    sqt_pose_block pose[ROW];
    one.samples += (size_t)sample * SQT_POSE_BLOCKS(clip->joint_count);
    one.sample_count = 1;
    assert_int_equal(sqt_clip_sample(pose, skeleton, &one, 0, SQT_NLERP), SQT_OK);
    for (uint32_t j = 0; j < JOINTS; ++j) {
        const sqt_transform local = sqt_pose_get(pose, j);
        global[j] = j % 10 ? sqt_transform_multiply(global[j - 1], local) : local;
    }
}

/// Where a joint is in model space, as full matrices have it: its origin through one local transform after another.
static sqt_vec3 position(const sqt_skeleton *skeleton, const sqt_clip *clip, uint32_t sample, uint32_t joint) {
    sqt_clip one = *clip;
    sqt_pose_block pose[ROW];
    one.samples += (size_t)sample * SQT_POSE_BLOCKS(clip->joint_count);
    one.sample_count = 1;
    assert_int_equal(sqt_clip_sample(pose, skeleton, &one, 0, SQT_NLERP), SQT_OK);
    sqt_vec3 p = {0, 0, 0};
    for (uint32_t j = joint;; --j) {
        p = sqt_transform_point(sqt_pose_get(pose, j), p);
        if (j % 10 == 0) return p;
    }
}

static double largest_coordinate(sqt_vec3 v) {
    return fmax(fabs((double)v.x), fmax(fabs((double)v.y), fabs((double)v.z)));
}

static void motion_times_remainder_is_the_original_for_every_joint(void **state) {
    (void)state;
    check_random random = {0x4008};
    print_message("seed 0x4008\n");
    static const uint16_t listed[] = {0, 3, 4, 10, 12};
    double worst = 0;
    for (int round = 0; round < 1500; ++round) {
        rig r;
        rig_init(&r, &random);
        sqt_pose_block samples[MOST_SAMPLES * ROW];
        for (uint32_t j = 0; j < JOINTS; ++j) { // scale 1, so that the product has no shear and ten joints no huge arm
            sqt_transform rest = sqt_pose_get(r.check.rest, j);
            rest.scale = (sqt_vec3){1, 1, 1};
            sqt_pose_set(r.check.rest, j, rest);
        }
        sqt_clip clip = {.timeline = {1, check_random_below(&random, 3)},
                         .sample_count = 1 + check_random_below(&random, MOST_SAMPLES),
                         .joint_count = JOINTS,
                         .samples = samples,
                         .flags = check_random_below(&random, 2) ? SQT_CLIP_CYCLIC : 0};
        if (check_random_below(&random, 2)) {
            clip.joints = listed;
            clip.joint_count = 5;
        }
        const uint32_t row = SQT_POSE_BLOCKS(clip.joint_count);
        for (uint32_t i = 0; i < clip.sample_count; ++i) {
            check_random_pose(samples + i * row, clip.joint_count, &random);
            for (uint32_t k = 0; k < clip.joint_count; ++k) {
                sqt_transform t = sqt_pose_get(samples + i * row, k);
                if ((clip.joints ? listed[k] : k) % 10) t.scale = (sqt_vec3){1, 1, 1}; // a root may have any
                sqt_pose_set(samples + i * row, k, t);
            }
        }
        sqt_root_motion_source source = {.joint = check_random_below(&random, JOINTS),
                                         .up = check_random_vec3(&random, -1, 1)};
        for (uint32_t axis = 0; axis < 3; ++axis) {
            if (check_random_below(&random, 2)) source.flags |= (uint32_t)SQT_MOTION_X << axis;
        }
        const uint32_t rotation = check_random_below(&random, 3);
        source.flags |= rotation == 1 ? SQT_MOTION_TURN : rotation == 2 ? SQT_MOTION_ROTATION : 0;
        const bool whole = round % 4 == 0;
        if (whole) source.flags = SQT_MOTION_X | SQT_MOTION_Y | SQT_MOTION_Z | SQT_MOTION_ROTATION;
        const sqt_transform reference = check_random_transform(&random);
        if (check_random_below(&random, 2)) source.reference = &reference;
        extracted e;
        const bool in_place = check_random_below(&random, 2) != 0;
        sqt_transform before[MOST_SAMPLES][JOINTS], after[JOINTS];
        double largest = 1;
        sqt_vec3 positions[MOST_SAMPLES];
        for (uint32_t i = 0; i < clip.sample_count; ++i) {
            globals(before[i], &r.check.skeleton, &clip, i);
            positions[i] = position(&r.check.skeleton, &clip, i, source.joint);
            largest = fmax(largest, largest_coordinate(positions[i]));
            for (uint32_t j = 0; j < JOINTS; ++j) largest = fmax(largest, largest_coordinate(before[i][j].translation));
        }
        if (in_place) {
            assert_int_equal(sqt_root_motion_extract(&e.motion, e.motion_samples, &clip, samples, &r.check.skeleton,
                                                     &clip, &source, e.scratch, NULL),
                             SQT_OK);
            e.remainder = clip;
        } else {
            assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
        }
        assert_int_equal(sqt_root_motion_validate(&e.motion, NULL), SQT_OK);
        assert_int_equal(sqt_clip_validate(&e.remainder, &r.check.skeleton, NULL), SQT_OK);
        assert_int_equal(e.motion.sample_count, clip.sample_count + (clip.flags & SQT_CLIP_CYCLIC ? 1 : 0));
        for (uint32_t i = 0; i < e.motion.sample_count; ++i) {
            largest = fmax(largest, largest_coordinate(e.motion_samples[i].translation));
        }
        for (uint32_t i = 0; i < clip.sample_count; ++i) {
            globals(after, &r.check.skeleton, &e.remainder, i);
            for (uint32_t j = 0; j < JOINTS; ++j) {
                const sqt_transform product = sqt_transform_multiply(e.motion_samples[i], after[j]);
                assert_rotation_close(product.rotation, before[i][j].rotation, 2e-6);
                assert_vec3_close(product.translation, before[i][j].translation, 2e-6 * largest);
                worst = fmax(worst, fabs((double)product.translation.x - (double)before[i][j].translation.x) / largest);
            }
            if (whole) { // the motion brings the joint from the reference to where it is
                const sqt_transform from = source.reference ? reference : before[0][source.joint];
                const sqt_vec3 start = source.reference ? reference.translation : positions[0];
                const sqt_transform brought = sqt_transform_multiply(e.motion_samples[i], from);
                assert_rotation_close(brought.rotation, before[i][source.joint].rotation, 2e-6);
                assert_vec3_close(sqt_transform_point(e.motion_samples[i], start), positions[i], 2e-6 * largest);
            }
            // What is not named is not in the motion.
            const float *const t = &e.motion_samples[i].translation.x;
            for (uint32_t axis = 0; axis < 3; ++axis) {
                if (!(source.flags & ((uint32_t)SQT_MOTION_X << axis))) assert_close(t[axis], 0, 0);
            }
            if (rotation == 0 && !whole) assert_close(e.motion_samples[i].rotation.w, 1, 0);
        }
        if (!source.reference) {
            assert_vec3_close(e.motion_samples[0].translation, ((sqt_vec3){0, 0, 0}), 3e-5);
            assert_rotation_close(e.motion_samples[0].rotation, ((sqt_quat)SQT_QUAT_IDENTITY), 1e-6);
        }
    }
    print_message("motion * remainder: %.2g of the largest coordinate\n", worst);
}

/// What SQT_MOTION_IN_JOINT leaves of a random clip. Scales above the joint are uniform, or, askew, any.
static void check_remainder_in_joint(check_random *random, bool listed, bool askew) {
    rig r;
    rig_init(&r, random);
    sqt_pose_block samples[MOST_SAMPLES * ROW];
    const uint32_t joint = 10 + check_random_below(random, 10);
    const uint16_t kept[] = {3, (uint16_t)joint};
    sqt_clip clip = {.timeline = {1, check_random_below(random, 3)},
                     .sample_count = 1 + check_random_below(random, MOST_SAMPLES),
                     .joint_count = listed ? 2 : JOINTS,
                     .joints = listed ? kept : NULL,
                     .samples = samples,
                     .flags = check_random_below(random, 2) ? SQT_CLIP_CYCLIC : 0};
    const uint32_t row = SQT_POSE_BLOCKS(clip.joint_count);
    for (uint32_t i = 0; i <= clip.sample_count; ++i) { // the last round: the rest pose
        const bool is_rest = i == clip.sample_count;
        sqt_pose_block *const pose = is_rest ? r.check.rest : samples + i * row;
        const uint32_t count = is_rest ? JOINTS : clip.joint_count;
        check_random_pose(pose, count, random);
        for (uint32_t k = 0; k < count; ++k) {
            sqt_transform t = sqt_pose_get(pose, k);
            const float even = check_random_float(random, 0.7f, 1.4f);
            if (!askew && (!is_rest && listed ? kept[k] : k) != joint) t.scale = (sqt_vec3){even, even, even};
            sqt_pose_set(pose, k, t);
        }
    }
    const sqt_root_motion_source source = {.joint = joint,
                                           .flags =
                                               SQT_MOTION_X | SQT_MOTION_Z | SQT_MOTION_IN_JOINT |
                                               (check_random_below(random, 2) ? SQT_MOTION_TURN : SQT_MOTION_ROTATION),
                                           .up = check_random_vec3(random, -1, 1)};
    extracted e;
    assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
    assert_int_equal(sqt_clip_validate(&e.remainder, &r.check.skeleton, NULL), SQT_OK);
    for (uint32_t i = 0; i < clip.sample_count; ++i) {
        sqt_transform before[JOINTS], after[JOINTS];
        double largest = 1;
        globals(before, &r.check.skeleton, &clip, i);
        globals(after, &r.check.skeleton, &e.remainder, i);
        for (uint32_t j = 10; j < JOINTS; ++j) {
            largest = fmax(largest, largest_coordinate(before[j].translation));
            largest = fmax(largest, largest_coordinate(after[j].translation));
        }
        const sqt_transform motion = e.motion_samples[i];
        for (uint32_t j = joint; j < JOINTS && !askew; ++j) {
            const sqt_transform product = sqt_transform_multiply(motion, after[j]);
            assert_rotation_close(product.rotation, before[j].rotation, 3e-6);
            assert_vec3_close(product.translation, before[j].translation, 5e-6 * largest);
        }
        const sqt_vec3 from = position(&r.check.skeleton, &clip, i, joint);
        const sqt_vec3 to = position(&r.check.skeleton, &e.remainder, i, joint);
        largest = fmax(largest, fmax(largest_coordinate(from), largest_coordinate(to)));
        assert_vec3_close(sqt_transform_point(motion, to), from, 5e-6 * largest);
        assert_rotation_close(sqt_transform_multiply(motion, after[joint]).rotation, before[joint].rotation, 3e-6);
        for (uint32_t k = 0; k < clip.joint_count; ++k) { // all others keep their bits, and the joint its scale
            sqt_transform a = sqt_pose_get(e.samples + i * row, k);
            const sqt_transform b = sqt_pose_get(samples + i * row, k);
            if ((listed ? kept[k] : k) == joint) a.rotation = b.rotation, a.translation = b.translation;
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}

static void motion_in_the_joint_leaves_all_others_as_they_are(void **state) {
    (void)state;
    check_random random = {0x4015};
    print_message("seed 0x4015\n");
    for (int round = 0; round < 1200; ++round) check_remainder_in_joint(&random, round % 2 == 1, round % 3 == 2);
}

/// Hips at 1 m below a root that stands still, 2 s, 3 m along an arc of a quarter turn, bobbing by 0.1 m.
static void blended_hips_stay_with_the_character(void **state) {
    (void)state;
    enum { COUNT = 9 };
    static const sqt_joint joints[] = {{"root", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
                                       {"hips", 0, {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}}}};
    char memory[1024];
    sqt_skeleton skeleton;
    assert_int_equal(sqt_skeleton_build(&skeleton, joints, 2, memory, sizeof memory, NULL), SQT_OK);
    sqt_pose_block samples[COUNT], kept[COUNT], scratch, pose;
    const double quarter = 1.57079632679489662, radius = 3 / quarter;
    float bob[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double turn = quarter * i / (COUNT - 1);
        bob[i] = i % 2 ? 0.1f : 0;
        sqt_pose_identity(samples + i, 2);
        const sqt_transform hips = {{0, (float)sin(turn / 2), 0, (float)cos(turn / 2)},
                                    {(float)(radius * (1 - cos(turn))), 1 + bob[i], (float)(radius * sin(turn))},
                                    {1, 1, 1}};
        sqt_pose_set(samples + i, 1, hips);
    }
    const sqt_clip clip = {
        .timeline = {2, SQT_LOOP_CLAMP}, .sample_count = COUNT, .joint_count = 2, .samples = samples};
    sqt_root_motion_source source = {.joint = 1, .flags = SQT_MOTION_X | SQT_MOTION_Z | SQT_MOTION_TURN, .up = up_y};
    double worst[2] = {0, 0};
    for (uint32_t in_joint = 0; in_joint < 2; ++in_joint) {
        sqt_root_motion motion;
        sqt_transform motion_samples[COUNT];
        sqt_clip remainder;
        if (in_joint) source.flags |= SQT_MOTION_IN_JOINT;
        assert_int_equal(sqt_root_motion_extract(&motion, motion_samples, &remainder, kept, &skeleton, &clip, &source,
                                                 &scratch, NULL),
                         SQT_OK);
        assert_vec3_close(motion_samples[COUNT - 1].translation, ((sqt_vec3){(float)radius, 0, (float)radius}), 1e-6);
        for (uint32_t i = 0; i < COUNT; ++i) {
            assert_int_equal(sqt_clip_sample(&pose, &skeleton, &remainder, i * 0.25, SQT_NLERP), SQT_OK);
            assert_int_equal(sqt_blend_pair(&pose, &skeleton, &pose, skeleton.rest, NULL, 0.5f, SQT_NLERP), SQT_OK);
            const sqt_transform hips = sqt_transform_multiply(sqt_pose_get(&pose, 0), sqt_pose_get(&pose, 1));
            // In place the hips bob above the root, and half of that is left.
            const double x = (double)hips.translation.x, y = (double)hips.translation.y - 1 - 0.5 * (double)bob[i];
            const double z = (double)hips.translation.z, off = sqrt(x * x + y * y + z * z);
            worst[in_joint] = fmax(worst[in_joint], off);
            if (!in_joint) continue;
            assert_rotation_close(hips.rotation, ((sqt_quat)SQT_QUAT_IDENTITY), 1e-6);
            assert_memory_equal(&kept[i].tx[0], &samples[i].tx[0], sizeof(float)); // the root stands still
        }
    }
    print_message("off the character: %.3g, in the joint %.2g\n", worst[0], worst[1]);
    assert_true(worst[0] > 1);
    assert_true(worst[1] < 2e-6);
}

static void a_flat_joint_above_the_motion_is_refused(void **state) {
    (void)state;
    check_random random = {0x4016};
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[3 * ROW];
    for (uint32_t i = 0; i < 3; ++i) check_random_pose(samples + i * ROW, JOINTS, &random);
    sqt_transform flat = sqt_pose_get(samples + 2 * ROW, 4);
    flat.scale.y = 0;
    sqt_pose_set(samples + 2 * ROW, 4, flat);
    sqt_clip clip = {.timeline = {1, SQT_LOOP_WRAP}, .sample_count = 3, .joint_count = JOINTS, .samples = samples};
    sqt_root_motion_source source = {.joint = 7, .flags = SQT_MOTION_X | SQT_MOTION_IN_JOINT};
    const sqt_skeleton *const skeleton = &r.check.skeleton;
    extracted e, untouched;
    memset(&e, 0xFF, sizeof e);
    memcpy(&untouched, &e, sizeof e);
    sqt_fault fault;
    assert_int_equal(extract(&e, skeleton, &clip, &source, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "scale", 2, 4);
    static const uint16_t listed[] = {0, 6, 10}; // the roots are listed, the joint is not
    clip.joints = listed;
    clip.joint_count = 3;
    assert_int_equal(extract(&e, skeleton, &clip, &source, &fault), SQT_ERROR_NOT_FOUND);
    assert_fault(fault, "joints", 7, 0);
    memcpy(e.scratch, untouched.scratch, sizeof e.scratch);
    assert_memory_equal(&e, &untouched, sizeof e);
    clip.joints = NULL;
    clip.joint_count = JOINTS;
    source.joint = 4; // flat itself, which is no matter
    assert_int_equal(extract(&e, skeleton, &clip, &source, &fault), SQT_OK);
}

static sqt_clip rotation_clip(sqt_pose_block *samples, const sqt_quat *rotations, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(sqt_pose_identity(samples + i * ROW, JOINTS), SQT_OK);
        const sqt_transform root = {rotations[i], {0, 0, 0}, {1, 1, 1}};
        sqt_pose_set(samples + i * ROW, 0, root);
    }
    const sqt_clip clip = {
        .timeline = {1, SQT_LOOP_WRAP}, .sample_count = count, .joint_count = JOINTS, .samples = samples};
    return clip;
}

static void a_turn_is_told_from_a_tilt(void **state) {
    (void)state;
    check_random random = {0x4009};
    print_message("seed 0x4009\n");
    rig r;
    rig_init(&r, &random);
    for (int round = 0; round < 2000; ++round) {
        sqt_pose_block samples[MOST_SAMPLES * ROW];
        sqt_quat rotations[MOST_SAMPLES], turns[MOST_SAMPLES], tilts[MOST_SAMPLES];
        const sqt_quat bind = check_random_quat(&random); // joints have axes of their own
        for (uint32_t i = 0; i < MOST_SAMPLES; ++i) {
            const double yaw = i ? (double)check_random_float(&random, -400, 400) : 0;
            const double way = (double)check_random_float(&random, 0, 6.28f),
                         pitch = i ? (double)check_random_float(&random, -150, 150) : 0;
            turns[i] = check_degrees(0, 1, 0, yaw);
            tilts[i] = check_degrees(cos(way), 0, sin(way), pitch);
            rotations[i] = sqt_quat_multiply(sqt_quat_multiply(turns[i], tilts[i]), bind);
            if (check_random_below(&random, 2)) rotations[i] = check_negated(rotations[i]);
        }
        const sqt_clip clip = rotation_clip(samples, rotations, MOST_SAMPLES);
        const float length = check_random_float(&random, 0.1f, 10);
        const sqt_root_motion_source source = {.flags = SQT_MOTION_TURN, .up = {0, length, 0}};
        extracted e;
        assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
        for (uint32_t i = 0; i < MOST_SAMPLES; ++i) {
            assert_rotation_close(e.motion_samples[i].rotation, turns[i], 3e-6);
            assert_rotation_close(sqt_pose_get(e.samples + i * ROW, 0).rotation, sqt_quat_multiply(tilts[i], bind),
                                  3e-6);
            if (i == 0) continue;
            const sqt_quat a = e.motion_samples[i - 1].rotation, b = e.motion_samples[i].rotation;
            assert_true(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w >= 0); // of q and -q the nearer to the last
        }
    }
}

static void a_half_turn_across_the_axis_keeps_the_turn_of_before(void **state) {
    (void)state;
    check_random random = {0x400A};
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[4 * ROW];
    const sqt_quat rotations[] = {SQT_QUAT_IDENTITY, check_degrees(0, 1, 0, 40), {1, 0, 0, 0}, {1, 0, 0, 1e-7f}};
    const sqt_clip clip = rotation_clip(samples, rotations, 4);
    const sqt_root_motion_source source = {.flags = SQT_MOTION_TURN, .up = up_y};
    extracted e;
    assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
    assert_rotation_close(e.motion_samples[2].rotation, check_degrees(0, 1, 0, 40), 1e-6);
    assert_rotation_close(e.motion_samples[3].rotation, check_degrees(0, 1, 0, 40), 1e-6);
}

static void a_turn_is_about_the_joint_not_about_the_origin(void **state) {
    (void)state;
    check_random random = {0x400B};
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[2 * ROW];
    const sqt_quat rotations[] = {SQT_QUAT_IDENTITY, check_degrees(0, 1, 0, 90)};
    const sqt_clip clip = rotation_clip(samples, rotations, 2);
    for (uint32_t i = 0; i < 2; ++i) { // spins on the spot at x = 3
        const sqt_transform root = {rotations[i], {3, 1, 0}, {1, 1, 1}};
        sqt_pose_set(samples + i * ROW, 0, root);
    }
    const sqt_root_motion_source source = {.flags = SQT_MOTION_X | SQT_MOTION_Z | SQT_MOTION_TURN, .up = up_y};
    extracted e;
    assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
    const sqt_transform rest = sqt_pose_get(e.samples + ROW, 0);
    assert_vec3_close(rest.translation, ((sqt_vec3){3, 1, 0}), 1e-6);
    assert_rotation_close(rest.rotation, ((sqt_quat)SQT_QUAT_IDENTITY), 1e-6);
    assert_vec3_close(sqt_transform_point(e.motion_samples[1], rest.translation), ((sqt_vec3){3, 1, 0}), 1e-6);
}

static void a_cyclic_clip_moves_nothing_over_a_loop(void **state) {
    (void)state;
    check_random random = {0x400C};
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[4 * ROW];
    for (uint32_t i = 0; i < 4; ++i) check_random_pose(samples + i * ROW, JOINTS, &random);
    const sqt_clip clip = {.timeline = {2, SQT_LOOP_WRAP},
                           .flags = SQT_CLIP_CYCLIC,
                           .sample_count = 4,
                           .joint_count = JOINTS,
                           .samples = samples};
    const sqt_root_motion_source source = {.flags = SQT_MOTION_X | SQT_MOTION_Y | SQT_MOTION_Z | SQT_MOTION_ROTATION};
    extracted e;
    assert_int_equal(extract(&e, &r.check.skeleton, &clip, &source, NULL), SQT_OK);
    assert_int_equal(e.motion.sample_count, 5);
    const sqt_transform one = delta(&e.motion, 0.3, 2000.3);
    assert_vec3_close(one.translation, ((sqt_vec3){0, 0, 0}), 1e-6);
    assert_rotation_close(one.rotation, ((sqt_quat)SQT_QUAT_IDENTITY), 1e-6);
    assert_vec3_close(delta(&e.motion, 0, 0.5).translation, e.motion_samples[1].translation, 1e-5);
}

// Ways

/// A motion of some samples: each turns by some degrees about y and steps ahead along z.
static sqt_root_motion curve_of(sqt_transform *samples, uint32_t count, double step, double degrees,
                                sqt_timeline timeline) {
    double x = 0, z = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double heading = i * degrees * (3.14159265358979323846 / 180);
        samples[i] = (sqt_transform){check_degrees(0, 1, 0, i * degrees), {(float)x, 0, (float)z}, {1, 1, 1}};
        x += step * sin(heading);
        z += step * cos(heading);
    }
    const sqt_root_motion motion = {timeline, count, samples};
    return motion;
}

static void four_quarter_turns_lead_back(void **state) {
    (void)state;
    sqt_transform samples[2] = {SQT_TRANSFORM_IDENTITY, {check_degrees(0, 1, 0, 90), {0, 0, 2}, {1, 1, 1}}};
    const sqt_root_motion motion = {{1, SQT_LOOP_WRAP}, 2, samples};
    const sqt_vec3 corners[] = {{0, 0, 2}, {2, 0, 2}, {2, 0, 0}, {0, 0, 0}};
    for (int n = 1; n <= 4; ++n) {
        const sqt_transform way = delta(&motion, 0, n);
        assert_vec3_close(way.translation, corners[n - 1], 1e-6);
        assert_rotation_close(way.rotation, check_degrees(0, 1, 0, 90 * n), 1e-6);
        const sqt_transform back = delta(&motion, n, 0);
        assert_vec3_close(sqt_transform_multiply(way, back).translation, ((sqt_vec3){0, 0, 0}), 1e-6);
    }
    // A million and two loops are two. The quarter turn of floats is 2e-8 off, times a million.
    assert_vec3_close(delta(&motion, 0, 1000002).translation, corners[1], 0.1);
}

static void each_loop_leads_on_from_the_end_of_the_last(void **state) {
    (void)state;
    check_random random = {0x4013};
    print_message("seed 0x4013\n");
    for (int i = 0; i < 1000; ++i) {
        sqt_transform samples[3];
        for (uint32_t k = 0; k < 3; ++k) { // not from the identity
            samples[k] = (sqt_transform){check_random_quat(&random), check_random_vec3(&random, -1, 1), {1, 1, 1}};
        }
        const sqt_root_motion motion = {{2, SQT_LOOP_WRAP}, 3, samples};
        const sqt_transform loop = sqt_transform_multiply(sqt_transform_invert(samples[0]), samples[2]);
        check_assert_transform(delta(&motion, 0, 2), loop, 1e-6);
        check_assert_transform(delta(&motion, -6, -2), sqt_transform_multiply(loop, loop), 2e-6);
        const sqt_transform on = sqt_transform_multiply(sqt_transform_invert(samples[0]), samples[1]);
        check_assert_transform(delta(&motion, 0, 3), sqt_transform_multiply(loop, on), 2e-6);
        check_assert_transform(delta(&motion, 2 - 1e-9, 2 + 1e-9), (sqt_transform)SQT_TRANSFORM_IDENTITY, 1e-7);
    }
}

static void samples_mix_along_the_shorter_arc(void **state) {
    (void)state;
    sqt_transform samples[2] = {SQT_TRANSFORM_IDENTITY,
                                {check_negated(check_degrees(0, 1, 0, 90)), {0, 0, 2}, {1, 1, 1}}};
    const sqt_root_motion motion = {{1, SQT_LOOP_WRAP}, 2, samples};
    assert_rotation_close(delta(&motion, 0, 0.5).rotation, check_degrees(0, 1, 0, 45), 1e-6);
    assert_vec3_close(delta(&motion, 0, 0.25).translation, ((sqt_vec3){0, 0, 0.5f}), 1e-6);
}

static void many_loops_are_the_closed_formula(void **state) {
    (void)state;
    // On a circle: n steps of length 1, each turned by a, make a chord of sin(n a / 2) / sin(a / 2) at heading
    // (n - 1) a / 2.
    check_random random = {0x400D};
    print_message("seed 0x400D\n");
    double worst = 0;
    for (int i = 0; i < 5000; ++i) {
        const double turn = (double)check_random_float(&random, 1, 170);
        sqt_transform samples[2] = {SQT_TRANSFORM_IDENTITY, {check_degrees(0, 1, 0, turn), {0, 0, 1}, {1, 1, 1}}};
        const sqt_root_motion motion = {{0.5f, SQT_LOOP_WRAP}, 2, samples};
        const double a = 2 * atan2((double)samples[1].rotation.y, (double)samples[1].rotation.w); // as floats have it
        const double n =
            floor(ldexp(1, (int)check_random_below(&random, 20)) * (1 + (double)check_random_float(&random, 0, 1)));
        const double sign = check_random_below(&random, 2) ? 1 : -1;
        const double chord = sin(n * a / 2) / sin(a / 2), heading = (n - 1) * a / 2;
        sqt_vec3 expected = {(float)(chord * sin(heading)), 0, (float)(chord * cos(heading))};
        if (sign < 0) { // the inverse: the way back seen from its beginning
            const double back = -n * a, x = chord * sin(heading), z = chord * cos(heading);
            expected = (sqt_vec3){(float)-(x * cos(back) + z * sin(back)), 0, (float)-(z * cos(back) - x * sin(back))};
        }
        const double start = floor((double)check_random_float(&random, -1e6, 1e6)) * 0.5;
        const sqt_transform way = delta(&motion, start, start + sign * n * 0.5);
        assert_vec3_close(way.translation, expected, 1e-7 / sin(a / 2) + n * 1e-13 / sin(a / 2));
        worst = fmax(worst, fabs((double)way.translation.z - (double)expected.z) * sin(a / 2));
        const double half = sign * n * a / 2;
        assert_rotation_close(way.rotation, ((sqt_quat){0, (float)sin(half), 0, (float)cos(half)}), 1e-7 + n * 1e-13);
    }
    print_message("error over up to 2^21 loops: %.2g\n", worst);
}

static void any_cut_of_a_step_multiplies_to_the_whole(void **state) {
    (void)state;
    check_random random = {0x400E};
    print_message("seed 0x400E\n");
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
        sqt_transform samples[6];
        const sqt_timeline timeline = {check_random_float(&random, 0.3f, 3), check_random_below(&random, 3)};
        const uint32_t count = 1 + check_random_below(&random, 6);
        for (uint32_t k = 0; k < count; ++k) {
            samples[k] =
                (sqt_transform){check_random_quat(&random), check_random_vec3(&random, -0.5f, 0.5f), {1, 1, 1}};
        }
        const sqt_root_motion motion = {timeline, count, samples};
        const double d = (double)timeline.duration_seconds, from = (double)check_random_float(&random, -100, 100);
        const double to = from + d * (double)check_random_float(&random, -5, 5);
        sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
        double last = from;
        const int cuts = 1 + (int)check_random_below(&random, 9);
        for (int cut = 1; cut <= cuts; ++cut) { // forwards and back again between
            double next = cut == cuts ? to : from + (to - from) * (double)check_random_float(&random, -0.5f, 1.5f);
            if (cut < cuts && check_random_below(&random, 3) == 0) next = floor(next / d) * d; // a seam
            sqt_transform step;
            assert_int_equal(sqt_root_motion_delta(&step, &motion, &last, next), SQT_OK);
            assert_int_equal(sqt_root_motion_move(&place, step), SQT_OK);
        }
        const sqt_transform whole = delta(&motion, from, to), parts = sqt_transform_from_root_place(&place);
        assert_rotation_close(parts.rotation, whole.rotation, 1e-6);
        assert_vec3_close(parts.translation, whole.translation, 5e-6); // ways of up to 15 back and forth
        worst = fmax(worst, fabs((double)parts.translation.x - (double)whole.translation.x));
        const sqt_transform back = delta(&motion, to, from), inverse = sqt_transform_invert(whole);
        assert_rotation_close(back.rotation, inverse.rotation, 1e-6);
        assert_vec3_close(back.translation, inverse.translation, 3e-6);
    }
    print_message("cut against whole: %.2g\n", worst);
}

static void clamp_stands_still_beyond_its_ends(void **state) {
    (void)state;
    sqt_transform samples[4];
    const sqt_root_motion motion = curve_of(samples, 4, 1, 0, (sqt_timeline){3, SQT_LOOP_CLAMP});
    assert_vec3_close(delta(&motion, 0, 1e9).translation, ((sqt_vec3){0, 0, 3}), 0);
    assert_vec3_close(delta(&motion, -1e9, 0.5).translation, ((sqt_vec3){0, 0, 0.5f}), 0);
    assert_vec3_close(delta(&motion, 50, 60).translation, ((sqt_vec3){0, 0, 0}), 0);
    assert_vec3_close(delta(&motion, 50, 1).translation, ((sqt_vec3){0, 0, -2}), 0);
}

static void ping_pong_comes_back(void **state) {
    (void)state;
    sqt_transform samples[4];
    const sqt_root_motion motion = curve_of(samples, 4, 1, 0, (sqt_timeline){3, SQT_LOOP_PING_PONG});
    assert_vec3_close(delta(&motion, 0, 6000).translation, ((sqt_vec3){0, 0, 0}), 0);
    assert_vec3_close(delta(&motion, 0, 6004).translation, ((sqt_vec3){0, 0, 2}), 1e-6);
    assert_vec3_close(delta(&motion, 2, -1).translation, ((sqt_vec3){0, 0, -1}), 1e-6);
}

static void a_held_clock_has_gone_the_whole_way(void **state) {
    (void)state;
    sqt_transform samples[4];
    const sqt_root_motion motion = curve_of(samples, 4, 1, 0, (sqt_timeline){3, SQT_LOOP_WRAP});
    sqt_clock clock;
    assert_int_equal(sqt_clock_start(&clock, &motion.timeline, 0, 1, 5), SQT_OK);
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    double last = 0;
    for (int frame = 1; frame < 2000; ++frame) {
        sqt_transform step;
        assert_int_equal(
            sqt_root_motion_delta(&step, &motion, &last, sqt_clock_local(&clock, &motion.timeline, frame / 60.0)),
            SQT_OK);
        assert_int_equal(sqt_root_motion_move(&place, step), SQT_OK);
    }
    assert_close(place.translation[2], 15, 1e-6);
}

static void a_step_of_no_length_is_exactly_the_identity(void **state) {
    (void)state;
    check_random random = {0x400F};
    sqt_transform samples[2] = {check_random_transform(&random), check_random_transform(&random)};
    const sqt_root_motion motion = {{1, SQT_LOOP_WRAP}, 2, samples};
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (int i = 0; i < 1000; ++i) {
        const double t = (double)check_random_float(&random, -9, 9);
        const sqt_transform still = delta(&motion, t, t);
        assert_memory_equal(&still, &identity, sizeof still);
    }
    const sqt_root_motion none = {{0, SQT_LOOP_WRAP}, 2, samples}; // a clip of no length
    assert_vec3_close(delta(&none, 0, 1e9).translation, ((sqt_vec3){0, 0, 0}), 1e-6);
}

static void a_straight_walk_of_many_cycles_stays_straight(void **state) {
    (void)state;
    sqt_transform samples[31];
    const sqt_root_motion motion = curve_of(samples, 31, 0.05, 0, (sqt_timeline){1.1f, SQT_LOOP_WRAP});
    check_random random = {0x4010};
    print_message("seed 0x4010\n");
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    const double end = 100000 * (double)motion.timeline.duration_seconds,
                 way = 100000 * (double)samples[30].translation.z;
    double last = 0;
    while (last < end) {
        const double next = fmin(end, last + (double)check_random_float(&random, 0.01f, 0.5f));
        sqt_transform step;
        assert_int_equal(sqt_root_motion_delta(&step, &motion, &last, next), SQT_OK);
        assert_int_equal(sqt_root_motion_move(&place, step), SQT_OK);
    }
    assert_close(place.translation[0], 0, 0);
    assert_close(place.translation[1], 0, 0);
    assert_close(place.rotation[3], 1, 0);
    print_message("way: %.2g of 1\n", fabs(place.translation[2] / way - 1));
    assert_close(place.translation[2] / way, 1, 1e-9);
    assert_close((double)delta(&motion, 0, end).translation.z / way, 1, 1e-7);
}

static void a_curved_walk_of_many_cycles_keeps_its_circle(void **state) {
    (void)state;
    sqt_transform samples[2] = {SQT_TRANSFORM_IDENTITY, {check_degrees(0, 1, 0, 7), {0, 0, 1}, {1, 1, 1}}};
    const sqt_root_motion motion = {{1, SQT_LOOP_WRAP}, 2, samples};
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    double last = 0;
    for (int i = 1; i <= 400000; ++i) {
        sqt_transform step;
        assert_int_equal(sqt_root_motion_delta(&step, &motion, &last, i * 0.25), SQT_OK);
        assert_int_equal(sqt_root_motion_move(&place, step), SQT_OK);
    }
    const double *const q = place.rotation;
    assert_close(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
    const sqt_transform exact = delta(&motion, 0, 100000), summed = sqt_transform_from_root_place(&place);
    // 400,000 deltas with roundings of 1e-8 each; the circle's radius is 8.2.
    assert_rotation_close(summed.rotation, exact.rotation, 5e-4);
    assert_vec3_close(summed.translation, exact.translation, 1e-2);
    print_message("off the circle by %.2g\n", fabs((double)summed.translation.x - (double)exact.translation.x));
}

// Blending

static void blended_deltas_are_the_weighted_sum(void **state) {
    (void)state;
    const sqt_transform deltas[] = {{{0, 0, 0, 1}, {0, 0, 1}, {1, 1, 1}},
                                    {check_degrees(0, 1, 0, 30), {0, 0, 4}, {1, 1, 1}}};
    const float weights[] = {0.75f, 0.25f}, doubled[] = {1.5f, 0.5f}, first[] = {2, 0};
    sqt_transform mixed, again;
    assert_int_equal(sqt_root_motion_blend(&mixed, deltas, weights, 2), SQT_OK);
    assert_vec3_close(mixed.translation, ((sqt_vec3){0, 0, 1.75f}), 1e-7);
    assert_rotation_close(mixed.rotation, sqt_quat_nlerp(deltas[0].rotation, deltas[1].rotation, 0.25f), 1e-7);
    assert_vec3_close(mixed.scale, ((sqt_vec3){1, 1, 1}), 0);
    assert_int_equal(sqt_root_motion_blend(&again, deltas, doubled, 2), SQT_OK);
    assert_memory_equal(&again, &mixed, sizeof mixed);
    assert_int_equal(sqt_root_motion_blend(&again, deltas, first, 2), SQT_OK);
    assert_memory_equal(&again, deltas, sizeof again);
}

static void deltas_blend_as_the_poses_do(void **state) {
    (void)state;
    check_random random = {0x4011};
    print_message("seed 0x4011\n");
    for (int i = 0; i < 5000; ++i) {
        sqt_transform deltas[5], mixed;
        float weights[5];
        sqt_pose_block poses[5], rest, out;
        sqt_blend_input inputs[5];
        sqt_pose_identity(&rest, 1);
        const sqt_skeleton skeleton = {.joint_count = 1, .full_joint_count = 1, .rest = &rest};
        const uint32_t count = 1 + check_random_below(&random, 5);
        const sqt_quat near = check_random_quat(&random);
        for (uint32_t k = 0; k < count; ++k) { // half of the rounds close to each other, of either sign
            const sqt_quat turn = check_random_quat(&random);
            deltas[k].rotation =
                sqt_quat_multiply(near, sqt_quat_nlerp((sqt_quat)SQT_QUAT_IDENTITY, turn, i % 2 ? 0.4f : 1));
            if (check_random_below(&random, 2)) deltas[k].rotation = check_negated(deltas[k].rotation);
            deltas[k].translation = check_random_vec3(&random, -1, 1);
            deltas[k].scale = (sqt_vec3){1, 1, 1};
            weights[k] = check_random_below(&random, 4) ? check_random_float(&random, 0, 1) : 0;
            sqt_pose_identity(poses + k, 1);
            sqt_pose_set(poses + k, 0, deltas[k]);
            inputs[k] = (sqt_blend_input){poses + k, NULL, NULL, weights[k]};
        }
        assert_int_equal(sqt_blend_many(&out, &skeleton, inputs, count, 0, SQT_NLERP), SQT_OK);
        assert_int_equal(sqt_root_motion_blend(&mixed, deltas, weights, count), SQT_OK);
        const sqt_transform expected = sqt_pose_get(&out, 0);
        check_assert_transform(mixed, expected, i % 2 ? 1e-6 : 1e-5);
        assert_int_equal(sqt_root_motion_blend(deltas + count - 1, deltas, weights, count), SQT_OK); // in place
        assert_memory_equal(deltas + count - 1, &mixed, sizeof mixed);
    }
}

static void no_weight_moves_nothing(void **state) {
    (void)state;
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY, away = {{1, 0, 0, 0}, {5, 5, 5}, {1, 1, 1}};
    const float zero = 0, tiny = 1e-31f;
    sqt_transform mixed = away;
    assert_int_equal(sqt_root_motion_blend(&mixed, &away, &zero, 1), SQT_OK);
    assert_memory_equal(&mixed, &identity, sizeof mixed);
    mixed = away;
    assert_int_equal(sqt_root_motion_blend(&mixed, &away, &tiny, 1), SQT_OK);
    assert_memory_equal(&mixed, &identity, sizeof mixed);
    mixed = away;
    assert_int_equal(sqt_root_motion_blend(&mixed, NULL, NULL, 0), SQT_OK);
    assert_memory_equal(&mixed, &identity, sizeof mixed);
}

static void places_and_transforms_convert(void **state) {
    (void)state;
    const sqt_transform at = {{0, 0, 0.6f, 0.8f}, {1, 2, 3}, {7, 7, 7}}, none = {{0, 0, 0, 0}, {1, 2, 3}, {1, 1, 1}};
    const sqt_root_place place = sqt_root_place_from_transform(at);
    const sqt_transform back = sqt_transform_from_root_place(&place);
    assert_rotation_close(back.rotation, at.rotation, 1e-7);
    assert_vec3_close(back.translation, at.translation, 0);
    assert_vec3_close(back.scale, ((sqt_vec3){1, 1, 1}), 0);
    assert_close(sqt_root_place_from_transform(none).rotation[3], 1, 0);
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY, null = sqt_transform_from_root_place(NULL);
    assert_memory_equal(&null, &identity, sizeof null);
    // A delta is in the frame of the character: one that faces along x walks along x.
    sqt_root_place turned =
        sqt_root_place_from_transform((sqt_transform){check_degrees(0, 1, 0, 90), {10, 0, 0}, {1, 1, 1}});
    const sqt_transform ahead = {{0, 0, 0, 1}, {0, 0, 2}, {1, 1, 1}};
    assert_int_equal(sqt_root_motion_move(&turned, ahead), SQT_OK);
    assert_close(turned.translation[0], 12, 1e-6);
    assert_close(turned.translation[2], 0, 1e-6);
}

// Errors

static void playing_refuses_what_is_wrong(void **state) {
    (void)state;
    sqt_transform samples[2] = {SQT_TRANSFORM_IDENTITY, SQT_TRANSFORM_IDENTITY}, moved = SQT_TRANSFORM_IDENTITY;
    const sqt_transform before = moved;
    const sqt_root_motion motion = {{1, SQT_LOOP_WRAP}, 2, samples}, no_samples = {{1, SQT_LOOP_WRAP}, 2, NULL};
    const sqt_root_motion empty = {{1, SQT_LOOP_WRAP}, 0, samples}, bad_loop = {{1, 3}, 2, samples};
    const sqt_root_motion negative = {{-1, SQT_LOOP_WRAP}, 2, samples};
    double last = 0.5;
    assert_int_equal(sqt_root_motion_delta(NULL, &motion, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_delta(&moved, NULL, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_delta(&moved, &motion, NULL, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_delta(&moved, &no_samples, &last, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_delta(&moved, &empty, &last, 1), SQT_ERROR_COUNT);
    assert_int_equal(sqt_root_motion_delta(&moved, &bad_loop, &last, 1), SQT_ERROR_FLAG);
    assert_int_equal(sqt_root_motion_delta(&moved, &negative, &last, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_root_motion_delta(&moved, &motion, &last, (double)NAN), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_root_motion_delta(&moved, &motion, &last, 1e16), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_root_motion_delta(&moved, &motion, &last, -1e300), SQT_ERROR_NUMBER);
    assert_close(last, 0.5, 0);
    last = (double)INFINITY;
    assert_int_equal(sqt_root_motion_delta(&moved, &motion, &last, 1), SQT_ERROR_NUMBER);
    const float weights[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(sqt_root_motion_blend(&moved, samples, weights + i, 1), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_root_motion_blend(NULL, samples, weights, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_blend(&moved, NULL, weights, 1), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_blend(&moved, samples, NULL, 1), SQT_ERROR_NULL);
    assert_memory_equal(&moved, &before, sizeof moved);
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    const sqt_root_place still = place;
    const sqt_transform flat = {{0, 0, 0, 0}, {1, 0, 0}, {1, 1, 1}}, wild = {{0, 0, 0, 1}, {1, NAN, 0}, {1, 1, 1}};
    assert_int_equal(sqt_root_motion_move(NULL, before), SQT_ERROR_NULL);
    assert_int_equal(sqt_root_motion_move(&place, flat), SQT_ERROR_NUMBER);
    assert_int_equal(sqt_root_motion_move(&place, wild), SQT_ERROR_NUMBER);
    assert_memory_equal(&place, &still, sizeof place);
    sqt_fault fault;
    assert_int_equal(sqt_root_motion_validate(&motion, &fault), SQT_OK);
    assert_int_equal(sqt_root_motion_validate(NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "motion", 0, 0);
    assert_int_equal(sqt_root_motion_validate(&no_samples, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "samples", 0, 0);
    assert_int_equal(sqt_root_motion_validate(&empty, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "sample_count", 0, 0);
    assert_int_equal(sqt_root_motion_validate(&bad_loop, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "loop", 0, 0);
    assert_int_equal(sqt_root_motion_validate(&negative, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "duration_seconds", 0, 0);
    samples[1].translation.y = NAN;
    assert_int_equal(sqt_root_motion_validate(&motion, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "samples", 1, 0);
    samples[1].translation.y = 0;
    samples[1].rotation.w = 1.01f;
    assert_int_equal(sqt_root_motion_validate(&motion, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "samples", 1, 0);
}

static void extraction_refuses_what_is_wrong_and_writes_nothing(void **state) {
    (void)state;
    check_random random = {0x4012};
    rig r;
    rig_init(&r, &random);
    sqt_pose_block samples[2 * ROW];
    for (uint32_t i = 0; i < 2; ++i) check_random_pose(samples + i * ROW, JOINTS, &random);
    const sqt_clip clip = {
        .timeline = {1, SQT_LOOP_WRAP}, .sample_count = 2, .joint_count = JOINTS, .samples = samples};
    const sqt_root_motion_source source = {.flags = SQT_MOTION_X | SQT_MOTION_TURN, .up = up_y};
    const sqt_skeleton *const skeleton = &r.check.skeleton;
    extracted e, untouched;
    memset(&e, 0xFF, sizeof e);
    memcpy(&untouched, &e, sizeof e);
    sqt_fault fault;
    const char *const names[] = {"motion",   "motion_samples", "remainder", "remainder_samples",
                                 "skeleton", "clip",           "source",    "scratch"};
    for (int missing = 0; missing < 8; ++missing) {
        assert_int_equal(
            sqt_root_motion_extract(missing == 0 ? NULL : &e.motion, missing == 1 ? NULL : e.motion_samples,
                                    missing == 2 ? NULL : &e.remainder, missing == 3 ? NULL : e.samples,
                                    missing == 4 ? NULL : skeleton, missing == 5 ? NULL : &clip,
                                    missing == 6 ? NULL : &source, missing == 7 ? NULL : e.scratch, &fault),
            SQT_ERROR_NULL);
        assert_fault(fault, names[missing], 0, 0);
    }
    sqt_root_motion_source wrong = source;
    wrong.joint = JOINTS;
    assert_int_equal(extract(&e, skeleton, &clip, &wrong, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint", 0, 0);
    wrong = source;
    wrong.flags |= SQT_MOTION_ROTATION;
    assert_int_equal(extract(&e, skeleton, &clip, &wrong, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "flags", 0, 0);
    wrong.flags = 1;
    assert_int_equal(extract(&e, skeleton, &clip, &wrong, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "flags", 0, 0);
    const sqt_vec3 ups[] = {{0, 0, 0}, {NAN, 1, 0}, {INFINITY, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        wrong = source;
        wrong.up = ups[i];
        assert_int_equal(extract(&e, skeleton, &clip, &wrong, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "up", 0, 0);
    }
    const sqt_transform bent = {{0, 0, 0, 2}, {0, 0, 0}, {1, 1, 1}};
    wrong = source;
    wrong.reference = &bent;
    assert_int_equal(extract(&e, skeleton, &clip, &wrong, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "reference", 0, 0);
    static const uint16_t listed[] = {0, 3, 11};
    sqt_clip other = clip;
    other.joints = listed;
    other.joint_count = 3;
    assert_int_equal(extract(&e, skeleton, &other, &source, &fault), SQT_ERROR_NOT_FOUND);
    assert_fault(fault, "joints", 10, 0);
    other = clip;
    other.flags = SQT_CLIP_DIFFERENCE;
    assert_int_equal(extract(&e, skeleton, &other, &source, &fault), SQT_ERROR_FLAG);
    assert_fault(fault, "clip", 0, 0);
    other = clip;
    other.samples = NULL;
    assert_int_equal(extract(&e, skeleton, &other, &source, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "samples", 0, 0);
    other = clip;
    other.sample_count = 0;
    assert_int_equal(extract(&e, skeleton, &other, &source, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "sample_count", 0, 0);
    other = clip;
    other.rig_hash = 1;
    assert_int_equal(extract(&e, skeleton, &other, &source, &fault), SQT_ERROR_RIG);
    assert_fault(fault, "clip", 0, 0);
    sqt_skeleton detail = *skeleton;
    detail.joint_count = 10;
    assert_int_equal(extract(&e, &detail, &clip, &source, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "skeleton", 0, 0);
    detail = *skeleton;
    detail.parents = NULL;
    assert_int_equal(extract(&e, &detail, &clip, &source, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "parents", 0, 0);
    r.parents[4] = 4; // a cycle: no walk without an end
    assert_int_equal(extract(&e, skeleton, &clip, &source, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "parents", 4, 0);
    assert_memory_equal(&e, &untouched, offsetof(extracted, scratch));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_gives_its_way_and_stays_in_place),
        cmocka_unit_test(motion_times_remainder_is_the_original_for_every_joint),
        cmocka_unit_test(motion_in_the_joint_leaves_all_others_as_they_are),
        cmocka_unit_test(blended_hips_stay_with_the_character),
        cmocka_unit_test(a_flat_joint_above_the_motion_is_refused),
        cmocka_unit_test(a_turn_is_told_from_a_tilt),
        cmocka_unit_test(a_half_turn_across_the_axis_keeps_the_turn_of_before),
        cmocka_unit_test(a_turn_is_about_the_joint_not_about_the_origin),
        cmocka_unit_test(a_cyclic_clip_moves_nothing_over_a_loop),
        cmocka_unit_test(four_quarter_turns_lead_back),
        cmocka_unit_test(each_loop_leads_on_from_the_end_of_the_last),
        cmocka_unit_test(samples_mix_along_the_shorter_arc),
        cmocka_unit_test(many_loops_are_the_closed_formula),
        cmocka_unit_test(any_cut_of_a_step_multiplies_to_the_whole),
        cmocka_unit_test(clamp_stands_still_beyond_its_ends),
        cmocka_unit_test(ping_pong_comes_back),
        cmocka_unit_test(a_held_clock_has_gone_the_whole_way),
        cmocka_unit_test(a_step_of_no_length_is_exactly_the_identity),
        cmocka_unit_test(a_straight_walk_of_many_cycles_stays_straight),
        cmocka_unit_test(a_curved_walk_of_many_cycles_keeps_its_circle),
        cmocka_unit_test(blended_deltas_are_the_weighted_sum),
        cmocka_unit_test(deltas_blend_as_the_poses_do),
        cmocka_unit_test(no_weight_moves_nothing),
        cmocka_unit_test(places_and_transforms_convert),
        cmocka_unit_test(playing_refuses_what_is_wrong),
        cmocka_unit_test(extraction_refuses_what_is_wrong_and_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
