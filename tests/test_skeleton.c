#include <stdlib.h>

#include "check.h"

enum { SEED = 20240817 };

typedef struct built {
    sqt_skeleton skeleton;
    void *memory;
} built;

static built build(const sqt_joint *joints, uint32_t joint_count) {
    built b;
    sqt_fault fault = {"", 0, 0};
    const size_t bytes = sqt_skeleton_bytes(joints, joint_count);
    assert_true(bytes > 0);
    b.memory = malloc(bytes);
    assert_non_null(b.memory);
    if (sqt_skeleton_build(&b.skeleton, joints, joint_count, b.memory, bytes, &fault) != SQT_OK) {
        fail_msg("build: %s at %u, %u", fault.field, fault.index, fault.element);
    }
    if (sqt_skeleton_validate(&b.skeleton, &fault) != SQT_OK) {
        fail_msg("validate: %s at %u, %u", fault.field, fault.index, fault.element);
    }
    return b;
}

static const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
static const sqt_transform one_up = {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}};

static sqt_joint joint_of(const char *name, uint32_t parent) {
    const sqt_joint joint = {name, parent, identity};
    return joint;
}

static sqt_joint *chain_of(uint32_t joint_count) {
    sqt_joint *const joints = calloc(joint_count, sizeof *joints);
    assert_non_null(joints);
    for (uint32_t i = 0; i < joint_count; ++i) {
        joints[i].parent = i == 0 ? SQT_NO_JOINT : i - 1;
        joints[i].rest = one_up;
    }
    return joints;
}

static uint32_t level_of(const uint16_t *parents, uint32_t joint) {
    uint32_t level = 0;
    for (; parents[joint] != SQT_NO_JOINT; joint = parents[joint]) ++level;
    return level;
}

static sqt_transform random_transform(check_random *random) {
    sqt_transform t;
    t.rotation = check_random_quat(random);
    t.translation = check_random_vec3(random, -3, 3);
    t.scale = check_random_vec3(random, 0.5f, 2);
    return t;
}

/// Joints parents first, with distinct names "j0", "j1"... kept in `names`.
static void random_tree(sqt_joint *joints, char (*names)[16], uint32_t joint_count, check_random *random) {
    const uint32_t reach = 1 + check_random_below(random, joint_count); // short reach: deep trees; long: flat ones
    for (uint32_t i = 0; i < joint_count; ++i) {
        snprintf(names[i], sizeof names[i], "j%u", i);
        joints[i].name = names[i];
        joints[i].parent = SQT_NO_JOINT;
        if (i > 0 && check_random_below(random, 8) > 0) {
            joints[i].parent = i - 1 - check_random_below(random, i < reach ? i : reach);
        }
        joints[i].rest = random_transform(random);
    }
}

// ---- Joint-count limits ----

static void chains_of_every_length_build_in_order(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 127, 128, 255, 256, 257, 300, 5000, 65535};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        const uint32_t n = counts[c];
        sqt_joint *const joints = chain_of(n);
        joints[n - 1].name = "tip";
        const built b = build(joints, n);
        const sqt_skeleton *const s = &b.skeleton;
        assert_int_equal(s->joint_count, n);
        assert_int_equal(s->full_joint_count, n);
        double y = 0;
        for (uint32_t i = 0; i < n; ++i) {
            assert_int_equal(s->parents[i], i == 0 ? SQT_NO_JOINT : i - 1);
            assert_int_equal(s->schedule[i], i);
            y += (double)sqt_pose_get(s->rest, i).translation.y; // unrotated: positions add up
            assert_close(y, i + 1.0, 0);
        }
        assert_int_equal(sqt_skeleton_find(s, "tip"), n - 1);
        assert_true(sqt_skeleton_is_below(s, 0, n - 1));
        assert_int_equal(sqt_skeleton_child(s, n - 1, SQT_NO_JOINT), SQT_NO_JOINT);
        for (uint32_t lane = n; lane < SQT_POSE_BLOCKS(n) * 16; ++lane) {
            const sqt_pose_block *const last = s->rest + n / 16;
            const uint32_t k = lane % 16;
            assert_true(last->rx[k] == 0 && last->ry[k] == 0 && last->rz[k] == 0 && last->rw[k] == 1);
            assert_true(last->tx[k] == 0 && last->ty[k] == 0 && last->tz[k] == 0);
            assert_true(last->sx[k] == 1 && last->sy[k] == 1 && last->sz[k] == 1);
        }
        free(b.memory);
        free(joints);
    }
}

static void more_joints_than_the_limit_are_refused(void **state) {
    (void)state;
    sqt_joint *const joints = chain_of(65536);
    sqt_joint *const sorted = chain_of(65536);
    uint16_t *const remap = malloc(65536 * sizeof *remap);
    assert_non_null(remap);
    assert_int_equal(sqt_skeleton_bytes(joints, 65536), 0);
    sqt_skeleton skeleton;
    sqt_fault fault = {NULL, 9, 9};
    assert_int_equal(sqt_skeleton_build(&skeleton, joints, 65536, remap, SIZE_MAX, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    fault = (sqt_fault){NULL, 9, 9};
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, 65536, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    fault = (sqt_fault){NULL, 9, 9};
    assert_int_equal(sqt_joint_append(joints, 65000, 65536, sorted, 536, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "other_count", 0, 0);
    assert_int_equal(sqt_joint_append(joints, UINT32_MAX, UINT32_MAX, sorted, 2, 0, &fault), SQT_ERROR_COUNT);
    free(remap);
    free(sorted);
    free(joints);
}

static void the_deepest_and_the_widest_trees_sort_in_any_order(void **state) {
    (void)state;
    const uint32_t n = 65535;
    sqt_joint *const joints = chain_of(n);
    sqt_joint *const sorted = chain_of(n);
    uint16_t *const remap = malloc(n * sizeof *remap);
    assert_non_null(remap);
    // Leaf first: every parent lies behind its child.
    for (uint32_t i = 0; i < n; ++i) joints[i].parent = i == n - 1 ? SQT_NO_JOINT : i + 1;
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, n, NULL), SQT_OK);
    for (uint32_t i = 0; i < n; ++i) {
        assert_int_equal(remap[i], n - 1 - i);
        assert_int_equal(sorted[i].parent, i == 0 ? SQT_NO_JOINT : i - 1);
    }
    // One cycle through all of them.
    joints[n - 1].parent = 0;
    sqt_fault fault;
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, n, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "parent", 0, 0);
    // All below the last.
    for (uint32_t i = 0; i < n; ++i) joints[i].parent = i == n - 1 ? SQT_NO_JOINT : n - 1;
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, n, NULL), SQT_OK);
    assert_int_equal(remap[n - 1], 0);
    const built b = build(sorted, n);
    assert_int_equal(sqt_skeleton_child(&b.skeleton, 0, n - 2), n - 1);
    free(b.memory);
    free(remap);
    free(sorted);
    free(joints);
}

// ---- Building ----

static void schedule_goes_level_by_level_in_ascending_joints(void **state) {
    (void)state;
    // Levels: 0 and 3 at 0; 1, 4, 5 at 1; 2, 6 at 2; 7 at 3.
    const sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT),
                                joint_of("b", 0),
                                joint_of("c", 1),
                                joint_of("d", SQT_NO_JOINT),
                                joint_of("e", 3),
                                joint_of("f", 0),
                                joint_of("g", 4),
                                joint_of("h", 6)};
    static const uint16_t expected[] = {0, 3, 1, 4, 5, 2, 6, 7};
    const built b = build(joints, 8);
    assert_memory_equal(b.skeleton.schedule, expected, sizeof expected);
    free(b.memory);
}

static void schedule_of_random_trees_ascends_by_level_and_joint(void **state) {
    (void)state;
    enum { N = 200 };
    check_random random = {SEED};
    static sqt_joint joints[N];
    static char names[N][16];
    for (uint32_t round = 0; round < 50; ++round) {
        const uint32_t n = 1 + check_random_below(&random, N);
        random_tree(joints, names, n, &random);
        const built b = build(joints, n);
        for (uint32_t i = 1; i < n; ++i) {
            const uint32_t a = b.skeleton.schedule[i - 1], c = b.skeleton.schedule[i];
            const uint32_t level_a = level_of(b.skeleton.parents, a), level_c = level_of(b.skeleton.parents, c);
            assert_true(level_a < level_c || (level_a == level_c && a < c)); // strictly, so each joint once
        }
        free(b.memory);
    }
}

static void names_are_ordered_by_hash_then_joint(void **state) {
    (void)state;
    enum { N = 300 };
    check_random random = {SEED};
    static sqt_joint joints[N];
    static char names[N][16];
    for (uint32_t i = 0; i < N; ++i) { // many repeats
        snprintf(names[i], sizeof names[i], "n%u", check_random_below(&random, 90));
        joints[i] = joint_of(names[i], SQT_NO_JOINT);
    }
    const built b = build(joints, N);
    const sqt_skeleton *const s = &b.skeleton;
    for (uint32_t i = 0; i < N; ++i) {
        assert_string_equal(s->names + s->name_offsets[i], names[i]);
        assert_int_equal(s->name_hashes[i], sqt_hash(names[i]));
    }
    for (uint32_t i = 1; i < N; ++i) {
        const uint32_t a = s->name_order[i - 1], c = s->name_order[i];
        assert_true(s->name_hashes[a] < s->name_hashes[c] || (s->name_hashes[a] == s->name_hashes[c] && a < c));
    }
    free(b.memory);
}

