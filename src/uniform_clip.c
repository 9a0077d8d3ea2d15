#include "simd/isa.h"

#include "sqt/uniform_clip.h"

#include <float.h>
#include <math.h>

#include "base_pose.h"
#include "fault.h"
#include "play.h"
#include "pose_lanes.h"
#include "simd/kernels.h"
#include "uniform_row.h"

enum { CLIP_FLAGS = SQT_CLIP_CYCLIC | SQT_CLIP_DIFFERENCE };

// ---- Validation

static sqt_result validate_counts(const sqt_uniform_clip *uniform, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (uniform->sample_count == 0) return sqt_fail(fault, SQT_ERROR_COUNT, "sample_count", 0, 0);
    if (uniform->joint_count > SQT_MAX_JOINTS) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    if (uniform->joints) {
        return sqt_joint_list_validate(uniform->joints, uniform->joint_count, sqt_rig_joint_count(skeleton), "joints",
                                       fault);
    }
    if (uniform->joint_count < skeleton->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "joint_count", 0, 0);
    return SQT_OK;
}

/// True where offset + v step, v as large as it can be, is a number that rotations and vectors can be made of.
static bool fits(float offset, float step, bool rotation) {
    if (!sqt_finite(offset) || !sqt_finite(step)) return false;
    if (rotation) return fabsf(offset) <= 1e18f && step >= 0.0f && step <= 1.0f;
    return fabs((double)offset) + fabs((double)step) * 1.0001 * sqt_uniform_range <= (double)FLT_MAX;
}

/// Rows of offsets and steps, or constants, of one kind; `at` is the place of the first. Moves it on.
static sqt_result validate_kind(const sqt_uniform_clip *uniform, uint32_t kind, bool stored, uint32_t *at,
                                sqt_fault *fault) {
    const bool rotation = kind == SQT_TRACK_ROTATION;
    const uint32_t count = sqt_uniform_components(kind), first = *at;
    const float *const values = uniform->block_values + first;
    for (uint32_t lane = 0; lane < SQT_POSE_LANES; ++lane) {
        double square = 0.0;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t place = i * SQT_POSE_LANES + lane;
            const float step = stored ? values[(rotation ? count : count + i) * SQT_POSE_LANES + lane] : 0.0f;
            square += (double)values[place] * (double)values[place];
            if (!fits(values[place], step, rotation)) {
                return sqt_fail(fault, SQT_ERROR_NUMBER, "block_values", first + place, 0);
            }
        }
        if (rotation && !stored && !(square >= 0.999 * 0.999 && square <= 1.001 * 1.001)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "block_values", first + lane, 0);
        }
    }
    *at += (count + (!stored ? 0u : rotation ? 1u : 3u)) * SQT_POSE_LANES;
    return SQT_OK;
}

static sqt_result validate_blocks(const sqt_uniform_clip *uniform, sqt_fault *fault) {
    uint64_t value_count = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        if (uniform->block_kinds[block] > 7) return sqt_fail(fault, SQT_ERROR_FLAG, "block_kinds", block, 0);
        value_count += (uint64_t)sqt_uniform_block_value_rows(uniform->block_kinds[block]) * SQT_POSE_LANES;
    }
    if (value_count != uniform->block_value_count) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "block_value_count", 0, 0);
    }
    uint32_t at = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        for (uint32_t k = 0; k < SQT_UNIFORM_KINDS; ++k) {
            const bool stored = (uniform->block_kinds[block] & sqt_uniform_kinds[k]) != 0;
            const sqt_result result = validate_kind(uniform, sqt_uniform_kinds[k], stored, &at, fault);
            if (result) return result;
        }
    }
    return SQT_OK;
}

static sqt_result validate_lone(const sqt_uniform_clip *uniform, uint32_t index, sqt_fault *fault) {
    const sqt_lone_track *const track = uniform->lone_tracks + index;
    const bool rotation = track->kind == SQT_TRACK_ROTATION;
    if (!rotation && track->kind != SQT_TRACK_TRANSLATION && track->kind != SQT_TRACK_SCALE) {
        return sqt_fail(fault, SQT_ERROR_FLAG, "lone_tracks.kind", index, 0);
    }
    if (track->lane >= uniform->joint_count) return sqt_fail(fault, SQT_ERROR_COUNT, "lone_tracks.lane", index, 0);
    const bool ascends =
        index == 0 || track[-1].lane < track->lane || (track[-1].lane == track->lane && track[-1].kind < track->kind);
    if (!ascends || uniform->block_kinds[track->lane / SQT_POSE_LANES] & track->kind) {
        return sqt_fail(fault, SQT_ERROR_ORDER, "lone_tracks.lane", index, 0);
    }
    for (uint32_t i = 0; i < sqt_uniform_components(track->kind); ++i) {
        if (!fits(track->offset[i], track->step[rotation ? 0 : i], rotation)) {
            return sqt_fail(fault, SQT_ERROR_NUMBER, "lone_tracks", index, i);
        }
    }
    return SQT_OK;
}

