// Skins, palettes and CPU skinning: every promise of sqt/skin.h, with expected values by hand or in double precision.
#include "check_guard.h"
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0x5C14, PALETTE = 24, MOST_INFLUENCES = 14 };

static void *make(size_t count, size_t bytes) {
    void *const memory = malloc(count * bytes + 1);
    assert_non_null(memory);
    memset(memory, 0xFF, count * bytes);
    return memory;
}

static void assert_untouched(const void *memory, size_t bytes) {
    const unsigned char *const byte = memory;
    for (size_t i = 0; i < bytes; ++i) {
        if (byte[i] != 0xFF) fail_msg("byte %zu was written", i);
    }
}

static sqt_mat4 scale_matrix(float x, float y, float z) {
    const sqt_mat4 m = {{x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}};
    return m;
}

static sqt_mat4 move_matrix(float x, float y, float z) {
    const sqt_mat4 m = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}};
    return m;
}

static sqt_mat4 random_affine(check_random *random) {
    sqt_mat4 m;
    for (uint32_t i = 0; i < 16; ++i) m.m[i] = i % 4 == 3 ? (i == 15 ? 1.0f : 0.0f) : check_random_float(random, -2, 2);
    return m;
}

/// A chain, each joint one above the other, and its rest pose's global matrices.
static check_tree steps(uint32_t joint_count) {
    const sqt_transform step = {SQT_QUAT_IDENTITY, {0, 1, 0}, {1, 1, 1}};
    return check_tree_chain(joint_count, step);
}

static sqt_mat4 *rest_globals(const sqt_skeleton *skeleton) {
    sqt_pose_block *const local = check_pose_make(skeleton->joint_count);
    sqt_mat4 *const global = make(skeleton->joint_count, sizeof *global);
    assert_int_equal(sqt_skeleton_rest(local, skeleton), SQT_OK);
    assert_int_equal(sqt_global_from_local(global, skeleton, local, NULL), SQT_OK);
    free(local);
    return global;
}

// ---- Skins ----

static void a_skin_knows_its_rig_and_its_largest_joint(void **state) {
    (void)state;
    check_tree tree = steps(20);
    static const uint16_t joints[] = {7, 3, 11, 3};
    sqt_mat4 inverse_bind[4];
    for (uint32_t k = 0; k < 4; ++k) inverse_bind[k] = move_matrix((float)k, 0, 0);
    sqt_skin skin;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 4, inverse_bind, NULL), SQT_OK);
    assert_int_equal(skin.rig_hash, tree.skeleton.rig_hash);
    assert_int_equal(skin.joint_count, 4);
    assert_int_equal(skin.joint_limit, 12);
    assert_ptr_equal(skin.joints, joints);
    assert_ptr_equal(skin.inverse_bind, inverse_bind);
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, NULL), SQT_OK);
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, 20, NULL, NULL), SQT_OK);
    assert_int_equal(skin.joint_limit, 20);
    assert_null(skin.joints);
    assert_null(skin.inverse_bind);
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 2, NULL, NULL), SQT_OK);
    assert_int_equal(skin.joint_limit, 8);
    // More entries than joints: a joint may be listed more than once.
    uint16_t many[300];
    for (uint32_t k = 0; k < 300; ++k) many[k] = (uint16_t)(k % 5);
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, many, 300, NULL, NULL), SQT_OK);
    assert_int_equal(skin.joint_limit, 5);
    check_tree_free(&tree);
}

static void a_wrong_skin_is_named_and_left_alone(void **state) {
    (void)state;
    check_tree tree = steps(20);
    uint16_t joints[3] = {7, 3, 19};
    sqt_mat4 inverse_bind[3];
    for (uint32_t k = 0; k < 3; ++k) inverse_bind[k] = move_matrix((float)k, 0, 0);
    sqt_skin skin, untouched;
    sqt_fault fault;
    memset(&skin, 0xFF, sizeof skin);
    memset(&untouched, 0xFF, sizeof untouched);
    assert_int_equal(sqt_skin_init(NULL, &tree.skeleton, joints, 3, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skin", 0, 0);
    assert_int_equal(sqt_skin_init(&skin, NULL, joints, 3, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    static const uint32_t counts[] = {0, SQT_MAX_JOINTS + 1, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, counts[i], inverse_bind, &fault),
                         SQT_ERROR_COUNT);
        assert_fault(fault, "joint_count", 0, 0);
    }
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, 21, NULL, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 20, 0);
    joints[1] = 20;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, NULL, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    joints[1] = SQT_NO_JOINT;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, NULL, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    joints[1] = 3;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 16; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            for (uint32_t w = 0; w < 3; ++w) {
                const sqt_mat4 whole = inverse_bind[k];
                inverse_bind[k].m[i] = wrong[w];
                assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, inverse_bind, &fault),
                                 SQT_ERROR_NUMBER);
                assert_fault(fault, "inverse_bind", k, i);
                inverse_bind[k] = whole;
            }
        }
        if (i % 4 == 3) { // the last row
            const sqt_mat4 whole = inverse_bind[1];
            inverse_bind[1].m[i] += 1e-3f;
            assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, inverse_bind, NULL), SQT_ERROR_NUMBER);
            assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, inverse_bind, &fault), SQT_ERROR_NUMBER);
            assert_fault(fault, "inverse_bind", 1, i);
            inverse_bind[1] = whole;
        }
    }
    assert_memory_equal(&skin, &untouched, sizeof skin);
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, inverse_bind, &fault), SQT_OK);
    check_tree_free(&tree);
}

static void a_skin_from_elsewhere_is_checked(void **state) {
    (void)state;
    check_tree tree = steps(20);
    static const uint16_t joints[3] = {7, 3, 11};
    sqt_mat4 inverse_bind[3] = {SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY, SQT_MAT4_IDENTITY};
    sqt_skin good, skin;
    sqt_fault fault;
    assert_int_equal(sqt_skin_init(&good, &tree.skeleton, joints, 3, inverse_bind, NULL), SQT_OK);
    assert_int_equal(sqt_skin_validate(NULL, &tree.skeleton, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skin", 0, 0);
    assert_int_equal(sqt_skin_validate(&good, NULL, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    skin = good;
    skin.rig_hash ^= 1;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_RIG);
    assert_fault(fault, "rig_hash", 0, 0);
    skin.rig_hash = 0; // fits any
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_OK);
    skin = good;
    skin.joint_count = 0;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    skin.joint_count = SQT_MAX_JOINTS + 1;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_count", 0, 0);
    skin = good;
    skin.joint_limit = 21;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_limit", 0, 0);
    skin.joint_limit = 20; // more than is used, and still below joint_count: no lie
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_OK);
    skin.joint_limit = 11;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 2, 0);
    skin.joints = NULL;
    skin.joint_limit = 2;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 2, 0);
    skin = good;
    inverse_bind[2].m[13] = INFINITY;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "inverse_bind", 2, 13);
    inverse_bind[2].m[13] = 0;
    inverse_bind[0].m[15] = 0;
    assert_int_equal(sqt_skin_validate(&skin, &tree.skeleton, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "inverse_bind", 0, 15);
    // A level of detail without joint 11.
    inverse_bind[0].m[15] = 1;
    sqt_skeleton lod = tree.skeleton;
    lod.joint_count = 11;
    assert_int_equal(sqt_skin_validate(&good, &lod, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joint_limit", 0, 0);
    lod.joint_count = 12;
    assert_int_equal(sqt_skin_validate(&good, &lod, &fault), SQT_OK);
    check_tree_free(&tree);
}

// ---- Bind matrices ----

static void bind_matrices_are_the_inverses_of_the_globals(void **state) {
    (void)state;
    check_random random = {SEED};
    static const uint16_t joints[] = {9, 0, 4, 9, 19};
    for (uint32_t round = 0; round < 200; ++round) {
        sqt_mat4 global[20];
        for (uint32_t j = 0; j < 20; ++j) {
            const sqt_transform t = {check_random_quat(&random), check_random_vec3(&random, -100, 100),
                                     check_random_vec3(&random, 0.01f, 50)};
            global[j] = check_dmat_rounded(check_dmat_from_transform(t));
        }
        sqt_mat4 listed[6], all[21];
        memset(listed, 0xFF, sizeof listed);
        memset(all, 0xFF, sizeof all);
        assert_int_equal(sqt_skin_bind_from_global(listed, joints, 5, global, 20, NULL), SQT_OK);
        assert_int_equal(sqt_skin_bind_from_global(all, NULL, 20, global, 20, NULL), SQT_OK);
        for (uint32_t k = 0; k < 20; ++k) {
            const check_dmat inverse = check_dmat_inverse(check_dmat_of(global[k]));
            check_assert_matrix(all[k], inverse, 1e-6 * check_dmat_size(inverse, false),
                                1e-6 * check_dmat_size(inverse, true), k);
            check_assert_last_row(all[k], k);
        }
        for (uint32_t k = 0; k < 5; ++k) assert_memory_equal(listed + k, all + joints[k], sizeof *listed);
        assert_untouched(listed + 5, sizeof *listed);
        assert_untouched(all + 20, sizeof *all);
    }
}

static void bind_matrices_of_the_rest_pose_are_double_precision_along_the_chain(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    enum { COUNT = 300 };
    check_tree tree = check_tree_make(COUNT);
    for (uint32_t j = 0; j < COUNT; ++j) { // a curl of 300 joints, and a few limbs on it
        if (j > 0) tree.joints[j].parent = j % 10 == 0 && j > 20 ? j - 15 : j - 1;
        tree.joints[j].rest.rotation = check_degrees(0.6, 0, 0.8, 3 + (double)check_random_float(&random, 0, 1));
        tree.joints[j].rest.translation = check_random_vec3(&random, 0, 0.2f);
        if (j == 250) tree.joints[j].rest.scale.y = 1.5f;
    }
    check_tree_build(&tree);
    check_dmat exact[COUNT];
    sqt_mat4 *const inverse_bind = make(COUNT, sizeof *inverse_bind);
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, &tree.skeleton, NULL, COUNT, NULL), SQT_OK);
    for (uint32_t j = 0; j < COUNT; ++j) {
        const check_dmat own = check_dmat_from_transform(sqt_pose_get(tree.skeleton.rest, j));
        exact[j] = j == 0 ? own : check_dmat_multiply(exact[tree.skeleton.parents[j]], own);
        const check_dmat inverse = check_dmat_inverse(exact[j]);
        check_assert_matrix(inverse_bind[j], inverse, 2e-7, 2e-7 * fmax(1, check_dmat_size(inverse, true)), j);
        check_assert_last_row(inverse_bind[j], j);
    }
    static const uint16_t joints[] = {299, 0, 150, 299};
    sqt_mat4 listed[4];
    assert_int_equal(sqt_skin_bind_from_rest(listed, &tree.skeleton, joints, 4, NULL), SQT_OK);
    for (uint32_t k = 0; k < 4; ++k) assert_memory_equal(listed + k, inverse_bind + joints[k], sizeof *listed);
    free(inverse_bind);
    check_tree_free(&tree);
}

