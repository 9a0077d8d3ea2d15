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

static void run_uniform(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_uniform_clip_sample(t.slot->a, &s->rig.skeleton, s->uniform_clips + t.actor->clip_a, t.seconds, s->flags);
    }
}

/// How a character comes by its pose.
typedef void (*sampler)(const bench_stage *s, const bench_turn *t);

static void sample_two(const bench_stage *s, const bench_turn *t) {
    const sqt_skeleton *const skeleton = &s->rig.skeleton;
    sqt_clip_sample(t->slot->a, skeleton, s->clips + t->actor->clip_a, t->seconds, s->flags);
    sqt_clip_sample(t->slot->b, skeleton, s->clips + t->actor->clip_b, t->seconds, s->flags);
    sqt_blend_pair(t->slot->a, skeleton, t->slot->a, t->slot->b, NULL, t->actor->weight, s->flags);
}

static void sample_two_uniform(const bench_stage *s, const bench_turn *t) {
    const sqt_skeleton *const skeleton = &s->rig.skeleton;
    sqt_uniform_clip_sample(t->slot->a, skeleton, s->uniform_clips + t->actor->clip_a, t->seconds, s->flags);
    sqt_uniform_clip_sample(t->slot->b, skeleton, s->uniform_clips + t->actor->clip_b, t->seconds, s->flags);
    sqt_blend_pair(t->slot->a, skeleton, t->slot->a, t->slot->b, NULL, t->actor->weight, s->flags);
}

static void sample_pair(const bench_stage *s, const bench_turn *t) {
    sqt_clip_sample_pair(t->slot->a, &s->rig.skeleton, s->clips + t->actor->clip_a, s->clips + t->actor->clip_b,
                         t->seconds, t->seconds, t->actor->weight, s->flags);
}

static void sample_each(bench_stage *s, uint32_t calls, sampler sample) {
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sample(s, &t);
    }
}

static void run_sample2(void *state, uint32_t calls) { sample_each(state, calls, sample_two); }

static void run_uniform2(void *state, uint32_t calls) { sample_each(state, calls, sample_two_uniform); }

static void run_sample_pair(void *state, uint32_t calls) { sample_each(state, calls, sample_pair); }

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

static const float blend3_weights[3] = {0.5f, 0.3f, 0.2f};

static void run_blend3(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        const sqt_blend_input inputs[] = {{s->pose_a, NULL, NULL, blend3_weights[0]},
                                          {s->pose_b, NULL, NULL, blend3_weights[1]},
                                          {s->pose_c, NULL, NULL, blend3_weights[2]}};
        sqt_blend_many(t.slot->a, &s->rig.skeleton, inputs, 3, 0, s->flags);
    }
}

static void run_additive(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_blend_add(t.slot->a, &s->rig.skeleton, s->pose_a, s->difference, NULL, t.actor->weight, s->flags);
    }
}

static void run_difference(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_blend_difference(bench_next(s).slot->a, &s->rig.skeleton, s->pose_a, s->pose_b, 0);
    }
}

static void run_additive_mesh(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        sqt_blend_add_mesh(t.slot->a, &s->rig.skeleton, s->pose_a, s->difference, NULL, s->turns, t.actor->weight,
                           s->flags);
    }
}

/// Two base layers, one over them on some joints, one added.
static void run_layers(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        const sqt_layer layers[] = {
            {.pose = s->pose_a, .weight = 0.7f},
            {.pose = s->pose_b, .weight = 0.3f},
            {.pose = s->pose_c, .mask = s->rig.mask, .weight = t.actor->weight, .kind = SQT_LAYER_OVERRIDE},
            {.pose = s->difference, .weight = 0.5f, .kind = SQT_LAYER_ADDITIVE}};
        sqt_layers_blend(t.slot->a, &s->rig.skeleton, layers, 4, NULL, SQT_REST_THRESHOLD);
    }
}

static void run_core_pose(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const sqt_core_pose a = {s->global, NULL}, b = {bench_next(s).slot->global, NULL};
    sqt_core_distance distance = {0};
    for (uint32_t i = 0; i < calls; ++i) sqt_core_pose_distance(&distance, &s->rig.skeleton, &a, &b, NULL);
}

static void run_core_velocities(void *state, uint32_t calls) {
    bench_stage *const s = state;
    const bench_turn t = bench_next(s);
    memcpy(t.slot->global, s->global, s->rig.joint_count * sizeof *s->global);
    sqt_vec3 *const velocities = (sqt_vec3 *)(void *)s->turns;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_core_pose_velocities(velocities, &s->rig.skeleton, t.slot->global, s->global, 1.0f / 60);
    }
}

