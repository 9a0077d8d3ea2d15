#include "bench_pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_error.h"
#include "bench_stage.h"

// What sqt does. To add a job, write its function (and the baseline's, where a user would write one) and a line of the
// table below.

static void run_sample(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_clip_sample(t.slot->a, &s->rig.skeleton, s->clips + t.actor->clip_a, t.seconds, s->flags);
    }
}

static void run_channels(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_channel_clip_sample(t.slot->a, &s->rig.skeleton, &s->channel_clip, t.actor->cursors, t.seconds);
    }
}

static void run_blend2(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_blend_pair(t.slot->a, &s->rig.skeleton, s->pose_a, s->pose_b, NULL, t.actor->weight, s->flags);
    }
}

static void run_masked(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_blend_pair(t.slot->a, &s->rig.skeleton, s->pose_a, s->pose_b, s->rig.mask, t.actor->weight, s->flags);
    }
}

static void run_inertial(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        const double seconds = s->inertial.start_seconds + 0.4 * (double)t.actor->weight; // not yet at its end
        sqt_inertial_apply(t.slot->a, &s->rig.skeleton, s->pose_b, &s->inertial, s->offsets, seconds);
    }
}

static void run_global(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_global_from_local(bench_next(s).slot->global, &s->rig.skeleton, s->pose_a, NULL);
    }
}

static void run_transforms(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_global_transforms(s->transforms, t.slot->global, &s->rig.skeleton, s->pose_a, NULL);
    }
}

static void run_palette(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_skin_palette(bench_next(s).actor->palette, &s->rig.skeleton, &s->rig.skin, s->global, NULL);
    }
}

static void run_palette_3x4(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_skin_palette_3x4(bench_next(s).actor->palette, &s->rig.skeleton, &s->rig.skin, s->global, NULL);
    }
}

static void run_character(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const sqt_skeleton *const skeleton = &s->rig.skeleton;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_clip_sample(t.slot->a, skeleton, s->clips + t.actor->clip_a, t.seconds, s->flags);
        sqt_clip_sample(t.slot->b, skeleton, s->clips + t.actor->clip_b, t.seconds, s->flags);
        sqt_blend_pair(t.slot->a, skeleton, t.slot->a, t.slot->b, NULL, t.actor->weight, s->flags);
        sqt_global_from_local(t.slot->global, skeleton, t.slot->a, NULL);
        sqt_skin_palette(t.actor->palette, skeleton, &s->rig.skin, t.slot->global, NULL);
    }
}

// What a user would write

static void base_sample(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->sample(t.slot->a, s->baseline_clips + t.actor->clip_a, t.seconds, s->flags & SQT_SLERP);
    }
}

static void base_blend2(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->blend(t.slot->a, s->baseline_a, s->baseline_b, NULL, t.actor->weight, s->rig.joint_count,
                    s->flags & SQT_SLERP);
    }
}

static void base_masked(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->blend(t.slot->a, s->baseline_a, s->baseline_b, s->rig.mask, t.actor->weight, s->rig.joint_count,
                    s->flags & SQT_SLERP);
    }
}

static void base_global(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        base->global((mat4 *)bench_next(s).slot->global, s->rig.skeleton.parents, s->baseline_a, s->rig.joint_count);
    }
}

static void base_palette(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        base->palette(bench_next(s).actor->palette, (mat4 *)s->global, (mat4 *)s->rig.inverse_bind, s->rig.joint_count);
    }
}

static void base_character(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    const uint32_t joint_count = s->rig.joint_count;
    const bool slerp = s->flags & SQT_SLERP;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->sample(t.slot->a, s->baseline_clips + t.actor->clip_a, t.seconds, slerp);
        base->sample(t.slot->b, s->baseline_clips + t.actor->clip_b, t.seconds, slerp);
        base->blend(t.slot->a, t.slot->a, t.slot->b, NULL, t.actor->weight, joint_count, slerp);
        base->global((mat4 *)t.slot->global, s->rig.skeleton.parents, t.slot->a, joint_count);
        base->palette(t.actor->palette, (mat4 *)t.slot->global, (mat4 *)s->rig.inverse_bind, joint_count);
    }
}

// What memory alone would take: sampling and blending read two poses and write one; a palette reads two arrays of
// matrices and writes one.

static void memory_sample(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const size_t bytes = SQT_POSE_BLOCKS(s->rig.joint_count) * sizeof(sqt_pose_block);
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        const sqt_clip *const clip = s->clips + t.actor->clip_a;
        const float phase = sqt_timeline_phase(&clip->timeline, t.seconds);
        const uint32_t index = (uint32_t)(phase * (float)(clip->sample_count - 1));
        const char *const row = (const char *)clip->samples + index * bytes;
        bench_keep(bench_read(row, bytes));
        memcpy(t.slot->a, row + bytes, bytes);
    }
}