static void a_bind_matrix_by_hand(void **state) {
    (void)state; // 90Z S 2 at (1, 2, 3): back by -(1, 2, 3), turned by -90Z, halved
    const sqt_mat4 global = {{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1}};
    const float expected[16] = {0, -0.5f, 0, 0, 0.5f, 0, 0, 0, 0, 0, 0.5f, 0, -1, 0.5f, -1.5f, 1};
    sqt_mat4 inverse_bind;
    assert_int_equal(sqt_skin_bind_from_global(&inverse_bind, NULL, 1, &global, 1, NULL), SQT_OK);
    assert_all_close(inverse_bind.m, expected, 16, 1e-7);
}

static void what_cannot_be_inverted_is_named_and_nothing_is_written(void **state) {
    (void)state;
    sqt_mat4 global[4], inverse_bind[4];
    for (uint32_t j = 0; j < 4; ++j) global[j] = move_matrix((float)j, 1, 1);
    static const uint16_t joints[] = {3, 1, 0};
    const uint16_t beyond[] = {3, 4, 0};
    sqt_fault fault;
    memset(inverse_bind, 0xFF, sizeof inverse_bind);
    assert_int_equal(sqt_skin_bind_from_global(NULL, joints, 3, global, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "inverse_bind", 0, 0);
    assert_int_equal(sqt_skin_bind_from_global(inverse_bind, joints, 3, NULL, 4, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "global", 0, 0);
    assert_int_equal(sqt_skin_bind_from_global(inverse_bind, beyond, 3, global, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 1, 0);
    assert_int_equal(sqt_skin_bind_from_global(inverse_bind, NULL, 5, global, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 4, 0);
    const sqt_mat4 wrong[] = {scale_matrix(1, 0, 1),
                              scale_matrix(0, 0, 0),
                              scale_matrix(1e-39f, 1, 1),
                              scale_matrix(1, NAN, 1),
                              move_matrix(INFINITY, 0, 0),
                              {{1, 2, 3, 0, 4, 5, 6, 0, 5, 7, 9, 0, 0, 0, 0, 1}}}; // the third column is their sum
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        global[0] = wrong[i];
        assert_int_equal(sqt_skin_bind_from_global(inverse_bind, joints, 3, global, 4, NULL), SQT_ERROR_NUMBER);
        assert_int_equal(sqt_skin_bind_from_global(inverse_bind, joints, 3, global, 4, &fault), SQT_ERROR_NUMBER);
        assert_fault(fault, "global", 2, 0);
    }
    assert_untouched(inverse_bind, sizeof inverse_bind);
    check_tree tree = steps(4);
    sqt_skeleton lod = tree.skeleton;
    lod.joint_count = 3;
    assert_int_equal(sqt_skin_bind_from_rest(NULL, &lod, joints, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "inverse_bind", 0, 0);
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, NULL, joints, 3, &fault), SQT_ERROR_NULL);
    assert_fault(fault, "skeleton", 0, 0);
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, &lod, joints, 3, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 0, 0);
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, &lod, NULL, 4, &fault), SQT_ERROR_COUNT);
    assert_fault(fault, "joints", 3, 0);
    check_tree_free(&tree);
    tree = check_tree_make(4);
    for (uint32_t j = 1; j < 4; ++j) tree.joints[j].parent = j - 1;
    tree.joints[1].rest.scale.z = 0;
    check_tree_build(&tree);
    const uint16_t sound_then_flat[] = {0, 2, 1};
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, &tree.skeleton, sound_then_flat, 3, &fault),
                     SQT_ERROR_NUMBER);
    assert_fault(fault, "rest", 1, 0);
    check_tree_free(&tree);
    tree = check_tree_make(2); // a global scale of 1e60 is no float, though its inverse, 1e-60, would round to 0
    tree.joints[1].parent = 0;
    for (uint32_t j = 0; j < 2; ++j) {
        const sqt_vec3 scale = {1e30f, 1e30f, 1e30f};
        tree.joints[j].rest.scale = scale;
    }
    check_tree_build(&tree);
    assert_int_equal(sqt_skin_bind_from_rest(inverse_bind, &tree.skeleton, NULL, 2, &fault), SQT_ERROR_NUMBER);
    assert_fault(fault, "rest", 1, 0);
    assert_untouched(inverse_bind, sizeof inverse_bind);
    check_tree_free(&tree);
}

// ---- Palettes ----

static void palettes_agree_with_double_precision_and_both_forms_have_the_same_numbers(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (uint32_t round = 0; round < 400; ++round) {
        const uint32_t joint_count = 1 + check_random_below(&random, 40);
        check_tree tree = steps(joint_count);
        const uint32_t entries =
            round % 4 == 0 ? 1 + check_random_below(&random, joint_count) : 1 + check_random_below(&random, 60);
        check_guard guards[5];
        for (uint32_t i = 0; i < 5; ++i) guards[i] = check_guard_make(60 * sizeof(sqt_mat4));
        sqt_mat4 *const palette = check_guard_take(guards, entries * sizeof *palette);
        sqt_mat3x4 *const rows = check_guard_take(guards + 1, entries * sizeof *rows);
        sqt_mat4 *const global = check_guard_take(guards + 2, joint_count * sizeof *global);
        sqt_mat4 *const inverse_bind = check_guard_take(guards + 3, entries * sizeof *inverse_bind);
        uint16_t *const joints = check_guard_take(guards + 4, entries * sizeof *joints);
        for (uint32_t j = 0; j < joint_count; ++j) global[j] = random_affine(&random);
        for (uint32_t k = 0; k < entries; ++k) {
            inverse_bind[k] = random_affine(&random);
            joints[k] = (uint16_t)check_random_below(&random, joint_count);
        }
        const sqt_mat4 world = random_affine(&random);
        const sqt_mat4 *const model_to_world = round / 4 % 2 ? &world : NULL;
        const bool listed = round % 4 != 0, bound = round / 8 % 2;
        sqt_skin skin;
        assert_int_equal(
            sqt_skin_init(&skin, &tree.skeleton, listed ? joints : NULL, entries, bound ? inverse_bind : NULL, NULL),
            SQT_OK);
        assert_int_equal(sqt_skin_palette(palette, &tree.skeleton, &skin, global, model_to_world), SQT_OK);
        assert_int_equal(sqt_skin_palette_3x4(rows, &tree.skeleton, &skin, global, model_to_world), SQT_OK);
        check_guard_assert_before(guards, entries * sizeof *palette);
        check_guard_assert_before(guards + 1, entries * sizeof *rows);
        for (uint32_t k = 0; k < entries; ++k) {
            check_dmat exact = check_dmat_of(global[listed ? joints[k] : k]);
            if (bound) exact = check_dmat_multiply(exact, check_dmat_of(inverse_bind[k]));
            if (model_to_world) exact = check_dmat_multiply(check_dmat_of(world), exact);
            check_assert_matrix(palette[k], exact, 2e-5, 2e-5, k);
            for (uint32_t row = 0; row < 3; ++row) {
                for (uint32_t column = 0; column < 4; ++column) {
                    assert_memory_equal(rows[k].m + 4 * row + column, palette[k].m + 4 * column + row, sizeof(float));
                }
            }
            check_assert_last_row(palette[k], k);
        }
        for (uint32_t i = 0; i < 5; ++i) check_guard_free(guards + i);
        check_tree_free(&tree);
    }
}

static void the_model_to_world_matrix_acts_last(void **state) {
    (void)state; // bind -1 in x, joint +10 in y, world: 90Z, then +100 in z: (1, 0, 0) -> (0, 10, 0) -> (-10, 0, 100)
    check_tree tree = steps(1);
    const sqt_mat4 inverse_bind = move_matrix(-1, 0, 0), global = move_matrix(0, 10, 0);
    const sqt_mat4 world = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 100, 1}};
    sqt_skin skin;
    sqt_mat4 palette;
    sqt_mat3x4 rows;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, 1, &inverse_bind, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette(&palette, &tree.skeleton, &skin, &global, &world), SQT_OK);
    assert_int_equal(sqt_skin_palette_3x4(&rows, &tree.skeleton, &skin, &global, &world), SQT_OK);
    const sqt_vec3 point = {1, 0, 0}, expected = {-10, 0, 100};
    assert_vec3_close(sqt_mat4_point(palette, point), expected, 0);
    const float by_rows[12] = {0, -1, 0, -10, 1, 0, 0, -1, 0, 0, 1, 100};
    assert_all_close(rows.m, by_rows, 12, 0);
    check_tree_free(&tree);
}

static void palette_entry_k_uses_the_joint_and_the_bind_matrix_of_its_place_in_the_list(void **state) {
    (void)state; // joints 7, 3, 11 of a chain; vertices index the palette, not the skeleton
    check_tree tree = steps(12);
    sqt_mat4 *const global = rest_globals(&tree.skeleton);
    static const uint16_t joints[] = {7, 3, 11};
    sqt_mat4 inverse_bind[3], palette[3];
    for (uint32_t k = 0; k < 3; ++k) inverse_bind[k] = move_matrix((float)(k + 1) * 100, 0, 0);
    sqt_skin skin;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, joints, 3, inverse_bind, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette(palette, &tree.skeleton, &skin, global, NULL), SQT_OK);
    const float positions[9] = {0}, weights[3] = {1, 1, 1};
    static const uint8_t indices[3] = {2, 0, 1};
    const sqt_mesh mesh = {.vertex_count = 3,
                           .influence_count = 1,
                           .palette_count = 3,
                           .positions = {positions, 0, SQT_FORMAT_F32},
                           .joints = {indices, 0, SQT_FORMAT_U8},
                           .weights = {weights, 0, SQT_FORMAT_F32}};
    float out[9];
    const sqt_skinned skinned = {.positions = out};
    assert_int_equal(sqt_skin_vertices(&skinned, &mesh, palette, skin.joint_count, 0, 3, 0), SQT_OK);
    const float expected[9] = {300, 12, 0, 100, 8, 0, 200, 4, 0};
    assert_all_close(out, expected, 9, 0);
    free(global);
    check_tree_free(&tree);
}

