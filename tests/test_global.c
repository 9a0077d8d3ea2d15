// Local poses to global poses and back: every promise of sqt/global.h, with expected values by hand or in double
// precision.
#include "check_guard.h"
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0x610BA1 };

static sqt_transform moved(float x, float y, float z) {
    const sqt_transform t = {SQT_QUAT_IDENTITY, {x, y, z}, {1, 1, 1}};
    return t;
}

static sqt_transform turned(sqt_quat rotation) {
    const sqt_transform t = {rotation, {0, 0, 0}, {1, 1, 1}};
    return t;
}

static sqt_transform scaled(float x, float y, float z) {
    const sqt_transform t = {SQT_QUAT_IDENTITY, {0, 0, 0}, {x, y, z}};
    return t;
}

static sqt_vec3 vec3(float x, float y, float z) {
    const sqt_vec3 v = {x, y, z};
    return v;
}

static void *make(size_t count, size_t bytes) {
    void *const memory = malloc(count * bytes);
    assert_non_null(memory);
    memset(memory, 0xFF, count * bytes);
    return memory;
}

/// Scales of a moderate range, some of them negative where `mirrors`.
static sqt_vec3 random_scale(check_random *random, bool mirrors) {
    sqt_vec3 s = check_random_vec3(random, 0.7f, 1.4f);
    if (mirrors && check_random_below(random, 3) == 0) s.x = -s.x;
    if (mirrors && check_random_below(random, 3) == 0) s.y = -s.y;
    if (mirrors && check_random_below(random, 3) == 0) s.z = -s.z;
    return s;
}

static sqt_transform random_transform(check_random *random, bool mirrors) {
    const sqt_transform t = {check_random_quat(random), check_random_vec3(random, -2, 2),
                             random_scale(random, mirrors)};
    return t;
}

static void random_pose(sqt_pose_block *pose, uint32_t joint_count, check_random *random, bool mirrors) {
    for (uint32_t j = 0; j < joint_count; ++j) sqt_pose_set(pose, j, random_transform(random, mirrors));
    for (uint32_t j = joint_count; j < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++j) {
        const sqt_transform nowhere = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
        sqt_pose_set(pose, j, nowhere);
    }
}

/// The global matrices in double precision.
static check_dmat *exact_globals(const sqt_skeleton *skeleton, const sqt_pose_block *local, const sqt_mat4 *root) {
    check_dmat *const global = make(skeleton->joint_count, sizeof *global);
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const uint32_t parent = skeleton->parents[j];
        const check_dmat own = check_dmat_from_transform(sqt_pose_get(local, j));
        const check_dmat above = parent != SQT_NO_JOINT ? global[parent]
                                 : root                 ? check_dmat_of(*root)
                                                        : check_dmat_identity();
        global[j] = check_dmat_multiply(above, own);
    }
    return global;
}

static void assert_same_matrix(const sqt_mat4 *a, const sqt_mat4 *b, uint32_t joint) {
    if (memcmp(a, b, sizeof *a) != 0) fail_msg("matrix %u has other bits", joint);
}

static void assert_untouched(const void *memory, size_t bytes, const char *what, uint32_t index) {
    const unsigned char *const byte = memory;
    for (size_t i = 0; i < bytes; ++i) {
        if (byte[i] != 0xFF) fail_msg("%s %u was written", what, index);
    }
}

static void assert_padding_is_identity(const sqt_pose_block *pose, uint32_t joint_count) {
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    for (uint32_t j = joint_count; j < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++j) {
        const sqt_transform t = sqt_pose_get(pose, j);
        assert_memory_equal(&t, &identity, sizeof t);
    }
}

/// Two joints, the second below the first.
typedef struct pair {
    check_tree tree;
    sqt_pose_block local;
} pair;

static pair pair_of(sqt_transform parent, sqt_transform child) {
    pair p = {check_tree_chain(2, moved(0, 0, 0)), {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}}};
    const sqt_transform both[2] = {parent, child};
    assert_int_equal(sqt_pose_pack(&p.local, both, 2), SQT_OK);
    return p;
}

// ---- By hand ----

static void a_rotated_child_of_a_stretched_parent_is_sheared_by_matrices_and_not_component_wise(void **state) {
    (void)state; // parent S(2, 1, 1), the child's point (1, 0, 0)
    static const float degrees[] = {90, 45};
    const sqt_vec3 by_matrix[2] = {{0, 1, 0}, {1.4142136f, 0.7071068f, 0}};
    const sqt_vec3 by_component[2] = {{0, 2, 0}, {1.4142136f, 1.4142136f, 0}};
    for (uint32_t i = 0; i < 2; ++i) {
        pair p = pair_of(scaled(2, 1, 1), turned(check_degrees(0, 0, 1, (double)degrees[i])));
        sqt_mat4 matrices[2], component_matrices[2];
        sqt_transform transforms[2];
        assert_int_equal(sqt_global_from_local(matrices, &p.tree.skeleton, &p.local, NULL), SQT_OK);
        assert_int_equal(sqt_global_transforms(transforms, component_matrices, &p.tree.skeleton, &p.local, NULL),
                         SQT_OK);
        assert_vec3_close(sqt_mat4_point(matrices[1], vec3(1, 0, 0)), by_matrix[i], 1e-6);
        assert_vec3_close(sqt_transform_point(transforms[1], vec3(1, 0, 0)), by_component[i], 1e-6);
        assert_vec3_close(sqt_mat4_point(component_matrices[1], vec3(1, 0, 0)), by_component[i], 1e-6);
        check_tree_free(&p.tree);
    }
}

