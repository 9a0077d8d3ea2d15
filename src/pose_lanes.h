// What works on the blocks of a pose as memory, shared by everything that writes poses.
#ifndef SQT_SRC_POSE_LANES_H
#define SQT_SRC_POSE_LANES_H

#include <string.h>

#include "sqt/pose.h"

/// Makes the lanes behind the last joint identity.
static inline void sqt_pose_pad(sqt_pose_block *pose, uint32_t joint_count) {
    if (joint_count % SQT_POSE_LANES == 0) return;
    sqt_pose_block *const last = pose + joint_count / SQT_POSE_LANES;
    for (uint32_t lane = joint_count % SQT_POSE_LANES; lane < SQT_POSE_LANES; ++lane) {
        last->rx[lane] = last->ry[lane] = last->rz[lane] = 0.0f;
        last->tx[lane] = last->ty[lane] = last->tz[lane] = 0.0f;
        last->rw[lane] = last->sx[lane] = last->sy[lane] = last->sz[lane] = 1.0f;
    }
}

/// The first joint_count joints of a pose, which may be the very same one.
static inline void sqt_pose_copy(sqt_pose_block *pose, const sqt_pose_block *source, uint32_t joint_count) {
    if (pose != source) memcpy(pose, source, SQT_POSE_BLOCKS(joint_count) * sizeof *pose);
    sqt_pose_pad(pose, joint_count);
}

/// Copies one joint. The caller has checked both indices.
static inline void sqt_pose_copy_joint(sqt_pose_block *to, uint32_t to_joint, const sqt_pose_block *from,
                                       uint32_t from_joint) {
    sqt_pose_block *const t = to + to_joint / SQT_POSE_LANES;
    const sqt_pose_block *const f = from + from_joint / SQT_POSE_LANES;
    const uint32_t i = to_joint % SQT_POSE_LANES, k = from_joint % SQT_POSE_LANES;
    t->rx[i] = f->rx[k], t->ry[i] = f->ry[k], t->rz[i] = f->rz[k], t->rw[i] = f->rw[k];
    t->tx[i] = f->tx[k], t->ty[i] = f->ty[k], t->tz[i] = f->tz[k];
    t->sx[i] = f->sx[k], t->sy[i] = f->sy[k], t->sz[i] = f->sz[k];
}

#endif