static void any_alignment_of_memory_serves_and_nothing_outside_is_touched(void **state) {
    (void)state;
    const sqt_joint joints[] = {joint_of("root", SQT_NO_JOINT), joint_of("spine", 0), joint_of("head", 1)};
    const size_t bytes = sqt_skeleton_bytes(joints, 3);
    for (size_t offset = 0; offset < 64; ++offset) {
        unsigned char *const memory = malloc(64 + bytes + 64);
        assert_non_null(memory);
        memset(memory, 0xA5, 64 + bytes + 64);
        sqt_skeleton s;
        assert_int_equal(sqt_skeleton_build(&s, joints, 3, memory + offset, bytes, NULL), SQT_OK);
        assert_int_equal((uintptr_t)s.rest % 64, 0);
        assert_int_equal(sqt_skeleton_validate(&s, NULL), SQT_OK);
        for (size_t i = 0; i < offset; ++i) assert_int_equal(memory[i], 0xA5);
        for (size_t i = offset + bytes; i < 64 + bytes + 64; ++i) assert_int_equal(memory[i], 0xA5);
        free(memory);
    }
}

static void expect_build_error(const sqt_joint *joints, uint32_t joint_count, sqt_result want, const char *field,
                               uint32_t index, uint32_t element) {
    unsigned char memory[4096], untouched[sizeof memory];
    memset(memory, 0x5A, sizeof memory);
    memset(untouched, 0x5A, sizeof untouched);
    sqt_skeleton s, before;
    memset(&s, 0x5A, sizeof s);
    memset(&before, 0x5A, sizeof before);
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_skeleton_build(&s, joints, joint_count, memory, sizeof memory, &fault), want);
    assert_fault(fault, field, index, element);
    assert_memory_equal(memory, untouched, sizeof memory);
    assert_memory_equal(&s, &before, sizeof s);
    assert_int_equal(sqt_skeleton_build(&s, joints, joint_count, memory, sizeof memory, NULL), want);
}

static void build_names_every_error_and_writes_nothing(void **state) {
    (void)state;
    const sqt_joint good[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 0), joint_of("c", 1)};
    sqt_joint joints[3];
    expect_build_error(NULL, 3, SQT_ERROR_NULL, "joints", 0, 0);
    expect_build_error(good, 0, SQT_ERROR_COUNT, "joint_count", 0, 0);
    memcpy(joints, good, sizeof good);
    joints[2].parent = 3;
    expect_build_error(joints, 3, SQT_ERROR_COUNT, "parent", 2, 0);
    joints[2].parent = 0x10000; // would be joint 0 if cut to 16 bits
    expect_build_error(joints, 3, SQT_ERROR_COUNT, "parent", 2, 0);
    joints[2].parent = 0x1FFFF; // would be SQT_NO_JOINT
    expect_build_error(joints, 3, SQT_ERROR_COUNT, "parent", 2, 0);
    joints[2].parent = 2;
    expect_build_error(joints, 3, SQT_ERROR_ORDER, "parent", 2, 0);
    joints[2].parent = 1;
    joints[1].parent = 2;
    expect_build_error(joints, 3, SQT_ERROR_ORDER, "parent", 1, 0);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t e = 0; e < 10; ++e) {
        for (uint32_t k = 0; k < 3; ++k) {
            memcpy(joints, good, sizeof good);
            float components[10];
            memcpy(components, &joints[1].rest, sizeof components);
            components[e] = bad[k];
            memcpy(&joints[1].rest, components, sizeof components);
            expect_build_error(joints, 3, SQT_ERROR_NUMBER, "rest", 1, e);
        }
    }
    memcpy(joints, good, sizeof good);
    joints[1].rest.rotation = (sqt_quat){0, 0, 0, 0};
    expect_build_error(joints, 3, SQT_ERROR_NUMBER, "rest", 1, 0);
    joints[1].rest.rotation = (sqt_quat){0.999e-15f, 0, 0, 0}; // what sqt_quat_normalize takes for zero
    expect_build_error(joints, 3, SQT_ERROR_NUMBER, "rest", 1, 0);
}

static void build_needs_its_outputs_and_every_byte(void **state) {
    (void)state;
    const sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT), joint_of(NULL, 0)};
    const size_t bytes = sqt_skeleton_bytes(joints, 2);
    assert_int_equal(sqt_skeleton_bytes(NULL, 2), 0);
    assert_int_equal(sqt_skeleton_bytes(joints, 0), 0);
    void *const memory = malloc(bytes);
    assert_non_null(memory);
    sqt_skeleton s = {0};
    sqt_fault fault = {0};
    assert_int_equal(sqt_skeleton_build(NULL, joints, 2, memory, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_skeleton_build(&s, joints, 2, NULL, bytes, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "memory", 0, 0);
    assert_int_equal(sqt_skeleton_build(&s, joints, 2, memory, bytes - 1, &fault), SQT_ERROR_SPACE);
    assert_fault(fault, "memory_bytes", 0, 0);
    assert_int_equal(s.joint_count, 0);
    assert_int_equal(sqt_skeleton_build(&s, joints, 2, memory, bytes, &fault), SQT_OK);
    free(memory);
}

static void rest_rotations_are_normalised_and_tiny_values_snapped(void **state) {
    (void)state;
    sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 0), joint_of("c", 0), joint_of("d", 0)};
    joints[0].rest.rotation = (sqt_quat){0, 0, 2, 2}; // 90 degrees about z
    joints[0].rest.translation = (sqt_vec3){1e-31f, -1e-40f, 1e-29f};
    joints[1].rest.rotation = (sqt_quat){0, 0, -3e30f, 4e30f};           // a length whose square is no float
    joints[2].rest.rotation = (sqt_quat){0.6015e-15f, 0.802e-15f, 0, 0}; // just above what counts as zero
    joints[3].rest.rotation = (sqt_quat){-0.0f, 1e-31f, 0, -1};          // the sign of a rotation is kept
    joints[3].rest.scale = (sqt_vec3){-0.0f, -2, 1e-38f};
    const built b = build(joints, 4);
    const sqt_transform a = sqt_pose_get(b.skeleton.rest, 0), d = sqt_pose_get(b.skeleton.rest, 3);
    assert_close(a.rotation.z, 0.70710678118654752, 3e-8);
    assert_close(a.rotation.w, 0.70710678118654752, 3e-8);
    assert_true(a.translation.x == 0 && a.translation.y == 0 && !signbit(a.translation.y));
    assert_close(a.translation.z, 1e-29, 1e-36);
    assert_close(sqt_pose_get(b.skeleton.rest, 1).rotation.z, -0.6, 6e-8);
    assert_close(sqt_pose_get(b.skeleton.rest, 1).rotation.w, 0.8, 6e-8);
    assert_close(sqt_pose_get(b.skeleton.rest, 2).rotation.x, 0.6, 6e-8);
    assert_close(sqt_pose_get(b.skeleton.rest, 2).rotation.y, 0.8, 6e-8);
    assert_true(d.rotation.x == 0 && !signbit(d.rotation.x) && d.rotation.y == 0 && d.rotation.w == -1);
    assert_true(d.scale.x == 0 && !signbit(d.scale.x) && d.scale.y == -2 && d.scale.z == 0);
    free(b.memory);
}

static void rig_hash_is_fnv_1a_of_names_and_parents(void **state) {
    (void)state;
    // Worked out apart from this code: FNV-1a of the bytes "a" 00 FF FF.
    const sqt_joint one[] = {joint_of("a", SQT_NO_JOINT)};
    // "hip" 00 FF FF, "" 00 00 00, "knee" 00 00 00, "far" 00 02 00
    const sqt_joint four[] = {joint_of("hip", SQT_NO_JOINT), joint_of(NULL, 0), joint_of("knee", 0),
                              joint_of("far", 2)};
    // A name found by search, so that the hash would be 0.
    const sqt_joint zero[] = {joint_of("cslzwao", SQT_NO_JOINT)};
    const built a = build(one, 1), b = build(four, 4), c = build(zero, 1);
    assert_int_equal(a.skeleton.rig_hash, 0xDE091ABA);
    assert_int_equal(b.skeleton.rig_hash, 0x56ECA150);
    assert_int_equal(c.skeleton.rig_hash, 1);
    free(a.memory);
    free(b.memory);
    free(c.memory);
}

static void rest_poses_do_not_change_the_rig_hash(void **state) {
    (void)state;
    sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 0)};
    const built before = build(joints, 2);
    joints[1].rest = one_up;
    const built after = build(joints, 2);
    assert_int_equal(before.skeleton.rig_hash, after.skeleton.rig_hash);
    free(before.memory);
    free(after.memory);
}

