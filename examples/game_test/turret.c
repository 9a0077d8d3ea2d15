#include "turret.h"

static const float PITCH_UP = 1.3962634f, PITCH_DOWN = -0.17453293f, KICK = 0.25f;

sqt_result turret_init(turret *made, const sqt_skeleton *skeleton, sqt_fault *fault) {
    static const char *const names[] = {"base", "barrel", "muzzle"};
    uint16_t joints[3];
    if (skeleton->joint_count > TURRET_MAX_JOINTS) return SQT_ERROR_COUNT;
    const sqt_result result = sqt_skeleton_map(joints, skeleton, names, 3, fault);
    if (result == SQT_OK) *made = (turret){joints[0], joints[1], joints[2]};
    return result;
}

/// Turns one joint of a pose, in its own space.
static void turn(sqt_pose_block *pose, uint32_t joint, sqt_vec3 axis, float radians) {
    sqt_transform t = sqt_pose_get(pose, joint);
    t.rotation = sqt_quat_multiply(t.rotation, sqt_quat_from_axis_angle(axis, radians));
    sqt_pose_set(pose, joint, t);
}

sqt_result turret_aim(sqt_pose_block *pose, const sqt_skeleton *skeleton, const turret *which, float yaw, float pitch) {
    const sqt_result result = sqt_skeleton_rest(pose, skeleton);
    if (result != SQT_OK) return result;
    const float up = pitch < PITCH_DOWN ? PITCH_DOWN : pitch > PITCH_UP ? PITCH_UP : pitch;
    turn(pose, which->base, (sqt_vec3){0, 1, 0}, yaw);
    turn(pose, which->barrel, (sqt_vec3){1, 0, 0}, up);
    return SQT_OK;
}

sqt_result turret_kick(sqt_pose_block *pose, const sqt_skeleton *skeleton, const turret *which, float ratio) {
    if (!pose || !skeleton) return SQT_ERROR_NULL;
    if (skeleton->joint_count > TURRET_MAX_JOINTS) return SQT_ERROR_COUNT;
    sqt_pose_block back[SQT_POSE_BLOCKS(TURRET_MAX_JOINTS)];
    for (uint32_t b = 0; b < SQT_POSE_BLOCKS(skeleton->joint_count); ++b) back[b] = pose[b];
    sqt_transform barrel = sqt_pose_get(back, which->barrel);
    const sqt_vec3 slide = sqt_quat_rotate(barrel.rotation, (sqt_vec3){0, 0, KICK});
    barrel.translation.x += slide.x;
    barrel.translation.y += slide.y;
    barrel.translation.z += slide.z;
    sqt_pose_set(back, which->barrel, barrel);
    return sqt_blend_pair(pose, skeleton, pose, back, NULL, ratio, SQT_NLERP);
}

sqt_vec3 turret_muzzle(const sqt_skeleton *skeleton, const turret *which, const sqt_pose_block *pose) {
    sqt_mat4 global[TURRET_MAX_JOINTS];
    const sqt_vec3 origin = {0, 0, 0};
    if (skeleton->joint_count > TURRET_MAX_JOINTS) return origin;
    if (sqt_global_from_local(global, skeleton, pose, NULL) != SQT_OK) return origin;
    return sqt_mat4_point(global[which->muzzle], origin);
}
