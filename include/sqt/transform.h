/// @file transform.h
/// Vectors, quaternions, transforms (SQT) and matrices as single values: passed and returned by value, plain floats.
///
/// These are for set-up, tools and game code that handles one joint at a time; whole poses go through blend.h and
/// global.h.
#ifndef SQT_TRANSFORM_H
#define SQT_TRANSFORM_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A position, direction, scale or triple of angles.
typedef struct sqt_vec3 {
    float x, y, z;
} sqt_vec3;

/// A rotation; unit length wherever a function does not say otherwise.
typedef struct sqt_quat {
    float x, y, z, w;
} sqt_quat;

/// Scale, then rotation, then translation: p -> translation + rotate(rotation, scale * p), the matrix T * R * S.
typedef struct sqt_transform {
    sqt_quat rotation;    ///< unit
    sqt_vec3 translation; ///< in the parent's space and unit
    sqt_vec3 scale;       ///< a factor an axis; negative mirrors, 0 flattens
} sqt_transform;

/// A 4x4 matrix, column-major: element (row, column) is m[4 * column + row].
typedef struct sqt_mat4 {
    float m[16];
} sqt_mat4;

/// The upper three rows of an affine matrix, row after row: element (row, column) is m[4 * row + column]. This is what
/// shaders read as three float4, in 48 bytes where a 4x4 takes 64.
typedef struct sqt_mat3x4 {
    float m[12];
} sqt_mat3x4;

/// Static initialisers. (Zero is not an identity: a zero scale flattens.)
#define SQT_QUAT_IDENTITY \
    { 0.0f, 0.0f, 0.0f, 1.0f }
#define SQT_TRANSFORM_IDENTITY                                             \
    {                                                                      \
        {0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}, { 1.0f, 1.0f, 1.0f } \
    }
#define SQT_MAT4_IDENTITY                                                                                  \
    {                                                                                                      \
        { 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f } \
    }

/// Order of Euler angles, as the product of the axis rotations from left to right: SQT_EULER_XYZ is Rx * Ry * Rz, so
/// that the rotation about z acts first on a vector. Programs that name the order in which the fixed axes turn the
/// object have the letters the other way round: "XYZ" of Maya, Blender and FBX is SQT_EULER_ZYX here. BVH's channels
/// are in the order of the product: "Zrotation Xrotation Yrotation" is SQT_EULER_ZXY.
enum {
    SQT_EULER_XYZ = 0,
    SQT_EULER_XZY = 1,
    SQT_EULER_YXZ = 2,
    SQT_EULER_YZX = 3,
    SQT_EULER_ZXY = 4,
    SQT_EULER_ZYX = 5
};

/// Sine and cosine, the same bits on every machine. Error below 0.51 ulp for |radians| <= 1e6 (6e-8); from there to 1e9
/// below 1e-6; beyond, and for NaN and infinity, 0 and 1: neighbouring floats are more than ten turns apart there.
float sqt_sin(float radians);
float sqt_cos(float radians);

/// Arc cosine, 0..pi; error below 0.51 ulp. The argument is clamped to -1..1; NaN gives 0.
float sqt_acos(float cosine);

/// Angle of the point (x, y), -pi..pi; error below 0.51 ulp; 0 for (0, 0) and where an argument is NaN. -0 counts as 0.
float sqt_atan2(float y, float x);

/// a * b, the rotation that applies b first: the Hamilton product. Unit if both are, to rounding.
sqt_quat sqt_quat_multiply(sqt_quat a, sqt_quat b);

/// (-x, -y, -z, w): the inverse of a unit quaternion.
sqt_quat sqt_quat_conjugate(sqt_quat q);

/// q / |q|; the identity where |q|^2 is below 1e-30 or not finite. Components up to 1e15.
sqt_quat sqt_quat_normalize(sqt_quat q);

/// Rotates a vector by a unit quaternion: v + 2 u x (u x v + w v) with u = (x, y, z).
sqt_vec3 sqt_quat_rotate(sqt_quat q, sqt_vec3 v);