static void the_parent_acts_after_the_child(void **state) {
    (void)state; // parent T(1, 2, 3) 90Z S 2, child T(1, 0, 0) 90X: (0, 1, 0) -> (1, 0, 1) -> (0, 2, 2) -> (1, 4, 5)
    sqt_transform parent = turned(check_degrees(0, 0, 1, 90)), child = turned(check_degrees(1, 0, 0, 90));
    parent.translation = vec3(1, 2, 3);
    parent.scale = vec3(2, 2, 2);
    child.translation = vec3(1, 0, 0);
    pair p = pair_of(parent, child);
    sqt_mat4 matrices[2], component_matrices[2];
    sqt_transform transforms[2];
    assert_int_equal(sqt_global_from_local(matrices, &p.tree.skeleton, &p.local, NULL), SQT_OK);
    assert_int_equal(sqt_global_transforms(transforms, component_matrices, &p.tree.skeleton, &p.local, NULL), SQT_OK);
    const sqt_vec3 expected = {1, 4, 5};
    assert_vec3_close(sqt_mat4_point(matrices[1], vec3(0, 1, 0)), expected, 1e-6);
    assert_vec3_close(sqt_mat4_point(component_matrices[1], vec3(0, 1, 0)), expected, 1e-6);
    assert_vec3_close(sqt_transform_point(transforms[1], vec3(0, 1, 0)), expected, 1e-6);
    const sqt_quat both = {0.5f, 0.5f, 0.5f, 0.5f}; // 90Z * 90X
    assert_rotation_close(transforms[1].rotation, both, 1e-6);
    check_tree_free(&p.tree);
}

static void joint_k_of_a_chain_of_steps_of_one_is_at_height_k_plus_one(void **state) {
    (void)state;
    static const uint32_t counts[] = {127, 128, 255, 256, 257, 300, 5000, SQT_MAX_JOINTS};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const uint32_t n = counts[i];
        check_tree tree = check_tree_chain(n, moved(0, 1, 0));
        sqt_pose_block *const local = check_pose_make(n);
        assert_int_equal(sqt_skeleton_rest(local, &tree.skeleton), SQT_OK);
        sqt_mat4 *const global = make(n, sizeof *global), *const matrices = make(n, sizeof *matrices);
        sqt_transform *const transforms = make(n, sizeof *transforms);
        assert_int_equal(sqt_global_from_local(global, &tree.skeleton, local, NULL), SQT_OK);
        assert_int_equal(sqt_global_transforms(transforms, matrices, &tree.skeleton, local, NULL), SQT_OK);
        const sqt_mat4 *const ways[2] = {global, matrices};
        for (uint32_t k = 0; k < n; ++k) {
            const check_dmat expected = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, k + 1.0, 0, 1}};
            for (uint32_t w = 0; w < 2; ++w) check_assert_matrix(ways[w][k], expected, 0, 0, k);
            assert_vec3_close(transforms[k].translation, vec3(0, (float)(k + 1), 0), 0);
        }
        // Everything below the middle, renewed from stale matrices.
        for (uint32_t k = n / 2; k < n; ++k) global[k] = global[0];
        assert_int_equal(sqt_global_from_local_below(global, &tree.skeleton, local, NULL, n / 2), SQT_OK);
        for (uint32_t k = 0; k < n; ++k) assert_close(global[k].m[13], k + 1.0, 0);
        sqt_pose_block *const back = check_pose_make(n);
        assert_int_equal(sqt_local_from_global(back, &tree.skeleton, global, NULL), SQT_OK);
        assert_memory_equal(back, local, SQT_POSE_BLOCKS(n) * sizeof *back);
        assert_int_equal(sqt_local_from_transforms(back, &tree.skeleton, transforms, NULL), SQT_OK);
        assert_memory_equal(back, local, SQT_POSE_BLOCKS(n) * sizeof *back);
        free(back);
        free(transforms);
        free(matrices);
        free(global);
        free(local);
        check_tree_free(&tree);
    }
}

static void what_stands_above_the_skeleton_comes_in_as_the_root(void **state) {
    (void)state; // an armature node, no joint: T(0, 0, 5) S .01; the joint T(100, 0, 0)
    check_tree tree = check_tree_chain(1, moved(100, 0, 0));
    sqt_transform armature = moved(0, 0, 5);
    armature.scale = vec3(0.01f, 0.01f, 0.01f);
    const sqt_mat4 armature_matrix = {{0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 5, 1}};
    sqt_pose_block local;
    sqt_mat4 global, matrix;
    sqt_transform transform;
    assert_int_equal(sqt_skeleton_rest(&local, &tree.skeleton), SQT_OK);
    assert_int_equal(sqt_global_from_local(&global, &tree.skeleton, &local, &armature_matrix), SQT_OK);
    assert_int_equal(sqt_global_transforms(&transform, &matrix, &tree.skeleton, &local, &armature), SQT_OK);
    const sqt_vec3 expected = {1, 0, 5};
    assert_vec3_close(sqt_mat4_point(global, vec3(0, 0, 0)), expected, 1e-6);
    assert_vec3_close(sqt_mat4_point(matrix, vec3(0, 0, 0)), expected, 1e-6);
    assert_vec3_close(sqt_transform_point(transform, vec3(0, 0, 0)), expected, 1e-6);
    assert_vec3_close(sqt_mat4_point(global, vec3(0, 100, 0)), vec3(1, 1, 5), 1e-6);
    check_tree_free(&tree);
}

