#include "simd/isa.h"

#include "sqt/transform.h"

#include "affine.h"
#include "quat.h"
#include "scalar_joint.h"
#include "trig.h"

float sqt_sin(float radians) { return (float)sqt_sincos_double((double)radians).sine; }

float sqt_cos(float radians) { return (float)sqt_sincos_double((double)radians).cosine; }

float sqt_acos(float cosine) {
    if (cosine != cosine) return 0.0f;
    const double c = cosine > 1.0f ? 1.0 : cosine < -1.0f ? -1.0 : (double)cosine;
    return (float)sqt_atan2_double(sqrt((1.0 - c) * (1.0 + c)), c);
}

float sqt_atan2(float y, float x) { return (float)sqt_atan2_double((double)y, (double)x); }

sqt_quat sqt_quat_multiply(sqt_quat a, sqt_quat b) { return quat_multiply(a, b); }

sqt_quat sqt_quat_conjugate(sqt_quat q) {
    const sqt_quat r = {-q.x, -q.y, -q.z, q.w};
    return r;
}

/// The direction of q; false where |q|^2 is below 1e-30 or not finite.
static bool quat_direction(double *unit, sqt_quat q) {
    const double c[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    // Squares of floats neither overflow nor vanish in double.
    const double square = (c[0] * c[0] + c[1] * c[1]) + (c[2] * c[2] + c[3] * c[3]);
    if (!(square >= 1e-30) || !sqt_finite_double(square)) return false;
    const double length = sqrt(square);
    for (uint32_t i = 0; i < 4; ++i) unit[i] = c[i] / length;
    return true;
}

sqt_quat sqt_quat_normalize(sqt_quat q) {
    static const sqt_quat identity = SQT_QUAT_IDENTITY;
    double unit[4];
    if (!quat_direction(unit, q)) return identity;
    const sqt_quat r = {(float)unit[0], (float)unit[1], (float)unit[2], (float)unit[3]};
    return r;
}

sqt_vec3 sqt_quat_rotate(sqt_quat q, sqt_vec3 v) { return quat_rotate(q, v); }

sqt_quat sqt_quat_nlerp(sqt_quat a, sqt_quat b, float t) {
    return quat_from_vq(vq_nlerp(vq_from_quat(a), vq_from_quat(b), t));
}

/// SLERP beyond the range of the kernels' polynomials, by sine and cosine: a turned towards b by t times their angle.
/// Unit in double first: what rounding to float left of a difference in length would count as an angle, t times.
static sqt_quat slerp_far(sqt_quat a, sqt_quat b, float t) {
    double u[4], v[4];
    if (!quat_direction(u, a)) return sqt_quat_normalize(b);
    if (!quat_direction(v, b)) return sqt_quat_normalize(a);
    const double dot = (u[0] * v[0] + u[1] * v[1]) + (u[2] * v[2] + u[3] * v[3]);
    const double sign = dot < 0.0 ? -1.0 : 1.0, cosine = dot * sign;
    double d[4];
    for (uint32_t i = 0; i < 4; ++i) d[i] = sign * v[i] - cosine * u[i];
    const double sine = sqrt((d[0] * d[0] + d[1] * d[1]) + (d[2] * d[2] + d[3] * d[3]));
    if (!(sine > 1e-14)) return sqt_quat_normalize(a); // rounding alone
    const sqt_sincos turn = sqt_sincos_double((double)t * sqt_atan2_double(sine, cosine));
    const double k = turn.sine / sine;
    const sqt_quat r = {(float)(turn.cosine * u[0] + k * d[0]), (float)(turn.cosine * u[1] + k * d[1]),
                        (float)(turn.cosine * u[2] + k * d[2]), (float)(turn.cosine * u[3] + k * d[3])};
    return sqt_quat_normalize(r);
}

sqt_quat sqt_quat_slerp(sqt_quat a, sqt_quat b, float t) {
    if (t >= -1.0f && t <= 2.0f) return quat_from_vq(vq_slerp(vq_from_quat(a), vq_from_quat(b), t));
    return slerp_far(a, b, t);
}

sqt_quat sqt_quat_slerp_aligned(sqt_quat a, sqt_quat b, float t) {
    const vq qa = vq_from_quat(a), qb = vq_from_quat(b);
    return quat_from_vq(vq_slerp_arc(qa, qb, t, vf_max(1.0f - vq_dot(qa, qb), 0.0f), 0.0f));
}

sqt_quat sqt_quat_from_axis_angle(sqt_vec3 axis, float radians) {
    static const sqt_quat identity = SQT_QUAT_IDENTITY;
    const double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z;
    const double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.0) || !sqt_finite_double(length)) return identity;
    const sqt_sincos half = sqt_sincos_double((double)radians * 0.5);
    const double k = half.sine / length;
    const sqt_quat r = {(float)(x * k), (float)(y * k), (float)(z * k), (float)half.cosine};
    return r;
}

