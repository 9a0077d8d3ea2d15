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
                              const sqt_clip *reference, uint32_t index, uint32_t flags, sqt_fault *fault) {
    const double seconds = sqt_clip_sample_seconds(source, index);
    const double duration = (double)source->timeline.duration_seconds;
    const double phase = duration > 0.0 ? seconds / duration : 0.0;
    const double reference_seconds = phase * (double)reference->timeline.duration_seconds;
    sqt_result result = sqt_clip_sample(at.pose, skeleton, source, seconds, SQT_NLERP);
    if (result) return sqt_fail(fault, result, "source", 0, 0);
    result = sqt_clip_sample(at.reference, skeleton, reference, reference_seconds, flags & SQT_SLERP);
    return result ? sqt_fail(fault, result, "reference", 0, 0) : SQT_OK;
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

static sqt_result check_difference(const sqt_skeleton *skeleton, const sqt_clip *source, const sqt_clip *reference,
                                   uint32_t flags, size_t memory_bytes, sqt_fault *fault) {
    if (flags & ~(uint32_t)(SQT_SLERP | SQT_SCALE_DIFFERENCE | SQT_MESH_SPACE)) {
        return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    }
    if (source->flags & SQT_CLIP_DIFFERENCE) return sqt_fail(fault, SQT_ERROR_FLAG, "source", 0, 0);
    if (reference->flags & SQT_CLIP_DIFFERENCE) return sqt_fail(fault, SQT_ERROR_FLAG, "reference", 0, 0);
    const size_t needed = sqt_clip_difference_bytes(skeleton);
    if (needed == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "skeleton", 0, 0);
    if (source->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    if (!source->joints && source->joint_count != skeleton->joint_count) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    }
    for (uint32_t k = 0; source->joints && k < source->joint_count; ++k) {
        if (source->joints[k] >= skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joints", k, 0);
    }
    return memory_bytes < needed ? sqt_fail(fault, SQT_ERROR_SPACE, "memory_bytes", 0, 0) : SQT_OK;
}

sqt_result sqt_clip_difference(sqt_clip *difference, sqt_pose_block *samples, const sqt_skeleton *skeleton,
                               const sqt_clip *source, const sqt_clip *reference, uint32_t flags, void *memory,
                               size_t memory_bytes, sqt_fault *fault) {
    static const char *const names[] = {"difference", "samples", "skeleton", "source", "reference", "memory"};
    const void *const needed[] = {difference, samples, skeleton, source, reference, memory};
    for (uint32_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        if (!needed[i]) return sqt_fail(fault, SQT_ERROR_NULL, names[i], 0, 0);
    }
    sqt_result result = check_difference(skeleton, source, reference, flags, memory_bytes, fault);
    if (result) return result;
    const size_t blocks = SQT_POSE_BLOCKS(skeleton->joint_count);
    sqt_pose_block *const poses = (sqt_pose_block *)memory;
    const difference_scratch at = {poses, poses + blocks, (sqt_quat *)(void *)(poses + 2 * blocks)};
    const sqt_clip from = held(source), to = held(reference);
    for (uint32_t i = 0; i < source->sample_count; ++i) {
        result = read_sample(at, skeleton, &from, &to, i, flags, fault); // fails at the first sample or not at all
        if (result) return result;
        result = subtract(at, skeleton, flags);
        if (result) return sqt_fail(fault, result, "skeleton", 0, 0);
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