static void two_roots_stand_apart_and_both_below_the_root_matrix(void **state) {
    (void)state; // 0 and 1 are roots, 2 below 0, 3 below 1
    check_tree tree = check_tree_make(4);
    tree.joints[2].parent = 0;
    tree.joints[3].parent = 1;
    check_tree_build(&tree);
    const sqt_transform joints[4] = {moved(1, 0, 0), moved(0, 10, 0), moved(2, 0, 0), moved(0, 20, 0)};
    const sqt_vec3 expected[4] = {{1, 0, 0}, {0, 10, 0}, {3, 0, 0}, {0, 30, 0}};
    const sqt_transform root = moved(0, 0, 7);
    const sqt_mat4 root_matrix = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 7, 1}};
    sqt_pose_block local;
    assert_int_equal(sqt_pose_pack(&local, joints, 4), SQT_OK);
    for (uint32_t below = 0; below < 2; ++below) {
        sqt_mat4 global[4], matrices[4];
        sqt_transform transforms[4];
        assert_int_equal(sqt_global_from_local(global, &tree.skeleton, &local, below ? &root_matrix : NULL), SQT_OK);
        assert_int_equal(sqt_global_transforms(transforms, matrices, &tree.skeleton, &local, below ? &root : NULL),
                         SQT_OK);
        for (uint32_t j = 0; j < 4; ++j) {
            const sqt_vec3 at = {expected[j].x, expected[j].y, below ? 7.0f : 0.0f};
            assert_vec3_close(sqt_mat4_point(global[j], vec3(0, 0, 0)), at, 0);
            assert_vec3_close(sqt_mat4_point(matrices[j], vec3(0, 0, 0)), at, 0);
            assert_vec3_close(transforms[j].translation, at, 0);
        }
    }
    check_tree_free(&tree);
}

// ---- Double precision ----

static void global_matrices_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t round = 0; round < 400; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 200);
        check_tree tree = check_tree_random(n, &random);
        sqt_pose_block *const local = check_pose_make(n);
        random_pose(local, n, &random, round % 2);
        const sqt_mat4 matrix = check_dmat_rounded(check_dmat_from_transform(random_transform(&random, round % 2)));
        const sqt_mat4 *const root = round / 2 % 2 ? &matrix : NULL;
        check_dmat *const exact = exact_globals(&tree.skeleton, local, root);
        sqt_mat4 *const global = make(n, sizeof *global);
        assert_int_equal(sqt_global_from_local(global, &tree.skeleton, local, root), SQT_OK);
        double reach = 0; // the largest coordinate on the way
        for (uint32_t j = 0; j < n; ++j) reach = fmax(reach, check_dmat_size(exact[j], true));
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_matrix(global[j], exact[j], 1e-5 * check_dmat_size(exact[j], false), 1e-5 * reach, j);
            check_assert_last_row(global[j], j);
        }
        free(global);
        free(exact);
        free(local);
        check_tree_free(&tree);
    }
}

/// The product of two component-wise transforms in double precision: rotation x, y, z, w, translation, scale.
typedef struct wide_transform {
    check_dquat rotation;
    double translation[3], scale[3];
} wide_transform;

static wide_transform widen(sqt_transform t) {
    const wide_transform wide = {
        {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w},
        {(double)t.translation.x, (double)t.translation.y, (double)t.translation.z},
        {(double)t.scale.x, (double)t.scale.y, (double)t.scale.z}};
    return wide;
}

static wide_transform multiply_wide(wide_transform a, wide_transform b) {
    wide_transform r = {check_dquat_multiply(a.rotation, b.rotation), {0, 0, 0}, {0, 0, 0}};
    const check_dquat point = {a.scale[0] * b.translation[0], a.scale[1] * b.translation[1],
                               a.scale[2] * b.translation[2], 0};
    const check_dquat back = {-a.rotation.x, -a.rotation.y, -a.rotation.z, a.rotation.w};
    const check_dquat at = check_dquat_multiply(check_dquat_multiply(a.rotation, point), back);
    r.translation[0] = a.translation[0] + at.x;
    r.translation[1] = a.translation[1] + at.y;
    r.translation[2] = a.translation[2] + at.z;
    for (uint32_t i = 0; i < 3; ++i) r.scale[i] = a.scale[i] * b.scale[i];
    return r;
}

static void component_wise_transforms_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 120);
        check_tree tree = check_tree_random(n, &random);
        sqt_pose_block *const local = check_pose_make(n);
        random_pose(local, n, &random, round % 2);
        const sqt_transform above = random_transform(&random, round % 2);
        wide_transform *const exact = make(n, sizeof *exact);
        sqt_transform *const transforms = make(n, sizeof *transforms), *const alone = make(n, sizeof *alone);
        sqt_mat4 *const matrices = make(n, sizeof *matrices);
        const sqt_transform *const root = round / 2 % 2 ? &above : NULL;
        assert_int_equal(sqt_global_transforms(transforms, matrices, &tree.skeleton, local, root), SQT_OK);
        assert_int_equal(sqt_global_transforms(alone, NULL, &tree.skeleton, local, root), SQT_OK);
        assert_memory_equal(transforms, alone, n * sizeof *alone);
        double reach = 1;
        for (uint32_t j = 0; j < n; ++j) {
            const uint32_t parent = tree.skeleton.parents[j];
            const wide_transform own = widen(sqt_pose_get(local, j));
            exact[j] = parent != SQT_NO_JOINT ? multiply_wide(exact[parent], own)
                       : root                 ? multiply_wide(widen(*root), own)
                                              : own;
            for (uint32_t i = 0; i < 3; ++i) reach = fmax(reach, fabs(exact[j].translation[i]));
        }
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform t = transforms[j];
            const float translation[3] = {t.translation.x, t.translation.y, t.translation.z};
            const float scale[3] = {t.scale.x, t.scale.y, t.scale.z};
            assert_rotation_close(t.rotation, check_dquat_rounded(exact[j].rotation), 1e-5);
            for (uint32_t i = 0; i < 3; ++i) {
                assert_close(translation[i], exact[j].translation[i], 1e-5 * reach);
                assert_close(scale[i], exact[j].scale[i], 1e-5 * fabs(exact[j].scale[i]));
            }
            const check_dmat m = check_dmat_from_transform(t);
            check_assert_matrix(matrices[j], m, 1e-5 * check_dmat_size(m, false), 0, j);
            check_assert_last_row(matrices[j], j);
        }
        free(matrices);
        free(alone);
        free(transforms);
        free(exact);
        free(local);
        check_tree_free(&tree);
    }
}

