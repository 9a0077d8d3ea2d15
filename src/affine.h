// Affine matrices in double precision, for what is worked out once and then rounded to float: inverses, differences of
// global matrices, and the split into translation, rotation and scale.
//
// No function here is per frame. Products of floats are exact in double, so that determinants of flat matrices come out
// as 0, and scales from 1e-38 to 1e38 need no special care.
#ifndef SQT_SRC_AFFINE_H
#define SQT_SRC_AFFINE_H

#include <float.h>
#include <math.h>

#include "fault.h"
#include "sqt/transform.h"

/// Three axis columns, then the translation: element (row, column) is m[3 * column + row]. The last row is 0, 0, 0, 1.
typedef struct sqt_affine {
    double m[12];
} sqt_affine;

/// Drops the last row.
static inline sqt_affine sqt_affine_from_mat4(sqt_mat4 matrix) {
    sqt_affine a;
    for (uint32_t i = 0; i < 12; ++i) a.m[i] = (double)matrix.m[4 * (i / 3) + i % 3];
    return a;
}

/// T * R * S. The rotation counts as its direction, whatever its length; zero counts as the identity.
static inline sqt_affine sqt_affine_from_transform(sqt_transform t) {
    const double x = (double)t.rotation.x, y = (double)t.rotation.y;
    const double z = (double)t.rotation.z, w = (double)t.rotation.w;
    const double sx = (double)t.scale.x, sy = (double)t.scale.y, sz = (double)t.scale.z;
    const double square = x * x + y * y + z * z + w * w;
    const double k = square > 0.0 ? 2.0 / square : 0.0;
    const sqt_affine a = {{(1.0 - k * (y * y + z * z)) * sx, k * (x * y + w * z) * sx, k * (x * z - w * y) * sx,
                           k * (x * y - w * z) * sy, (1.0 - k * (x * x + z * z)) * sy, k * (y * z + w * x) * sy,
                           k * (x * z + w * y) * sz, k * (y * z - w * x) * sz, (1.0 - k * (x * x + y * y)) * sz,
                           (double)t.translation.x, (double)t.translation.y, (double)t.translation.z}};
    return a;
}

/// a * b: b acts first.
static inline sqt_affine sqt_affine_multiply(sqt_affine a, sqt_affine b) {
    sqt_affine product;
    for (uint32_t column = 0; column < 4; ++column) {
        const double *const v = b.m + 3 * column;
        for (uint32_t row = 0; row < 3; ++row) {
            const double sum = a.m[row] * v[0] + a.m[3 + row] * v[1] + a.m[6 + row] * v[2];
            product.m[3 * column + row] = column == 3 ? sum + a.m[9 + row] : sum;
        }
    }
    return product;
}

static inline void sqt_cross_double(double *out, const double *a, const double *b) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double sqt_dot_double(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// False, and nothing written, where the determinant is 0 or an element of the inverse is not finite. An inverse that
/// is finite here need not fit a float: see sqt_affine_fits_float.
static inline bool sqt_affine_invert(sqt_affine *inverse, sqt_affine a) {
    // The rows of the inverse are the cross products of the columns over the determinant (Cramer's rule).
    double rows[9];
    sqt_cross_double(rows, a.m + 3, a.m + 6);
    sqt_cross_double(rows + 3, a.m + 6, a.m);
    sqt_cross_double(rows + 6, a.m, a.m + 3);
    const double determinant = sqt_dot_double(a.m, rows);
    if (determinant == 0.0) return false;
    sqt_affine result;
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column) {
            result.m[3 * column + row] = rows[3 * row + column] / determinant;
        }
        result.m[9 + row] = -(sqt_dot_double(rows + 3 * row, a.m + 9) / determinant);
    }
    for (uint32_t i = 0; i < 12; ++i) {
        if (!sqt_finite_double(result.m[i])) return false;
    }
    *inverse = result;
    return true;
}

/// True where every element is finite and stays so when rounded to float.
static inline bool sqt_affine_fits_float(sqt_affine a) {
    for (uint32_t i = 0; i < 12; ++i) {
        if (!(fabs(a.m[i]) <= (double)FLT_MAX)) return false;
    }
    return true;
}

static inline sqt_mat4 sqt_affine_to_mat4(sqt_affine a) {
    sqt_mat4 matrix;
    for (uint32_t i = 0; i < 12; ++i) matrix.m[4 * (i / 3) + i % 3] = (float)a.m[i];
    matrix.m[3] = matrix.m[7] = matrix.m[11] = 0.0f;
    matrix.m[15] = 1.0f;
    return matrix;
}