static void run_mask_subtree(void *state, uint32_t calls) {
    bench_stage *const s = state;
    float *const mask = (float *)(void *)s->turns;
    for (uint32_t i = 0; i < calls; ++i) {
        if (sqt_mask_subtree(mask, &s->rig.skeleton, i % s->rig.joint_count, 0.25f, NULL)) return;
    }
}

static void run_mask_multiply(void *state, uint32_t calls) {
    bench_stage *const s = state;
    float *const mask = (float *)(void *)s->turns;
    for (uint32_t i = 0; i < calls; ++i) sqt_mask_multiply(mask, &s->rig.skeleton, s->rig.mask, s->rig.mask);
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

static void run_local(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_local_from_global(bench_next(s).slot->a, &s->rig.skeleton, s->global, NULL);
    }
}

static void run_local_components(void *state, uint32_t calls) {
    bench_stage *const s = state;
    sqt_global_transforms(s->transforms, NULL, &s->rig.skeleton, s->pose_a, NULL);
    for (uint32_t i = 0; i < calls; ++i) {
        sqt_local_from_transforms(bench_next(s).slot->a, &s->rig.skeleton, s->transforms, NULL);
    }
}

static void run_rest(void *state, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) sqt_skeleton_rest(bench_next(s).slot->a, &s->rig.skeleton);
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

/// Global poses and palettes of the BENCH_TOGETHER characters of some turns.
static void global_together(bench_stage *s, const bench_turn *turns, bool rows) {
    sqt_global_character characters[BENCH_TOGETHER];
    for (uint32_t i = 0; i < BENCH_TOGETHER; ++i) {
        void *const palette = turns[i].actor->palette;
        characters[i] = (sqt_global_character){
            .local = turns[i].slot->a, .palette = rows ? NULL : palette, .palette_3x4 = rows ? palette : NULL};
    }
    sqt_global_many(characters, &s->rig.skeleton, &s->rig.skin, BENCH_TOGETHER, s->many_memory, s->many_bytes);
}

static void many(bench_stage *s, uint32_t calls, bool rows) {
    for (uint32_t call = 0; call < calls; ++call) {
        bench_turn turns[BENCH_TOGETHER];
        for (uint32_t i = 0; i < BENCH_TOGETHER; ++i) turns[i] = bench_next(s);
        global_together(s, turns, rows);
    }
}

static void run_many(void *state, uint32_t calls) { many(state, calls, false); }

static void run_many_3x4(void *state, uint32_t calls) { many(state, calls, true); }

/// Whole characters, BENCH_TOGETHER of them at once from their poses on.
static void characters(bench_stage *s, uint32_t calls, sampler sample, bool rows) {
    for (uint32_t call = 0; call < calls; ++call) {
        bench_turn turns[BENCH_TOGETHER];
        for (uint32_t i = 0; i < BENCH_TOGETHER; ++i) {
            turns[i] = bench_next(s);
            sample(s, turns + i);
        }
        global_together(s, turns, rows);
    }
}

static void run_characters(void *state, uint32_t calls) { characters(state, calls, sample_two_uniform, true); }

static void run_characters_float(void *state, uint32_t calls) { characters(state, calls, sample_two, false); }

static void run_characters_pair(void *state, uint32_t calls) { characters(state, calls, sample_pair, false); }

