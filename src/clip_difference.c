#include "simd/isa.h"

#include "sqt/clip.h"

#include "base_pose.h"
#include "pose_lanes.h"
#include "sqt/blend.h"

/// What one sample needs, in the caller's memory.
typedef struct difference_scratch {
    sqt_pose_block *pose, *reference;
    sqt_quat *rotations;
} difference_scratch;

size_t sqt_clip_difference_bytes(const sqt_skeleton *skeleton) {
    if (!skeleton || skeleton->joint_count == 0 || skeleton->joint_count > SQT_MAX_JOINTS) return 0;
    const size_t joint_count = skeleton->joint_count;
    return 2 * SQT_POSE_BLOCKS(joint_count) * sizeof(sqt_pose_block) + 2 * joint_count * sizeof(sqt_quat);
}

/// The clip on a timeline that holds its ends, so that the last sample of a loop is reached.
static sqt_clip held(const sqt_clip *clip) {
    sqt_clip copy = *clip;
    copy.timeline.loop = SQT_LOOP_CLAMP;
    return copy;
}

/// Reads one sample of the source and the reference in step with it.
static sqt_result read_sample(difference_scratch at, const sqt_skeleton *skeleton, const sqt_clip *source,
                              const sqt_clip *reference, uint32_t index, uint32_t flags) {
    const double seconds = sqt_clip_sample_seconds(source, index);
    const double duration = (double)source->timeline.duration_seconds;
    const double phase = duration > 0.0 ? seconds / duration : 0.0;
    const double reference_seconds = phase * (double)reference->timeline.duration_seconds;
    const sqt_result result = sqt_clip_sample(at.pose, skeleton, source, seconds, SQT_NLERP);
    if (result) return result;
    return sqt_clip_sample(at.reference, skeleton, reference, reference_seconds, flags & SQT_SLERP);
}

static sqt_result subtract(difference_scratch at, const sqt_skeleton *skeleton, uint32_t flags) {
    const uint32_t scale = flags & SQT_SCALE_DIFFERENCE;
    if (!(flags & SQT_MESH_SPACE)) return sqt_blend_difference(at.pose, skeleton, at.pose, at.reference, scale);
    return sqt_blend_difference_mesh(at.pose, skeleton, at.pose, at.reference, at.rotations, scale);
}

/// The joints that a clip lists, out of a whole pose, as a sample of that clip.
static void gather(sqt_pose_block *sample, const sqt_pose_block *pose, const sqt_clip *clip, uint32_t joint_count) {
    if (!clip->joints) {
        sqt_pose_copy(sample, pose, joint_count);
        return;
    }
    for (uint32_t k = 0; k < clip->joint_count; ++k) sqt_pose_copy_joint(sample, k, pose, clip->joints[k]);
    sqt_pose_pad(sample, clip->joint_count);
}

static sqt_result check_difference(const sqt_clip *difference, const sqt_pose_block *samples,
                                   const sqt_skeleton *skeleton, const sqt_clip *source, const sqt_clip *reference,
                                   uint32_t flags, const void *memory, size_t memory_bytes) {
    if (!difference || !samples || !skeleton || !source || !reference || !memory) return SQT_ERROR_NULL;
    if (flags & ~(uint32_t)(SQT_SLERP | SQT_SCALE_DIFFERENCE | SQT_MESH_SPACE)) return SQT_ERROR_FLAG;
    if ((source->flags | reference->flags) & SQT_CLIP_DIFFERENCE) return SQT_ERROR_FLAG;
    const size_t needed = sqt_clip_difference_bytes(skeleton);
    if (needed == 0 || source->sample_count == 0) return SQT_ERROR_COUNT;
    if (!source->joints && source->joint_count != skeleton->joint_count) return SQT_ERROR_COUNT;
    for (uint32_t k = 0; source->joints && k < source->joint_count; ++k) {
        if (source->joints[k] >= skeleton->joint_count) return SQT_ERROR_COUNT;
    }
    return memory_bytes < needed ? SQT_ERROR_SPACE : SQT_OK;
}

sqt_result sqt_clip_difference(sqt_clip *difference, sqt_pose_block *samples, const sqt_skeleton *skeleton,
                               const sqt_clip *source, const sqt_clip *reference, uint32_t flags, void *memory,
                               size_t memory_bytes) {
    sqt_result result = check_difference(difference, samples, skeleton, source, reference, flags, memory, memory_bytes);
    if (result) return result;
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count);
    sqt_pose_block *const poses = (sqt_pose_block *)memory;
    const difference_scratch at = {poses, poses + blocks, (sqt_quat *)(void *)(poses + 2 * blocks)};
    const sqt_clip from = held(source), to = held(reference);
    for (uint32_t i = 0; i < source->sample_count; ++i) {
        result = read_sample(at, skeleton, &from, &to, i, flags); // fails at the first sample or not at all
        if (result == SQT_OK) result = subtract(at, skeleton, flags);
        if (result) return result;
        gather(samples + SQT_POSE_BLOCKS(source->joint_count) * (size_t)i, at.pose, source, skeleton->joint_count);
    }
    const sqt_clip made = {.timeline = source->timeline,
                           .flags = (source->flags & SQT_CLIP_CYCLIC) | SQT_CLIP_DIFFERENCE,
                           .rig_hash = skeleton->rig_hash,
                           .sample_count = source->sample_count,
                           .joint_count = source->joint_count,
                           .joints = source->joints,
                           .samples = samples};
    *difference = made;
    return SQT_OK;
}