static void without_scale_both_conventions_agree(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    const uint32_t n = 150;
    check_tree tree = check_tree_random(n, &random);
    sqt_pose_block *const local = check_pose_make(n);
    random_pose(local, n, &random, false);
    for (uint32_t j = 0; j < n; ++j) local[j / 16].sx[j % 16] = local[j / 16].sy[j % 16] = local[j / 16].sz[j % 16] = 1;
    sqt_mat4 global[150], matrices[150];
    sqt_transform transforms[150];
    assert_int_equal(sqt_global_from_local(global, &tree.skeleton, local, NULL), SQT_OK);
    assert_int_equal(sqt_global_transforms(transforms, matrices, &tree.skeleton, local, NULL), SQT_OK);
    for (uint32_t j = 0; j < n; ++j) assert_all_close(global[j].m, matrices[j].m, 16, 1e-4);
    free(local);
    check_tree_free(&tree);
}

static void the_last_row_is_0_0_0_1_with_positive_zeros(void **state) {
    (void)state; // numbers whose products are negative zeros
    static const float odd[] = {-0.0f, 0.0f, -1.0f, 1.0f, -1e-40f};
    check_random random = {SEED + 3};
    for (uint32_t round = 0; round < 500; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 40);
        check_tree tree = check_tree_random(n, &random);
        sqt_pose_block *const local = check_pose_make(n);
        float *const numbers = (float *)local;
        for (size_t i = 0; i < SQT_POSE_BLOCKS(n) * sizeof *local / sizeof *numbers; ++i) {
            numbers[i] = odd[check_random_below(&random, sizeof odd / sizeof *odd)];
        }
        const sqt_mat4 matrix = {{-1, -0.0f, -0.0f, 0, -0.0f, -1, 0, 0, 0, -0.0f, -1, 0, -1, -0.0f, 0, 1}};
        const sqt_mat4 *const root = round % 2 ? &matrix : NULL;
        sqt_mat4 global[40], renewed[40], matrices[40];
        sqt_transform transforms[40];
        assert_int_equal(sqt_global_from_local(global, &tree.skeleton, local, root), SQT_OK);
        assert_int_equal(sqt_global_transforms(transforms, matrices, &tree.skeleton, local, NULL), SQT_OK);
        memcpy(renewed, global, n * sizeof *global);
        const uint32_t joint = check_random_below(&random, n);
        memset(renewed + joint, 0xFF, sizeof *renewed);
        assert_int_equal(sqt_global_from_local_below(renewed, &tree.skeleton, local, root, joint), SQT_OK);
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_last_row(global[j], j);
            check_assert_last_row(renewed[j], j);
            check_assert_last_row(matrices[j], j);
            assert_same_matrix(renewed + j, global + j, j);
        }
        free(local);
        check_tree_free(&tree);
    }
}

// ---- Parts ----

/// Leaves ones where the next call has its variables, so that one that it forgets to set is not 0 by luck.
static void fill_stack(void) {
    volatile unsigned char ones[32768];
    for (size_t i = 0; i < sizeof ones; ++i) ones[i] = 0xFF;
}

static void (*volatile dirty_stack)(void) = fill_stack; // inlined, it would fill the caller's own part of the stack

static void renewing_below_a_joint_gives_the_bits_of_the_full_pass_and_leaves_the_others(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 16, 17, 33, 70, 100};
    static const sqt_mat4 stale = {{5, 6, 7, 0, 8, 9, 10, 0, 11, 12, 13, 0, 14, 15, 16, 1}};
    check_random random = {SEED + 4};
    for (uint32_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        const uint32_t n = counts[c];
        for (uint32_t round = 0; round < 4; ++round) {
            check_tree tree = check_tree_random(n, &random);
            sqt_pose_block *const local = check_pose_make(n);
            random_pose(local, n, &random, round % 2);
            const sqt_mat4 matrix = check_dmat_rounded(check_dmat_from_transform(random_transform(&random, false)));
            const sqt_mat4 *const root = round / 2 % 2 ? &matrix : NULL;
            for (uint32_t joint = 0; joint < n; ++joint) {
                sqt_mat4 full[100], part[100];
                bool below[100];
                sqt_pose_set(local, joint, random_transform(&random, round % 2)); // the edit
                assert_int_equal(sqt_global_from_local(full, &tree.skeleton, local, root), SQT_OK);
                for (uint32_t j = 0; j < n; ++j) part[j] = stale; // numbers: what a NaN gives is the same NaN
                const uint32_t above = tree.skeleton.parents[joint];
                if (above != SQT_NO_JOINT) part[above] = full[above];
                dirty_stack();
                assert_int_equal(sqt_global_from_local_below(part, &tree.skeleton, local, root, joint), SQT_OK);
                for (uint32_t j = 0; j < n; ++j) {
                    const uint32_t parent = tree.joints[j].parent;
                    below[j] = j == joint || (parent != SQT_NO_JOINT && below[parent]);
                    if (below[j] || j == above) {
                        assert_same_matrix(part + j, full + j, j);
                    } else {
                        assert_same_matrix(part + j, &stale, j);
                    }
                }
            }
            free(local);
            check_tree_free(&tree);
        }
    }
}