/// The axes of an order, first to last, and whether they are a cyclic permutation of x, y, z (then +1, else -1).
typedef struct euler_axes {
    uint8_t first, middle, last;
    int8_t parity;
} euler_axes;

static const euler_axes euler_orders[6] = {
    [SQT_EULER_XYZ] = {0, 1, 2, 1}, [SQT_EULER_XZY] = {0, 2, 1, -1}, [SQT_EULER_YXZ] = {1, 0, 2, -1},
    [SQT_EULER_YZX] = {1, 2, 0, 1}, [SQT_EULER_ZXY] = {2, 0, 1, 1},  [SQT_EULER_ZYX] = {2, 1, 0, -1}};

sqt_quat sqt_quat_from_euler(sqt_vec3 radians, uint32_t order) {
    static const sqt_quat identity = SQT_QUAT_IDENTITY;
    if (order > SQT_EULER_ZYX) return identity;
    const euler_axes axes = euler_orders[order];
    const double angles[3] = {(double)radians.x, (double)radians.y, (double)radians.z};
    const sqt_sincos a = sqt_sincos_double(0.5 * angles[axes.first]);
    const sqt_sincos b = sqt_sincos_double(0.5 * angles[axes.middle]);
    const sqt_sincos c = sqt_sincos_double(0.5 * angles[axes.last]);
    // The Hamilton product of three axis rotations; parity is the sign of first x middle = last.
    const double parity = (double)axes.parity;
    double v[3];
    v[axes.first] = a.sine * b.cosine * c.cosine + parity * a.cosine * b.sine * c.sine;
    v[axes.middle] = a.cosine * b.sine * c.cosine - parity * a.sine * b.cosine * c.sine;
    v[axes.last] = a.cosine * b.cosine * c.sine + parity * a.sine * b.sine * c.cosine;
    const double w = a.cosine * b.cosine * c.cosine - parity * a.sine * b.sine * c.sine;
    const sqt_quat r = {(float)v[0], (float)v[1], (float)v[2], (float)w};
    return r;
}

sqt_vec3 sqt_euler_from_quat(sqt_quat q, uint32_t order) {
    const sqt_vec3 none = {0.0f, 0.0f, 0.0f};
    if (order > SQT_EULER_ZYX) return none;
    const euler_axes axes = euler_orders[order];
    const double parity = (double)axes.parity;
    const sqt_vec3 ones = {1.0f, 1.0f, 1.0f};
    const sqt_transform turn = {sqt_quat_normalize(q), none, ones};
    const sqt_affine m = sqt_affine_from_transform(turn); // element (row, column) is m.m[3 * column + row]
    const uint32_t i = axes.first, j = axes.middle, k = axes.last;
    const double row_i[3] = {m.m[i], m.m[3 + i], m.m[6 + i]};
    const double cosine = sqrt(row_i[i] * row_i[i] + row_i[j] * row_i[j]);
    double angles[3];
    angles[j] = sqt_atan2_double(parity * row_i[k], cosine);
    if (cosine > 1e-6) {
        angles[i] = sqt_atan2_double(-parity * m.m[3 * k + j], m.m[3 * k + k]);
        angles[k] = sqt_atan2_double(-parity * row_i[j], row_i[i]);
    } else { // gimbal lock: first and last turn about one axis; all of it goes to the first
        angles[i] = sqt_atan2_double(parity * m.m[3 * j + k], m.m[3 * j + j]);
        angles[k] = 0.0;
    }
    const sqt_vec3 r = {(float)angles[0], (float)angles[1], (float)angles[2]};
    return r;
}