static void palettes_refuse_what_was_made_for_another_skeleton_and_write_nothing(void **state) {
    (void)state;
    check_tree tree = steps(12);
    sqt_mat4 *const global = rest_globals(&tree.skeleton);
    static const uint16_t joints[] = {7, 3, 11};
    sqt_skin good, skin;
    sqt_mat4 palette[12];
    sqt_mat3x4 rows[12];
    memset(palette, 0xFF, sizeof palette);
    memset(rows, 0xFF, sizeof rows);
    assert_int_equal(sqt_skin_init(&good, &tree.skeleton, joints, 3, NULL, NULL), SQT_OK);
    const sqt_skeleton *const rig = &tree.skeleton;
    assert_int_equal(sqt_skin_palette(NULL, rig, &good, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette(palette, NULL, &good, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette(palette, rig, NULL, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette(palette, rig, &good, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette_3x4(NULL, rig, &good, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette_3x4(rows, NULL, &good, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette_3x4(rows, rig, NULL, global, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_palette_3x4(rows, rig, &good, NULL, NULL), SQT_ERROR_NULL);
    skin = good;
    skin.rig_hash ^= 0x80;
    assert_int_equal(sqt_skin_palette(palette, rig, &skin, global, NULL), SQT_ERROR_RIG);
    assert_int_equal(sqt_skin_palette_3x4(rows, rig, &skin, global, NULL), SQT_ERROR_RIG);
    sqt_skeleton lod = tree.skeleton;
    lod.joint_count = 11;
    assert_int_equal(sqt_skin_palette(palette, &lod, &good, global, NULL), SQT_ERROR_COUNT);
    assert_int_equal(sqt_skin_palette_3x4(rows, &lod, &good, global, NULL), SQT_ERROR_COUNT);
    skin = good;
    skin.joints = NULL; // more entries than the limit covers
    skin.joint_count = 12;
    skin.joint_limit = 11;
    assert_int_equal(sqt_skin_palette(palette, &lod, &skin, global, NULL), SQT_ERROR_COUNT);
    assert_int_equal(sqt_skin_palette_3x4(rows, &lod, &skin, global, NULL), SQT_ERROR_COUNT);
    assert_untouched(palette, sizeof palette);
    assert_untouched(rows, sizeof rows);
    skin = good;
    skin.rig_hash = 0;
    lod.joint_count = 12;
    assert_int_equal(sqt_skin_palette(palette, &lod, &skin, global, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette_3x4(rows, &lod, &skin, global, NULL), SQT_OK);
    assert_untouched(palette + 3, 9 * sizeof *palette);
    assert_untouched(rows + 3, 9 * sizeof *rows);
    free(global);
    check_tree_free(&tree);
}

// ---- Skinning by hand ----

/// One vertex with one influence of weight 1.
typedef struct vertex_result {
    float position[3], normal[3], tangent[4];
} vertex_result;

static vertex_result skin_one(sqt_mat4 matrix, sqt_vec3 position, sqt_vec3 normal, sqt_vec3 tangent, float handedness,
                              uint32_t flags) {
    const float tangent4[4] = {tangent.x, tangent.y, tangent.z, handedness};
    static const uint8_t index = 0, whole = 255;
    const sqt_mesh mesh = {.vertex_count = 1,
                           .influence_count = 1,
                           .palette_count = 1,
                           .positions = {&position, 0, SQT_FORMAT_F32},
                           .normals = {&normal, 0, SQT_FORMAT_F32},
                           .tangents = {tangent4, 0, SQT_FORMAT_F32},
                           .joints = {&index, 0, SQT_FORMAT_U8},
                           .weights = {&whole, 0, SQT_FORMAT_UNORM8}};
    assert_int_equal(sqt_mesh_validate(&mesh, NULL), SQT_OK);
    vertex_result r;
    memset(&r, 0xFF, sizeof r);
    const sqt_skinned skinned = {.positions = r.position, .normals = r.normal, .tangents = r.tangent};
    assert_int_equal(sqt_skin_vertices(&skinned, &mesh, &matrix, 1, 0, 1, flags), SQT_OK);
    return r;
}

static void assert_three(const float *actual, double x, double y, double z, double tolerance) {
    const float expected[3] = {(float)x, (float)y, (float)z};
    assert_all_close(actual, expected, 3, tolerance);
}

static void normals_stay_at_right_angles_to_a_stretched_surface(void **state) {
    (void)state;
    const sqt_vec3 origin = {0, 0, 0}, n = {0.70710678f, 0.70710678f, 0}, t = {0.70710678f, -0.70710678f, 0};
    const sqt_mat4 stretched = scale_matrix(2, 1, 1);
    const vertex_result r = skin_one(stretched, origin, n, t, 1, 0);
    assert_three(r.normal, 0.4472136, 0.8944272, 0, 1e-6);
    assert_three(r.tangent, 0.8944272, -0.4472136, 0, 1e-6);
    assert_close(r.normal[0] * r.tangent[0] + r.normal[1] * r.tangent[1], 0, 1e-6);
    assert_three(skin_one(stretched, origin, n, t, 1, SQT_PLAIN_NORMALS).normal, 0.8944272, 0.4472136, 0, 1e-6);
    // Unnormalised: cofactors of diag(2, 3, 4) are diag(12, 8, 6).
    const vertex_result raw = skin_one(scale_matrix(2, 3, 4), origin, n, t, 1, SQT_RAW_NORMALS);
    assert_three(raw.normal, 12 * 0.70710678, 8 * 0.70710678, 0, 1e-5);
    assert_three(raw.tangent, 2 * 0.70710678, -3 * 0.70710678, 0, 1e-6);
    const vertex_result both = skin_one(scale_matrix(2, 3, 4), origin, n, t, 1, SQT_PLAIN_NORMALS | SQT_RAW_NORMALS);
    assert_three(both.normal, 2 * 0.70710678, 3 * 0.70710678, 0, 1e-6);
    assert_three(both.tangent, 2 * 0.70710678, -3 * 0.70710678, 0, 1e-6);
}

static void a_shear_tilts_normals_by_its_inverse_transpose(void **state) {
    (void)state; // (x, y, z) -> (x + y, y, z): the plane x = 0 becomes x = y, its normal (1, -1, 0) / sqrt(2)
    const sqt_mat4 shear = {{1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const sqt_vec3 point = {1, 2, 3}, x = {1, 0, 0}, y = {0, 1, 0};
    const vertex_result r = skin_one(shear, point, x, y, -1, 0);
    assert_three(r.position, 3, 2, 3, 0);
    assert_three(r.normal, 0.70710678, -0.70710678, 0, 1e-6);
    assert_three(r.tangent, 0.70710678, 0.70710678, 0, 1e-6);
    assert_three(skin_one(shear, point, x, y, 1, SQT_PLAIN_NORMALS).normal, 1, 0, 0, 1e-6);
}

static void translation_leaves_normals_and_tangents_alone(void **state) {
    (void)state;
    const sqt_vec3 point = {1, 2, 3}, n = {0.6f, 0, 0.8f}, t = {0.8f, 0, -0.6f};
    for (uint32_t f = 0; f < 4; ++f) {
        const uint32_t flags = (f & 1 ? SQT_PLAIN_NORMALS : 0u) | (f & 2 ? SQT_RAW_NORMALS : 0u);
        const vertex_result r = skin_one(move_matrix(10, -20, 30), point, n, t, 1, flags);
        assert_three(r.position, 11, -18, 33, 0);
        assert_three(r.normal, 0.6, 0, 0.8, 1e-7);
        assert_three(r.tangent, 0.8, 0, -0.6, 1e-7);
    }
}

static void mirrored_normals_stay_on_the_outer_side(void **state) {
    (void)state;
    const sqt_vec3 x = {1, 0, 0}, diagonal = {0.70710678f, 0.70710678f, 0}, t = {0, 0, 1};
    assert_three(skin_one(scale_matrix(-1, 1, 1), x, x, t, 1, 0).normal, -1, 0, 0, 1e-7);
    assert_three(skin_one(scale_matrix(-1, 1, 1), x, diagonal, t, 1, 0).normal, -0.70710678, 0.70710678, 0, 1e-6);
    assert_three(skin_one(scale_matrix(1, -2, 1), x, diagonal, t, 1, 0).normal, 0.8944272, -0.4472136, 0, 1e-6);
    assert_three(skin_one(scale_matrix(-1, -1, -1), x, x, t, 1, 0).normal, -1, 0, 0, 1e-7);
    assert_three(skin_one(scale_matrix(-2, -3, 1), x, x, t, 1, 0).normal, -1, 0, 0, 1e-7); // a half turn, no mirror
    assert_three(skin_one(scale_matrix(-2, 3, 4), x, x, t, 1, SQT_RAW_NORMALS).normal, -12, 0, 0, 1e-5);
    assert_three(skin_one(scale_matrix(-1, 1, 1), x, x, t, 1, SQT_PLAIN_NORMALS).normal, -1, 0, 0, 1e-7);
}

static void flat_and_vanished_matrices_give_finite_results(void **state) {
    (void)state;
    const sqt_vec3 point = {1, 2, 3}, t = {1, 0, 0};
    const sqt_vec3 normals[] = {{0, 1, 0}, {1, 0, 0}, {0.6f, 0, 0.8f}, {0, 0, 0}};
    for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t f = 0; f < 4; ++f) {
            const uint32_t flags = (f & 1 ? SQT_PLAIN_NORMALS : 0u) | (f & 2 ? SQT_RAW_NORMALS : 0u);
            const vertex_result flat = skin_one(scale_matrix(1, 0, 1), point, normals[i], t, 1, flags);
            assert_three(flat.position, 1, 0, 3, 0);
            assert_three(flat.tangent, 1, 0, 0, 0);
            const double length =
                sqrt((double)flat.normal[0] * flat.normal[0] + (double)flat.normal[1] * flat.normal[1] +
                     (double)flat.normal[2] * flat.normal[2]);
            const bool vanishes = f & 1 ? i == 0 || i == 3 : i != 0; // the flattened plane's normal is y
            assert_close(length, vanishes ? 0 : 1, 1e-6);
            const vertex_result none = skin_one(scale_matrix(0, 0, 0), point, normals[i], t, 1, flags);
            assert_three(none.position, 0, 0, 0, 0);
            assert_three(none.normal, 0, 0, 0, 0);
            assert_three(none.tangent, 0, 0, 0, 0);
        }
    }
}

static void vectors_shorter_than_1e_15_are_zero_and_longer_ones_unit(void **state) {
    (void)state;
    const sqt_vec3 origin = {0, 0, 0}, n = {0.6f, 0, 0.8f}, t = {0, 1, 0};
    const sqt_mat4 tiny = scale_matrix(9e-16f, 9e-16f, 9e-16f), small = scale_matrix(2e-15f, 2e-15f, 2e-15f);
    assert_three(skin_one(tiny, origin, n, t, 1, SQT_PLAIN_NORMALS).normal, 0, 0, 0, 0);
    assert_three(skin_one(tiny, origin, n, t, 1, SQT_PLAIN_NORMALS).tangent, 0, 0, 0, 0);
    assert_three(skin_one(small, origin, n, t, 1, SQT_PLAIN_NORMALS).normal, 0.6, 0, 0.8, 1e-6);
    assert_three(skin_one(small, origin, n, t, 1, 0).tangent, 0, 1, 0, 1e-6);
    assert_three(skin_one(small, origin, n, t, 1, SQT_RAW_NORMALS).tangent, 0, 2e-15, 0, 1e-21);
    assert_three(skin_one(scale_matrix(1e-7f, 1e-7f, 1e-7f), origin, n, t, 1, 0).normal, 0.6, 0, 0.8, 1e-6);
    assert_three(skin_one(scale_matrix(1e-8f, 1e-8f, 1e-8f), origin, n, t, 1, 0).normal, 0, 0, 0, 0);
}

static void matrices_up_to_1e15_give_finite_results(void **state) {
    (void)state;
    check_random random = {SEED + 3};
    for (uint32_t round = 0; round < 500; ++round) {
        sqt_mat4 m = SQT_MAT4_IDENTITY;
        for (uint32_t i = 0; i < 16; ++i) {
            if (i % 4 != 3) m.m[i] = check_random_float(&random, -1e15f, 1e15f);
        }
        const sqt_vec3 point = check_random_vec3(&random, -1e15f, 1e15f);
        const sqt_vec3 n = {0.6f, 0, 0.8f}, t = {0.8f, 0, -0.6f};
        for (uint32_t f = 0; f < 4; ++f) {
            const uint32_t flags = (f & 1 ? SQT_PLAIN_NORMALS : 0u) | (f & 2 ? SQT_RAW_NORMALS : 0u);
            const vertex_result r = skin_one(m, point, n, t, 1, flags);
            for (uint32_t i = 0; i < 3; ++i) {
                assert_close(r.position[i] * 0, 0, 0);
                assert_close(r.normal[i] * 0, 0, 0);
                assert_close(r.tangent[i] * 0, 0, 0);
            }
        }
    }
}

static void the_handedness_of_a_tangent_is_copied_bit_for_bit(void **state) {
    (void)state;
    static const float values[] = {1, -1, 0, -0.0f, 0.25f, NAN, 1e-40f};
    const sqt_vec3 origin = {0, 0, 0}, n = {0, 0, 1}, t = {3, 0, 4};
    for (uint32_t i = 0; i < sizeof values / sizeof *values; ++i) {
        const float tangent[4] = {t.x, t.y, t.z, values[i]};
        static const uint8_t index = 0, whole = 255;
        const sqt_mesh mesh = {.vertex_count = 1,
                               .influence_count = 1,
                               .palette_count = 1,
                               .positions = {&origin, 0, SQT_FORMAT_F32},
                               .normals = {&n, 0, SQT_FORMAT_F32},
                               .tangents = {tangent, 0, SQT_FORMAT_F32},
                               .joints = {&index, 0, SQT_FORMAT_U8},
                               .weights = {&whole, 0, SQT_FORMAT_UNORM8}};
        const sqt_mat4 mirror = scale_matrix(-1, 1, 1);
        float out[4];
        const sqt_skinned skinned = {.tangents = out};
        for (uint32_t f = 0; f < 2; ++f) {
            memset(out, 0xFF, sizeof out);
            assert_int_equal(sqt_skin_vertices(&skinned, &mesh, &mirror, 1, 0, 1, f ? SQT_RAW_NORMALS : 0), SQT_OK);
            assert_memory_equal(out + 3, values + i, sizeof *values);
            assert_three(out, f ? -3 : -0.6, 0, f ? 4 : 0.8, 1e-6);
        }
    }
}

/// The skinned x of vertices at (x, 0, 0) bound to joints that are moved along x.
static float skin_x(float x, const float *moves, uint32_t joint_count, const void *indices, uint32_t index_format,
                    const void *weights, uint32_t weight_format, uint32_t influence_count) {
    sqt_mat4 palette[8];
    assert_true(joint_count <= 8);
    for (uint32_t k = 0; k < joint_count; ++k) palette[k] = move_matrix(moves[k], 0, 0);
    const float position[3] = {x, 0, 0};
    float out[3];
    const sqt_mesh mesh = {.vertex_count = 1,
                           .influence_count = influence_count,
                           .palette_count = joint_count,
                           .positions = {position, 0, SQT_FORMAT_F32},
                           .joints = {indices, 0, index_format},
                           .weights = {weights, 0, weight_format}};
    const sqt_skinned skinned = {.positions = out};
    assert_int_equal(sqt_mesh_validate(&mesh, NULL), SQT_OK);
    assert_int_equal(sqt_skin_vertices(&skinned, &mesh, palette, joint_count, 0, 1, 0), SQT_OK);
    return out[0];
}

static void weights_that_do_not_sum_to_one_are_used_as_they_are_until_they_are_normalised(void **state) {
    (void)state; // two joints at x = 1000, bind x = 1, weights .49 and .49
    static const float moves[2] = {1000, 1000}, weights[2] = {0.49f, 0.49f};
    static const uint16_t indices[2] = {0, 1};
    assert_close(skin_x(1, moves, 2, indices, SQT_FORMAT_U16, weights, SQT_FORMAT_F32, 2), 980.98, 1e-3);
    const float position[3] = {1, 0, 0};
    const sqt_mesh mesh = {.vertex_count = 1,
                           .influence_count = 2,
                           .palette_count = 2,
                           .positions = {position, 0, SQT_FORMAT_F32},
                           .joints = {indices, 0, SQT_FORMAT_U16},
                           .weights = {weights, 0, SQT_FORMAT_F32}};
    uint16_t reduced_joints[2];
    float reduced_weights[2];
    assert_int_equal(sqt_mesh_reduce_influences(reduced_joints, reduced_weights, &mesh, 2, NULL), SQT_OK);
    assert_close(skin_x(1, moves, 2, reduced_joints, SQT_FORMAT_U16, reduced_weights, SQT_FORMAT_F32, 2), 1001, 1e-4);
}

static void five_influences_and_the_four_heaviest_of_them(void **state) {
    (void)state; // .4 / .25 / .2 / .1 / .05 at x 0 / 10 / 20 / 30 / 100
    static const float moves[5] = {0, 10, 20, 30, 100}, weights[5] = {0.4f, 0.25f, 0.2f, 0.1f, 0.05f};
    static const uint8_t indices[5] = {0, 1, 2, 3, 4};
    assert_close(skin_x(0, moves, 5, indices, SQT_FORMAT_U8, weights, SQT_FORMAT_F32, 5), 14.5, 1e-5);
    const float position[3] = {0, 0, 0};
    const sqt_mesh mesh = {.vertex_count = 1,
                           .influence_count = 5,
                           .palette_count = 5,
                           .positions = {position, 0, SQT_FORMAT_F32},
                           .joints = {indices, 0, SQT_FORMAT_U8},
                           .weights = {weights, 0, SQT_FORMAT_F32}};
    uint16_t four_joints[4];
    float four_weights[4];
    assert_int_equal(sqt_mesh_reduce_influences(four_joints, four_weights, &mesh, 4, NULL), SQT_OK);
    assert_close(skin_x(0, moves, 5, four_joints, SQT_FORMAT_U16, four_weights, SQT_FORMAT_F32, 4), 10.0, 1e-5);
    assert_close(skin_x(0, moves, 5, indices, SQT_FORMAT_U8, weights, SQT_FORMAT_F32, 4), 9.5, 1e-5); // unreduced
}

static void integer_weights_are_fractions_of_their_largest_value(void **state) {
    (void)state;
    static const float moves[3] = {0, 255, 12345.678f};
    static const uint8_t indices[2] = {0, 1}, bytes[2] = {128, 127}, last = 2, whole8 = 255;
    assert_close(skin_x(0, moves, 2, indices, SQT_FORMAT_U8, bytes, SQT_FORMAT_UNORM8, 2), 127, 1e-4);
    static const uint16_t shorts[2] = {65535 - 12850, 12850}, whole16 = 65535; // 12850 / 65535 = 50 / 255
    assert_close(skin_x(0, moves, 2, indices, SQT_FORMAT_U8, shorts, SQT_FORMAT_UNORM16, 2), 50, 1e-4);
    // The largest value is exactly 1.
    static const float one = 1;
    const float by_float = skin_x(1.2345f, moves, 3, &last, SQT_FORMAT_U8, &one, SQT_FORMAT_F32, 1);
    const float by_8 = skin_x(1.2345f, moves, 3, &last, SQT_FORMAT_U8, &whole8, SQT_FORMAT_UNORM8, 1);
    const float by_16 = skin_x(1.2345f, moves, 3, &last, SQT_FORMAT_U8, &whole16, SQT_FORMAT_UNORM16, 1);
    assert_close(by_float, 1.2345f + 12345.678f, 0);
    assert_memory_equal(&by_8, &by_float, sizeof by_float);
    assert_memory_equal(&by_16, &by_float, sizeof by_float);
    // Every value is the quotient, rounded once.
    static const float to_one[1] = {1};
    static const uint8_t zero = 0;
    for (uint32_t i = 0; i < 65536; ++i) {
        const uint16_t two = (uint16_t)i;
        const float quotient = (float)(i / 65535.0);
        assert_close(skin_x(0, to_one, 1, &zero, SQT_FORMAT_U8, &two, SQT_FORMAT_UNORM16, 1), quotient, 0);
        if (i > 255) continue;
        const uint8_t byte = (uint8_t)i;
        const float byte_quotient = (float)(i / 255.0);
        assert_close(skin_x(0, to_one, 1, &zero, SQT_FORMAT_U8, &byte, SQT_FORMAT_UNORM8, 1), byte_quotient, 0);
    }
}

static void vertices_reach_the_joints_around_the_limits_of_a_byte(void **state) {
    (void)state; // joint k of the chain is at y = k + 1
    check_tree tree = steps(300);
    sqt_mat4 *const global = rest_globals(&tree.skeleton);
    sqt_mat4 *const palette = make(300, sizeof *palette);
    sqt_skin skin;
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, 300, NULL, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette(palette, &tree.skeleton, &skin, global, NULL), SQT_OK);
    static const uint8_t bytes[4] = {127, 128, 255, 0};
    static const uint16_t shorts[4] = {127, 128, 255, 256};
    static const uint32_t words[4] = {127, 128, 255, 256};
    const void *const indices[3] = {bytes, shorts, words};
    static const uint32_t formats[3] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32};
    const float positions[12] = {0}, weights[4] = {1, 1, 1, 1};
    for (uint32_t f = 0; f < 3; ++f) {
        float out[12];
        const sqt_mesh mesh = {.vertex_count = 4,
                               .influence_count = 1,
                               .palette_count = 300,
                               .positions = {positions, 0, SQT_FORMAT_F32},
                               .joints = {indices[f], 0, formats[f]},
                               .weights = {weights, 0, SQT_FORMAT_F32}};
        const sqt_skinned skinned = {.positions = out};
        assert_int_equal(sqt_skin_vertices(&skinned, &mesh, palette, 300, 0, 4, 0), SQT_OK);
        const float expected[12] = {0, 128, 0, 0, 129, 0, 0, 256, 0, 0, formats[f] == SQT_FORMAT_U8 ? 1.0f : 257.0f, 0};
        assert_all_close(out, expected, 12, 0);
    }
    free(palette);
    free(global);
    check_tree_free(&tree);
}

static void the_armature_above_the_skeleton_moves_the_vertices_and_nothing_else_does(void **state) {
    (void)state; // armature T(0, 0, 5) S .01, joint T(100, 0, 0), no inverse binds: (0, 0, 0) -> (1, 0, 5)
    const sqt_transform hip = {SQT_QUAT_IDENTITY, {100, 0, 0}, {1, 1, 1}};
    check_tree tree = check_tree_chain(1, hip);
    const sqt_mat4 armature = {{0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 5, 1}};
    sqt_pose_block local;
    sqt_mat4 global, palette;
    sqt_skin skin;
    assert_int_equal(sqt_skeleton_rest(&local, &tree.skeleton), SQT_OK);
    assert_int_equal(sqt_global_from_local(&global, &tree.skeleton, &local, &armature), SQT_OK);
    assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, 1, NULL, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette(&palette, &tree.skeleton, &skin, &global, NULL), SQT_OK);
    const sqt_vec3 origin = {0, 0, 0}, n = {0, 0, 1}, t = {1, 0, 0};
    const vertex_result r = skin_one(palette, origin, n, t, 1, 0);
    assert_three(r.position, 1, 0, 5, 1e-6);
    assert_three(r.normal, 0, 0, 1, 1e-6);
    check_tree_free(&tree);
}

static void skinning_the_rest_pose_with_its_own_bind_matrices_changes_nothing(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    check_tree tree = check_tree_make(PALETTE);
    for (uint32_t j = 0; j < PALETTE; ++j) {
        if (j > 0) tree.joints[j].parent = check_random_below(&random, j);
        tree.joints[j].rest = check_random_transform(&random);
    }
    check_tree_build(&tree);
    sqt_mat4 *const global = rest_globals(&tree.skeleton);
    sqt_mat4 from_rest[PALETTE], from_global[PALETTE], palette[PALETTE];
    assert_int_equal(sqt_skin_bind_from_rest(from_rest, &tree.skeleton, NULL, PALETTE, NULL), SQT_OK);
    assert_int_equal(sqt_skin_bind_from_global(from_global, NULL, PALETTE, global, PALETTE, NULL), SQT_OK);
    const sqt_mat4 *const binds[2] = {from_rest, from_global};
    for (uint32_t i = 0; i < 2; ++i) {
        sqt_skin skin;
        assert_int_equal(sqt_skin_init(&skin, &tree.skeleton, NULL, PALETTE, binds[i], NULL), SQT_OK);
        assert_int_equal(sqt_skin_palette(palette, &tree.skeleton, &skin, global, NULL), SQT_OK);
        for (uint32_t k = 0; k < PALETTE; ++k) check_assert_matrix(palette[k], check_dmat_identity(), 1e-4, 1e-3, k);
    }
    free(global);
    check_tree_free(&tree);
}

// ---- Skinning of random meshes ----

/// How a random mesh lies in memory.
typedef struct layout {
    uint32_t joint_format, weight_format;
    uint32_t influence_count; ///< fixed form
    bool variable;
    bool odd; ///< strides that are no multiple of anything, and attributes at odd addresses
} layout;

/// A random mesh, its buffers ending at guard pages, and what is in them in double precision.
typedef struct random_mesh {
    sqt_mesh mesh;
    check_guard guards[6];
    uint32_t *first; ///< [vertex_count + 1] into the lists
    uint32_t *joints;
    double *weights;
} random_mesh;

static uint32_t component_bytes(uint32_t format) {
    return format == SQT_FORMAT_U8 || format == SQT_FORMAT_UNORM8     ? 1
           : format == SQT_FORMAT_U16 || format == SQT_FORMAT_UNORM16 ? 2
                                                                      : 4;
}

/// Room for `count` elements that ends with the last element, not with its stride.
static sqt_attribute attribute_of(check_guard *guard, uint32_t count, uint32_t bytes, uint32_t format, bool odd,
                                  check_random *random) {
    const uint32_t stride = odd ? bytes + 1 + check_random_below(random, 13) : bytes;
    const size_t length = count == 0 ? 0 : (size_t)(count - 1) * stride + bytes;
    *guard = check_guard_make(length);
    const sqt_attribute attribute = {check_guard_take(guard, length), odd ? stride : 0, format};
    return attribute;
}

static unsigned char *element(const sqt_attribute *attribute, uint32_t bytes, uint32_t index) {
    return (unsigned char *)(uintptr_t)attribute->data +
           (size_t)index * (attribute->stride_bytes ? attribute->stride_bytes : bytes);
}

static void put_index(unsigned char *at, uint32_t format, uint32_t value) {
    const uint8_t byte = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    if (format == SQT_FORMAT_U8) memcpy(at, &byte, sizeof byte);
    if (format == SQT_FORMAT_U16) memcpy(at, &two, sizeof two);
    if (format == SQT_FORMAT_U32) memcpy(at, &value, sizeof value);
}

/// Returns the value that the stored weight has.
static double put_weight(unsigned char *at, uint32_t format, double value) {
    const uint8_t byte = (uint8_t)(value * 255);
    const uint16_t two = (uint16_t)(value * 65535);
    const float number = (float)value;
    if (format == SQT_FORMAT_UNORM8) memcpy(at, &byte, sizeof byte);
    if (format == SQT_FORMAT_UNORM16) memcpy(at, &two, sizeof two);
    if (format == SQT_FORMAT_F32) memcpy(at, &number, sizeof number);
    return format == SQT_FORMAT_UNORM8 ? byte / 255.0 : format == SQT_FORMAT_UNORM16 ? two / 65535.0 : (double)number;
}

static void fill_positions(const sqt_attribute *attribute, uint32_t vertex_count, check_random *random) {
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const sqt_vec3 at = check_random_vec3(random, -3, 3);
        memcpy(element(attribute, sizeof at, v), &at, sizeof at);
    }
}

/// Unit vectors, and a sign where there is a fourth component.
static void fill_directions(const sqt_attribute *attribute, uint32_t vertex_count, uint32_t bytes,
                            check_random *random) {
    for (uint32_t v = 0; v < vertex_count; ++v) {
        const sqt_quat q = check_random_quat(random);
        const double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
        const float values[4] = {(float)(q.x / length), (float)(q.y / length), (float)(q.z / length),
                                 check_random_u32(random) & 1 ? 1.0f : -1.0f};
        memcpy(element(attribute, bytes, v), values, bytes);
    }
}

static random_mesh random_mesh_make(uint32_t vertex_count, layout l, check_random *random) {
    random_mesh r = {.mesh = {.vertex_count = vertex_count, .palette_count = PALETTE}};
    r.first = make(vertex_count + 1u, sizeof *r.first);
    uint32_t total = l.variable ? check_random_below(random, 4) : 0; // lists need not begin at 0
    const uint32_t skipped = total;
    for (uint32_t v = 0; v <= vertex_count; ++v) {
        r.first[v] = total;
        if (v < vertex_count) total += l.variable ? check_random_below(random, MOST_INFLUENCES + 1) : l.influence_count;
    }
    r.joints = make(total, sizeof *r.joints);
    r.weights = make(total, sizeof *r.weights);
    sqt_mesh *const mesh = &r.mesh;
    mesh->positions = attribute_of(r.guards, vertex_count, 12, SQT_FORMAT_F32, l.odd, random);
    mesh->normals = attribute_of(r.guards + 1, vertex_count, 12, SQT_FORMAT_F32, l.odd, random);
    mesh->tangents = attribute_of(r.guards + 2, vertex_count, 16, SQT_FORMAT_F32, l.odd, random);
    fill_positions(&mesh->positions, vertex_count, random);
    fill_directions(&mesh->normals, vertex_count, 12, random);
    fill_directions(&mesh->tangents, vertex_count, 16, random);
    const uint32_t in_a_row = l.variable ? 1 : l.influence_count, rows = l.variable ? total : vertex_count;
    const uint32_t joint_bytes = component_bytes(l.joint_format), weight_bytes = component_bytes(l.weight_format);
    mesh->joints = attribute_of(r.guards + 3, rows, in_a_row * joint_bytes, l.joint_format, l.odd, random);
    mesh->weights = attribute_of(r.guards + 4, rows, in_a_row * weight_bytes, l.weight_format, l.odd, random);
    r.guards[5] = check_guard_make((vertex_count + 1u) * sizeof *r.first);
    if (l.variable) {
        uint32_t *const offsets = check_guard_take(r.guards + 5, (vertex_count + 1u) * sizeof *offsets);
        memcpy(offsets, r.first, (vertex_count + 1u) * sizeof *offsets);
        mesh->influence_offsets = offsets;
        mesh->influence_count = check_random_u32(random) & 1 ? 0xFFFFFFFFu : 0; // ignored
    } else {
        mesh->influence_count = l.influence_count;
    }
    for (uint32_t v = 0; v < vertex_count; ++v) {
        double left = 1;
        for (uint32_t i = r.first[v]; i < r.first[v + 1]; ++i) {
            const double share = i + 1 == r.first[v + 1] ? left : left * (double)check_random_float(random, 0.2f, 0.8f);
            const uint32_t row = l.variable ? i : v, column = l.variable ? 0 : i - r.first[v];
            r.joints[i] = check_random_below(random, PALETTE);
            put_index(element(&mesh->joints, in_a_row * joint_bytes, row) + column * joint_bytes, l.joint_format,
                      r.joints[i]);
            r.weights[i] = put_weight(element(&mesh->weights, in_a_row * weight_bytes, row) + column * weight_bytes,
                                      l.weight_format, share);
            left -= share;
        }
    }
    for (uint32_t i = 0; i < skipped; ++i) { // before the first list: never read by skinning, checked by nobody
        put_index(element(&mesh->joints, joint_bytes, i), l.joint_format, 0);
        put_weight(element(&mesh->weights, weight_bytes, i), l.weight_format, 0);
    }
    assert_int_equal(sqt_mesh_validate(mesh, NULL), SQT_OK);
    return r;
}

static void random_mesh_free(random_mesh *r) {
    for (uint32_t i = 0; i < 6; ++i) check_guard_free(r->guards + i);
    free(r->first);
    free(r->joints);
    free(r->weights);
}

/// Matrices whose mixtures are far from singular: turned by up to 40 degrees from each other, stretched, maybe
/// mirrored.
static void random_palette(sqt_mat4 *palette, check_random *random, bool mirrored) {
    const sqt_quat base = check_random_quat(random);
    for (uint32_t k = 0; k < PALETTE; ++k) {
        const sqt_vec3 axis = check_random_vec3(random, -0.35f, 0.35f);
        const check_dquat turn = check_dquat_unit((check_dquat){axis.x, axis.y, axis.z, 1.5});
        const sqt_transform t = {check_dquat_rounded(check_dquat_multiply(turn, check_dquat_of(&base.x))),
                                 check_random_vec3(random, -5, 5), check_random_vec3(random, 0.7f, 1.5f)};
        check_dmat m = check_dmat_from_transform(t);
        for (uint32_t i = 0; mirrored && i < 3; ++i) m.m[i] = -m.m[i];
        palette[k] = check_dmat_rounded(m);
    }
}

/// One vertex in double precision: position, normal, tangent.
typedef struct exact_vertex {
    double position[3], normal[3], tangent[3];
} exact_vertex;

static void cross(double *out, const double *a, const double *b) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double *v) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (uint32_t i = 0; i < 3; ++i) v[i] = length > 1e-15 ? v[i] / length : 0;
}

static exact_vertex skin_exactly(const random_mesh *r, const sqt_mat4 *palette, uint32_t v, uint32_t flags) {
    double b[16] = {0};
    for (uint32_t i = r->first[v]; i < r->first[v + 1]; ++i) {
        for (uint32_t k = 0; k < 16; ++k) b[k] += r->weights[i] * (double)palette[r->joints[i]].m[k];
    }
    float p[3], n[3], t[4];
    memcpy(p, element(&r->mesh.positions, 12, v), sizeof p);
    memcpy(n, element(&r->mesh.normals, 12, v), sizeof n);
    memcpy(t, element(&r->mesh.tangents, 16, v), sizeof t);
    double cofactor[9];
    cross(cofactor, b + 4, b + 8);
    cross(cofactor + 3, b + 8, b);
    cross(cofactor + 6, b, b + 4);
    const double determinant = cofactor[0] * b[0] + cofactor[1] * b[1] + cofactor[2] * b[2];
    const double side = determinant < 0 ? -1 : 1;
    exact_vertex e;
    for (uint32_t i = 0; i < 3; ++i) {
        e.position[i] = b[i] * p[0] + b[4 + i] * p[1] + b[8 + i] * p[2] + b[12 + i];
        e.normal[i] = flags & SQT_PLAIN_NORMALS
                          ? b[i] * n[0] + b[4 + i] * n[1] + b[8 + i] * n[2]
                          : side * (cofactor[i] * n[0] + cofactor[3 + i] * n[1] + cofactor[6 + i] * n[2]);
        e.tangent[i] = b[i] * t[0] + b[4 + i] * t[1] + b[8 + i] * t[2];
    }
    if (!(flags & SQT_RAW_NORMALS)) {
        normalise(e.normal);
        normalise(e.tangent);
    }
    return e;
}

/// Outputs with strides, ending at guard pages.
typedef struct outputs {
    check_guard guards[3];
    sqt_skinned skinned;
    uint32_t strides[3], vertex_count;
} outputs;

static const uint32_t output_bytes[3] = {12, 12, 16};

static size_t output_length(const outputs *o, uint32_t which) {
    return o->vertex_count == 0 ? 0 : (size_t)(o->vertex_count - 1) * o->strides[which] + output_bytes[which];
}

static outputs outputs_make(uint32_t vertex_count, bool tight, check_random *random) {
    outputs o = {.vertex_count = vertex_count};
    float *at[3];
    for (uint32_t i = 0; i < 3; ++i) {
        o.strides[i] = output_bytes[i] + (tight ? 0 : 4 * check_random_below(random, 5));
        o.guards[i] = check_guard_make(output_length(&o, i));
        at[i] = check_guard_take(o.guards + i, output_length(&o, i));
    }
    const sqt_skinned skinned = {at[0], at[1], at[2], o.strides[0], o.strides[1], o.strides[2]};
    o.skinned = skinned;
    if (tight) {
        o.skinned.position_stride_bytes = 0;
        o.skinned.normal_stride_bytes = 0;
        o.skinned.tangent_stride_bytes = 0;
    }
    return o;
}

static const unsigned char *output_at(const outputs *o, uint32_t which, uint32_t v) {
    const float *const at[3] = {o->skinned.positions, o->skinned.normals, o->skinned.tangents};
    return (const unsigned char *)at[which] + (size_t)v * o->strides[which];
}

/// Fails where the gaps between elements, or vertices outside first..end - 1, were written.
static void outputs_assert_only(const outputs *o, uint32_t first, uint32_t end) {
    for (uint32_t i = 0; i < 3; ++i) {
        check_guard_assert_before(o->guards + i, output_length(o, i));
        const size_t length = output_length(o, i);
        for (size_t k = 0; k < length; ++k) {
            const size_t v = k / o->strides[i];
            if (v >= first && v < end && k % o->strides[i] < output_bytes[i]) continue;
            if (output_at(o, i, 0)[k] != CHECK_CANARY) fail_msg("output %u: byte %zu was written", i, k);
        }
    }
}

static void outputs_free(outputs *o) {
    for (uint32_t i = 0; i < 3; ++i) check_guard_free(o->guards + i);
}

static void assert_same_outputs(const outputs *a, const outputs *b, uint32_t which, uint32_t first, uint32_t end) {
    for (uint32_t v = first; v < end; ++v) {
        if (memcmp(output_at(a, which, v), output_at(b, which, v), output_bytes[which]) != 0) {
            fail_msg("output %u of vertex %u has other bits", which, v);
        }
    }
}

static void assert_agrees(const outputs *o, const random_mesh *r, const sqt_mat4 *palette, uint32_t flags) {
    double largest = 0;
    for (uint32_t v = 0; v < r->mesh.vertex_count; ++v) {
        const exact_vertex e = skin_exactly(r, palette, v, flags);
        for (uint32_t i = 0; i < 3; ++i) largest = fmax(largest, fabs(e.position[i]));
    }
    for (uint32_t v = 0; v < r->mesh.vertex_count; ++v) {
        const exact_vertex e = skin_exactly(r, palette, v, flags);
        float p[3], n[3], t[4], w[4];
        memcpy(p, output_at(o, 0, v), sizeof p);
        memcpy(n, output_at(o, 1, v), sizeof n);
        memcpy(t, output_at(o, 2, v), sizeof t);
        memcpy(w, element(&r->mesh.tangents, 16, v), sizeof w);
        for (uint32_t i = 0; i < 3; ++i) {
            assert_close(p[i], e.position[i], 1e-5 * largest);
            assert_close(n[i], e.normal[i], 1e-4);
            assert_close(t[i], e.tangent[i], 1e-4);
        }
        assert_memory_equal(t + 3, w + 3, sizeof(float));
        if (r->first[v] == r->first[v + 1]) assert_three(p, 0, 0, 0, 0); // without weights: the origin
    }
}

static layout layout_of(uint32_t number) {
    static const uint32_t joints[] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32};
    static const uint32_t weights[] = {SQT_FORMAT_F32, SQT_FORMAT_UNORM8, SQT_FORMAT_UNORM16};
    const uint32_t form = number / 18 % 14; // 0..12 influences, or lists
    const layout l = {joints[number % 3], weights[number / 3 % 3], form, form == 13, number / 9 % 2};
    return l;
}

enum { LAYOUTS = 18 * 14 };

static void every_layout_agrees_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    for (uint32_t number = 0; number < LAYOUTS; ++number) {
        for (uint32_t f = 0; f < 4; ++f) {
            const uint32_t flags = (f & 1 ? SQT_PLAIN_NORMALS : 0u) | (f & 2 ? SQT_RAW_NORMALS : 0u);
            const uint32_t n = 1 + check_random_below(&random, 50);
            sqt_mat4 palette[PALETTE];
            random_palette(palette, &random, (number + f) % 3 == 0);
            random_mesh r = random_mesh_make(n, layout_of(number), &random);
            outputs o = outputs_make(n, f % 2, &random);
            assert_int_equal(sqt_skin_vertices(&o.skinned, &r.mesh, palette, PALETTE, 0, n, flags), SQT_OK);
            assert_agrees(&o, &r, palette, flags);
            outputs_assert_only(&o, 0, n);
            outputs_free(&o);
            random_mesh_free(&r);
        }
    }
}