/// Integers of a row before the lone tracks'.
static size_t block_integers(const sqt_uniform_clip *uniform) {
    size_t rows = 0;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        rows += sqt_uniform_block_rows(uniform->block_kinds[block]);
    }
    return rows * SQT_POSE_LANES;
}

static sqt_result validate_lone_tracks(const sqt_uniform_clip *uniform, sqt_fault *fault) {
    if (uniform->lone_track_count > (uint64_t)uniform->joint_count * SQT_UNIFORM_KINDS) {
        return sqt_fail(fault, SQT_ERROR_COUNT, "lone_track_count", 0, 0);
    }
    uint64_t lone_integers = 0;
    for (uint32_t i = 0; i < uniform->lone_track_count; ++i) {
        const sqt_result result = validate_lone(uniform, i, fault);
        if (result) return result;
        lone_integers += sqt_uniform_components(uniform->lone_tracks[i].kind);
    }
    if (uniform->lone_first != block_integers(uniform)) return sqt_fail(fault, SQT_ERROR_COUNT, "lone_first", 0, 0);
    const bool fits_row = uniform->row_length == sqt_uniform_row_length(block_integers(uniform), lone_integers);
    return fits_row ? SQT_OK : sqt_fail(fault, SQT_ERROR_COUNT, "row_length", 0, 0);
}

sqt_result sqt_uniform_clip_validate(const sqt_uniform_clip *uniform, const sqt_skeleton *skeleton, sqt_fault *fault) {
    if (!uniform) return sqt_fail(fault, SQT_ERROR_NULL, "uniform", 0, 0);
    if (!skeleton) return sqt_fail(fault, SQT_ERROR_NULL, "skeleton", 0, 0);
    if (!uniform->block_kinds) return sqt_fail(fault, SQT_ERROR_NULL, "block_kinds", 0, 0);
    if (!uniform->block_values) return sqt_fail(fault, SQT_ERROR_NULL, "block_values", 0, 0);
    if (!uniform->lone_tracks && uniform->lone_track_count > 0) {
        return sqt_fail(fault, SQT_ERROR_NULL, "lone_tracks", 0, 0);
    }
    if (!uniform->samples) return sqt_fail(fault, SQT_ERROR_NULL, "samples", 0, 0);
    if (uniform->flags & ~(uint32_t)CLIP_FLAGS) return sqt_fail(fault, SQT_ERROR_FLAG, "flags", 0, 0);
    sqt_result result =
        sqt_play_validate(skeleton, &uniform->timeline, uniform->authored_speed, uniform->rig_hash, fault);
    if (result == SQT_OK) result = validate_counts(uniform, skeleton, fault);
    if (result == SQT_OK) result = sqt_base_pose_validate(skeleton, &uniform->base, fault);
    if (result == SQT_OK) result = validate_blocks(uniform, fault);
    if (result == SQT_OK) result = validate_lone_tracks(uniform, fault);
    return result;
}

// ---- Sampling

static sqt_uniform_job find_job(const sqt_uniform_clip *uniform, double seconds) {
    const uint32_t intervals = sqt_uniform_intervals(uniform->sample_count, uniform->flags);
    const sqt_moment at = sqt_play_moment(&uniform->timeline, intervals, seconds);
    const int16_t *const a = uniform->samples + (size_t)uniform->row_length * at.index;
    const int16_t *const b = at.index < intervals ? a + uniform->row_length : a; // a clip of one sample has no other
    const sqt_uniform_job job = {
        uniform->block_kinds, uniform->block_values, a, b, (uint32_t)(at.u * SQT_UNIFORM_ONE + 0.5f), at.u};
    return job;
}

/// offset + v of a lone track.
static float lone_mix(const sqt_lone_track *track, uint32_t i, const int16_t *a, const int16_t *b, uint32_t share) {
    const int32_t wb = (int32_t)share, wa = SQT_UNIFORM_ONE - wb;
    return (float)(a[i] * wa + b[i] * wb) + track->offset[i];
}

static sqt_quat lone_rotation(const sqt_lone_track *track, const int16_t *a, const int16_t *b, uint32_t share) {
    const sqt_quat q = {lone_mix(track, 0, a, b, share), lone_mix(track, 1, a, b, share),
                        lone_mix(track, 2, a, b, share), lone_mix(track, 3, a, b, share)};
    const float square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    const bool tiny = square < 1e-30f;
    const float k = 1.0f / sqrtf(tiny ? 1.0f : square);
    const sqt_quat unit = {q.x * k, q.y * k, q.z * k, (tiny ? 1.0f : q.w) * k};
    return unit;
}

