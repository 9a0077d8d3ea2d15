// One joint at a time, with the mathematics of the kernels: the same source, so the same bits.
#ifndef SQT_SRC_SCALAR_JOINT_H
#define SQT_SRC_SCALAR_JOINT_H

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

#endif