static void meshes_of_any_size_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    for (uint32_t n = 1; n <= 80; ++n) {
        sqt_mat4 palette[PALETTE];
        random_palette(palette, &random, n % 2);
        random_mesh r = random_mesh_make(n, layout_of(check_random_below(&random, LAYOUTS)), &random);
        outputs o = outputs_make(n, false, &random);
        assert_int_equal(sqt_skin_vertices(&o.skinned, &r.mesh, palette, PALETTE, 0, n, 0), SQT_OK);
        assert_agrees(&o, &r, palette, 0);
        outputs_assert_only(&o, 0, n);
        outputs_free(&o);
        random_mesh_free(&r);
    }
}

static void however_a_mesh_is_cut_each_vertex_gets_the_same_bits(void **state) {
    (void)state;
    check_random random = {SEED + 7};
    for (uint32_t round = 0; round < 150; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 200), flags = round % 5 == 0 ? SQT_PLAIN_NORMALS : 0;
        sqt_mat4 palette[PALETTE];
        random_palette(palette, &random, round % 2);
        random_mesh r = random_mesh_make(n, layout_of(check_random_below(&random, LAYOUTS)), &random);
        outputs whole = outputs_make(n, true, &random), cut = outputs_make(n, false, &random);
        assert_int_equal(sqt_skin_vertices(&whole.skinned, &r.mesh, palette, PALETTE, 0, n, flags), SQT_OK);
        uint32_t done = 0;
        while (done < n) {
            const uint32_t left = n - done, step = 1 + check_random_below(&random, left < 40 ? left : 40);
            assert_int_equal(sqt_skin_vertices(&cut.skinned, &r.mesh, palette, PALETTE, done, step, flags), SQT_OK);
            done += step;
            if (check_random_below(&random, 8) == 0) outputs_assert_only(&cut, 0, done);
        }
        for (uint32_t i = 0; i < 3; ++i) assert_same_outputs(&whole, &cut, i, 0, n);
        outputs_free(&cut);
        cut = outputs_make(n, false, &random); // one range from the middle
        const uint32_t first = check_random_below(&random, n), count = check_random_below(&random, n - first + 1);
        assert_int_equal(sqt_skin_vertices(&cut.skinned, &r.mesh, palette, PALETTE, first, count, flags), SQT_OK);
        for (uint32_t i = 0; i < 3; ++i) assert_same_outputs(&whole, &cut, i, first, first + count);
        outputs_assert_only(&cut, first, first + count);
        outputs_free(&cut);
        outputs_free(&whole);
        random_mesh_free(&r);
    }
}