/// Poses of the characters, in place of what sampling would leave there.
static void fill_slots(bench_stage *s) {
    for (uint32_t i = 0; i < s->slot_count; ++i) {
        memcpy(s->slots[i].a, s->pose_a, SQT_POSE_BLOCKS(s->rig.joint_count) * sizeof *s->pose_a);
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

static void base_sample2(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    const bool slerp = s->flags & SQT_SLERP;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->sample(t.slot->a, s->baseline_clips + t.actor->clip_a, t.seconds, slerp);
        base->sample(t.slot->b, s->baseline_clips + t.actor->clip_b, t.seconds, slerp);
        base->blend(t.slot->a, t.slot->a, t.slot->b, NULL, t.actor->weight, s->rig.joint_count, slerp);
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

static void base_blend3(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    baseline_joint *const inputs[] = {s->baseline_a, s->baseline_b, s->baseline_c};
    for (uint32_t i = 0; i < calls; ++i) {
        base->blend3(bench_next(s).slot->a, inputs, blend3_weights, s->rig.joint_count);
    }
}

static void base_additive(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        const bench_turn t = bench_next(s);
        base->add(t.slot->a, s->baseline_a, s->baseline_difference, t.actor->weight, s->rig.joint_count,
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

static void base_characters(void *state, const bench_baseline *base, uint32_t calls) {
    base_character(state, base, calls * BENCH_TOGETHER);
}

static void base_many(void *state, const bench_baseline *base, uint32_t calls) {
    bench_stage *const s = state;
    const uint32_t joint_count = s->rig.joint_count;
    for (uint32_t i = 0; i < calls * BENCH_TOGETHER; ++i) {
        const bench_turn t = bench_next(s);
        base->global((mat4 *)t.slot->global, s->rig.skeleton.parents, s->baseline_a, joint_count);
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

enum { SCALED = 1, CROWDS = 2, CLIP = 4, UNIFORM = 8, TOGETHER = 16, PAIR = 32, SAMPLES = 64 };

typedef struct pose_job {
    const char *job, *mode;
    uint32_t flags, direction;
    uint32_t traits; ///< SCALED: some joints scale; CROWDS: also crowds; CLIP: has bytes and an error;
                     ///< UNIFORM: of clips in 16 bits; TOGETHER: a call is of BENCH_TOGETHER characters, who have
                     ///< poses beforehand unless SAMPLES; PAIR: normalised once, where the baseline does it three times
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
    {"sample", "nlerp 16 bit", SQT_NLERP, BENCH_FORWARD, CROWDS | CLIP | UNIFORM, run_uniform, base_sample, NULL,
     collect_pose},
    {"sample", "slerp 16 bit", SQT_SLERP, BENCH_FORWARD, CLIP | UNIFORM, run_uniform, base_sample, NULL, collect_pose},
    {"sample", "nlerp 16 bit reverse", SQT_NLERP, BENCH_REVERSE, CLIP | UNIFORM, run_uniform, base_sample, NULL,
     collect_pose},
    {"sample", "nlerp 16 bit scaled", SQT_NLERP, BENCH_FORWARD, SCALED | CLIP | UNIFORM, run_uniform, base_sample, NULL,
     collect_pose},
    {"seek", "nlerp 16 bit", SQT_NLERP, BENCH_SEEK, CLIP | UNIFORM, run_uniform, base_sample, NULL, collect_pose},
    {"sample2", "nlerp", SQT_NLERP, BENCH_FORWARD, CROWDS, run_sample2, base_sample2, NULL, collect_pose},
    {"sample2", "nlerp 16 bit", SQT_NLERP, BENCH_FORWARD, CROWDS | UNIFORM, run_uniform2, base_sample2, NULL,
     collect_pose},
    {"sample2", "nlerp pair", SQT_NLERP, BENCH_FORWARD, CROWDS | PAIR, run_sample_pair, base_sample2, NULL,
     collect_pose},
    {"channels", "slerp", 0, BENCH_FORWARD, 0, run_channels, NULL, NULL, collect_pose},
    {"channels", "slerp reverse", 0, BENCH_REVERSE, 0, run_channels, NULL, NULL, collect_pose},
    {"channels", "slerp seek", 0, BENCH_SEEK, 0, run_channels, NULL, NULL, collect_pose},
    {"blend2", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_blend2, base_blend2, memory_blend, collect_pose},
    {"blend2", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_blend2, base_blend2, memory_blend, collect_pose},
    {"blend2", "nlerp scaled", SQT_NLERP, BENCH_FORWARD, SCALED, run_blend2, base_blend2, NULL, collect_pose},
    {"blend3", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_blend3, base_blend3, NULL, collect_pose},
    {"blend3", "nlerp scaled", SQT_NLERP, BENCH_FORWARD, SCALED, run_blend3, base_blend3, NULL, collect_pose},
    {"masked", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_masked, base_masked, memory_blend, collect_pose},
    {"masked", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_masked, base_masked, memory_blend, collect_pose},
    {"additive", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_additive, base_additive, NULL, collect_pose},
    {"additive", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_additive, base_additive, NULL, collect_pose},
    {"inertial", "hot", 0, BENCH_FORWARD, 0, run_inertial, NULL, NULL, collect_pose},
    {"additive", "nlerp mesh", SQT_NLERP, BENCH_FORWARD, 0, run_additive_mesh, NULL, NULL, collect_pose},
    {"difference", "hot", 0, BENCH_FORWARD, 0, run_difference, NULL, NULL, collect_pose},
    {"layers", "nlerp", SQT_NLERP, BENCH_FORWARD, 0, run_layers, NULL, NULL, collect_pose},
    {"core_pose", "distance", 0, BENCH_FORWARD, 0, run_core_pose, NULL, NULL, collect_global},
    {"core_pose", "velocities", 0, BENCH_FORWARD, 0, run_core_velocities, NULL, NULL, collect_global},
    {"mask", "subtree", 0, BENCH_FORWARD, 0, run_mask_subtree, NULL, NULL, collect_global},
    {"mask", "multiply", 0, BENCH_FORWARD, 0, run_mask_multiply, NULL, NULL, collect_global},
    {"global", "hot", 0, BENCH_FORWARD, 0, run_global, base_global, NULL, collect_global},
    {"global", "scaled", 0, BENCH_FORWARD, SCALED, run_global, base_global, NULL, collect_global},
    {"local", "matrices", 0, BENCH_FORWARD, 0, run_local, NULL, NULL, collect_pose},
    {"local", "components", 0, BENCH_FORWARD, 0, run_local_components, NULL, NULL, collect_pose},
    {"rest", "hot", 0, BENCH_FORWARD, 0, run_rest, NULL, memory_blend, collect_pose},
    {"components", "hot", 0, BENCH_FORWARD, 0, run_transforms, NULL, NULL, collect_global},
    {"global_many", "4x4", 0, BENCH_FORWARD, CROWDS | TOGETHER, run_many, base_many, NULL, collect_palette},
    {"global_many", "3x4", 0, BENCH_FORWARD, CROWDS | TOGETHER, run_many_3x4, NULL, NULL, collect_palette},
    {"palette", "4x4", 0, BENCH_FORWARD, 0, run_palette, base_palette, memory_palette, collect_palette},
    {"palette", "3x4", 0, BENCH_FORWARD, 0, run_palette_3x4, NULL, NULL, collect_palette},
    {"character", "nlerp", SQT_NLERP, BENCH_FORWARD, CROWDS, run_character, base_character, NULL, collect_palette},
    {"character", "slerp", SQT_SLERP, BENCH_FORWARD, 0, run_character, base_character, NULL, collect_palette},
    {"character", "nlerp pair many 4x4", SQT_NLERP, BENCH_FORWARD, CROWDS | TOGETHER | PAIR | SAMPLES,
     run_characters_pair, base_characters, NULL, collect_palette},
    {"character", "slerp many 4x4", SQT_SLERP, BENCH_FORWARD, TOGETHER | SAMPLES, run_characters_float, base_characters,
     NULL, collect_palette},
    {"character", "nlerp 16 bit many 3x4", SQT_NLERP, BENCH_FORWARD, CROWDS | TOGETHER | UNIFORM | SAMPLES,
     run_characters, NULL, NULL, collect_palette},
};

/// The largest error of the first clip over its length.
static double clip_error(bench_stage *s, bool uniform) {
    const sqt_clip *const clip = s->clips;
    double error = 0;
    for (uint32_t i = 0; i < 50; ++i) {
        const double seconds = (double)clip->timeline.duration_seconds * i / 50;
        if (uniform) {
            sqt_uniform_clip_sample(s->slots->a, &s->rig.skeleton, s->uniform_clips, seconds, s->flags);
        } else {
            sqt_clip_sample(s->slots->a, &s->rig.skeleton, clip, seconds, s->flags);
        }
        const double here = bench_pose_error(&s->rig, 0, seconds, s->slots->a);
        if (!(here <= error)) error = here;
    }
    return error;
}

static double tolerance_of(const pose_job *job) {
    if (job->flags & SQT_SLERP) return cglm_slerp_tolerance;
    return job->traits & PAIR ? 1e-3 : job->traits & UNIFORM ? 1e-4 : 2e-5;
}

static void measure(bench *b, const pose_job *job, const char *mode, bench_stage *stage) {
    const uint32_t joint_count = stage->rig.joint_count;
    const sqt_clip *const clip = stage->clips;
    const bool has_clip = job->traits & CLIP, uniform = job->traits & UNIFORM;
    const double float_bytes = (double)(clip->sample_count * SQT_POSE_BLOCKS(joint_count)) * sizeof(sqt_pose_block);
    const double clip_bytes = uniform ? (double)stage->uniform_bytes : float_bytes;
    if (job->traits & TOGETHER && !(job->traits & SAMPLES)) fill_slots(stage);
    const bench_case c = {.job = job->job,
                          .mode = mode,
                          .joints = joint_count,
                          .bytes = has_clip ? clip_bytes : 0,
                          .error = has_clip ? clip_error(stage, uniform) : -1,
                          .units = job->traits & TOGETHER ? joint_count * BENCH_TOGETHER : joint_count,
                          .unit = "joint",
                          .state = stage,
                          .run = job->run,
                          .run_baseline = job->run_baseline,
                          .run_memory = job->run_memory,
                          .rewind = bench_stage_rewind,
                          .collect = job->collect,
                          .output_count = 16 * joint_count,
                          .tolerance = tolerance_of(job)};
    bench_measure(b, &c);
}

static void run_job(bench *b, const pose_job *job, uint32_t size, uint32_t actors, bool own_scratch) {
    char mode[64] = "", joints[16];
    if (actors > BENCH_TOGETHER) {
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
                                         .together = job->traits & TOGETHER,
                                         .uniform = job->traits & UNIFORM,
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
            run_job(b, jobs + i, size, jobs[i].traits & TOGETHER ? BENCH_TOGETHER : 1, false);
            for (int k = 0; jobs[i].traits & CROWDS && k < 2; ++k) {
                run_job(b, jobs + i, size, crowds[k], false);
                run_job(b, jobs + i, size, crowds[k], true);
            }
        }
    }
}
