// Characters made in code: humanoid skeletons of three levels of detail, and motion as a walk cycle has it. One
// definition of the motion, in double precision, serves the sampled clips, the key-framed clips, the baseline's clips
// and the measurement of errors.
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include "bench_baseline.h"
#include "bench_memory.h"
#include "sqt/sqt.h"

enum { BENCH_RIG_SIZES = 3, BENCH_MOTIONS = 4 };

/// 15, 67 and 368 joints: limbs only; with fingers, twist joints and a face; with hair, cloth and a full face.
extern const uint32_t bench_rig_sizes[BENCH_RIG_SIZES];

typedef struct bench_rig {
    uint32_t joint_count;
    sqt_joint *joints;  ///< [joint_count] depth first, metres
    float *amplitudes;  ///< [joint_count] radians: how far the joint turns
    uint16_t *channels; ///< [joint_count] bits BENCH_MOVES_...
    sqt_skeleton skeleton;
    sqt_mat4 *inverse_bind; ///< [joint_count] of the rest pose
    sqt_skin skin;          ///< every joint
    float *mask;            ///< [joint_count] 0, 1 and a few between: an upper body
} bench_rig;

enum { BENCH_MOVES_TRANSLATION = 1, BENCH_MOVES_SCALE = 2 };

/// @param size   index into bench_rig_sizes.
/// @param scaled whether some joints scale, all the time; else all scales are exactly 1.
void bench_rig_make(bench_rig *rig, bench_pool *pool, uint32_t size, bool scaled);

/// Seconds of one of the BENCH_MOTIONS, all of which are cycles.
double bench_motion_duration(uint32_t motion);

/// The local transform of a joint at a time: 7 numbers of rotation (unit) and translation, 3 of scale.
void bench_motion_at(double transform[10], const bench_rig *rig, uint32_t motion, uint32_t joint, double seconds);

/// The motion sampled 30 times a second; closed, signs continuous from sample to sample, wraps.
sqt_clip bench_clip_make(const bench_rig *rig, bench_pool *pool, uint32_t motion);

/// The same samples for the baseline.
baseline_clip bench_clip_for_baseline(const sqt_clip *clip, bench_pool *pool);

/// Linear keys at the same instants for what moves.
sqt_channel_clip bench_channel_clip_make(const bench_rig *rig, bench_pool *pool, const sqt_clip *clip);

/// An array of structures from a pose.
void bench_pose_for_baseline(baseline_joint *joints, const sqt_pose_block *pose, uint32_t joint_count);

#endif