static void the_largest_skeleton_is_renewed_from_its_root_and_from_its_last_joint(void **state) {
    (void)state;
    enum { COUNT = SQT_MAX_JOINTS };
    check_tree tree = check_tree_make(COUNT);
    for (uint32_t j = 1; j < COUNT; ++j) tree.joints[j].parent = (j - 1) / 2;
    check_tree_build(&tree);
    sqt_pose_block *const local = check_pose_make(COUNT);
    check_random random = {SEED + 20};
    random_pose(local, COUNT, &random, false);
    sqt_mat4 *const full = make(COUNT, sizeof *full), *const part = make(COUNT, sizeof *part);
    assert_int_equal(sqt_global_from_local(full, &tree.skeleton, local, NULL), SQT_OK);
    assert_int_equal(sqt_global_from_local_below(part, &tree.skeleton, local, NULL, 0), SQT_OK);
    for (uint32_t j = 0; j < COUNT; ++j) assert_same_matrix(part + j, full + j, j);
    memset(part + COUNT - 1, 0xFF, sizeof *part);
    assert_int_equal(sqt_global_from_local_below(part, &tree.skeleton, local, NULL, COUNT - 1), SQT_OK);
    assert_same_matrix(part + COUNT - 1, full + COUNT - 1, COUNT - 1);
    free(full);
    free(part);
    free(local);
    check_tree_free(&tree);
}

static void a_level_of_detail_has_the_bits_of_the_whole_and_writes_no_more(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    enum { COUNT = 90 };
    check_tree tree = check_tree_random(COUNT, &random);
    sqt_pose_block *const local = check_pose_make(COUNT);
    random_pose(local, COUNT, &random, true);
    const sqt_transform above = random_transform(&random, false);
    const sqt_mat4 root = check_dmat_rounded(check_dmat_from_transform(above));
    sqt_mat4 full[COUNT], full_matrices[COUNT];
    sqt_transform full_transforms[COUNT];
    assert_int_equal(sqt_global_from_local(full, &tree.skeleton, local, &root), SQT_OK);
    assert_int_equal(sqt_global_transforms(full_transforms, full_matrices, &tree.skeleton, local, &above), SQT_OK);
    check_guard guards[4] = {check_guard_make(sizeof full), check_guard_make(sizeof full),
                             check_guard_make(sizeof full_transforms),
                             check_guard_make(SQT_POSE_BLOCKS(COUNT) * sizeof *local)};
    for (uint32_t n = 1; n <= COUNT; ++n) {
        sqt_skeleton lod = tree.skeleton;
        lod.joint_count = n;
        const size_t bytes = n * sizeof *full, pose_bytes = SQT_POSE_BLOCKS(n) * sizeof *local;
        sqt_mat4 *const global = check_guard_take(guards, bytes);
        sqt_mat4 *const matrices = check_guard_take(guards + 1, bytes);
        sqt_transform *const transforms = check_guard_take(guards + 2, n * sizeof *transforms);
        sqt_pose_block *const pose = check_guard_take(guards + 3, pose_bytes);
        memcpy(pose, local, pose_bytes);
        assert_int_equal(sqt_global_from_local(global, &lod, pose, &root), SQT_OK);
        assert_int_equal(sqt_global_transforms(transforms, matrices, &lod, pose, &above), SQT_OK);
        assert_memory_equal(global, full, bytes);
        assert_memory_equal(matrices, full_matrices, bytes);
        assert_memory_equal(transforms, full_transforms, n * sizeof *transforms);
        const uint32_t joint = check_random_below(&random, n);
        global[joint].m[5] = NAN;
        assert_int_equal(sqt_global_from_local_below(global, &lod, pose, &root, joint), SQT_OK);
        assert_memory_equal(global, full, bytes);
        assert_memory_equal(pose, local, pose_bytes);
        assert_int_equal(sqt_local_from_global(pose, &lod, full, &root), SQT_OK);
        assert_padding_is_identity(pose, n);
        assert_int_equal(sqt_local_from_transforms(pose, &lod, full_transforms, &above), SQT_OK);
        assert_padding_is_identity(pose, n);
        check_guard_assert_before(guards, bytes);
        check_guard_assert_before(guards + 1, bytes);
        check_guard_assert_before(guards + 2, n * sizeof *transforms);
        check_guard_assert_before(guards + 3, pose_bytes);
    }
    for (uint32_t i = 0; i < 4; ++i) check_guard_free(guards + i);
    free(local);
    check_tree_free(&tree);
}

static void joints_that_are_not_finite_spoil_only_what_is_below_them(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    enum { COUNT = 60 };
    for (uint32_t round = 0; round < 50; ++round) {
        check_tree tree = check_tree_random(COUNT, &random);
        sqt_pose_block *const local = check_pose_make(COUNT);
        random_pose(local, COUNT, &random, false);
        sqt_mat4 clean[COUNT], spoilt[COUNT];
        bool below[COUNT];
        const uint32_t joint = check_random_below(&random, COUNT);
        assert_int_equal(sqt_global_from_local(clean, &tree.skeleton, local, NULL), SQT_OK);
        local[joint / 16].rx[joint % 16] = round % 2 ? NAN : INFINITY;
        assert_int_equal(sqt_global_from_local(spoilt, &tree.skeleton, local, NULL), SQT_OK);
        for (uint32_t j = 0; j < COUNT; ++j) {
            const uint32_t parent = tree.joints[j].parent;
            below[j] = j == joint || (parent != SQT_NO_JOINT && below[parent]);
            if (!below[j]) assert_same_matrix(spoilt + j, clean + j, j);
        }
        free(local);
        check_tree_free(&tree);
    }
}

// ---- And back ----