static void outputs_that_are_not_wanted_change_nothing_of_the_others(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    for (uint32_t round = 0; round < 64; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 50), wanted = round % 8;
        sqt_mat4 palette[PALETTE];
        random_palette(palette, &random, round % 2);
        random_mesh r = random_mesh_make(n, layout_of(check_random_below(&random, LAYOUTS)), &random);
        outputs all = outputs_make(n, false, &random), some = outputs_make(n, false, &random);
        assert_int_equal(sqt_skin_vertices(&all.skinned, &r.mesh, palette, PALETTE, 0, n, 0), SQT_OK);
        sqt_skinned skinned = some.skinned;
        sqt_mesh mesh = r.mesh; // what is not wanted need not be there
        if (!(wanted & 1)) skinned.positions = NULL, skinned.position_stride_bytes = 7;
        if (!(wanted & 2)) skinned.normals = NULL, skinned.normal_stride_bytes = 7;
        if (!(wanted & 4)) skinned.tangents = NULL, skinned.tangent_stride_bytes = 7;
        if (round / 8 % 2 && !(wanted & 2)) mesh.normals.data = NULL;
        if (round / 8 % 2 && !(wanted & 4)) mesh.tangents.data = NULL;
        assert_int_equal(sqt_skin_vertices(&skinned, &mesh, palette, PALETTE, 0, n, 0), SQT_OK);
        for (uint32_t i = 0; i < 3; ++i) {
            if (wanted >> i & 1) {
                assert_same_outputs(&all, &some, i, 0, n);
            } else {
                const size_t length = output_length(&some, i);
                for (size_t k = 0; k < length; ++k) assert_int_equal(output_at(&some, i, 0)[k], CHECK_CANARY);
            }
        }
        outputs_free(&some);
        outputs_free(&all);
        random_mesh_free(&r);
    }
}