static void joints_read_back_build_the_same_bytes(void **state) {
    (void)state;
    enum { N = 150 };
    check_random random = {SEED};
    static sqt_joint joints[N], again[N];
    static char names[N][16];
    for (uint32_t round = 0; round < 40; ++round) {
        const uint32_t n = 1 + check_random_below(&random, N);
        random_tree(joints, names, n, &random);
        for (uint32_t i = 0; i < n; ++i) { // of any length, so that building normalises
            const float length = check_random_float(&random, 0.1f, 10);
            joints[i].rest.rotation.x *= length, joints[i].rest.rotation.y *= length;
            joints[i].rest.rotation.z *= length, joints[i].rest.rotation.w *= length;
            if (check_random_below(&random, 5) == 0) joints[i].name = NULL;
        }
        const built first = build(joints, n);
        for (uint32_t i = 0; i < n; ++i) again[i] = sqt_skeleton_joint(&first.skeleton, i);
        const built second = build(again, n);
        const sqt_skeleton *const a = &first.skeleton, *const b = &second.skeleton;
        assert_int_equal(a->rig_hash, b->rig_hash);
        assert_int_equal(a->names_bytes, b->names_bytes);
        assert_memory_equal(a->parents, b->parents, n * sizeof *a->parents);
        assert_memory_equal(a->schedule, b->schedule, n * sizeof *a->schedule);
        assert_memory_equal(a->rest, b->rest, SQT_POSE_BLOCKS(n) * sizeof *a->rest);
        assert_memory_equal(a->name_hashes, b->name_hashes, n * sizeof *a->name_hashes);
        assert_memory_equal(a->name_order, b->name_order, n * sizeof *a->name_order);
        assert_memory_equal(a->name_offsets, b->name_offsets, n * sizeof *a->name_offsets);
        assert_memory_equal(a->names, b->names, a->names_bytes);
        free(first.memory);
        free(second.memory);
    }
}

static void a_joint_out_of_range_reads_as_identity_without_a_parent(void **state) {
    (void)state;
    const sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT)};
    const built b = build(joints, 1);
    static const uint32_t outside[] = {1, 16, SQT_NO_JOINT, UINT32_MAX};
    for (uint32_t i = 0; i < 5; ++i) {
        const sqt_joint j = i < 4 ? sqt_skeleton_joint(&b.skeleton, outside[i]) : sqt_skeleton_joint(NULL, 0);
        assert_null(j.name);
        assert_int_equal(j.parent, SQT_NO_JOINT);
        assert_memory_equal(&j.rest, &identity, sizeof identity);
    }
    free(b.memory);
}

// ---- Validating ----

/// A skeleton of six joints, and copies of its arrays to spoil.
typedef struct spoiled {
    sqt_skeleton s;
    uint16_t parents[6], schedule[6], name_order[6];
    uint32_t name_hashes[6], name_offsets[6];
    sqt_pose_block rest[1];
    char names[32];
} spoiled;

static const sqt_joint six[] = {{"root", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
                                {"spine", 0, SQT_TRANSFORM_IDENTITY},
                                {"left", 1, SQT_TRANSFORM_IDENTITY},
                                {"right", 1, SQT_TRANSFORM_IDENTITY},
                                {"hand", 2, SQT_TRANSFORM_IDENTITY},
                                {"prop", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY}};

static void point_to_copies(spoiled *c) {
    c->s.parents = c->parents;
    c->s.schedule = c->schedule;
    c->s.name_order = c->name_order;
    c->s.name_hashes = c->name_hashes;
    c->s.name_offsets = c->name_offsets;
    c->s.rest = c->rest;
    c->s.names = c->names;
}

static void copy_six(spoiled *c) {
    const built b = build(six, 6);
    c->s = b.skeleton;
    assert_true(c->s.names_bytes <= sizeof c->names);
    memcpy(c->parents, c->s.parents, sizeof c->parents);
    memcpy(c->schedule, c->s.schedule, sizeof c->schedule);
    memcpy(c->name_order, c->s.name_order, sizeof c->name_order);
    memcpy(c->name_hashes, c->s.name_hashes, sizeof c->name_hashes);
    memcpy(c->name_offsets, c->s.name_offsets, sizeof c->name_offsets);
    memcpy(c->rest, c->s.rest, sizeof c->rest);
    memcpy(c->names, c->s.names, c->s.names_bytes);
    point_to_copies(c);
    free(b.memory);
}

/// Makes `c` the good skeleton anew, with one thing wrong.
#define SPOIL(statement) (c = good, point_to_copies(&c), (statement))

static void expect_invalid(const sqt_skeleton *s, sqt_result want, const char *field, uint32_t index,
                           uint32_t element) {
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_skeleton_validate(s, &fault), want);
    assert_fault(fault, field, index, element);
    assert_int_equal(sqt_skeleton_validate(s, NULL), want);
}

static void validate_names_members_that_are_missing_or_out_of_range(void **state) {
    (void)state;
    spoiled good, c;
    copy_six(&good);
    expect_invalid(NULL, SQT_ERROR_NULL, "skeleton", 0, 0);
    c = good, c.s.parents = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "parents", 0, 0);
    c = good, c.s.schedule = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "schedule", 0, 0);
    c = good, c.s.rest = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "rest", 0, 0);
    c = good, c.s.name_hashes = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "name_hashes", 0, 0);
    c = good, c.s.name_order = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "name_order", 0, 0);
    c = good, c.s.name_offsets = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "name_offsets", 0, 0);
    c = good, c.s.names = NULL;
    expect_invalid(&c.s, SQT_ERROR_NULL, "names", 0, 0);
    c = good, c.s.joint_count = 0;
    expect_invalid(&c.s, SQT_ERROR_COUNT, "joint_count", 0, 0);
    c = good, c.s.joint_count = 7;
    expect_invalid(&c.s, SQT_ERROR_COUNT, "joint_count", 0, 0);
    c = good, c.s.full_joint_count = 65536;
    expect_invalid(&c.s, SQT_ERROR_COUNT, "full_joint_count", 0, 0);
    c = good, c.s.names_bytes = 0;
    expect_invalid(&c.s, SQT_ERROR_COUNT, "names_bytes", 0, 0);
    c = good, c.s.rig_hash ^= 1;
    expect_invalid(&c.s, SQT_ERROR_RIG, "rig_hash", 0, 0);
    c = good, c.s.rig_hash = 0;
    expect_invalid(&c.s, SQT_ERROR_RIG, "rig_hash", 0, 0);
}

static void validate_names_spoiled_parents_and_schedules(void **state) {
    (void)state;
    spoiled good, c;
    copy_six(&good);
    static const uint16_t schedule[] = {0, 5, 1, 2, 3, 4}; // so that places below mean what they say
    assert_memory_equal(good.schedule, schedule, sizeof schedule);
    SPOIL(c.parents[3] = 6);
    expect_invalid(&c.s, SQT_ERROR_COUNT, "parents", 3, 0);
    SPOIL(c.parents[3] = 3);
    expect_invalid(&c.s, SQT_ERROR_ORDER, "parents", 3, 0);
    SPOIL(c.parents[3] = 5);
    expect_invalid(&c.s, SQT_ERROR_ORDER, "parents", 3, 0);
    SPOIL(c.parents[3] = 0); // a level higher: 3 now belongs into place 3
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 4, 0);
    SPOIL(c.parents[4] = 3); // the same level: only the hash knows
    expect_invalid(&c.s, SQT_ERROR_RIG, "rig_hash", 0, 0);
    SPOIL(c.schedule[5] = 6);
    expect_invalid(&c.s, SQT_ERROR_COUNT, "schedule", 5, 0);
    SPOIL((c.schedule[3] = 3, c.schedule[4] = 2)); // descends within a level
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 4, 0);
    SPOIL((c.schedule[0] = 5, c.schedule[1] = 0));
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 1, 0);
    SPOIL(c.schedule[0] = 1); // begins below a root
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 0, 0);
    SPOIL(c.schedule[4] = 2); // twice
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 4, 0);
    SPOIL(c.schedule[5] = 5); // a root again, after all levels
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 5, 0);
    SPOIL(c.schedule[2] = 2); // a level left out
    expect_invalid(&c.s, SQT_ERROR_ORDER, "schedule", 2, 0);
}

static void validate_names_a_spoiled_rest_pose(void **state) {
    (void)state;
    spoiled good, c;
    copy_six(&good);
    SPOIL(c.rest->rx[4] = NAN);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 4, 0);
    SPOIL(c.rest->rw[4] = INFINITY);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 4, 3);
    SPOIL(c.rest->tx[0] = -INFINITY);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 0, 4);
    SPOIL(c.rest->sz[5] = NAN);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 5, 9);
    SPOIL(c.rest->rw[2] = 1.0001006f);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 2, 0);
    SPOIL(c.rest->rw[2] = 0);
    expect_invalid(&c.s, SQT_ERROR_NUMBER, "rest", 2, 0);
    SPOIL(c.rest->rw[2] = -0.9999006f); // within the tolerance, and either sign
    assert_int_equal(sqt_skeleton_validate(&c.s, NULL), SQT_OK);
    SPOIL(c.rest->tx[6] = NAN); // behind the last joint
    assert_int_equal(sqt_skeleton_validate(&c.s, NULL), SQT_OK);
}