/// Normalised linear interpolation along the shorter arc: normalise((1 - t) a + t b'), b' = b or -b so that a . b' >=
/// 0.
///
/// @param t up to 1e7 in magnitude (the sums are in float: rounding grows with t); exactly 0 gives a and exactly 1
///          gives b (or -b), normalised. Outside 0..1 it extrapolates.
sqt_quat sqt_quat_nlerp(sqt_quat a, sqt_quat b, float t);

/// Spherical linear interpolation along the shorter arc, at constant angular speed: (sin((1 - t) A) a + sin(t A) b') /
/// sin A, A the angle between a and b', then normalised. Error below 3e-7 for t in 0..1, 1e-6 for -1..2 and, by sine
/// and cosine, that of t A beyond. Equal, opposite and half-turn pairs are no special cases.
///
/// @param t any finite number; exactly 0 gives a and exactly 1 gives b (or -b), normalised.
/// Source: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985; glTF 2.0, appendix C.4.
sqt_quat sqt_quat_slerp(sqt_quat a, sqt_quat b, float t);

/// The rotation by `radians` about an axis of any length but zero (a zero axis gives the identity).
sqt_quat sqt_quat_from_axis_angle(sqt_vec3 axis, float radians);

/// The product of the axis rotations in an order.
///
/// @param radians the angles about x, y and z, in this order whatever `order` is.
/// @param order   SQT_EULER_...; any other value gives the identity.
sqt_quat sqt_quat_from_euler(sqt_vec3 radians, uint32_t order);

/// The angles that sqt_quat_from_euler turns into q (or -q): the middle axis of the order within -pi/2..pi/2, the
/// others within -pi..pi. Where the middle angle is a quarter turn (gimbal lock, within 1e-6) the angle of the last
/// axis of the order is 0. Angles in x, y, z; zeros for an unknown order.
sqt_vec3 sqt_euler_from_quat(sqt_quat q, uint32_t order);

/// a * b component by component: rotation a.r * b.r, translation a.t + rotate(a.r, a.s * b.t), scale a.s * b.s. It
/// equals the matrix product unless a's scale is non-uniform and b rotates: a transform has no shear (sqt_mat4_multiply
/// has).
sqt_transform sqt_transform_multiply(sqt_transform a, sqt_transform b);

/// The transform b with multiply(a, b) = identity: rotation conj(r), scale 1/s (0 where 1/s is no float), translation
/// -(1/s) * rotate(conj(r), t). For uniform scale also multiply(b, a) = identity, and b is the matrix inverse.
sqt_transform sqt_transform_invert(sqt_transform a);

/// translation + rotate(rotation, scale * p).
sqt_vec3 sqt_transform_point(sqt_transform t, sqt_vec3 p);

/// Splits an affine matrix into T * R * S. Scale is the length of each column; a mirrored matrix (negative determinant)
/// has the negative x scale. A zero column has scale 0, and the rotation is completed from the others; shear is dropped
/// by Gram-Schmidt in the order x, y, z. The rotation is always unit, with w >= 0.
sqt_transform sqt_transform_from_mat4(sqt_mat4 m);

/// T * R * S as a matrix. The rotation must be unit.
sqt_mat4 sqt_mat4_from_transform(sqt_transform t);

/// a * b, all 16 elements: (((a0 b0 + a1 b1) + a2 b2) + a3 b3) an element.
sqt_mat4 sqt_mat4_multiply(sqt_mat4 a, sqt_mat4 b);

/// The inverse of an affine matrix (last row 0, 0, 0, 1, taken as such), computed in double precision. A singular
/// matrix (determinant 0, or an inverse that overflows) gives zero in the upper 3x4: everything collapses to the
/// origin.
sqt_mat4 sqt_mat4_invert(sqt_mat4 m);

/// m * (p, 1), first three components.
sqt_vec3 sqt_mat4_point(sqt_mat4 m, sqt_vec3 p);

/// m * (v, 0), first three components.
sqt_vec3 sqt_mat4_vector(sqt_mat4 m, sqt_vec3 v);

#ifdef __cplusplus
}
#endif

#endif
