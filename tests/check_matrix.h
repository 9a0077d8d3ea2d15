// 4x4 matrices in double precision, and random trees of joints, for tests of global poses and skins. Column-major, as
// in the library; everything else is worked out by other routes than the library's.
#ifndef CHECK_MATRIX_H
#define CHECK_MATRIX_H

#include <stdlib.h>

#include "check.h"

// Matrices

typedef struct check_dmat {
    double m[16]; ///< element (row, column) is m[4 * column + row]
} check_dmat;

static inline check_dmat check_dmat_identity(void) {
    const check_dmat identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    return identity;
}

static inline check_dmat check_dmat_of(sqt_mat4 matrix) {
    check_dmat wide;
    for (int i = 0; i < 16; ++i) wide.m[i] = (double)matrix.m[i];
    return wide;
}

static inline sqt_mat4 check_dmat_rounded(check_dmat matrix) {
    sqt_mat4 rounded;
    for (int i = 0; i < 16; ++i) rounded.m[i] = (float)matrix.m[i];
    return rounded;
}

static inline check_dmat check_dmat_multiply(check_dmat a, check_dmat b) {
    check_dmat product;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) sum += a.m[4 * k + row] * b.m[4 * column + k];
            product.m[4 * column + row] = sum;
        }
    }
    return product;
}

/// T * R * S; the columns of R are q (1, 0, 0) q^-1 and so on, by two Hamilton products.
static inline check_dmat check_dmat_from_transform(sqt_transform t) {
    const double x = (double)t.rotation.x, y = (double)t.rotation.y, z = (double)t.rotation.z, w = (double)t.rotation.w;
    const double square = x * x + y * y + z * z + w * w;
    const double scale[3] = {(double)t.scale.x, (double)t.scale.y, (double)t.scale.z};
    check_dmat r = check_dmat_identity();
    for (int axis = 0; axis < 3; ++axis) {
        const double v[3] = {axis == 0, axis == 1, axis == 2};
        // p = q (v, 0)
        const double px = w * v[0] + y * v[2] - z * v[1], py = w * v[1] + z * v[0] - x * v[2];
        const double pz = w * v[2] + x * v[1] - y * v[0], pw = -(x * v[0] + y * v[1] + z * v[2]);
        // p q*, divided by |q|^2
        r.m[4 * axis] = (-pw * x + px * w - py * z + pz * y) / square * scale[axis];
        r.m[4 * axis + 1] = (-pw * y + px * z + py * w - pz * x) / square * scale[axis];
        r.m[4 * axis + 2] = (-pw * z - px * y + py * x + pz * w) / square * scale[axis];
    }
    r.m[12] = (double)t.translation.x;
    r.m[13] = (double)t.translation.y;
    r.m[14] = (double)t.translation.z;
    return r;
}

/// By elimination with pivots; fails the test for a singular matrix.
static inline check_dmat check_dmat_inverse(check_dmat a) {
    check_dmat inverse = check_dmat_identity();
    for (int k = 0; k < 4; ++k) { // row operations on both sides
        int pivot = k;
        for (int row = k + 1; row < 4; ++row) {
            if (fabs(a.m[4 * k + row]) > fabs(a.m[4 * k + pivot])) pivot = row;
        }
        assert_true(fabs(a.m[4 * k + pivot]) > 0);
        const double factor = 1 / a.m[4 * k + pivot];
        for (int column = 0; column < 4; ++column) {
            double *const c = a.m + 4 * column, *const d = inverse.m + 4 * column;
            const double upper = c[pivot] * factor, inverse_upper = d[pivot] * factor;
            c[pivot] = c[k], d[pivot] = d[k];
            c[k] = upper, d[k] = inverse_upper;
        }
        for (int row = 0; row < 4; ++row) {
            const double times = a.m[4 * k + row];
            if (row == k || times == 0) continue;
            for (int column = 0; column < 4; ++column) {
                a.m[4 * column + row] -= times * a.m[4 * column + k];
                inverse.m[4 * column + row] -= times * inverse.m[4 * column + k];
            }
        }
    }
    return inverse;
}

