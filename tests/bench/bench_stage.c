#include "bench_stage.h"

#include <string.h>

static size_t pose_bytes(uint32_t joint_count) {
    const size_t blocks = SQT_POSE_BLOCKS(joint_count) * sizeof(sqt_pose_block);
    const size_t structures = joint_count * sizeof(baseline_joint);
    return blocks > structures ? blocks : structures;
}

static void make_inputs(bench_stage *s) {
    const uint32_t joint_count = s->rig.joint_count, blocks = SQT_POSE_BLOCKS(joint_count);
    s->pose_a = bench_alloc(&s->pool, blocks, sizeof *s->pose_a);
    s->pose_b = bench_alloc(&s->pool, blocks, sizeof *s->pose_b);
    sqt_clip_sample(s->pose_a, &s->rig.skeleton, s->clips + 0, 0.31, SQT_NLERP);
    sqt_clip_sample(s->pose_b, &s->rig.skeleton, s->clips + 1, 0.77, SQT_NLERP);
    s->offsets = bench_alloc(&s->pool, blocks, sizeof *s->offsets);
    const sqt_inertial_switch change = {.pose = s->pose_a, .target = s->pose_b, .duration_seconds = 0.5f};
    sqt_inertial_begin(&s->inertial, s->offsets, &s->rig.skeleton, &change);
    s->baseline_a = bench_alloc(&s->pool, joint_count, sizeof *s->baseline_a);
    s->baseline_b = bench_alloc(&s->pool, joint_count, sizeof *s->baseline_b);
    bench_pose_for_baseline(s->baseline_a, s->pose_a, joint_count);
    bench_pose_for_baseline(s->baseline_b, s->pose_b, joint_count);
    s->pose_c = bench_alloc(&s->pool, blocks, sizeof *s->pose_c);
    s->difference = bench_alloc(&s->pool, blocks, sizeof *s->difference);
    sqt_clip_sample(s->pose_c, &s->rig.skeleton, s->clips + 2, 0.43, SQT_NLERP);
    sqt_blend_difference(s->difference, &s->rig.skeleton, s->pose_c, s->pose_b, 0);
    s->baseline_c = bench_alloc(&s->pool, joint_count, sizeof *s->baseline_c);
    s->baseline_difference = bench_alloc(&s->pool, joint_count, sizeof *s->baseline_difference);
    bench_pose_for_baseline(s->baseline_c, s->pose_c, joint_count);
    bench_pose_for_baseline(s->baseline_difference, s->difference, joint_count);
    s->global = bench_alloc(&s->pool, joint_count, sizeof *s->global);
    sqt_global_from_local(s->global, &s->rig.skeleton, s->pose_a, NULL);
    s->turns = bench_alloc(&s->pool, 3 * joint_count, sizeof *s->turns);
    s->transforms = bench_alloc(&s->pool, joint_count, sizeof *s->transforms);
    s->many_bytes = sqt_global_many_bytes(&s->rig.skeleton, &s->rig.skin);
    s->many_memory = bench_alloc(&s->pool, 1, s->many_bytes);
}

static void make_uniform_clips(bench_stage *s) {
    for (uint32_t i = 0; i < BENCH_MOTIONS; ++i) {
        const size_t bytes = sqt_uniform_clip_bytes(s->clips + i, 1e-6f);
        void *const memory = bench_alloc(&s->pool, 1, bytes);
        const sqt_result made =
            sqt_uniform_clip_build(s->uniform_clips + i, &s->rig.skeleton, s->clips + i, 1e-6f, memory, bytes, NULL);
        if (i == 0) s->uniform_bytes = made == SQT_OK ? bytes : 0;
    }
}

static void make_slots(bench_stage *s) {
    const uint32_t joint_count = s->rig.joint_count;
    s->slots = bench_alloc(&s->pool, s->slot_count, sizeof *s->slots);
    for (uint32_t i = 0; i < s->slot_count; ++i) {
        s->slots[i].a = bench_alloc(&s->pool, 1, pose_bytes(joint_count));
        s->slots[i].b = bench_alloc(&s->pool, 1, pose_bytes(joint_count));
        s->slots[i].global = bench_alloc(&s->pool, joint_count, sizeof(sqt_mat4));
    }
}

static void make_actors(bench_stage *s) {
    bench_random random = {0x5EEDull};
    s->actors = bench_alloc(&s->pool, s->actor_count, sizeof *s->actors);
    for (uint32_t i = 0; i < s->actor_count; ++i) {
        bench_actor *const actor = s->actors + i;
        actor->slot = i % s->slot_count;
        actor->clip_a = i % BENCH_MOTIONS;
        actor->clip_b = (i + 1) % BENCH_MOTIONS;
        actor->weight = (float)bench_random_in(&random, 0.2, 0.8);
        actor->palette = bench_alloc(&s->pool, s->rig.joint_count, sizeof(sqt_mat4));
        actor->cursors = s->actor_count == 1 ? bench_alloc(&s->pool, s->channel_clip.channel_count, 4) : NULL;
    }
    for (uint32_t i = 0; i < BENCH_SEEKS; ++i) s->seeks[i] = bench_random_in(&random, 0, 10);
}

void bench_stage_rewind(void *stage) {
    bench_stage *const s = stage;
    bench_random random = {0x7177Eull};
    for (uint32_t i = 0; i < s->actor_count; ++i) s->actors[i].seconds = bench_random_in(&random, 0, 10);
    s->turn = s->seek_turn = 0;
}

bool bench_stage_make(bench_stage *stage, const bench_stage_options *options) {
    const uint32_t joint_count = bench_rig_sizes[options->size];
    const size_t scratch = 2 * pose_bytes(joint_count) + joint_count * sizeof(sqt_mat4);
    const size_t slot_count = options->own_scratch ? options->actor_count : options->together ? BENCH_TOGETHER : 1;
    if (!bench_can_alloc(slot_count * scratch + options->actor_count * joint_count * sizeof(sqt_mat4))) return false;
    memset(stage, 0, sizeof *stage);
    stage->flags = options->flags;
    stage->direction = options->direction;
    stage->actor_count = options->actor_count;
    stage->slot_count = (uint32_t)slot_count;
    bench_rig_make(&stage->rig, &stage->pool, options->size, options->scaled);
    for (uint32_t i = 0; i < BENCH_MOTIONS; ++i) {
        stage->clips[i] = bench_clip_make(&stage->rig, &stage->pool, i);
        stage->baseline_clips[i] = bench_clip_for_baseline(stage->clips + i, &stage->pool);
    }
    stage->channel_clip = bench_channel_clip_make(&stage->rig, &stage->pool, stage->clips);
    if (options->uniform) make_uniform_clips(stage);
    make_inputs(stage);
    make_slots(stage);
    make_actors(stage);
    bench_stage_rewind(stage);
    return true;
}

void bench_stage_free(bench_stage *stage) { bench_free(&stage->pool); }