static void memory_blend(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const size_t bytes = SQT_POSE_BLOCKS(s->rig.joint_count) * sizeof(sqt_pose_block);
    for (uint32_t i = 0; i < calls; ++i) {
        bench_keep(bench_read(s->pose_b, bytes));
        memcpy(bench_next(s).slot->a, s->pose_a, bytes);
    }
}

static void memory_palette(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const size_t bytes = s->rig.joint_count * sizeof(sqt_mat4);
    for (uint32_t i = 0; i < calls; ++i) {
        bench_keep(bench_read(s->rig.inverse_bind, bytes));
        memcpy(bench_next(s).actor->palette, s->global, bytes);
    }
}

// The output of the last call. Rotations are compared as matrices, since q and -q are one.

/// The character whose turn was last.
static const bench_actor *last_actor(const bench_stage *s) {
    return s->actors + (s->turn == 0 ? s->actor_count : s->turn) - 1;
}

static void collect_pose(float *out, const void *state, bool baseline) {
    const bench_stage *const s = state;
    const void *const pose = s->slots[last_actor(s)->slot].a;
    for (uint32_t j = 0; j < s->rig.joint_count; ++j) {
        sqt_transform t;
        if (baseline) {
            const baseline_joint *const joint = (const baseline_joint *)pose + j;
            memcpy(&t.rotation, joint->rotation, sizeof t.rotation);
            memcpy(&t.translation, joint->translation, sizeof t.translation);
            memcpy(&t.scale, joint->scale, sizeof t.scale);
        } else {
            t = sqt_pose_get(pose, j);
        }
        const sqt_mat4 matrix = sqt_mat4_from_transform(t);
        memcpy(out + 16 * (size_t)j, matrix.m, sizeof matrix.m);
    }
}

static void collect_global(float *out, const void *state, bool baseline) {
    const bench_stage *const s = state;
    (void)baseline;
    memcpy(out, s->slots[last_actor(s)->slot].global, s->rig.joint_count * sizeof(sqt_mat4));
}

static void collect_palette(float *out, const void *state, bool baseline) {
    const bench_stage *const s = state;
    (void)baseline;
    memcpy(out, last_actor(s)->palette, s->rig.joint_count * sizeof(sqt_mat4));
}

// The table

/// glm_quat_slerp takes the arc cosine of a number next to 1, which keeps half of the digits.
static const double cglm_slerp_tolerance = 1e-3;

enum { SCALED = 1, CROWDS = 2, CLIP = 4 };

typedef struct pose_job {
    const char *job, *mode;
    uint32_t flags, direction;
    uint32_t traits; ///< SCALED: some joints scale; CROWDS: also crowds; CLIP: has bytes and an error
    void (*run)(void *state, uint32_t calls);
    void (*run_baseline)(void *state, const bench_baseline *base, uint32_t calls);
    void (*run_memory)(void *state, uint32_t calls);
    void (*collect)(float *out, const void *state, bool baseline);
} pose_job;

static const pose_job jobs[] = {
    {"sample", "nlerp", SQT_NLERP, BENCH_FORWARD, CROWDS | CLIP, run_sample, base_sample, memory_sample, collect_pose},
    {"sample", "slerp", SQT_SLERP, BENCH_FORWARD, CLIP, run_sample, base_sample, memory_sample, collect_pose},
    {"sample", "nlerp reverse", SQT_NLERP, BENCH_REVERSE, CLIP, run_sample, base_sample, memory_sample, collect_pose},
    {"sample", "nlerp scaled", SQT_NLERP, BENCH_FORWARD, SCALED | CLIP, run_sample, base_sample, NULL, collect_pose},
    {"seek", "nlerp", SQT_NLERP, BENCH_SEEK, CLIP, run_sample, base_sample, memory_sample, collect_pose},
    {"seek", "slerp", SQT_SLERP, BENCH_SEEK, CLIP, run_sample, base_sample, memory_sample, collect_pose},
    {"channels", "slerp", 0, BENCH_FORWARD, 0, run_channels, NULL, NULL, collect_pose},
    {"channels", "slerp reverse", 0, BENCH_REVERSE, 0, run_channels, NULL, NULL, collect_pose},
    {"channels", "slerp seek", 0, BENCH_SEEK, 0, run_channels, NULL, NULL, collect_pose},
    {"blend2", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_blend2, base_blend2, memory_blend, collect_pose},
    {"blend2", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_blend2, base_blend2, memory_blend, collect_pose},
    {"blend2", "nlerp scaled", SQT_NLERP, BENCH_FORWARD, SCALED, run_blend2, base_blend2, NULL, collect_pose},
    {"masked", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_masked, base_masked, memory_blend, collect_pose},
    {"masked", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_masked, base_masked, memory_blend, collect_pose},
    {"inertial", "hot", 0, BENCH_FORWARD, 0, run_inertial, NULL, NULL, collect_pose},
    {"global", "hot", 0, BENCH_FORWARD, 0, run_global, base_global, NULL, collect_global},
    {"global", "scaled", 0, BENCH_FORWARD, SCALED, run_global, base_global, NULL, collect_global},
    {"components", "hot", 0, BENCH_FORWARD, 0, run_transforms, NULL, NULL, collect_global},
    {"palette", "4x4", 0, BENCH_FORWARD, 0, run_palette, base_palette, memory_palette, collect_palette},
    {"palette", "3x4", 0, BENCH_FORWARD, 0, run_palette_3x4, NULL, NULL, collect_palette},
    {"character", "nlerp", SQT_NLERP, BENCH_FORWARD, CROWDS, run_character, base_character, NULL, collect_palette},
    {"character", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_character, base_character, NULL, collect_palette},
};