/// The largest element of the upper 3x3, or of the translation.
static inline double check_dmat_size(check_dmat a, bool translation) {
    double size = 0;
    for (int i = translation ? 12 : 0; i < (translation ? 15 : 12); ++i) size = fmax(size, fabs(a.m[i]));
    return size;
}

/// Fails unless the 3x3 is within one tolerance, the translation within another, and the last row exactly 0, 0, 0, 1.
static inline void check_assert_matrix(sqt_mat4 actual, check_dmat expected, double tolerance,
                                       double translation_tolerance, uint32_t index) {
    for (int i = 0; i < 16; ++i) {
        const double allowed = i % 4 == 3 ? 0 : i >= 12 ? translation_tolerance : tolerance;
        if (!check_close((double)actual.m[i], expected.m[i], allowed)) {
            fail_msg("element %d of matrix %u is %.9g, expected %.9g within %.3g", i, index, (double)actual.m[i],
                     expected.m[i], allowed);
        }
    }
}

/// Fails unless the last row is 0, 0, 0, 1 with positive zeros.
static inline void check_assert_last_row(sqt_mat4 matrix, uint32_t index) {
    for (int column = 0; column < 4; ++column) {
        const float expected = column == 3 ? 1.0f : 0.0f;
        if (memcmp(matrix.m + 4 * column + 3, &expected, sizeof expected) != 0) {
            fail_msg("the last row of matrix %u has %.9g in column %d", index, (double)matrix.m[4 * column + 3],
                     column);
        }
    }
}

// Trees of joints

typedef struct check_tree {
    sqt_skeleton skeleton;
    sqt_joint *joints;
    void *memory;
} check_tree;

/// `joint_count` joints to be filled in; then check_tree_build.
static inline check_tree check_tree_make(uint32_t joint_count) {
    const sqt_joint joint = {NULL, SQT_NO_JOINT, SQT_TRANSFORM_IDENTITY};
    check_tree tree = {.joints = malloc(joint_count * sizeof joint), .skeleton = {.joint_count = joint_count}};
    assert_non_null(tree.joints);
    for (uint32_t j = 0; j < joint_count; ++j) tree.joints[j] = joint;
    return tree;
}

static inline void check_tree_build(check_tree *tree) {
    const uint32_t joint_count = tree->skeleton.joint_count;
    const size_t bytes = sqt_skeleton_bytes(tree->joints, joint_count);
    sqt_fault fault = {"", 0, 0};
    tree->memory = malloc(bytes);
    assert_non_null(tree->memory);
    if (sqt_skeleton_build(&tree->skeleton, tree->joints, joint_count, tree->memory, bytes, &fault) != SQT_OK) {
        fail_msg("%s of joint %u", fault.field, fault.index);
    }
}

static inline void check_tree_free(check_tree *tree) {
    free(tree->joints);
    free(tree->memory);
}

/// One joint below the other, each with the same rest transform.
static inline check_tree check_tree_chain(uint32_t joint_count, sqt_transform rest) {
    check_tree tree = check_tree_make(joint_count);
    for (uint32_t j = 0; j < joint_count; ++j) {
        if (j > 0) tree.joints[j].parent = j - 1;
        tree.joints[j].rest = rest;
    }
    check_tree_build(&tree);
    return tree;
}

/// Limbs and bushes with a few roots among them; the rest pose is identity.
static inline check_tree check_tree_random(uint32_t joint_count, check_random *random) {
    check_tree tree = check_tree_make(joint_count);
    for (uint32_t j = 1; j < joint_count; ++j) {
        const uint32_t kind = check_random_below(random, 16);
        if (kind == 0) continue; // a root
        const uint32_t nearest = kind < 4 ? j : j < 3 ? j : 3;
        tree.joints[j].parent = j - 1 - check_random_below(random, nearest);
    }
    check_tree_build(&tree);
    return tree;
}

static inline sqt_pose_block *check_pose_make(uint32_t joint_count) {
    sqt_pose_block *const pose = malloc(SQT_POSE_BLOCKS(joint_count) * sizeof *pose);
    assert_non_null(pose);
    assert_int_equal(sqt_pose_identity(pose, joint_count), SQT_OK);
    return pose;
}

#endif