static void local_poses_come_back_from_global_matrices(void **state) {
    (void)state;
    check_random random = {SEED + 7};
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 60);
        const bool mirrors = round % 2;
        check_tree tree = check_tree_random(n, &random);
        sqt_pose_block *const local = check_pose_make(n), *const back = check_pose_make(n);
        random_pose(local, n, &random, mirrors);
        const sqt_mat4 matrix = check_dmat_rounded(check_dmat_from_transform(random_transform(&random, mirrors)));
        const sqt_mat4 *const root = round / 2 % 2 ? &matrix : NULL;
        check_dmat *const exact = exact_globals(&tree.skeleton, local, root);
        sqt_mat4 *const global = make(n, sizeof *global);
        for (uint32_t j = 0; j < n; ++j) global[j] = check_dmat_rounded(exact[j]);
        memset(back, 0xFF, SQT_POSE_BLOCKS(n) * sizeof *back);
        assert_int_equal(sqt_local_from_global(back, &tree.skeleton, global, root), SQT_OK);
        assert_padding_is_identity(back, n);
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform expected = sqt_pose_get(local, j), t = sqt_pose_get(back, j);
            // Rounding the globals moves the quotient by an ulp times their condition, 10 or so for such scales.
            const check_dmat m = check_dmat_from_transform(expected);
            check_assert_matrix(check_dmat_rounded(check_dmat_from_transform(t)), m, 1e-4, 1e-3, j);
            if (!mirrors) {
                assert_rotation_close(t.rotation, expected.rotation, 1e-4);
                assert_vec3_close(t.scale, expected.scale, 1e-4);
            } else {
                const bool mirrored = (expected.scale.x * expected.scale.y) * expected.scale.z < 0;
                assert_true((t.scale.x < 0) == mirrored && t.scale.y > 0 && t.scale.z > 0);
            }
            assert_true(t.rotation.w >= 0);
        }
        // What matters to a caller: the pose gives the same global matrices again.
        sqt_mat4 *const again = make(n, sizeof *again);
        assert_int_equal(sqt_global_from_local(again, &tree.skeleton, back, root), SQT_OK);
        double reach = 1;
        for (uint32_t j = 0; j < n; ++j) reach = fmax(reach, check_dmat_size(exact[j], true));
        for (uint32_t j = 0; j < n; ++j) {
            check_assert_matrix(again[j], exact[j], 2e-5 * fmax(1, check_dmat_size(exact[j], false)), 2e-5 * reach, j);
        }
        free(again);
        free(global);
        free(exact);
        free(back);
        free(local);
        check_tree_free(&tree);
    }
}

static void local_poses_come_back_from_component_wise_transforms(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t n = 1 + check_random_below(&random, 60);
        check_tree tree = check_tree_random(n, &random);
        sqt_pose_block *const local = check_pose_make(n), *const back = check_pose_make(n);
        random_pose(local, n, &random, true);
        const sqt_transform above = random_transform(&random, true);
        const sqt_transform *const root = round % 2 ? &above : NULL;
        sqt_transform *const global = make(n, sizeof *global);
        assert_int_equal(sqt_global_transforms(global, NULL, &tree.skeleton, local, root), SQT_OK);
        memset(back, 0xFF, SQT_POSE_BLOCKS(n) * sizeof *back);
        assert_int_equal(sqt_local_from_transforms(back, &tree.skeleton, global, root), SQT_OK);
        assert_padding_is_identity(back, n);
        for (uint32_t j = 0; j < n; ++j) {
            const sqt_transform expected = sqt_pose_get(local, j), t = sqt_pose_get(back, j);
            assert_rotation_close(t.rotation, expected.rotation, 1e-5);
            assert_vec3_close(t.scale, expected.scale, 1e-5); // signs and all
            assert_vec3_close(t.translation, expected.translation, 1e-4);
        }
        free(global);
        free(back);
        free(local);
        check_tree_free(&tree);
    }
}

static void a_local_pose_by_hand_from_both_kinds_of_globals(void **state) {
    (void)state; // parent T(1, 2, 3) 90Z S 2; child at (1, 6, 3), 90Z * 90X, S 6: locally T(2, 0, 0) 90X S 3
    const sqt_quat quarter_z = {0, 0, 0.70710678f, 0.70710678f}, quarter_x = {0.70710678f, 0, 0, 0.70710678f};
    const sqt_transform globals[2] = {{quarter_z, {1, 2, 3}, {2, 2, 2}},
                                      {{0.5f, 0.5f, 0.5f, 0.5f}, {1, 6, 3}, {6, 6, 6}}};
    // The rotation by (.5, .5, .5, .5) takes x to y, y to z, z to x.
    const sqt_mat4 matrices[2] = {{{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1}},
                                  {{0, 6, 0, 0, 0, 0, 6, 0, 6, 0, 0, 0, 1, 6, 3, 1}}};
    pair p = pair_of(moved(0, 0, 0), moved(0, 0, 0));
    for (uint32_t way = 0; way < 2; ++way) {
        sqt_pose_block local;
        memset(&local, 0xFF, sizeof local);
        if (way == 0) {
            assert_int_equal(sqt_local_from_global(&local, &p.tree.skeleton, matrices, NULL), SQT_OK);
        } else {
            assert_int_equal(sqt_local_from_transforms(&local, &p.tree.skeleton, globals, NULL), SQT_OK);
        }
        const sqt_transform parent = sqt_pose_get(&local, 0), child = sqt_pose_get(&local, 1);
        assert_rotation_close(parent.rotation, quarter_z, 1e-6);
        assert_vec3_close(parent.translation, vec3(1, 2, 3), 1e-6);
        assert_vec3_close(parent.scale, vec3(2, 2, 2), 1e-6);
        assert_rotation_close(child.rotation, quarter_x, 1e-6);
        assert_vec3_close(child.translation, vec3(2, 0, 0), 1e-6);
        assert_vec3_close(child.scale, vec3(3, 3, 3), 1e-6);
    }
    check_tree_free(&p.tree);
}