static void validate_names_spoiled_names(void **state) {
    (void)state;
    spoiled good, c;
    copy_six(&good);
    const uint32_t last = good.s.names_bytes - 1;
    SPOIL(c.names[last] = 'x');
    expect_invalid(&c.s, SQT_ERROR_COUNT, "names", last, 0);
    SPOIL(c.names[good.name_offsets[2]] ^= 1);
    expect_invalid(&c.s, SQT_ERROR_RIG, "name_hashes", 2, 0);
    SPOIL(c.name_hashes[3] ^= 0x80000000u);
    expect_invalid(&c.s, SQT_ERROR_RIG, "name_hashes", 3, 0);
    SPOIL(c.name_offsets[1] = good.s.names_bytes);
    expect_invalid(&c.s, SQT_ERROR_COUNT, "name_offsets", 1, 0);
    SPOIL(c.name_offsets[1] = UINT32_MAX);
    expect_invalid(&c.s, SQT_ERROR_COUNT, "name_offsets", 1, 0);
    SPOIL(c.name_offsets[1] += 1);
    expect_invalid(&c.s, SQT_ERROR_RIG, "name_hashes", 1, 0);
    SPOIL(c.name_order[2] = 6);
    expect_invalid(&c.s, SQT_ERROR_COUNT, "name_order", 2, 0);
    SPOIL(c.name_order[3] = good.name_order[2]);
    expect_invalid(&c.s, SQT_ERROR_ORDER, "name_order", 3, 0);
    SPOIL((c.name_order[3] = good.name_order[4], c.name_order[4] = good.name_order[3]));
    expect_invalid(&c.s, SQT_ERROR_ORDER, "name_order", 4, 0);
}

static void validate_does_not_hash_one_long_name_for_every_joint(void **state) {
    (void)state;
    // Every name is the same megabyte: without a bound, checking would hash 65,535 of them.
    const uint32_t n = 65535, bytes = 1 << 20;
    sqt_joint *const joints = chain_of(n);
    const built b = build(joints, n);
    char *const names = malloc(bytes);
    uint32_t *const offsets = calloc(n, sizeof *offsets), *const hashes = calloc(n, sizeof *hashes);
    assert_true(names && offsets && hashes);
    memset(names, 'n', bytes);
    names[bytes - 1] = 0;
    for (uint32_t i = 0; i < n; ++i) hashes[i] = sqt_hash(i == 0 ? names : "");
    for (uint32_t i = 1; i < n; ++i) hashes[i] = hashes[0];
    sqt_skeleton s = b.skeleton;
    s.names = names;
    s.names_bytes = bytes;
    s.name_offsets = offsets;
    s.name_hashes = hashes;
    expect_invalid(&s, SQT_ERROR_COUNT, "name_offsets", 1, 0);
    free(hashes);
    free(offsets);
    free(names);
    free(b.memory);
    free(joints);
}

static void any_change_to_any_array_is_found(void **state) {
    (void)state;
    enum { N = 64 };
    check_random random = {SEED};
    static sqt_joint joints[N];
    static char names[N][16];
    for (uint32_t round = 0; round < 30; ++round) {
        const uint32_t n = 2 + check_random_below(&random, N - 1);
        random_tree(joints, names, n, &random);
        const built b = build(joints, n);
        const sqt_skeleton *const s = &b.skeleton;
        struct {
            const void *data;
            size_t bytes;
        } const arrays[] = {
            {s->parents, n * sizeof *s->parents},           {s->schedule, n * sizeof *s->schedule},
            {s->name_order, n * sizeof *s->name_order},     {s->name_hashes, n * sizeof *s->name_hashes},
            {s->name_offsets, n * sizeof *s->name_offsets}, {s->names, s->names_bytes}};
        for (uint32_t change = 0; change < 60; ++change) {
            const uint32_t a = change % 6;
            const size_t at = check_random_below(&random, (uint32_t)arrays[a].bytes);
            // The arrays are const views of memory that this test owns.
            unsigned char *const byte =
                (unsigned char *)b.memory + ((const unsigned char *)arrays[a].data - (unsigned char *)b.memory) + at;
            const unsigned char before = *byte;
            *byte = (unsigned char)(before ^ (1u << check_random_below(&random, 8)));
            sqt_fault fault = {NULL, 0, 0};
            assert_int_not_equal(sqt_skeleton_validate(s, &fault), SQT_OK);
            assert_non_null(fault.field);
            *byte = before;
            assert_int_equal(sqt_skeleton_validate(s, NULL), SQT_OK);
        }
        free(b.memory);
    }
}

// ---- Finding ----