sqt_transform sqt_transform_multiply(sqt_transform a, sqt_transform b) { return transform_multiply(a, b); }

/// 0 where 1 / x is no float: for zeros and the smallest denormals.
static float reciprocal(float x) {
    const float r = 1.0f / x;
    return sqt_finite(r) ? r : 0.0f;
}

sqt_transform sqt_transform_invert(sqt_transform a) {
    const sqt_quat rotation = sqt_quat_conjugate(a.rotation);
    const sqt_vec3 scale = {reciprocal(a.scale.x), reciprocal(a.scale.y), reciprocal(a.scale.z)};
    const sqt_vec3 t = sqt_quat_rotate(rotation, a.translation);
    const sqt_transform r = {rotation, {-t.x * scale.x, -t.y * scale.y, -t.z * scale.z}, scale};
    return r;
}

sqt_vec3 sqt_transform_point(sqt_transform t, sqt_vec3 p) { return transform_point(t, p); }

sqt_transform sqt_transform_from_mat4(sqt_mat4 m) { return sqt_transform_from_affine(sqt_affine_from_mat4(m)); }

sqt_mat4 sqt_mat4_from_transform(sqt_transform t) {
    float rows[12];
    vf_matrix_from_joint(rows, vq_from_quat(t.rotation), t.scale.x, t.scale.y, t.scale.z);
    rows[9] = t.translation.x;
    rows[10] = t.translation.y;
    rows[11] = t.translation.z;
    sqt_mat4 m;
    float *const to = m.m;
    m4_scatter(&to, 0, rows, true);
    return m;
}

sqt_mat4 sqt_mat4_multiply(sqt_mat4 a, sqt_mat4 b) {
    sqt_mat4 r;
    for (int column = 0; column < 4; ++column) {
        const float *const v = b.m + 4 * column;
        for (int row = 0; row < 4; ++row) {
            r.m[4 * column + row] =
                ((a.m[row] * v[0] + a.m[4 + row] * v[1]) + a.m[8 + row] * v[2]) + a.m[12 + row] * v[3];
        }
    }
    return r;
}

sqt_mat4 sqt_mat4_invert(sqt_mat4 m) {
    static const sqt_mat4 collapse = {{[15] = 1.0f}};
    sqt_affine inverse;
    if (!sqt_affine_invert(&inverse, sqt_affine_from_mat4(m)) || !sqt_affine_fits_float(inverse)) return collapse;
    return sqt_affine_to_mat4(inverse);
}

sqt_vec3 sqt_mat4_vector(sqt_mat4 m, sqt_vec3 v) {
    const sqt_vec3 r = {(m.m[0] * v.x + m.m[8] * v.z) + m.m[4] * v.y, (m.m[1] * v.x + m.m[9] * v.z) + m.m[5] * v.y,
                        (m.m[2] * v.x + m.m[10] * v.z) + m.m[6] * v.y};
    return r;
}

sqt_vec3 sqt_mat4_point(sqt_mat4 m, sqt_vec3 p) {
    const sqt_vec3 r = {(m.m[0] * p.x + m.m[8] * p.z) + (m.m[4] * p.y + m.m[12]),
                        (m.m[1] * p.x + m.m[9] * p.z) + (m.m[5] * p.y + m.m[13]),
                        (m.m[2] * p.x + m.m[10] * p.z) + (m.m[6] * p.y + m.m[14])};
    return r;
}