static void below_a_singular_parent_a_joint_has_scale_0_and_no_rotation(void **state) {
    (void)state; // joint 0 flat, 1 below it, 2 below 1, 3 a sound root of its own, 4 below 3
    check_tree tree = check_tree_make(5);
    tree.joints[1].parent = 0;
    tree.joints[2].parent = 1;
    tree.joints[4].parent = 3;
    check_tree_build(&tree);
    const sqt_transform joints[5] = {
        {check_degrees(0, 0, 1, 90), {1, 2, 3}, {1, 0, 1}}, {check_degrees(1, 0, 0, 30), {4, 5, 6}, {1, 1, 1}},
        {check_degrees(0, 1, 0, 30), {7, 8, 9}, {1, 1, 1}}, {check_degrees(0, 0, 1, 30), {1, 1, 1}, {2, 2, 2}},
        {check_degrees(0, 0, 1, 50), {2, 2, 2}, {3, 0, 1}},
    };
    sqt_pose_block local, back;
    sqt_mat4 global[5];
    assert_int_equal(sqt_pose_pack(&local, joints, 5), SQT_OK);
    assert_int_equal(sqt_global_from_local(global, &tree.skeleton, &local, NULL), SQT_OK);
    memset(&back, 0xFF, sizeof back);
    assert_int_equal(sqt_local_from_global(&back, &tree.skeleton, global, NULL), SQT_OK);
    const sqt_quat identity = SQT_QUAT_IDENTITY;
    for (uint32_t j = 1; j < 3; ++j) {
        const sqt_transform t = sqt_pose_get(&back, j);
        assert_memory_equal(&t.rotation, &identity, sizeof identity);
        assert_vec3_close(t.scale, vec3(0, 0, 0), 0);
        assert_vec3_close(vec3(t.translation.x * 0, t.translation.y * 0, t.translation.z * 0), vec3(0, 0, 0), 0);
    }
    assert_rotation_close(sqt_pose_get(&back, 0).rotation, joints[0].rotation, 1e-6);
    assert_vec3_close(sqt_pose_get(&back, 0).scale, joints[0].scale, 1e-6);
    assert_vec3_close(sqt_pose_get(&back, 0).translation, joints[0].translation, 1e-6);
    for (uint32_t j = 3; j < 5; ++j) check_assert_transform(sqt_pose_get(&back, j), joints[j], 1e-5);
    // All of it below a root that flattens everything.
    const sqt_mat4 flat = {{[0] = 1.0f, [5] = 1.0f, [15] = 1.0f}};
    assert_int_equal(sqt_local_from_global(&back, &tree.skeleton, global, &flat), SQT_OK);
    const sqt_quat third = sqt_pose_get(&back, 3).rotation;
    assert_memory_equal(&third, &identity, sizeof identity);
    assert_vec3_close(sqt_pose_get(&back, 3).scale, vec3(0, 0, 0), 0);
    check_tree_free(&tree);
}

static void below_a_component_wise_scale_of_0_the_scale_and_translation_of_that_axis_are_0(void **state) {
    (void)state;
    pair p = pair_of(moved(0, 0, 0), moved(0, 0, 0));
    const sqt_quat turn = check_degrees(0, 0, 1, 90), identity = SQT_QUAT_IDENTITY;
    for (int flat = 0; flat < 3; ++flat) { // the other axes divide as ever
        const float kept[3] = {flat != 0, flat != 1, flat != 2};
        const sqt_transform globals[2] = {{turn, {1, 2, 3}, {2 * kept[0], 5 * kept[1], -4 * kept[2]}},
                                          {turn, {5, 8, 7}, {6, 5, 8}}};
        sqt_pose_block local;
        assert_int_equal(sqt_local_from_transforms(&local, &p.tree.skeleton, globals, NULL), SQT_OK);
        // The offset (4, 6, 4) turned back is (6, -4, 4).
        assert_vec3_close(sqt_pose_get(&local, 1).translation, vec3(3 * kept[0], -0.8f * kept[1], -kept[2]), 1e-6);
        assert_vec3_close(sqt_pose_get(&local, 1).scale, vec3(3 * kept[0], kept[1], -2 * kept[2]), 1e-6);
        assert_rotation_close(sqt_pose_get(&local, 1).rotation, identity, 1e-6);
        assert_vec3_close(sqt_pose_get(&local, 0).scale, globals[0].scale, 0);
    }
    check_tree_free(&p.tree);
}

static void tiny_parent_scales_divide_as_they_should(void **state) {
    (void)state; // the reciprocal of the scale overflows, the quotients do not
    pair p = pair_of(moved(0, 0, 0), moved(0, 0, 0));
    const sqt_transform globals[2] = {{SQT_QUAT_IDENTITY, {0, 0, 0}, {1e-39f, 1e-39f, 1e-39f}},
                                      {SQT_QUAT_IDENTITY, {3e-39f, 0, 0}, {2e-39f, 0, 1e-39f}}};
    sqt_pose_block local;
    assert_int_equal(sqt_local_from_transforms(&local, &p.tree.skeleton, globals, NULL), SQT_OK);
    assert_vec3_close(sqt_pose_get(&local, 1).translation, vec3(3, 0, 0), 1e-5);
    assert_vec3_close(sqt_pose_get(&local, 1).scale, vec3(2, 0, 1), 1e-5);
    check_tree_free(&p.tree);
}