/// A vertex as games lay it out.
typedef struct game_vertex {
    float position[3], normal[3], tangent[4];
    uint8_t joints[4], weights[4];
} game_vertex;

static void an_interleaved_vertex_buffer_is_skinned_in_place(void **state) {
    (void)state;
    check_random random = {SEED + 9};
    for (uint32_t round = 0; round < 40; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 70), flags = round % 2 ? 0 : SQT_PLAIN_NORMALS;
        sqt_mat4 palette[PALETTE];
        random_palette(palette, &random, round % 3 == 0);
        check_guard guard = check_guard_make(n * sizeof(game_vertex));
        game_vertex *const vertices = check_guard_take(&guard, n * sizeof *vertices);
        game_vertex *const before = make(n, sizeof *before);
        for (uint32_t v = 0; v < n; ++v) {
            const sqt_vec3 at = check_random_vec3(&random, -3, 3);
            const sqt_quat a = check_random_quat(&random), b = check_random_quat(&random);
            const game_vertex vertex = {{at.x, at.y, at.z},
                                        {a.x, a.y, a.z},
                                        {b.x, b.y, b.z, v % 2 ? 1.0f : -1.0f},
                                        {0, 1, (uint8_t)check_random_below(&random, PALETTE), PALETTE - 1},
                                        {100, 80, 50, 25}};
            vertices[v] = vertex;
        }
        memcpy(before, vertices, n * sizeof *vertices);
        const uint32_t stride = sizeof *vertices;
        const sqt_mesh mesh = {.vertex_count = n,
                               .influence_count = 4,
                               .palette_count = PALETTE,
                               .positions = {vertices->position, stride, SQT_FORMAT_F32},
                               .normals = {vertices->normal, stride, SQT_FORMAT_F32},
                               .tangents = {vertices->tangent, stride, SQT_FORMAT_F32},
                               .joints = {vertices->joints, stride, SQT_FORMAT_U8},
                               .weights = {vertices->weights, stride, SQT_FORMAT_UNORM8}};
        outputs apart = outputs_make(n, true, &random);
        assert_int_equal(sqt_skin_vertices(&apart.skinned, &mesh, palette, PALETTE, 0, n, flags), SQT_OK);
        const sqt_skinned in_place = {vertices->position, vertices->normal, vertices->tangent, stride, stride, stride};
        const uint32_t first = round % 4 == 0 ? check_random_below(&random, n) : 0;
        assert_int_equal(sqt_skin_vertices(&in_place, &mesh, palette, PALETTE, first, n - first, flags), SQT_OK);
        for (uint32_t v = 0; v < n; ++v) {
            const game_vertex *const g = vertices + v;
            if (v < first) {
                assert_memory_equal(g, before + v, sizeof *g);
                continue;
            }
            assert_memory_equal(g->position, output_at(&apart, 0, v), 12);
            assert_memory_equal(g->normal, output_at(&apart, 1, v), 12);
            assert_memory_equal(g->tangent, output_at(&apart, 2, v), 16);
            assert_memory_equal(g->joints, before[v].joints, 8);
        }
        check_guard_assert_before(&guard, n * sizeof *vertices);
        outputs_free(&apart);
        free(before);
        check_guard_free(&guard);
    }
}

