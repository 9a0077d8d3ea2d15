// What pose jobs work on: characters of one rig, each at its own time of its own clips, with scratch for each of them
// or one scratch for all (a worker's).
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "bench_rig.h"

/// How time goes from call to call.
enum { BENCH_FORWARD, BENCH_REVERSE, BENCH_SEEK };

/// BENCH_TOGETHER: characters whose global poses are worked out in one call.
enum { BENCH_SEEKS = 1024, BENCH_TOGETHER = 16 };

/// Overwritten by each call. Poses are blocks for sqt and baseline_joint for the baseline, in the same memory.
typedef struct bench_slot {
    void *a, *b; ///< poses
    sqt_mat4 *global;
} bench_slot;

typedef struct bench_actor {
    double seconds;
    float weight;
    uint32_t clip_a, clip_b;
    uint32_t slot;
    void *palette; ///< [joint_count] sqt_mat4 or sqt_mat3x4
    uint32_t *cursors;
} bench_actor;

typedef struct bench_stage {
    bench_pool pool;
    bench_rig rig;
    uint32_t flags, direction; ///< SQT_NLERP or SQT_SLERP; BENCH_FORWARD ...
    sqt_clip clips[BENCH_MOTIONS];
    baseline_clip baseline_clips[BENCH_MOTIONS];
    sqt_channel_clip channel_clip;
    sqt_uniform_clip uniform_clips[BENCH_MOTIONS]; ///< where the options ask for them
    size_t uniform_bytes;                          ///< of the first

    // Inputs of jobs that take poses and matrices.
    sqt_pose_block *pose_a, *pose_b, *pose_c, *difference;
    baseline_joint *baseline_a, *baseline_b, *baseline_c, *baseline_difference;
    sqt_inertial inertial; ///< from pose_a to pose_b, 0.5 s
    sqt_inertial_block *offsets;
    sqt_mat4 *global;

    bench_slot *slots;
    bench_actor *actors;
    uint32_t slot_count, actor_count, turn, seek_turn;
    double seeks[BENCH_SEEKS];

    // Other outputs of one call, for jobs that have no crowds.
    sqt_transform *transforms;
    sqt_quat *turns; ///< scratch of additions in mesh space

    // Scratch of the jobs that take BENCH_TOGETHER characters.
    void *many_memory;
    size_t many_bytes;
} bench_stage;

typedef struct bench_stage_options {
    uint32_t size; ///< index into bench_rig_sizes
    uint32_t actor_count;
    bool own_scratch, scaled;
    bool together; ///< scratch for BENCH_TOGETHER characters, or their own
    bool uniform;
    uint32_t flags, direction;
} bench_stage_options;

/// False where the memory cannot be had.
bool bench_stage_make(bench_stage *stage, const bench_stage_options *options);

void bench_stage_free(bench_stage *stage);

/// All characters back to where they began.
void bench_stage_rewind(void *stage);

/// One character's turn, and its time.
typedef struct bench_turn {
    bench_actor *actor;
    bench_slot *slot;
    double seconds;
} bench_turn;

static inline bench_turn bench_next(bench_stage *stage) {
    bench_actor *const actor = stage->actors + stage->turn;
    stage->turn = stage->turn + 1 == stage->actor_count ? 0 : stage->turn + 1;
    bench_turn turn = {actor, stage->slots + actor->slot, 0};
    if (stage->direction == BENCH_SEEK) {
        turn.seconds = stage->seeks[stage->seek_turn++ % BENCH_SEEKS];
    } else {
        actor->seconds += stage->direction == BENCH_FORWARD ? 1.0 / 60 : -1.0 / 60;
        turn.seconds = actor->seconds;
    }
    return turn;
}

#endif