static void names_are_compared_where_hashes_collide(void **state) {
    (void)state;
    // Pairs with one FNV-1a hash each, well known from dictionaries.
    assert_int_equal(sqt_hash("costarring"), sqt_hash("liquid"));
    assert_int_equal(sqt_hash("altarage"), sqt_hash("zinke"));
    const sqt_joint joints[] = {joint_of("costarring", SQT_NO_JOINT), joint_of("zinke", 0), joint_of("altarage", 0)};
    const built b = build(joints, 3);
    const sqt_skeleton *const s = &b.skeleton;
    assert_int_equal(sqt_skeleton_find(s, "costarring"), 0);
    assert_int_equal(sqt_skeleton_find(s, "liquid"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_hash(s, sqt_hash("liquid")), 0); // all that a hash can say
    assert_int_equal(sqt_skeleton_find(s, "zinke"), 1);
    assert_int_equal(sqt_skeleton_find(s, "altarage"), 2);
    assert_int_equal(sqt_skeleton_find_hash(s, sqt_hash("altarage")), 1);
    assert_int_equal(sqt_skeleton_find_below(s, 0, "liquid"), SQT_NO_JOINT);
    free(b.memory);
}

static void joints_without_a_name_are_never_found(void **state) {
    (void)state;
    // "fayphcw", found by search, has the hash of the empty name.
    const sqt_joint joints[] = {joint_of(NULL, SQT_NO_JOINT), joint_of("", 0), joint_of("fayphcw", 0)};
    assert_int_equal(sqt_hash("fayphcw"), 0x811C9DC5);
    const built some = build(joints, 3), none = build(joints, 2);
    assert_int_equal(sqt_skeleton_find(&some.skeleton, ""), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find(&some.skeleton, NULL), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(&some.skeleton, 0, NULL), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(&some.skeleton, 0, ""), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find(&some.skeleton, "fayphcw"), 2);
    assert_int_equal(sqt_skeleton_find_hash(&some.skeleton, 0x811C9DC5), 2);
    assert_int_equal(sqt_skeleton_find_hash(&none.skeleton, 0x811C9DC5), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_hash_below(&none.skeleton, 0, 0x811C9DC5), SQT_NO_JOINT);
    assert_string_equal(sqt_skeleton_joint(&none.skeleton, 0).name, "");
    assert_int_equal(sqt_skeleton_find(NULL, "a"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_hash(NULL, 1), SQT_NO_JOINT);
    free(some.memory);
    free(none.memory);
}

static void repeated_names_give_the_first_and_the_first_below(void **state) {
    (void)state;
    const sqt_joint joints[] = {joint_of("root", SQT_NO_JOINT), joint_of("left", 0),  joint_of("right", 0),
                                joint_of("thumb", 2),           joint_of("thumb", 1), joint_of("tip", 4),
                                joint_of("thumb", 5),           joint_of("tip", 3),   joint_of("thumb", SQT_NO_JOINT)};
    const built b = build(joints, 9);
    const sqt_skeleton *const s = &b.skeleton;
    const uint32_t thumb = sqt_hash("thumb");
    assert_int_equal(sqt_skeleton_find(s, "thumb"), 3);
    assert_int_equal(sqt_skeleton_find_below(s, SQT_NO_JOINT, "thumb"), 3);
    assert_int_equal(sqt_skeleton_find_below(s, 1, "thumb"), 4);
    assert_int_equal(sqt_skeleton_find_below(s, 2, "thumb"), 3);
    assert_int_equal(sqt_skeleton_find_below(s, 4, "thumb"), 6); // strictly below: not 4 itself
    assert_int_equal(sqt_skeleton_find_below(s, 6, "thumb"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(s, 8, "thumb"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(s, 9, "thumb"), SQT_NO_JOINT); // no such joint
    assert_int_equal(sqt_skeleton_find_below(s, 3, "tip"), 7);
    assert_int_equal(sqt_skeleton_find_below(s, 1, "tip"), 5);
    assert_int_equal(sqt_skeleton_find_hash_below(s, 1, thumb), 4);
    assert_int_equal(sqt_skeleton_find_hash_below(s, 4, thumb), 6);
    assert_int_equal(sqt_skeleton_find_hash_below(s, SQT_NO_JOINT, thumb), 3);
    assert_int_equal(sqt_skeleton_find_below(NULL, 0, "tip"), SQT_NO_JOINT);
    free(b.memory);
}

static void one_name_all_down_a_deep_chain_is_walked_once(void **state) {
    (void)state;
    // Nothing lies below joint 0: without a mark on what was walked, 65,534 joints would each climb to joint 1.
    const uint32_t n = 65535;
    sqt_joint *const joints = chain_of(n);
    for (uint32_t i = 1; i < n; ++i) joints[i].name = "link";
    joints[1].parent = SQT_NO_JOINT;
    const built b = build(joints, n);
    assert_int_equal(sqt_skeleton_find_below(&b.skeleton, 0, "link"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(&b.skeleton, 1, "link"), 2);
    assert_int_equal(sqt_skeleton_find_below(&b.skeleton, n - 2, "link"), n - 1);
    assert_int_equal(sqt_skeleton_find_below(&b.skeleton, n - 1, "link"), SQT_NO_JOINT);
    free(b.memory);
    free(joints);
}

static void every_name_of_a_large_skeleton_is_found(void **state) {
    (void)state;
    enum { N = 2000 };
    check_random random = {SEED};
    sqt_joint *const joints = calloc(N, sizeof *joints);
    char(*const names)[16] = calloc(N, sizeof *names);
    assert_true(joints && names);
    random_tree(joints, names, N, &random);
    const built b = build(joints, N);
    for (uint32_t i = 0; i < N; ++i) assert_int_equal(sqt_skeleton_find(&b.skeleton, names[i]), i);
    assert_int_equal(sqt_skeleton_find(&b.skeleton, "j2000"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find(&b.skeleton, "j"), SQT_NO_JOINT);
    free(b.memory);
    free(names);
    free(joints);
}

static void map_finds_all_names_or_writes_nothing(void **state) {
    (void)state;
    const built b = build(six, 6);
    static const char *const names[] = {"hand", "root", "left", "hand"};
    static const char *const missing[] = {"hand", "tail", "nose"};
    static const char *const holes[] = {"hand", NULL};
    static const char *const empty[] = {""};
    uint16_t joints[4] = {9, 9, 9, 9};
    sqt_fault fault;
    assert_int_equal(sqt_skeleton_map(joints, &b.skeleton, missing, 3, &fault), SQT_ERROR_NOT_FOUND);
    assert_fault(fault, "names", 1, 0);
    assert_int_equal(sqt_skeleton_map(joints, &b.skeleton, holes, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "names", 1, 0);
    assert_int_equal(sqt_skeleton_map(joints, &b.skeleton, empty, 1, &fault), SQT_ERROR_NOT_FOUND);
    assert_fault(fault, "names", 0, 0);
    assert_int_equal(sqt_skeleton_map(NULL, &b.skeleton, names, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_skeleton_map(joints, NULL, names, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_skeleton_map(joints, &b.skeleton, NULL, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "names", 0, 0);
    for (uint32_t i = 0; i < 4; ++i) assert_int_equal(joints[i], 9);
    assert_int_equal(sqt_skeleton_map(NULL, &b.skeleton, NULL, 0, NULL), SQT_OK);
    assert_int_equal(sqt_skeleton_map(joints, &b.skeleton, names, 4, NULL), SQT_OK);
    static const uint16_t expected[] = {4, 0, 2, 4};
    assert_memory_equal(joints, expected, sizeof expected);
    free(b.memory);
}

// ---- Walking ----

static void children_come_in_ascending_order(void **state) {
    (void)state;
    const built b = build(six, 6);
    const sqt_skeleton *const s = &b.skeleton;
    assert_int_equal(sqt_skeleton_child(s, SQT_NO_JOINT, SQT_NO_JOINT), 0);
    assert_int_equal(sqt_skeleton_child(s, SQT_NO_JOINT, 0), 5);
    assert_int_equal(sqt_skeleton_child(s, SQT_NO_JOINT, 5), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 1, SQT_NO_JOINT), 2);
    assert_int_equal(sqt_skeleton_child(s, 1, 2), 3);
    assert_int_equal(sqt_skeleton_child(s, 1, 3), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 4, SQT_NO_JOINT), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 6, SQT_NO_JOINT), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 1, 6), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 1, UINT32_MAX), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, UINT32_MAX, SQT_NO_JOINT), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(s, 1, 0), 2); // `after` may lie before every child
    assert_int_equal(sqt_skeleton_child(NULL, 1, 2), SQT_NO_JOINT);
    free(b.memory);
}

static void children_and_roots_together_are_all_joints(void **state) {
    (void)state;
    enum { N = 120 };
    check_random random = {SEED};
    static sqt_joint joints[N];
    static char names[N][16];
    random_tree(joints, names, N, &random);
    const built b = build(joints, N);
    uint32_t total = 0;
    for (uint32_t p = 0; p <= N; ++p) {
        const uint32_t parent = p == N ? SQT_NO_JOINT : p;
        uint32_t c = sqt_skeleton_child(&b.skeleton, parent, SQT_NO_JOINT);
        for (; c != SQT_NO_JOINT; c = sqt_skeleton_child(&b.skeleton, parent, c)) {
            assert_int_equal(joints[c].parent, parent);
            ++total;
        }
    }
    assert_int_equal(total, N);
    free(b.memory);
}

static void is_below_follows_parents_only(void **state) {
    (void)state;
    const built b = build(six, 6);
    const sqt_skeleton *const s = &b.skeleton;
    static const bool below[6][6] = {{1, 1, 1, 1, 1, 0}, {0, 1, 1, 1, 1, 0}, {0, 0, 1, 0, 1, 0},
                                     {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
    for (uint32_t a = 0; a < 6; ++a) {
        for (uint32_t j = 0; j < 6; ++j) assert_int_equal(sqt_skeleton_is_below(s, a, j), below[a][j]);
        assert_false(sqt_skeleton_is_below(s, a, 6));
        assert_false(sqt_skeleton_is_below(s, a, SQT_NO_JOINT));
        assert_false(sqt_skeleton_is_below(s, SQT_NO_JOINT, a));
    }
    assert_false(sqt_skeleton_is_below(s, 6, 6));
    assert_false(sqt_skeleton_is_below(s, SQT_NO_JOINT, SQT_NO_JOINT));
    assert_false(sqt_skeleton_is_below(NULL, 0, 0));
    free(b.memory);
}

static void a_level_of_detail_knows_only_its_own_joints(void **state) {
    (void)state;
    sqt_joint joints[20];
    for (uint32_t i = 0; i < 20; ++i)
        joints[i] = (sqt_joint){i < 10 ? "low" : "high", i == 0 ? SQT_NO_JOINT : i - 1, one_up};
    joints[15].name = "low";
    const built b = build(joints, 20);
    sqt_skeleton lod = b.skeleton;
    lod.joint_count = 5;
    assert_int_equal(sqt_skeleton_validate(&lod, NULL), SQT_OK);
    assert_int_equal(lod.rig_hash, b.skeleton.rig_hash);
    assert_int_equal(sqt_skeleton_find(&lod, "low"), 0);
    assert_int_equal(sqt_skeleton_find(&lod, "high"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_hash(&lod, sqt_hash("high")), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_find_below(&lod, 3, "low"), 4);
    assert_int_equal(sqt_skeleton_find_below(&lod, 4, "low"), SQT_NO_JOINT);
    assert_int_equal(sqt_skeleton_child(&lod, 3, SQT_NO_JOINT), 4);
    assert_int_equal(sqt_skeleton_child(&lod, 4, SQT_NO_JOINT), SQT_NO_JOINT);
    assert_true(sqt_skeleton_is_below(&lod, 0, 4));
    assert_false(sqt_skeleton_is_below(&lod, 0, 5));
    assert_null(sqt_skeleton_joint(&lod, 5).name);
    free(b.memory);
}

static void rest_pose_is_padded_with_identity_also_in_a_level_of_detail(void **state) {
    (void)state;
    sqt_joint *const joints = chain_of(40);
    const built b = build(joints, 40);
    sqt_skeleton lod = b.skeleton;
    for (uint32_t n = 1; n <= 40; ++n) {
        sqt_pose_block pose[4];
        memset(pose, 0xFF, sizeof pose);
        lod.joint_count = n;
        assert_int_equal(sqt_skeleton_rest(pose, &lod), SQT_OK);
        for (uint32_t i = 0; i < SQT_POSE_BLOCKS(n) * 16; ++i) {
            const sqt_transform t = sqt_pose_get(pose, i);
            assert_memory_equal(&t, i < n ? &one_up : &identity, sizeof t);
        }
        for (const unsigned char *at = (const unsigned char *)(pose + SQT_POSE_BLOCKS(n));
             at < (const unsigned char *)(pose + 4); ++at) {
            assert_int_equal(*at, 0xFF);
        }
    }
    sqt_pose_block pose[3];
    assert_int_equal(sqt_skeleton_rest(NULL, &lod), SQT_ERROR_NULL);
    assert_int_equal(sqt_skeleton_rest(pose, NULL), SQT_ERROR_NULL);
    free(b.memory);
    free(joints);
}

// ---- Sorting and appending ----

static void a_child_before_its_parent_is_sorted_behind_it(void **state) {
    (void)state;
    const sqt_joint joints[] = {{"child", 1, {{0, 0, 0, 1}, {0, 2, 0}, {1, 1, 1}}},
                                {"root", SQT_NO_JOINT, {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}}}};
    sqt_skeleton refused;
    unsigned char memory[2048];
    sqt_fault fault;
    assert_int_equal(sqt_skeleton_build(&refused, joints, 2, memory, sizeof memory, &fault), SQT_ERROR_ORDER);
    assert_fault(fault, "parent", 0, 0);
    sqt_joint sorted[2];
    uint16_t remap[2];
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, 2, NULL), SQT_OK);
    assert_int_equal(remap[0], 1);
    assert_int_equal(remap[1], 0);
    assert_string_equal(sorted[0].name, "root");
    assert_int_equal(sorted[0].parent, SQT_NO_JOINT);
    assert_string_equal(sorted[1].name, "child");
    assert_int_equal(sorted[1].parent, 0);
    const built b = build(sorted, 2);
    const float y = sqt_pose_get(b.skeleton.rest, 0).translation.y + sqt_pose_get(b.skeleton.rest, 1).translation.y;
    assert_close(y, 3, 0); // never 2
    free(b.memory);
}

static void expect_sort_error(const sqt_joint *joints, uint32_t joint_count, sqt_result want, uint32_t index) {
    sqt_joint sorted[8], untouched[8];
    memset(sorted, 0x5A, sizeof sorted);
    memset(untouched, 0x5A, sizeof untouched);
    uint16_t remap[8];
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, joint_count, &fault), want);
    assert_fault(fault, "parent", index, 0);
    assert_memory_equal(sorted, untouched, sizeof sorted);
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, joint_count, NULL), want);
}