static void two_hundred_and_fifty_five_influences_are_all_added_up(void **state) {
    (void)state; // 255 joints, each a step further, equal weights: the mean of 0..254 is 127
    sqt_mat4 *const palette = make(255, sizeof *palette);
    uint8_t joints[255];
    float weights[255];
    for (uint32_t k = 0; k < 255; ++k) {
        palette[k] = move_matrix((float)k, 0, 0);
        joints[k] = (uint8_t)(254 - k);
        weights[k] = (float)(1 / 255.0);
    }
    const float position[3] = {0, 0, 0};
    static const uint32_t offsets[2] = {0, 255};
    for (uint32_t form = 0; form < 2; ++form) {
        const sqt_mesh mesh = {.vertex_count = 1,
                               .influence_count = 255,
                               .palette_count = 255,
                               .influence_offsets = form ? offsets : NULL,
                               .positions = {position, 0, SQT_FORMAT_F32},
                               .joints = {joints, 0, SQT_FORMAT_U8},
                               .weights = {weights, 0, SQT_FORMAT_F32}};
        float out[3];
        const sqt_skinned skinned = {.positions = out};
        assert_int_equal(sqt_skin_vertices(&skinned, &mesh, palette, 255, 0, 1, 0), SQT_OK);
        assert_three(out, 127, 0, 0, 1e-3);
    }
    free(palette);
}