static void sample_lone_track(sqt_pose_block *pose, uint32_t joint, const sqt_lone_track *track, const int16_t *a,
                              const int16_t *b, const sqt_uniform_job *job, bool slerp) {
    sqt_pose_block *const block = pose + joint / SQT_POSE_LANES;
    const uint32_t lane = joint % SQT_POSE_LANES;
    if (track->kind == SQT_TRACK_ROTATION) {
        const sqt_quat q =
            slerp ? sqt_quat_slerp(lone_rotation(track, a, b, 0), lone_rotation(track, a, b, SQT_UNIFORM_ONE), job->t)
                  : lone_rotation(track, a, b, job->share);
        block->rx[lane] = q.x, block->ry[lane] = q.y, block->rz[lane] = q.z, block->rw[lane] = q.w;
        return;
    }
    const int32_t wb = (int32_t)job->share, wa = SQT_UNIFORM_ONE - wb;
    float *const rows = (float *)block + sqt_uniform_first_component(track->kind) * SQT_POSE_LANES + lane;
    for (uint32_t i = 0; i < 3; ++i) {
        rows[i * SQT_POSE_LANES] = track->offset[i] + (float)(a[i] * wa + b[i] * wb) * track->step[i];
    }
}

static void sample_lone_tracks(sqt_pose_block *pose, uint32_t joint_count, const sqt_uniform_clip *uniform,
                               const sqt_uniform_job *job, bool slerp) {
    const int16_t *a = job->a + uniform->lone_first, *b = job->b + uniform->lone_first;
    for (uint32_t i = 0; i < uniform->lone_track_count; ++i) {
        const sqt_lone_track *const track = uniform->lone_tracks + i;
        const uint32_t joint = uniform->joints ? uniform->joints[track->lane] : track->lane;
        if (joint >= joint_count) return; // ascending: a level of detail has none of the rest
        sample_lone_track(pose, joint, track, a, b, job, slerp);
        a += sqt_uniform_components(track->kind);
        b += sqt_uniform_components(track->kind);
    }
}

static void sample_listed(sqt_pose_block *pose, uint32_t joint_count, const sqt_uniform_clip *uniform,
                          const sqt_uniform_job *job, bool slerp) {
    sqt_uniform_job part = *job;
    for (uint32_t block = 0; block < SQT_POSE_BLOCKS(uniform->joint_count); ++block) {
        const uint32_t lanes = sqt_uniform_lanes(uniform->joint_count, block), kinds = uniform->block_kinds[block];
        const uint16_t *const joints = uniform->joints + block * SQT_POSE_LANES;
        sqt_pose_block mixed;
        if (joints[0] >= joint_count) return;
        sqt_kernels_current()->uniform(&mixed, &part, lanes, slerp);
        for (uint32_t k = 0; k < lanes; ++k) {
            if (joints[k] < joint_count) sqt_pose_copy_joint(pose, joints[k], &mixed, k);
        }
        part.kinds += 1;
        part.values += sqt_uniform_block_value_rows(kinds) * SQT_POSE_LANES;
        part.a += sqt_uniform_block_rows(kinds) * SQT_POSE_LANES;
        part.b += sqt_uniform_block_rows(kinds) * SQT_POSE_LANES;
    }
}

sqt_result sqt_uniform_clip_sample(sqt_pose_block *pose, const sqt_skeleton *skeleton, const sqt_uniform_clip *uniform,
                                   double seconds, uint32_t flags) {
    if (!pose || !skeleton || !uniform || !uniform->samples) return SQT_ERROR_NULL;
    if (!uniform->block_kinds || !uniform->block_values) return SQT_ERROR_NULL;
    if (!uniform->lone_tracks && uniform->lone_track_count > 0) return SQT_ERROR_NULL;
    if (flags & ~(uint32_t)SQT_SLERP || uniform->flags & ~(uint32_t)CLIP_FLAGS) return SQT_ERROR_FLAG;
    const sqt_result playable = sqt_play_check(skeleton, &uniform->timeline, uniform->rig_hash, seconds);
    if (playable) return playable;
    if (uniform->sample_count == 0 || uniform->joint_count > SQT_MAX_JOINTS) return SQT_ERROR_COUNT;
    const bool slerp = (flags & SQT_SLERP) != 0;
    if (uniform->joints) {
        const sqt_result based = sqt_base_pose_check(skeleton, &uniform->base, uniform->flags);
        if (based) return based;
    } else if (uniform->joint_count < skeleton->joint_count) {
        return SQT_ERROR_COUNT;
    }
    const sqt_uniform_job job = find_job(uniform, seconds);
    if (uniform->joints) {
        sqt_base_pose_fill(pose, skeleton, &uniform->base, uniform->flags);
        sample_listed(pose, skeleton->joint_count, uniform, &job, slerp);
    } else {
        sqt_kernels_current()->uniform(pose, &job, skeleton->joint_count, slerp);
    }
    sample_lone_tracks(pose, skeleton->joint_count, uniform, &job, slerp);
    return SQT_OK;
}
