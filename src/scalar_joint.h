// One joint at a time, with the mathematics of the kernels: the same source, so the same bits.
#ifndef SQT_SRC_SCALAR_JOINT_H
#define SQT_SRC_SCALAR_JOINT_H

#include <cglm/vec3.h>

#include "sqt/transform.h"

#include "simd/vf_scalar.h"

#include "simd/joint.inl"

static inline vq vq_from_quat(sqt_quat q) {
    const vq r = {q.x, q.y, q.z, q.w};
    return r;
}

static inline sqt_quat quat_from_vq(vq q) {
    const sqt_quat r = {q.x, q.y, q.z, q.w};
    return r;
}

static inline sqt_quat quat_multiply(sqt_quat a, sqt_quat b) {
    const sqt_quat r = {
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
    return r;
}

static inline sqt_vec3 quat_rotate(sqt_quat q, sqt_vec3 v) {
    vec3 u = {q.x, q.y, q.z}, p = {v.x, v.y, v.z}, t, s;
    glm_vec3_cross(u, p, t);
    for (int i = 0; i < 3; ++i) t[i] *= 2.0f;
    glm_vec3_cross(u, t, s);
    const sqt_vec3 r = {(v.x + q.w * t[0]) + s[0], (v.y + q.w * t[1]) + s[1], (v.z + q.w * t[2]) + s[2]};
    return r;
}

static inline sqt_vec3 transform_point(sqt_transform t, sqt_vec3 p) {
    const sqt_vec3 scaled = {t.scale.x * p.x, t.scale.y * p.y, t.scale.z * p.z};
    const sqt_vec3 turned = quat_rotate(t.rotation, scaled);
    const sqt_vec3 r = {t.translation.x + turned.x, t.translation.y + turned.y, t.translation.z + turned.z};
    return r;
}

static inline sqt_transform transform_multiply(sqt_transform a, sqt_transform b) {
    const sqt_transform r = {quat_multiply(a.rotation, b.rotation),
                             transform_point(a, b.translation),
                             {a.scale.x * b.scale.x, a.scale.y * b.scale.y, a.scale.z * b.scale.z}};
    return r;
}

#endif