static void cycles_self_parents_and_strangers_are_refused(void **state) {
    (void)state;
    const sqt_joint self[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 1)};
    expect_sort_error(self, 2, SQT_ERROR_ORDER, 1);
    const sqt_joint pair[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 2), joint_of("c", 1)};
    expect_sort_error(pair, 3, SQT_ERROR_ORDER, 1);
    // 0 and 1 hang below the cycle 4 -> 3 -> 5 -> 4: the fault names a joint of the cycle, not of its tail.
    const sqt_joint tail[] = {joint_of("a", 1), joint_of("b", 4), joint_of("c", SQT_NO_JOINT),
                              joint_of("d", 5), joint_of("e", 3), joint_of("f", 4)};
    expect_sort_error(tail, 6, SQT_ERROR_ORDER, 3);
    const sqt_joint stranger[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 0), joint_of("c", 3)};
    expect_sort_error(stranger, 3, SQT_ERROR_COUNT, 2);
    const sqt_joint wide[] = {joint_of("a", 0x1FFFF)};
    expect_sort_error(wide, 1, SQT_ERROR_COUNT, 0);
    sqt_joint sorted[2];
    uint16_t remap[2];
    sqt_fault fault;
    assert_int_equal(sqt_joint_sort(NULL, remap, self, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "sorted", 0, 0);
    assert_int_equal(sqt_joint_sort(sorted, NULL, self, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "remap", 0, 0);
    assert_int_equal(sqt_joint_sort(sorted, remap, NULL, 2, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_joint_sort(sorted, remap, self, 0, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
}

static void two_roots_are_independent(void **state) {
    (void)state;
    const sqt_joint joints[] = {joint_of("b", 3), joint_of("a", SQT_NO_JOINT), joint_of("c", 1),
                                joint_of("d", SQT_NO_JOINT)};
    sqt_joint sorted[4];
    uint16_t remap[4];
    assert_int_equal(sqt_joint_sort(sorted, remap, joints, 4, NULL), SQT_OK);
    const built b = build(sorted, 4);
    assert_true(sqt_skeleton_is_below(&b.skeleton, remap[3], remap[0]));
    assert_true(sqt_skeleton_is_below(&b.skeleton, remap[1], remap[2]));
    assert_false(sqt_skeleton_is_below(&b.skeleton, remap[1], remap[0]));
    assert_false(sqt_skeleton_is_below(&b.skeleton, remap[3], remap[2]));
    assert_int_equal(b.skeleton.parents[remap[1]], SQT_NO_JOINT);
    assert_int_equal(b.skeleton.parents[remap[3]], SQT_NO_JOINT);
    free(b.memory);
}

static void random_trees_in_random_order_sort_consistently(void **state) {
    (void)state;
    enum { N = 180 };
    check_random random = {SEED};
    static sqt_joint joints[N], shuffled[N], sorted[N];
    static char names[N][16];
    static uint32_t place[N];
    static uint16_t remap[N];
    for (uint32_t round = 0; round < 60; ++round) {
        const uint32_t n = 1 + check_random_below(&random, N);
        random_tree(joints, names, n, &random);
        // In order already: nothing moves.
        assert_int_equal(sqt_joint_sort(sorted, remap, joints, n, NULL), SQT_OK);
        assert_memory_equal(sorted, joints, n * sizeof *joints);
        for (uint32_t i = 0; i < n; ++i) assert_int_equal(remap[i], i);

        for (uint32_t i = 0; i < n; ++i) place[i] = i;
        for (uint32_t i = n; i > 1; --i) {
            const uint32_t k = check_random_below(&random, i), kept = place[i - 1];
            place[i - 1] = place[k];
            place[k] = kept;
        }
        for (uint32_t i = 0; i < n; ++i) {
            shuffled[place[i]] = joints[i];
            if (joints[i].parent != SQT_NO_JOINT) shuffled[place[i]].parent = place[joints[i].parent];
        }
        assert_int_equal(sqt_joint_sort(sorted, remap, shuffled, n, NULL), SQT_OK);
        static bool taken[N];
        memset(taken, 0, sizeof taken);
        for (uint32_t i = 0; i < n; ++i) {
            assert_true(remap[i] < n && !taken[remap[i]]);
            taken[remap[i]] = true;
            const sqt_joint *const moved = &sorted[remap[i]];
            assert_ptr_equal(moved->name, shuffled[i].name);
            assert_memory_equal(&moved->rest, &shuffled[i].rest, sizeof moved->rest);
            if (shuffled[i].parent == SQT_NO_JOINT) {
                assert_int_equal(moved->parent, SQT_NO_JOINT);
            } else {
                assert_int_equal(moved->parent, remap[shuffled[i].parent]);
                assert_true(moved->parent < remap[i]);
            }
        }
        free(build(sorted, n).memory);
    }
}

static void appended_joints_hang_below_the_joint_given(void **state) {
    (void)state;
    sqt_joint joints[10];
    memcpy(joints, six, sizeof six);
    const sqt_joint coat[] = {{"collar", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY},
                              {"flap", 0, {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}}},
                              {"hood", SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY}};
    sqt_fault fault;
    assert_int_equal(sqt_joint_append(joints, 6, 9, coat, 3, 1, &fault), SQT_OK);
    assert_memory_equal(joints, six, sizeof six);
    const built b = build(joints, 9);
    assert_int_equal(b.skeleton.parents[6], 1);
    assert_int_equal(b.skeleton.parents[7], 6);
    assert_int_equal(b.skeleton.parents[8], 1);
    assert_int_equal(sqt_skeleton_find_below(&b.skeleton, 1, "flap"), 7);
    assert_close(sqt_pose_get(b.skeleton.rest, 7).translation.y, 1, 0);
    free(b.memory);
    assert_int_equal(sqt_joint_append(joints, 6, 10, coat, 3, SQT_NO_JOINT, &fault), SQT_OK);
    assert_int_equal(joints[6].parent, SQT_NO_JOINT);
    assert_int_equal(joints[7].parent, 6);
    assert_int_equal(joints[8].parent, SQT_NO_JOINT);
    // To nothing, and nothing to something.
    assert_int_equal(sqt_joint_append(joints, 0, 10, coat, 3, SQT_NO_JOINT, NULL), SQT_OK);
    assert_memory_equal(joints, coat, sizeof coat);
    assert_int_equal(sqt_joint_append(joints, 3, 3, NULL, 0, 0, NULL), SQT_OK);
    assert_memory_equal(joints, coat, sizeof coat);
}

static void expect_append_error(const sqt_joint *other, uint32_t other_count, uint32_t capacity, uint32_t parent,
                                sqt_result want, const char *field, uint32_t index) {
    sqt_joint joints[12], before[12];
    memset(joints, 0x5A, sizeof joints);
    memcpy(joints, six, sizeof six);
    memcpy(before, joints, sizeof joints);
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_joint_append(joints, 6, capacity, other, other_count, parent, &fault), want);
    assert_fault(fault, field, index, 0);
    assert_memory_equal(joints, before, sizeof joints);
    assert_int_equal(sqt_joint_append(joints, 6, capacity, other, other_count, parent, NULL), want);
}

static void append_names_every_error_and_writes_nothing(void **state) {
    (void)state;
    const sqt_joint other[] = {joint_of("a", 1), joint_of("b", SQT_NO_JOINT)};
    const sqt_joint stranger[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 2)};
    expect_append_error(NULL, 2, 12, 0, SQT_ERROR_NULL, "other", 0);
    expect_append_error(other, 2, 7, 0, SQT_ERROR_SPACE, "joint_capacity", 0);
    expect_append_error(other, 65530, 65535, 0, SQT_ERROR_COUNT, "other_count", 0);
    expect_append_error(other, 2, 12, 6, SQT_ERROR_COUNT, "parent", 0);
    expect_append_error(stranger, 2, 12, 0, SQT_ERROR_COUNT, "other", 1);
    assert_int_equal(sqt_joint_append(NULL, 0, 2, other, 2, SQT_NO_JOINT, NULL), SQT_ERROR_NULL);
}

// ---- Rest poses from global matrices ----

/// T * R * S in double precision, as the formula has it: the columns of the rotation, each times its scale.
static void matrix_of(double *m, sqt_transform t) {
    const double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
    const double k = 2 / (x * x + y * y + z * z + w * w);
    const double columns[12] = {1 - k * (y * y + z * z), k * (x * y + w * z),     k * (x * z - w * y),     // x axis
                                k * (x * y - w * z),     1 - k * (x * x + z * z), k * (y * z + w * x),     // y axis
                                k * (x * z + w * y),     k * (y * z - w * x),     1 - k * (x * x + y * y), // z axis
                                t.translation.x,         t.translation.y,         t.translation.z};
    const double scale[4] = {t.scale.x, t.scale.y, t.scale.z, 1};
    for (int i = 0; i < 12; ++i) m[i] = columns[i] * scale[i / 3];
}

static void multiply(double *out, const double *a, const double *b) {
    double m[12];
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) {
            m[3 * c + r] =
                a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1] + a[6 + r] * b[3 * c + 2] + (c == 3 ? a[9 + r] : 0);
        }
    }
    memcpy(out, m, sizeof m);
}