/// The largest error of the first clip over its length.
static double clip_error(bench_stage *s) {
    const sqt_clip *const clip = s->clips;
    double error = 0;
    for (uint32_t i = 0; i < 50; ++i) {
        const double seconds = (double)clip->timeline.duration_seconds * i / 50;
        sqt_clip_sample(s->slots->a, &s->rig.skeleton, clip, seconds, s->flags);
        const double here = bench_pose_error(&s->rig, 0, seconds, s->slots->a);
        if (!(here <= error)) error = here;
    }
    return error;
}

static void measure(bench *b, const pose_job *job, const char *mode, bench_stage *stage) {
    const uint32_t joint_count = stage->rig.joint_count;
    const sqt_clip *const clip = stage->clips;
    const bool has_clip = job->traits & CLIP;
    const double clip_bytes = (double)(clip->sample_count * SQT_POSE_BLOCKS(joint_count)) * sizeof(sqt_pose_block);
    const bench_case c = {.job = job->job,
                          .mode = mode,
                          .joints = joint_count,
                          .bytes = has_clip ? clip_bytes : 0,
                          .error = has_clip ? clip_error(stage) : -1,
                          .units = joint_count,
                          .unit = "joint",
                          .state = stage,
                          .run = job->run,
                          .run_baseline = job->run_baseline,
                          .run_memory = job->run_memory,
                          .rewind = bench_stage_rewind,
                          .collect = job->collect,
                          .output_count = 16 * joint_count,
                          .tolerance = job->flags & SQT_SLERP ? cglm_slerp_tolerance : 2e-5};
    bench_measure(b, &c);
}

static void run_job(bench *b, const pose_job *job, uint32_t size, uint32_t actors, bool own_scratch) {
    char mode[64] = "", joints[16];
    if (actors > 1) {
        snprintf(mode, sizeof mode, "%s crowd%u%s", job->mode, (unsigned)actors, own_scratch ? " own scratch" : "");
    } else {
        snprintf(mode, sizeof mode, "%s%s", job->mode, job->traits & CROWDS ? " hot" : "");
    }
    snprintf(joints, sizeof joints, "%u", (unsigned)bench_rig_sizes[size]);
    if (!bench_wants(b, job->job, mode, joints)) return;
    const bench_stage_options options = {.size = size,
                                         .actor_count = actors,
                                         .own_scratch = own_scratch,
                                         .scaled = job->traits & SCALED,
                                         .flags = job->flags,
                                         .direction = job->direction};
    bench_stage *const stage = malloc(sizeof *stage);
    if (stage && bench_stage_make(stage, &options)) {
        measure(b, job, mode, stage);
        bench_stage_free(stage);
    } else {
        fprintf(stderr, "sqt_bench: %s %s %s: left out for lack of memory\n", job->job, mode, joints);
    }
    free(stage);
}

void bench_pose(bench *b) {
    static const uint32_t crowds[] = {1000, 10000};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i) {
        for (uint32_t size = 0; size < BENCH_RIG_SIZES; ++size) {
            run_job(b, jobs + i, size, 1, false);
            for (int k = 0; jobs[i].traits & CROWDS && k < 2; ++k) {
                run_job(b, jobs + i, size, crowds[k], false);
                run_job(b, jobs + i, size, crowds[k], true);
            }
        }
    }
}