static void a_mesh_without_influences_needs_no_joints_and_lands_on_the_origin(void **state) {
    (void)state; // sqt_mesh_validate accepts both
    const float positions[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t offsets[3] = {7, 7, 7};
    const sqt_mat4 palette = move_matrix(9, 9, 9);
    for (uint32_t form = 0; form < 2; ++form) {
        const sqt_mesh mesh = {.vertex_count = 2,
                               .palette_count = 1,
                               .influence_offsets = form ? offsets : NULL,
                               .positions = {positions, 0, SQT_FORMAT_F32}};
        float out[6];
        memset(out, 0xFF, sizeof out);
        const sqt_skinned skinned = {.positions = out};
        assert_int_equal(sqt_mesh_validate(&mesh, NULL), SQT_OK);
        assert_int_equal(sqt_skin_vertices(&skinned, &mesh, &palette, 1, 0, 2, 0), SQT_OK);
        for (uint32_t i = 0; i < 6; ++i) assert_close(out[i], 0, 0);
    }
}

// ---- Errors of skinning ----

typedef struct call {
    sqt_mesh mesh;
    sqt_skinned skinned;
    sqt_mat4 palette[4];
    float out[3][40];
    uint32_t palette_count, first, count, flags;
    uint32_t offsets[11];
} call;

static const float call_floats[160] = {0};
static const uint32_t call_joints[40] = {0};

static call good_call(void) {
    call c = {.mesh = {.vertex_count = 10,
                       .influence_count = 4,
                       .palette_count = 4,
                       .positions = {call_floats, 0, SQT_FORMAT_F32},
                       .normals = {call_floats, 0, SQT_FORMAT_F32},
                       .tangents = {call_floats, 0, SQT_FORMAT_F32},
                       .joints = {call_joints, 0, SQT_FORMAT_U32},
                       .weights = {call_floats, 0, SQT_FORMAT_F32}},
              .palette_count = 4,
              .count = 10};
    memset(c.out, 0xFF, sizeof c.out);
    return c;
}

static sqt_result run(call *c) {
    // Pointers into the call itself, set last: it has been copied.
    const sqt_skinned at = {c->out[0],
                            c->out[1],
                            c->out[2],
                            c->skinned.position_stride_bytes,
                            c->skinned.normal_stride_bytes,
                            c->skinned.tangent_stride_bytes};
    return sqt_skin_vertices(&at, &c->mesh, c->palette, c->palette_count, c->first, c->count, c->flags);
}

static void assert_refused(call c, sqt_result result) {
    assert_int_equal(run(&c), result);
    assert_untouched(c.out, sizeof c.out);
}

static void wrong_skinning_calls_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    call c = good_call();
    assert_int_equal(run(&c), SQT_OK);
    c = good_call();
    const sqt_skinned at = {.positions = c.out[0]};
    assert_int_equal(sqt_skin_vertices(NULL, &c.mesh, c.palette, 4, 0, 10, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_vertices(&at, NULL, c.palette, 4, 0, 10, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_skin_vertices(&at, &c.mesh, NULL, 4, 0, 10, 0), SQT_ERROR_NULL);
    assert_untouched(c.out, sizeof c.out);
    // Absent attributes.
    sqt_attribute *const attributes[5] = {&c.mesh.positions, &c.mesh.normals, &c.mesh.tangents, &c.mesh.joints,
                                          &c.mesh.weights};
    for (uint32_t i = 0; i < 5; ++i) {
        c = good_call();
        attributes[i]->data = NULL;
        assert_refused(c, SQT_ERROR_NULL);
    }
    // Ranges.
    static const uint32_t ranges[][2] = {{0, 11}, {1, 10}, {11, 0}, {10, 1}, {5, 0xFFFFFFFFu}, {0xFFFFFFFFu, 2}};
    for (uint32_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        c = good_call();
        c.first = ranges[i][0];
        c.count = ranges[i][1];
        assert_refused(c, SQT_ERROR_COUNT);
    }
    for (uint32_t first = 0; first <= 10; ++first) {
        c = good_call();
        c.first = first;
        c.count = 0;
        assert_refused(c, SQT_OK); // nothing to do
    }
    c = good_call();
    c.palette_count = 3;
    assert_refused(c, SQT_ERROR_COUNT);
    c = good_call();
    c.mesh.influence_count = 256;
    assert_refused(c, SQT_ERROR_COUNT);
    // Strides: of the mesh below an element; of the outputs also no multiple of 4.
    static const uint32_t least[5] = {12, 12, 16, 16, 16};
    for (uint32_t i = 0; i < 5; ++i) {
        c = good_call();
        attributes[i]->stride_bytes = least[i] - 1;
        assert_refused(c, SQT_ERROR_COUNT);
        attributes[i]->stride_bytes = 1;
        assert_refused(c, SQT_ERROR_COUNT);
    }
    uint32_t *const strides[3] = {&c.skinned.position_stride_bytes, &c.skinned.normal_stride_bytes,
                                  &c.skinned.tangent_stride_bytes};
    for (uint32_t i = 0; i < 3; ++i) {
        static const uint32_t offsets_from_least[] = {1, 2, 3, 5};
        for (uint32_t k = 0; k < 4; ++k) {
            c = good_call();
            *strides[i] = least[i] + offsets_from_least[k];
            assert_refused(c, SQT_ERROR_COUNT);
        }
        c = good_call();
        *strides[i] = least[i] - 4;
        assert_refused(c, SQT_ERROR_COUNT);
        c = good_call();
        *strides[i] = least[i];
        assert_int_equal(run(&c), SQT_OK);
    }
    // In the variable form strides are those of single influences.
    c = good_call();
    c.mesh.influence_offsets = call_joints;
    c.mesh.joints.stride_bytes = 4;
    c.mesh.weights.stride_bytes = 4;
    c.mesh.influence_count = 1000;
    assert_int_equal(run(&c), SQT_OK);
    static const uint32_t some_offsets[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (uint32_t i = 3; i < 5; ++i) {
        c = good_call();
        c.mesh.influence_offsets = some_offsets;
        attributes[i]->stride_bytes = 3;
        assert_refused(c, SQT_ERROR_COUNT);
        attributes[i]->stride_bytes = 0;
        attributes[i]->data = NULL;
        assert_refused(c, SQT_ERROR_NULL);
    }
    // Groups of another mesh.
    static const uint16_t group_joints[1] = {0};
    const sqt_mesh_run whole = {0, 10, 0, 0, 1, SQT_RUN_RIGID}, less = {0, 9, 0, 0, 1, SQT_RUN_RIGID};
    sqt_mesh_groups groups = {&whole, group_joints, NULL, 1, 1, 0};
    c = good_call();
    c.mesh.groups = &groups;
    c.mesh.joints.data = c.mesh.weights.data = NULL;
    assert_int_equal(run(&c), SQT_OK);
    memset(c.out, 0xFF, sizeof c.out);
    groups.runs = &less;
    assert_refused(c, SQT_ERROR_COUNT);
    groups.runs = NULL;
    assert_refused(c, SQT_ERROR_NULL);
    groups.runs = &whole;
    groups.run_count = 0;
    assert_refused(c, SQT_ERROR_COUNT);
    // Flags and formats.
    for (uint32_t bit = 0; bit < 32; ++bit) {
        c = good_call();
        c.flags = 1u << bit;
        if (c.flags == SQT_PLAIN_NORMALS || c.flags == SQT_RAW_NORMALS || c.flags == SQT_FUSED) {
            assert_int_equal(run(&c), SQT_OK);
        } else {
            assert_refused(c, SQT_ERROR_FLAG);
        }
    }
    static const uint32_t allowed[5] = {1u << SQT_FORMAT_F32, 1u << SQT_FORMAT_F32, 1u << SQT_FORMAT_F32,
                                        1u << SQT_FORMAT_U8 | 1u << SQT_FORMAT_U16 | 1u << SQT_FORMAT_U32,
                                        1u << SQT_FORMAT_F32 | 1u << SQT_FORMAT_UNORM8 | 1u << SQT_FORMAT_UNORM16};
    for (uint32_t i = 0; i < 5; ++i) {
        for (uint32_t format = 0; format < 9; ++format) {
            c = good_call();
            attributes[i]->format = format == 8 ? 0xFFFFFFFFu : format;
            if (format < 8 && (allowed[i] >> format & 1)) {
                assert_int_equal(run(&c), SQT_OK);
            } else {
                assert_refused(c, SQT_ERROR_FLAG);
            }
        }
    }
}

static void a_larger_palette_than_the_mesh_needs_is_welcome(void **state) {
    (void)state;
    call c = good_call();
    c.mesh.palette_count = 2;
    assert_int_equal(run(&c), SQT_OK);
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_skin_knows_its_rig_and_its_largest_joint),
        cmocka_unit_test(a_wrong_skin_is_named_and_left_alone),
        cmocka_unit_test(a_skin_from_elsewhere_is_checked),
        cmocka_unit_test(bind_matrices_are_the_inverses_of_the_globals),
        cmocka_unit_test(bind_matrices_of_the_rest_pose_are_double_precision_along_the_chain),
        cmocka_unit_test(a_bind_matrix_by_hand),
        cmocka_unit_test(what_cannot_be_inverted_is_named_and_nothing_is_written),
        cmocka_unit_test(palettes_agree_with_double_precision_and_both_forms_have_the_same_numbers),
        cmocka_unit_test(the_model_to_world_matrix_acts_last),
        cmocka_unit_test(palette_entry_k_uses_the_joint_and_the_bind_matrix_of_its_place_in_the_list),
        cmocka_unit_test(palettes_refuse_what_was_made_for_another_skeleton_and_write_nothing),
        cmocka_unit_test(normals_stay_at_right_angles_to_a_stretched_surface),
        cmocka_unit_test(a_shear_tilts_normals_by_its_inverse_transpose),
        cmocka_unit_test(translation_leaves_normals_and_tangents_alone),
        cmocka_unit_test(mirrored_normals_stay_on_the_outer_side),
        cmocka_unit_test(flat_and_vanished_matrices_give_finite_results),
        cmocka_unit_test(vectors_shorter_than_1e_15_are_zero_and_longer_ones_unit),
        cmocka_unit_test(matrices_up_to_1e15_give_finite_results),
        cmocka_unit_test(the_handedness_of_a_tangent_is_copied_bit_for_bit),
        cmocka_unit_test(weights_that_do_not_sum_to_one_are_used_as_they_are_until_they_are_normalised),
        cmocka_unit_test(five_influences_and_the_four_heaviest_of_them),
        cmocka_unit_test(integer_weights_are_fractions_of_their_largest_value),
        cmocka_unit_test(vertices_reach_the_joints_around_the_limits_of_a_byte),
        cmocka_unit_test(the_armature_above_the_skeleton_moves_the_vertices_and_nothing_else_does),
        cmocka_unit_test(skinning_the_rest_pose_with_its_own_bind_matrices_changes_nothing),
        cmocka_unit_test(every_layout_agrees_with_double_precision),
        cmocka_unit_test(meshes_of_any_size_agree_with_double_precision),
        cmocka_unit_test(however_a_mesh_is_cut_each_vertex_gets_the_same_bits),
        cmocka_unit_test(outputs_that_are_not_wanted_change_nothing_of_the_others),
        cmocka_unit_test(an_interleaved_vertex_buffer_is_skinned_in_place),
        cmocka_unit_test(two_hundred_and_fifty_five_influences_are_all_added_up),
        cmocka_unit_test(a_mesh_without_influences_needs_no_joints_and_lands_on_the_origin),
        cmocka_unit_test(wrong_skinning_calls_are_refused_and_nothing_is_written),
        cmocka_unit_test(a_larger_palette_than_the_mesh_needs_is_welcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