/// Sets `axis` to the direction of `vector` (unit) at right angles to `count` unit axes, which are so to each other.
/// False where nothing is left: the vector lies in their span, to rounding.
static inline bool sqt_axis_orthogonalize(double *axis, const double *vector, const double *const *others,
                                          uint32_t count) {
    double v[3] = {vector[0], vector[1], vector[2]};
    // Nothing to be at right angles to leaves the vector as it is. Twice is enough: the second round removes what rounding left in a small remainder (Kahan and Parlett; Giraud et
    // al., "The loss of orthogonality in the Gram-Schmidt orthogonalization process", 2005).
    for (uint32_t round = 0; count > 0 && round < 2; ++round) {
        for (uint32_t i = 0; i < count; ++i) {
            const double along = sqt_dot_double(v, others[i]);
            for (uint32_t k = 0; k < 3; ++k) v[k] -= along * others[i][k];
        }
        const double length = sqrt(sqt_dot_double(v, v));
        if (!(length > 1e-12)) return false;
        const double inverse = 1.0 / length;
        for (uint32_t k = 0; k < 3; ++k) v[k] *= inverse;
    }
    memcpy(axis, v, sizeof v);
    return true;
}

/// The unit quaternion, w >= 0, of a rotation matrix given as columns.
/// Source: Shepperd, "Quaternion from Rotation Matrix", Journal of Guidance and Control 1 (1978): the largest of the
/// four components is found first, so that nothing divides by a small number.
static inline sqt_quat sqt_quat_from_axes(const double axes[3][3]) {
    const double xx = axes[0][0], yy = axes[1][1], zz = axes[2][2], trace = xx + yy + zz;
    double q[4];
    if (trace >= xx && trace >= yy && trace >= zz) {
        q[0] = axes[1][2] - axes[2][1];
        q[1] = axes[2][0] - axes[0][2];
        q[2] = axes[0][1] - axes[1][0];
        q[3] = 1.0 + trace;
    } else {
        const uint32_t i = xx >= yy && xx >= zz ? 0 : yy >= zz ? 1 : 2;
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + axes[i][i] - axes[j][j] - axes[k][k];
        q[j] = axes[i][j] + axes[j][i];
        q[k] = axes[i][k] + axes[k][i];
        q[3] = axes[j][k] - axes[k][j];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double scale = q[3] < 0.0 ? -1.0 / length : 1.0 / length;
    // What cancellation leaves of a component that is 0 may be a denormal, which a flush-to-zero mode would change.
    for (uint32_t i = 0; i < 4; ++i) q[i] = fabs(q[i] * scale) < 1e-30 ? 0.0 : q[i] * scale;
    const sqt_quat quat = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    return quat;
}

/// Splits into T * R * S as described at sqt_transform_from_mat4. Where columns are parallel, or all in one plane, the
/// later one gives way and its axis is completed like that of a zero column. A column that is not finite keeps its
/// length as scale and gives no direction, so that the rotation is unit for every input.
static inline sqt_transform sqt_transform_from_affine(sqt_affine a) {
    double scale[3];
    double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double *found[3];
    bool known[3] = {false, false, false};
    uint32_t found_count = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const double *const column = a.m + 3 * i;
        scale[i] = sqrt(sqt_dot_double(column, column));
        if (!(scale[i] > 0.0) || !sqt_finite_double(scale[i])) continue;
        const double unit[3] = {column[0] / scale[i], column[1] / scale[i], column[2] / scale[i]};
        known[i] = sqt_axis_orthogonalize(axes[i], unit, found, found_count);
        if (known[i]) found[found_count++] = axes[i];
    }
    double normal[3];
    if (found_count == 3) {
        sqt_cross_double(normal, axes[0], axes[1]);
        if (sqt_dot_double(normal, axes[2]) < 0.0) {
            scale[0] = -scale[0];
            for (uint32_t k = 0; k < 3; ++k) axes[0][k] = -axes[0][k];
        }
    } else if (found_count == 2) {
        const uint32_t i = !known[0] ? 0 : !known[1] ? 1 : 2;
        sqt_cross_double(axes[i], axes[(i + 1) % 3], axes[(i + 2) % 3]);
    } else if (found_count == 1) {
        // The next axis stays where it is, as far as it can: a matrix that only flattens has no rotation.
        const uint32_t i = known[0] ? 0 : known[1] ? 1 : 2;
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        double basis[3] = {0.0, 0.0, 0.0};
        basis[fabs(axes[i][j]) < 0.9 ? j : k] = 1.0;
        (void)sqt_axis_orthogonalize(axes[j], basis, found, 1);
        sqt_cross_double(axes[k], axes[i], axes[j]);
    }
    const sqt_transform t = {sqt_quat_from_axes((const double(*)[3])axes),
                             {(float)a.m[9], (float)a.m[10], (float)a.m[11]},
                             {(float)scale[0], (float)scale[1], (float)scale[2]}};
    return t;
}

#endif