static void local_poses_of_globals_that_are_far_apart_in_size_are_finite(void **state) {
    (void)state; // the quotient of the scales, 1e45, is no float
    pair p = pair_of(moved(0, 0, 0), moved(0, 0, 0));
    const sqt_mat4 globals[2] = {{{1e-30f, 0, 0, 0, 0, 1e-30f, 0, 0, 0, 0, 1e-30f, 0, 0, 0, 0, 1}},
                                 {{1e15f, 0, 0, 0, 0, 1e15f, 0, 0, 0, 0, 1e15f, 0, 0, 0, 0, 1}}};
    sqt_pose_block local;
    assert_int_equal(sqt_local_from_global(&local, &p.tree.skeleton, globals, NULL), SQT_OK);
    const sqt_transform t = sqt_pose_get(&local, 1);
    assert_vec3_close(vec3(t.scale.x * 0, t.scale.y * 0, t.scale.z * 0), vec3(0, 0, 0), 0);
    const sqt_quat identity = SQT_QUAT_IDENTITY;
    assert_rotation_close(t.rotation, identity, 0);
    check_tree_free(&p.tree);
}

// ---- Errors ----

static void wrong_arguments_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 9};
    check_tree tree = check_tree_random(20, &random);
    sqt_pose_block local[2], out[2];
    random_pose(local, 20, &random, false);
    sqt_mat4 in[20], global[20];
    sqt_transform in_transforms[20], transforms[20];
    assert_int_equal(sqt_global_from_local(in, &tree.skeleton, local, NULL), SQT_OK);
    assert_int_equal(sqt_global_transforms(in_transforms, NULL, &tree.skeleton, local, NULL), SQT_OK);
    memset(global, 0xFF, sizeof global);
    memset(transforms, 0xFF, sizeof transforms);
    memset(out, 0xFF, sizeof out);
    const sqt_skeleton *const rig = &tree.skeleton;
    assert_int_equal(sqt_global_from_local(NULL, rig, local, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_from_local(global, NULL, local, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_from_local(global, rig, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_from_local_below(NULL, rig, local, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_from_local_below(global, NULL, local, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_from_local_below(global, rig, NULL, NULL, 0), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_transforms(NULL, global, rig, local, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_transforms(transforms, global, NULL, local, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_transforms(transforms, global, rig, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_global(NULL, rig, in, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_global(out, NULL, in, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_global(out, rig, NULL, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_transforms(NULL, rig, in_transforms, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_transforms(out, NULL, in_transforms, NULL), SQT_ERROR_NULL);
    assert_int_equal(sqt_local_from_transforms(out, rig, NULL, NULL), SQT_ERROR_NULL);
    static const uint32_t joints[] = {20, 21, SQT_NO_JOINT, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(sqt_global_from_local_below(global, rig, local, NULL, joints[i]), SQT_ERROR_COUNT);
    }
    static const uint32_t counts[] = {0, SQT_MAX_JOINTS + 1, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < 3; ++i) {
        sqt_skeleton wrong = tree.skeleton;
        wrong.joint_count = counts[i];
        assert_int_equal(sqt_global_from_local(global, &wrong, local, NULL), SQT_ERROR_COUNT);
        assert_int_equal(sqt_global_from_local_below(global, &wrong, local, NULL, 0), SQT_ERROR_COUNT);
        assert_int_equal(sqt_global_transforms(transforms, global, &wrong, local, NULL), SQT_ERROR_COUNT);
        assert_int_equal(sqt_local_from_global(out, &wrong, in, NULL), SQT_ERROR_COUNT);
        assert_int_equal(sqt_local_from_transforms(out, &wrong, in_transforms, NULL), SQT_ERROR_COUNT);
    }
    assert_untouched(global, sizeof global, "output", 0);
    assert_untouched(transforms, sizeof transforms, "output", 1);
    assert_untouched(out, sizeof out, "output", 2);
    check_tree_free(&tree);
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotated_child_of_a_stretched_parent_is_sheared_by_matrices_and_not_component_wise),
        cmocka_unit_test(the_parent_acts_after_the_child),
        cmocka_unit_test(joint_k_of_a_chain_of_steps_of_one_is_at_height_k_plus_one),
        cmocka_unit_test(what_stands_above_the_skeleton_comes_in_as_the_root),
        cmocka_unit_test(two_roots_stand_apart_and_both_below_the_root_matrix),
        cmocka_unit_test(global_matrices_agree_with_double_precision),
        cmocka_unit_test(component_wise_transforms_agree_with_double_precision),
        cmocka_unit_test(without_scale_both_conventions_agree),
        cmocka_unit_test(the_last_row_is_0_0_0_1_with_positive_zeros),
        cmocka_unit_test(renewing_below_a_joint_gives_the_bits_of_the_full_pass_and_leaves_the_others),
        cmocka_unit_test(the_largest_skeleton_is_renewed_from_its_root_and_from_its_last_joint),
        cmocka_unit_test(a_level_of_detail_has_the_bits_of_the_whole_and_writes_no_more),
        cmocka_unit_test(joints_that_are_not_finite_spoil_only_what_is_below_them),
        cmocka_unit_test(local_poses_come_back_from_global_matrices),
        cmocka_unit_test(local_poses_come_back_from_component_wise_transforms),
        cmocka_unit_test(a_local_pose_by_hand_from_both_kinds_of_globals),
        cmocka_unit_test(below_a_singular_parent_a_joint_has_scale_0_and_no_rotation),
        cmocka_unit_test(below_a_component_wise_scale_of_0_the_scale_and_translation_of_that_axis_are_0),
        cmocka_unit_test(tiny_parent_scales_divide_as_they_should),
        cmocka_unit_test(local_poses_of_globals_that_are_far_apart_in_size_are_finite),
        cmocka_unit_test(wrong_arguments_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