static sqt_mat4 rounded(const double *m) {
    sqt_mat4 out = SQT_MAT4_IDENTITY;
    for (int i = 0; i < 12; ++i) out.m[4 * (i / 3) + i % 3] = (float)m[i];
    return out;
}

static void rest_of_a_turned_parent_is_worked_out_by_hand(void **state) {
    (void)state;
    // Parent at (1, 0, 0), turned 90 degrees about z; the child is not turned, at (1, 2, 0) in the world: seen from the
    // parent it lies 2 along x and is turned back. Children before parents.
    sqt_joint joints[] = {joint_of("child", 1), joint_of("parent", SQT_NO_JOINT)};
    sqt_mat4 global[2] = {SQT_MAT4_IDENTITY, {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}}};
    global[0].m[12] = 1;
    global[0].m[13] = 2;
    assert_int_equal(sqt_joint_rest_from_global(joints, global, 2, NULL), SQT_OK);
    const sqt_vec3 two = {2, 0, 0}, one = {1, 0, 0}, unit = {1, 1, 1};
    const sqt_quat back = {0, 0, -0.70710678f, 0.70710678f}, turned = {0, 0, 0.70710678f, 0.70710678f};
    assert_vec3_close(joints[0].rest.translation, two, 1e-7);
    assert_rotation_close(joints[0].rest.rotation, back, 1e-7);
    assert_vec3_close(joints[0].rest.scale, unit, 1e-7);
    assert_vec3_close(joints[1].rest.translation, one, 1e-7);
    assert_rotation_close(joints[1].rest.rotation, turned, 1e-7);
    assert_string_equal(joints[0].name, "child");
    assert_int_equal(joints[0].parent, 1);
}

static void rest_from_global_gives_back_random_poses(void **state) {
    (void)state;
    enum { N = 60 };
    check_random random = {SEED};
    static sqt_joint joints[N], before[N];
    static char names[N][16];
    static double global[N][12];
    static sqt_mat4 matrices[N];
    for (uint32_t round = 0; round < 30; ++round) {
        random_tree(joints, names, N, &random);
        for (uint32_t i = 0; i < N; ++i) {
            // Leaves may scale by axis and mirror; joints with children uniformly, else a matrix has shear.
            sqt_transform *const t = &joints[i].rest;
            bool leaf = true;
            for (uint32_t k = i + 1; k < N; ++k) leaf = leaf && joints[k].parent != i;
            t->scale = leaf ? check_random_vec3(&random, 0.25f, 4) : (sqt_vec3){1.25f, 1.25f, 1.25f};
            if (leaf && check_random_below(&random, 2)) t->scale.x = -t->scale.x;
            matrix_of(global[i], *t);
            if (joints[i].parent != SQT_NO_JOINT) multiply(global[i], global[joints[i].parent], global[i]);
            matrices[i] = rounded(global[i]);
        }
        memcpy(before, joints, sizeof joints);
        for (uint32_t i = 0; i < N; ++i) memset(&joints[i].rest, 0xFF, sizeof joints[i].rest);
        assert_int_equal(sqt_joint_rest_from_global(joints, matrices, N, NULL), SQT_OK);
        for (uint32_t i = 0; i < N; ++i) {
            const sqt_transform *const a = &joints[i].rest, *const b = &before[i].rest;
            // Matrices are rounded to float: positions by their size, of which the difference is taken.
            double size = 1;
            for (int k = 0; k < 12; ++k) size = fmax(size, fabs(global[i][k]));
            if (joints[i].parent != SQT_NO_JOINT) {
                for (int k = 0; k < 12; ++k) size = fmax(size, fabs(global[joints[i].parent][k]));
            }
            assert_rotation_close(a->rotation, b->rotation, 2e-6);
            assert_vec3_close(a->translation, b->translation, 3e-7 * size);
            assert_vec3_close(a->scale, b->scale, 4e-6);
            assert_true(a->rotation.w >= 0);
        }
    }
}

static void expect_rest_error(sqt_joint *joints, const sqt_mat4 *global, uint32_t joint_count, sqt_result want,
                              const char *field, uint32_t index, uint32_t element) {
    sqt_joint before[4];
    memcpy(before, joints, joint_count * sizeof *joints);
    sqt_fault fault = {NULL, 77, 77};
    assert_int_equal(sqt_joint_rest_from_global(joints, global, joint_count, &fault), want);
    assert_fault(fault, field, index, element);
    assert_memory_equal(joints, before, joint_count * sizeof *joints);
}

