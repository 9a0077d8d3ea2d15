#include "simd/isa.h"

#include "sqt/pose.h"

#include "pose_lanes.h"

_Static_assert(sizeof(sqt_pose_block) == 10 * 16 * sizeof(float), "blocks are stored in files: no padding");

sqt_transform sqt_pose_get(const sqt_pose_block *pose, uint32_t joint) {
    static const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    if (!pose || joint >= SQT_NO_JOINT) return identity;
    const sqt_pose_block *const b = pose + joint / SQT_POSE_LANES;
    const uint32_t k = joint % SQT_POSE_LANES;
    const sqt_transform t = {
        {b->rx[k], b->ry[k], b->rz[k], b->rw[k]}, {b->tx[k], b->ty[k], b->tz[k]}, {b->sx[k], b->sy[k], b->sz[k]}};
    return t;
}

static void set_lane(sqt_pose_block *b, uint32_t k, const sqt_transform *t) {
    b->rx[k] = t->rotation.x;
    b->ry[k] = t->rotation.y;
    b->rz[k] = t->rotation.z;
    b->rw[k] = t->rotation.w;
    b->tx[k] = t->translation.x;
    b->ty[k] = t->translation.y;
    b->tz[k] = t->translation.z;
    b->sx[k] = t->scale.x;
    b->sy[k] = t->scale.y;
    b->sz[k] = t->scale.z;
}

void sqt_pose_set(sqt_pose_block *pose, uint32_t joint, sqt_transform transform) {
    if (!pose || joint >= SQT_NO_JOINT) return;
    set_lane(pose + joint / SQT_POSE_LANES, joint % SQT_POSE_LANES, &transform);
}

sqt_result sqt_pose_identity(sqt_pose_block *pose, uint32_t joint_count) {
    static const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    if (!pose) return SQT_ERROR_NULL;
    if (joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    for (uint32_t joint = 0; joint < SQT_POSE_BLOCKS(joint_count) * SQT_POSE_LANES; ++joint) {
        set_lane(pose + joint / SQT_POSE_LANES, joint % SQT_POSE_LANES, &identity);
    }
    return SQT_OK;
}

sqt_result sqt_pose_pack(sqt_pose_block *pose, const sqt_transform *transforms, uint32_t joint_count) {
    if (!pose || !transforms) return SQT_ERROR_NULL;
    if (joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    for (uint32_t joint = 0; joint < joint_count; ++joint) {
        set_lane(pose + joint / SQT_POSE_LANES, joint % SQT_POSE_LANES, transforms + joint);
    }
    sqt_pose_pad(pose, joint_count);
    return SQT_OK;
}

sqt_result sqt_pose_unpack(sqt_transform *transforms, const sqt_pose_block *pose, uint32_t joint_count) {
    if (!transforms || !pose) return SQT_ERROR_NULL;
    if (joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    for (uint32_t joint = 0; joint < joint_count; ++joint) transforms[joint] = sqt_pose_get(pose, joint);
    return SQT_OK;
}