static void rest_from_global_names_every_error_and_writes_nothing(void **state) {
    (void)state;
    sqt_joint joints[] = {joint_of("a", SQT_NO_JOINT), joint_of("b", 0), joint_of("c", 1), joint_of("d", 1)};
    const sqt_mat4 good[4] = {SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY};
    sqt_mat4 global[4];
    for (uint32_t k = 0; k < 16; ++k) {
        memcpy(global, good, sizeof good);
        global[3].m[k] = k % 2 ? NAN : INFINITY;
        expect_rest_error(joints, global, 4, SQT_ERROR_NUMBER, "global", 3, k);
    }
    memcpy(global, good, sizeof good);
    global[1].m[5] = 0; // flat, and has children
    expect_rest_error(joints, global, 4, SQT_ERROR_NUMBER, "global", 1, 0);
    memcpy(global, good, sizeof good);
    global[1].m[0] = 1e-30f; // all but flat: its child, 1e30 away, is out of reach of floats
    global[2].m[12] = 1e30f;
    expect_rest_error(joints, global, 4, SQT_ERROR_NUMBER, "global", 1, 0);
    memcpy(global, good, sizeof good);
    global[0].m[0] = global[0].m[1] = global[0].m[2] = 3e38f; // a column longer than any float
    expect_rest_error(joints, global, 4, SQT_ERROR_NUMBER, "global", 0, 0);
    memcpy(global, good, sizeof good);
    global[3].m[10] = 0; // flat without children: nothing is wrong
    assert_int_equal(sqt_joint_rest_from_global(joints, global, 4, NULL), SQT_OK);
    assert_close(joints[3].rest.scale.z, 0, 0);
    joints[2].parent = 4;
    expect_rest_error(joints, good, 4, SQT_ERROR_COUNT, "parent", 2, 0);
    expect_rest_error(joints, good, 0, SQT_ERROR_COUNT, "joint_count", 0, 0);
    expect_rest_error(joints, NULL, 4, SQT_ERROR_NULL, "global", 0, 0);
    sqt_fault fault;
    assert_int_equal(sqt_joint_rest_from_global(NULL, good, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "joints", 0, 0);
}

/// Splits one matrix, as a root.
static sqt_transform split(sqt_mat4 m) {
    sqt_joint joint = joint_of("root", SQT_NO_JOINT);
    assert_int_equal(sqt_joint_rest_from_global(&joint, &m, 1, NULL), SQT_OK);
    const sqt_quat q = joint.rest.rotation;
    assert_close((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w, 1, 3e-7);
    assert_true(q.w >= 0);
    return joint.rest;
}

static void tiny_huge_and_mirrored_matrices_split_and_join_again(void **state) {
    (void)state;
    check_random random = {SEED};
    static const float sizes[] = {1e-12f, 1e-3f, 1, 1e4f, 1e12f};
    for (uint32_t round = 0; round < 2000; ++round) {
        sqt_transform t = random_transform(&random);
        float *const scale = &t.scale.x;
        for (uint32_t k = 0; k < 3; ++k) {
            (&scale[0])[k] *= sizes[check_random_below(&random, 5)] * (check_random_below(&random, 2) ? -1.0f : 1.0f);
        }
        double m[12], back[12];
        matrix_of(m, t);
        const sqt_mat4 matrix = rounded(m);
        const sqt_transform s = split(matrix);
        matrix_of(back, s);
        for (int c = 0; c < 3; ++c) {
            const double length = sqrt(m[3 * c] * m[3 * c] + m[3 * c + 1] * m[3 * c + 1] + m[3 * c + 2] * m[3 * c + 2]);
            for (int r = 0; r < 3; ++r) assert_close(back[3 * c + r], m[3 * c + r], 1e-6 * length);
        }
        const bool mirrored = (t.scale.x < 0) ^ (t.scale.y < 0) ^ (t.scale.z < 0);
        assert_true((s.scale.x < 0) == mirrored);
        assert_true(s.scale.y > 0 && s.scale.z > 0);
    }
}

static void zero_columns_keep_the_other_axes_in_place(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 500; ++round) {
        sqt_transform t = random_transform(&random);
        const uint32_t zeros = 1 + check_random_below(&random, 7); // a bit an axis
        if (zeros & 1) t.scale.x = 0;
        if (zeros & 2) t.scale.y = 0;
        if (zeros & 4) t.scale.z = 0;
        double m[12], back[12];
        matrix_of(m, t);
        const sqt_transform s = split(rounded(m));
        matrix_of(back, s);
        for (int i = 0; i < 12; ++i) assert_close(back[i], m[i], 3e-6);
        assert_true((s.scale.x == 0) == (t.scale.x == 0));
        assert_true((s.scale.y == 0) == (t.scale.y == 0));
        assert_true((s.scale.z == 0) == (t.scale.z == 0));
    }
    // Flattened along the axes alone: no rotation at all.
    const sqt_quat none = SQT_QUAT_IDENTITY;
    for (uint32_t zeros = 1; zeros < 8; ++zeros) {
        sqt_mat4 m = SQT_MAT4_IDENTITY;
        for (uint32_t k = 0; k < 3; ++k) {
            if (zeros >> k & 1) m.m[5 * k] = 0;
        }
        assert_rotation_close(split(m).rotation, none, 0);
    }
}

static void shear_is_dropped_in_the_order_x_y_z(void **state) {
    (void)state;
    // x stays; y leans by (3, 4, 0), length 5, and is set upright; z leans both ways.
    const sqt_mat4 sheared = {{2, 0, 0, 0, 3, 4, 0, 0, 2, 6, 9, 0, 0, 0, 0, 1}};
    const sqt_quat none = SQT_QUAT_IDENTITY;
    const sqt_vec3 lengths = {2, 5, 11};
    sqt_transform t = split(sheared);
    assert_rotation_close(t.rotation, none, 1e-7);
    assert_vec3_close(t.scale, lengths, 1e-6);
    // Parallel columns: each keeps its length, and what they do not say is completed.
    const sqt_mat4 parallel = {{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1}};
    const sqt_vec3 three = {1, 2, 3};
    t = split(parallel);
    assert_rotation_close(t.rotation, none, 1e-7);
    assert_vec3_close(t.scale, three, 1e-6);
    const sqt_mat4 line = {{1, 1, 1, 0, -2, -2, -2, 0, 3, 3, 3, 0, 0, 0, 0, 1}};
    t = split(line);
    double m[12];
    matrix_of(m, t);
    for (int i = 0; i < 3; ++i) assert_close(m[i], 1, 1e-6);
}

static void half_turns_split_without_loss(void **state) {
    (void)state;
    // The trace is -1: the axis is found from the largest diagonal element, whichever components are 0.
    static const sqt_quat axes[] = {{1, 0, 0, 0},         {0, 1, 0, 0},         {0, 0, 1, 0},
                                    {0, 0.6f, 0.8f, 0},   {0.6f, 0, -0.8f, 0},  {0.8f, 0.6f, 0, 0},
                                    {1e-4f, 1, 1e-5f, 0}, {1e-5f, -1e-4f, 1, 0}};
    for (uint32_t i = 0; i < sizeof axes / sizeof *axes; ++i) {
        const sqt_transform t = {axes[i], {0, 0, 0}, {1, 1, 1}};
        double m[12];
        matrix_of(m, t);
        assert_rotation_close(split(rounded(m)).rotation, axes[i], 1e-7);
    }
    check_random random = {SEED};
    for (uint32_t round = 0; round < 1000; ++round) {
        const sqt_quat q = check_random_quat(&random);
        const double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
        if (length < 0.1) continue;
        const sqt_transform t = {{(float)(q.x / length), (float)(q.y / length), (float)(q.z / length),
                                  check_random_float(&random, 0, 1e-6f)},
                                 {0, 0, 0},
                                 {1, 1, 1}};
        double m[12];
        matrix_of(m, t);
        assert_rotation_close(split(rounded(m)).rotation, t.rotation, 3e-7);
    }
}

int main(void) {
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_every_length_build_in_order),
        cmocka_unit_test(more_joints_than_the_limit_are_refused),
        cmocka_unit_test(the_deepest_and_the_widest_trees_sort_in_any_order),
        cmocka_unit_test(schedule_goes_level_by_level_in_ascending_joints),
        cmocka_unit_test(schedule_of_random_trees_ascends_by_level_and_joint),
        cmocka_unit_test(names_are_ordered_by_hash_then_joint),
        cmocka_unit_test(any_alignment_of_memory_serves_and_nothing_outside_is_touched),
        cmocka_unit_test(build_names_every_error_and_writes_nothing),
        cmocka_unit_test(build_needs_its_outputs_and_every_byte),
        cmocka_unit_test(rest_rotations_are_normalised_and_tiny_values_snapped),
        cmocka_unit_test(rig_hash_is_fnv_1a_of_names_and_parents),
        cmocka_unit_test(rest_poses_do_not_change_the_rig_hash),
        cmocka_unit_test(joints_read_back_build_the_same_bytes),
        cmocka_unit_test(a_joint_out_of_range_reads_as_identity_without_a_parent),
        cmocka_unit_test(validate_names_members_that_are_missing_or_out_of_range),
        cmocka_unit_test(validate_names_spoiled_parents_and_schedules),
        cmocka_unit_test(validate_names_a_spoiled_rest_pose),
        cmocka_unit_test(validate_names_spoiled_names),
        cmocka_unit_test(validate_does_not_hash_one_long_name_for_every_joint),
        cmocka_unit_test(any_change_to_any_array_is_found),
        cmocka_unit_test(names_are_compared_where_hashes_collide),
        cmocka_unit_test(joints_without_a_name_are_never_found),
        cmocka_unit_test(repeated_names_give_the_first_and_the_first_below),
        cmocka_unit_test(one_name_all_down_a_deep_chain_is_walked_once),
        cmocka_unit_test(every_name_of_a_large_skeleton_is_found),
        cmocka_unit_test(map_finds_all_names_or_writes_nothing),
        cmocka_unit_test(children_come_in_ascending_order),
        cmocka_unit_test(children_and_roots_together_are_all_joints),
        cmocka_unit_test(is_below_follows_parents_only),
        cmocka_unit_test(a_level_of_detail_knows_only_its_own_joints),
        cmocka_unit_test(rest_pose_is_padded_with_identity_also_in_a_level_of_detail),
        cmocka_unit_test(a_child_before_its_parent_is_sorted_behind_it),
        cmocka_unit_test(cycles_self_parents_and_strangers_are_refused),
        cmocka_unit_test(two_roots_are_independent),
        cmocka_unit_test(random_trees_in_random_order_sort_consistently),
        cmocka_unit_test(appended_joints_hang_below_the_joint_given),
        cmocka_unit_test(append_names_every_error_and_writes_nothing),
        cmocka_unit_test(rest_of_a_turned_parent_is_worked_out_by_hand),
        cmocka_unit_test(rest_from_global_gives_back_random_poses),
        cmocka_unit_test(rest_from_global_names_every_error_and_writes_nothing),
        cmocka_unit_test(tiny_huge_and_mirrored_matrices_split_and_join_again),
        cmocka_unit_test(zero_columns_keep_the_other_axes_in_place),
        cmocka_unit_test(shear_is_dropped_in_the_order_x_y_z),
        cmocka_unit_test(half_turns_split_without_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
