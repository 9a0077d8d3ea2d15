#include "same_bits.h"

#include <string.h>

static void add_pose(digest *to, const same_bits_input *in, const sqt_pose_block *pose) {
    digest_floats(to, pose, in->block_count * sizeof *pose);
}

static void add_matrices(digest *to, const sqt_mat4 *matrices, uint32_t count) {
    digest_floats(to, matrices, count * sizeof *matrices);
}

static void add_transforms(digest *to, const sqt_transform *transforms, uint32_t count) {
    digest_floats(to, transforms, count * sizeof *transforms);
}

static const sqt_pose_block *pose_of(const same_bits_input *in, uint32_t frame) {
    return in->poses + (size_t)(frame % in->pose_count) * in->block_count;
}

static const sqt_mat4 *globals_of(const same_bits_input *in, uint32_t frame) {
    return in->globals + (size_t)frame * in->a->skeleton.joint_count;
}

/// Above the skeleton, or from model to world: every number differs from 0 and 1.
static sqt_transform placement(void) {
    const sqt_quat turned = {0.3f, -0.5f, 0.2f, 0.7f};
    const sqt_transform t = {sqt_quat_normalize(turned), {3.7f, -1.3f, 12.9f}, {1.1f, 0.9f, 1.3f}};
    return t;
}

// ---- What goes in

static void add_attribute(digest *to, const sqt_attribute *attribute, uint32_t count, size_t component_count) {
    const size_t bytes = component_count * sizeof(float);
    const size_t stride = attribute->stride_bytes ? attribute->stride_bytes : bytes;
    for (uint32_t i = 0; attribute->data && i < count; ++i) {
        float values[4];
        memcpy(values, (const char *)attribute->data + i * stride, bytes);
        digest_floats(to, values, bytes);
    }
}

static void run_inputs(digest *to, const same_bits_input *in) {
    const asset *const a = in->a;
    add_pose(to, in, a->skeleton.rest);
    for (uint32_t c = 0; c < a->clip_count; ++c) {
        const sqt_channel_clip *const clip = &a->clips[c].clip;
        for (uint32_t i = 0; i < clip->channel_count; ++i) {
            const sqt_curve *const curve = &clip->channels[i].curve;
            const size_t values = curve->interpolation == SQT_CUBIC ? 3u : 1u;
            digest_floats(to, curve->times, curve->key_count * sizeof(float));
            digest_floats(to, curve->values, values * curve->key_count * curve->component_count * sizeof(float));
        }
    }
    for (uint32_t s = 0; s < a->skin_count; ++s) {
        if (a->skins[s].skin.inverse_bind)
            add_matrices(to, a->skins[s].skin.inverse_bind, a->skins[s].skin.joint_count);
    }
    for (uint32_t p = 0; p < a->prim_count; ++p) {
        const sqt_mesh *const mesh = &a->prims[p].geometry;
        add_attribute(to, &mesh->positions, mesh->vertex_count, 3);
        add_attribute(to, &mesh->normals, mesh->vertex_count, 3);
        add_attribute(to, &mesh->tangents, mesh->vertex_count, 4);
    }
}

// ---- Functions

static void run_functions(digest *to, const same_bits_input *in) {
    const uint32_t joint_count = in->a->skeleton.joint_count;
    for (uint32_t f = 0; f < in->pose_count; f += 4) {
        for (uint32_t j = 0; j < joint_count; ++j) {
            const sqt_transform a = sqt_pose_get(pose_of(in, f), j), b = sqt_pose_get(pose_of(in, f + 5), j);
            const float x = a.translation.x * 7.0f, y = b.translation.y;
            const float angles[4] = {sqt_sin(x), sqt_cos(x), sqt_acos(a.rotation.w), sqt_atan2(y, x)};
            const sqt_vec3 euler = sqt_euler_from_quat(a.rotation, j % 6),
                           point = sqt_transform_point(a, b.translation);
            const sqt_quat quats[4] = {sqt_quat_multiply(a.rotation, b.rotation), sqt_quat_from_euler(euler, j % 6),
                                       sqt_quat_nlerp(a.rotation, b.rotation, 0.3f),
                                       sqt_quat_slerp(a.rotation, b.rotation, 0.7f)};
            const sqt_mat4 matrix = sqt_mat4_multiply(sqt_mat4_from_transform(a), sqt_mat4_from_transform(b));
            const sqt_mat4 matrices[2] = {matrix, sqt_mat4_invert(matrix)};
            const sqt_transform made[3] = {sqt_transform_from_mat4(matrix), sqt_transform_invert(a),
                                           sqt_transform_multiply(a, b)};
            digest_floats(to, angles, sizeof angles);
            digest_floats(to, &euler, sizeof euler);
            digest_floats(to, &point, sizeof point);
            digest_floats(to, quats, sizeof quats);
            add_matrices(to, matrices, 2);
            add_transforms(to, made, 3);
        }
    }
}

// ---- Clips

static void sample_channels(digest *to, const same_bits_input *in, const sqt_channel_clip *clips, uint32_t step) {
    uint32_t clip_before = UINT32_MAX;
    for (uint32_t f = 0; f < in->frame_count; f += step) {
        const sqt_channel_clip *const clip = clips + in->frames[f].clip;
        if (in->frames[f].clip != clip_before) memset(in->cursors, 0, clip->channel_count * sizeof *in->cursors);
        clip_before = in->frames[f].clip;
        digest_expect(to,
                      sqt_channel_clip_sample(in->pose, &in->a->skeleton, clip, in->cursors, in->frames[f].seconds));
        add_pose(to, in, in->pose);
    }
}

static void run_channels(digest *to, const same_bits_input *in) {
    sample_channels(to, in, in->reread[SAME_BITS_AS_STORED], 1);
}

static void run_channels_step(digest *to, const same_bits_input *in) {
    sample_channels(to, in, in->reread[SAME_BITS_AS_STEPS], 4);
}

static void run_channels_linear(digest *to, const same_bits_input *in) {
    sample_channels(to, in, in->reread[SAME_BITS_AS_LINES], 1);
}

static void run_channels_cubic(digest *to, const same_bits_input *in) {
    sample_channels(to, in, in->reread[SAME_BITS_AS_SPLINES], 1);
}

static void run_channels_euler(digest *to, const same_bits_input *in) {
    sample_channels(to, in, in->reread[SAME_BITS_AS_ANGLES], 2);
}

static void run_bake(digest *to, const same_bits_input *in) {
    const sqt_skeleton *const skeleton = &in->a->skeleton;
    for (uint32_t c = 0; c < in->a->clip_count; ++c) {
        const sqt_clip *const before = in->baked + c;
        sqt_clip baked;
        digest_expect(to, sqt_channel_clip_bake(&baked, in->samples, skeleton, &in->a->clips[c].clip, NULL,
                                                skeleton->joint_count, before->sample_count,
                                                before->flags & SQT_CLIP_CYCLIC, NULL, NULL));
        for (uint32_t i = 0; i < before->sample_count; ++i) {
            add_pose(to, in, in->samples + (size_t)i * in->block_count);
        }
    }
}

static void sample_clips(digest *to, const same_bits_input *in, const sqt_clip *clips, uint32_t flags) {
    for (uint32_t f = 0; f < in->frame_count; ++f) {
        const sqt_clip *const clip = clips + in->frames[f].clip;
        digest_expect(to, sqt_clip_sample(in->pose, &in->a->skeleton, clip, in->frames[f].seconds, flags));
        add_pose(to, in, in->pose);
    }
}

static void run_sample_nlerp(digest *to, const same_bits_input *in) { sample_clips(to, in, in->baked, SQT_NLERP); }

static void run_sample_slerp(digest *to, const same_bits_input *in) { sample_clips(to, in, in->baked, SQT_SLERP); }

static void run_sample_listed(digest *to, const same_bits_input *in) {
    sample_clips(to, in, in->listed, SQT_NLERP);
    sample_clips(to, in, in->listed, SQT_SLERP);
}

static void run_sample_pair(digest *to, const same_bits_input *in) {
    static const float weights[] = {0.3f, 0.75f, 0.0f, 0.5f, 1.0f, 0.01f, 0.618f};
    for (uint32_t f = 0; f < in->frame_count; ++f) {
        const same_bits_frame *const a = in->frames + f, *const b = in->frames + (7 * f + 3) % in->frame_count;
        digest_expect(to, sqt_clip_sample_pair(in->pose, &in->a->skeleton, in->baked + a->clip, in->baked + b->clip,
                                               a->seconds, b->seconds, weights[f % 7], SQT_NLERP));
        add_pose(to, in, in->pose);
    }
}

static void sample_uniform(digest *to, const same_bits_input *in, const sqt_uniform_clip *clips, uint32_t flags) {
    for (uint32_t f = 0; f < in->frame_count; ++f) {
        const sqt_uniform_clip *const clip = clips + in->frames[f].clip;
        digest_expect(to, sqt_uniform_clip_sample(in->pose, &in->a->skeleton, clip, in->frames[f].seconds, flags));
        add_pose(to, in, in->pose);
    }
}

static void run_uniform_nlerp(digest *to, const same_bits_input *in) { sample_uniform(to, in, in->uniform, SQT_NLERP); }

static void run_uniform_slerp(digest *to, const same_bits_input *in) { sample_uniform(to, in, in->uniform, SQT_SLERP); }

static void run_uniform_listed(digest *to, const same_bits_input *in) {
    sample_uniform(to, in, in->uniform_listed, SQT_NLERP);
    sample_uniform(to, in, in->uniform_listed, SQT_SLERP);
}

// ---- Blending

/// A few that are exact, the range between, and beyond it on both sides.
static float weight_of(uint32_t frame) {
    static const float weights[] = {0.5f, 0.3f, 0.0f, 0.85f, 1.0f, 0.1f, -0.35f, 0.6180339f, 1.6f, 0.999f, 0.25f};
    return weights[frame % (sizeof weights / sizeof *weights)];
}

static void blend(digest *to, const same_bits_input *in, const float *mask, uint32_t flags) {
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_pose_block *const a = pose_of(in, f), *const b = pose_of(in, 7 * f + 3);
        digest_expect(to, sqt_blend_pair(in->pose, &in->a->skeleton, a, b, mask, weight_of(f), flags));
        add_pose(to, in, in->pose);
    }
}

static void run_blend_nlerp(digest *to, const same_bits_input *in) { blend(to, in, NULL, SQT_NLERP); }

static void run_blend_slerp(digest *to, const same_bits_input *in) { blend(to, in, NULL, SQT_SLERP); }

static void run_blend_masked(digest *to, const same_bits_input *in) {
    blend(to, in, in->mask, SQT_NLERP);
    blend(to, in, in->mask, SQT_SLERP);
}

// ---- Transitions

static void run_inertial(digest *to, const same_bits_input *in) {
    const sqt_skeleton *const skeleton = &in->a->skeleton;
    for (uint32_t f = 1; f < in->pose_count; f += 2) {
        const sqt_inertial_switch change = {.pose = pose_of(in, f),
                                            .pose_before = pose_of(in, f - 1),
                                            .target = pose_of(in, 7 * f + 3),
                                            .target_before = f % 3 ? pose_of(in, 7 * f + 2) : NULL,
                                            .seconds = 100.0,
                                            .frame_seconds = 1.0f / 30,
                                            .duration_seconds = f % 5 ? 0.3f : 0.05f};
        sqt_inertial inertial;
        digest_expect(to, sqt_inertial_begin(&inertial, in->offsets, skeleton, &change));
        digest_floats(to, in->offsets, in->block_count * sizeof *in->offsets);
        for (uint32_t i = 0; i < 3; ++i) {
            const double now = 100.0 + (double)i * 0.045;
            digest_expect(to, sqt_inertial_apply(in->pose, skeleton, change.target, &inertial, in->offsets, now));
            add_pose(to, in, in->pose);
        }
    }
}

/// Weights on their way, and where they come from.
static void run_fades(digest *to, const same_bits_input *in) {
    static const sqt_ease eases[] = {{SQT_EASE_LINEAR, {0, 0, 0, 0}},
                                     {SQT_EASE_CUBIC, {0, 0, 0, 0}},
                                     {SQT_EASE_BEZIER, {0.3f, -0.2f, 0.6f, 1.1f}},
                                     {SQT_EASE_BEZIER, {1.0f, 0.0f, 0.0f, 1.0f}},
                                     {SQT_EASE_HERMITE, {0.4f, 1.7f, 0, 0}}};
    sqt_fade fade = {0};
    sqt_cross_fade cross = {0};
    (void)in;
    for (uint32_t f = 0; f < 600; ++f) {
        const double now = (double)f * 0.0167;
        const sqt_transition transition = {0.13f * (float)(1 + f % 4), eases[f / 11 % 5]};
        if (f % 11 == 0) {
            digest_expect(to, sqt_fade_to(&fade, now, (float)(f % 3) * 0.4f, transition));
            digest_expect(to, sqt_cross_fade_to(&cross, now, f % 7, transition));
        }
        sqt_fade_source sources[SQT_FADE_SOURCES];
        uint32_t count = 0;
        digest_expect(to, sqt_cross_fade_weights(sources, &count, &cross, now));
        for (uint32_t k = 0; k < count; ++k) digest_floats(to, &sources[k].weight, sizeof sources[k].weight);
        const float weight = sqt_fade_weight(&fade, now);
        digest_floats(to, &weight, sizeof weight);
    }
}

/// One to nine inputs, some of weight 0, some masked, with and without a share of the rest pose.
static void blend_many(digest *to, const same_bits_input *in, const float *mask) {
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        sqt_blend_input inputs[9];
        const uint32_t input_count = 1 + f % 9;
        for (uint32_t k = 0; k < input_count; ++k) {
            const float weight = weight_of(f + 3 * k);
            inputs[k] = (sqt_blend_input){pose_of(in, f + 11 * k), k % 2 ? NULL : mask, k % 3 ? NULL : mask,
                                          weight < 0.0f ? 0.0f : weight};
        }
        const float rest_threshold = f % 4 ? 0.75f : 0.0f;
        digest_expect(to, sqt_blend_many(in->pose, &in->a->skeleton, inputs, input_count, rest_threshold, SQT_NLERP));
        add_pose(to, in, in->pose);
    }
}

static void run_blend_many(digest *to, const same_bits_input *in) { blend_many(to, in, NULL); }

static void run_blend_many_masked(digest *to, const same_bits_input *in) { blend_many(to, in, in->mask); }

static void run_difference(digest *to, const same_bits_input *in) {
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_pose_block *const a = pose_of(in, f), *const b = pose_of(in, 5 * f + 2);
        digest_expect(to, sqt_blend_difference(in->pose, &in->a->skeleton, a, b, f % 2 ? SQT_SCALE_DIFFERENCE : 0));
        add_pose(to, in, in->pose);
    }
}

static void run_add(digest *to, const same_bits_input *in) {
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_pose_block *const a = pose_of(in, f), *const b = pose_of(in, 5 * f + 2);
        const uint32_t flags = (f % 2 ? SQT_SLERP : SQT_NLERP) | (f / 2 % 2 ? SQT_SCALE_DIFFERENCE : 0u);
        const float *const mask = f / 4 % 2 ? in->mask : NULL;
        digest_expect(to, sqt_blend_add(in->pose, &in->a->skeleton, a, b, mask, weight_of(f), flags));
        add_pose(to, in, in->pose);
    }
}

static void run_layers(digest *to, const same_bits_input *in) {
    const sqt_skeleton *const skeleton = &in->a->skeleton;
    sqt_quat *const turns = (sqt_quat *)(void *)in->matrices; // three a joint fit into a matrix
    sqt_pose_block *const difference = in->samples;
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_pose_block *const a = pose_of(in, 3 * f + 1), *const b = pose_of(in, 5 * f + 2);
        digest_expect(to, sqt_blend_difference_mesh(difference, skeleton, a, b, turns, 0));
        add_pose(to, in, difference);
        const sqt_layer layers[] = {
            {.pose = pose_of(in, f), .weight = 0.7f},
            {.pose = b, .mask = in->mask, .weight = 0.4f},
            {.pose = a, .mask = in->mask, .weight = weight_of(f), .kind = SQT_LAYER_OVERRIDE, .flags = f % 2},
            {.pose = difference, .weight = 0.6f, .kind = SQT_LAYER_ADDITIVE, .flags = SQT_MESH_SPACE | f / 2 % 2}};
        digest_expect(to, sqt_layers_blend(in->pose, skeleton, layers, 4, turns, SQT_REST_THRESHOLD));
        add_pose(to, in, in->pose);
    }
}

// ---- Where clips stand in a space, and what they move by

static void run_weights(digest *to, const same_bits_input *in) {
    enum { POINTS = 9 };
    static const float speeds[POINTS] = {0, 0.4f, 0.9f, 1.3f, 2.2f, 3.1f, 3.7f, 5.3f, 8.9f};
    static const sqt_vec2 points[POINTS] = {{0, 0},     {1.3f, 0.1f},  {-1.1f, 0.2f},  {0.3f, 1.7f}, {0.1f, -1.4f},
                                            {1, 1.01f}, {-0.9f, 1.1f}, {-1.2f, -0.8f}, {2.1f, -1.3f}};
    const sqt_vec2 low = {-2.3f, -1.9f}, high = {2.7f, 2.1f};
    static char memory[4096];
    sqt_blend_space space;
    sqt_locomotion state = {0};
    uint32_t cursor = 0;
    (void)in;
    digest_expect(to, sqt_blend_space_build(&space, points, POINTS, memory, sizeof memory, NULL));
    for (uint32_t f = 0; f < 2000; ++f) {
        const float along = (float)f * 0.0131f;
        const sqt_vec2 p = {2.9f * sqt_sin(along), 2.3f * sqt_cos(1.7f * along)};
        float w[4][POINTS] = {{0}}, corners[3], square[4], directions[6] = {0};
        bool switched;
        digest_expect(to, sqt_blend_space_linear(w[0], speeds, POINTS, 5 * p.x));
        digest_expect(to, sqt_blend_space_gradient_band(w[1], points, POINTS, p));
        digest_expect(to, sqt_blend_space_delaunay(w[2], &space, &cursor, p));
        digest_expect(to, sqt_blend_space_barycentric(corners, points + 1, p));
        digest_expect(to, sqt_blend_space_bilinear(square, low, high, p));
        digest_expect(to, sqt_locomotion_targeted(directions, &switched, &state, along, 0.2f));
        digest_floats(to, w, sizeof w);
        digest_floats(to, corners, sizeof corners);
        digest_floats(to, square, sizeof square);
        digest_floats(to, directions, sizeof directions);
    }
}

static void add_rounded(digest *to, double value) {
    const float rounded = (float)value;
    digest_floats(to, &rounded, sizeof rounded);
}

static void run_motion(digest *to, const same_bits_input *in) {
    enum { SAMPLES = 12 };
    static const float steps[] = {0.11f, 0.48f}, strides[] = {0.07f, 0.31f, 0.52f};
    sqt_transform ways[2][SAMPLES];
    for (uint32_t i = 0; i < 2 * SAMPLES; ++i) {
        ways[i / SAMPLES][i % SAMPLES] = sqt_pose_get(pose_of(in, 3 * i), i % in->a->skeleton.joint_count);
    }
    const sqt_timeline walk = {0.97f, SQT_LOOP_WRAP}, run = {0.61f, SQT_LOOP_WRAP};
    const sqt_root_motion motions[2] = {{walk, SAMPLES, ways[0]}, {run, SAMPLES, ways[1]}};
    const sqt_sync walk_marks = {steps, 2, 0}, run_marks = {strides, 3, 0};
    sqt_root_place place = SQT_ROOT_PLACE_IDENTITY;
    sqt_clock clock;
    digest_expect(to, sqt_clock_start(&clock, &walk, 1000.0, 1.3, 0));
    double position = 0, last[2] = {0, 0};
    for (uint32_t f = 0; f < 1000; ++f) {
        const float weights[2] = {0.5f + 0.5f * sqt_sin((float)f * 0.01f), 0.4f};
        const sqt_sync_member members[2] = {{&walk_marks, &walk, weights[0]}, {&run_marks, &run, weights[1]}};
        digest_expect(to, sqt_sync_advance(&position, members, 2, 1.0 / 60));
        sqt_transform deltas[2], delta;
        digest_expect(to, sqt_root_motion_delta(deltas, motions, last, sqt_sync_seconds(&walk_marks, &walk, position)));
        digest_expect(
            to, sqt_root_motion_delta(deltas + 1, motions + 1, last + 1, sqt_sync_seconds(&run_marks, &run, position)));
        digest_expect(to, sqt_root_motion_blend(&delta, deltas, weights, 2));
        digest_expect(to, sqt_root_motion_move(&place, delta));
        const sqt_transform at = sqt_transform_from_root_place(&place);
        add_rounded(to, position);
        add_rounded(to, sqt_clock_local(&clock, &walk, 1000.0 + (double)f * 0.017));
        digest_floats(to, deltas, sizeof deltas);
        digest_floats(to, &delta, sizeof delta);
        digest_floats(to, &at, sizeof at);
    }
}

// ---- Global poses

static void run_global(digest *to, const same_bits_input *in) {
    const uint32_t joint_count = in->a->skeleton.joint_count;
    const sqt_mat4 root = sqt_mat4_from_transform(placement());
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_mat4 *const above = f % 2 ? &root : NULL;
        digest_expect(to, sqt_global_from_local(in->matrices, &in->a->skeleton, pose_of(in, f), above));
        add_matrices(to, in->matrices, joint_count);
    }
}

static void run_global_transforms(digest *to, const same_bits_input *in) {
    const uint32_t joint_count = in->a->skeleton.joint_count;
    const sqt_transform root = placement();
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        const sqt_transform *const above = f % 2 ? &root : NULL;
        digest_expect(to, sqt_global_transforms(in->transforms, in->matrices, &in->a->skeleton, pose_of(in, f), above));
        add_transforms(to, in->transforms, joint_count);
        add_matrices(to, in->matrices, joint_count);
    }
}

static void run_local_from_global(digest *to, const same_bits_input *in) {
    for (uint32_t f = 0; f < in->pose_count; f += 4) {
        digest_expect(to, sqt_local_from_global(in->pose, &in->a->skeleton, globals_of(in, f), NULL));
        add_pose(to, in, in->pose);
        digest_expect(to, sqt_global_transforms(in->transforms, NULL, &in->a->skeleton, pose_of(in, f), NULL));
        digest_expect(to, sqt_local_from_transforms(in->pose, &in->a->skeleton, in->transforms, NULL));
        add_pose(to, in, in->pose);
    }
}

// ---- Palettes

static void run_inverse_bind(digest *to, const same_bits_input *in) {
    const sqt_skeleton *const skeleton = &in->a->skeleton;
    for (uint32_t s = 0; s < in->a->skin_count; ++s) {
        const sqt_skin *const skin = &in->a->skins[s].skin;
        digest_expect(to, sqt_skin_bind_from_rest(in->matrices, skeleton, skin->joints, skin->joint_count, NULL));
        add_matrices(to, in->matrices, skin->joint_count);
        for (uint32_t f = 0; f < in->pose_count; f += 16) {
            digest_expect(to, sqt_skin_bind_from_global(in->matrices, skin->joints, skin->joint_count,
                                                        globals_of(in, f), skeleton->joint_count, NULL));
            add_matrices(to, in->matrices, skin->joint_count);
        }
    }
}

static void run_palette(digest *to, const same_bits_input *in) {
    const sqt_mat4 world = sqt_mat4_from_transform(placement());
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        for (uint32_t s = 0; s < in->a->skin_count; ++s) {
            const sqt_skin *const skin = &in->a->skins[s].skin;
            const sqt_mat4 *const to_world = f % 2 ? &world : NULL;
            digest_expect(to, sqt_skin_palette(in->matrices, &in->a->skeleton, skin, globals_of(in, f), to_world));
            add_matrices(to, in->matrices, skin->joint_count);
        }
    }
}

static void run_palette_3x4(digest *to, const same_bits_input *in) {
    const sqt_mat4 world = sqt_mat4_from_transform(placement());
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        for (uint32_t s = 0; s < in->a->skin_count; ++s) {
            const sqt_skin *const skin = &in->a->skins[s].skin;
            const sqt_mat4 *const to_world = f % 2 ? &world : NULL;
            digest_expect(to, sqt_skin_palette_3x4(in->rows, &in->a->skeleton, skin, globals_of(in, f), to_world));
            digest_floats(to, in->rows, skin->joint_count * sizeof *in->rows);
        }
    }
}

/// Crowds of every size up to SAME_BITS_CROWD, so that lanes are filled and not.
static void run_global_many(digest *to, const same_bits_input *in) {
    const uint32_t joint_count = in->a->skeleton.joint_count;
    const sqt_skin *const skin = in->a->skin_count ? &in->a->skins[0].skin : NULL;
    const uint32_t entry_count = skin ? skin->joint_count : 0;
    const sqt_mat4 world = sqt_mat4_from_transform(placement());
    uint32_t round = 0;
    for (uint32_t first = 0, count; first < in->pose_count; first += count, ++round) {
        sqt_global_character characters[SAME_BITS_CROWD];
        count = SAME_BITS_CROWD - round % SAME_BITS_CROWD;
        for (uint32_t i = 0; i < count; ++i) {
            characters[i] = (sqt_global_character){pose_of(in, first + i),
                                                   round % 2 ? &world : NULL,
                                                   round % 3 ? NULL : &world,
                                                   in->crowd + (size_t)i * joint_count,
                                                   skin ? in->palettes_4 + (size_t)i * entry_count : NULL,
                                                   skin ? in->palettes_3 + (size_t)i * entry_count : NULL};
        }
        digest_expect(to, sqt_global_many(characters, &in->a->skeleton, skin, count, in->many_memory, in->many_bytes));
        add_matrices(to, in->crowd, count * joint_count);
        add_matrices(to, in->palettes_4, count * entry_count);
        digest_floats(to, in->palettes_3, (size_t)count * entry_count * sizeof *in->palettes_3);
    }
}

// ---- Skinning

enum { POSITIONS = 1, NORMALS = 2, TANGENTS = 4 };

static void add_skinned(digest *to, const same_bits_input *in, const sqt_mesh *mesh, const sqt_mat4 *palette,
                        uint32_t wanted, uint32_t flags) {
    const bool normals = wanted & NORMALS && mesh->normals.data, tangents = wanted & TANGENTS && mesh->tangents.data;
    const sqt_skinned out = {.positions = wanted & POSITIONS ? in->positions : NULL,
                             .normals = normals ? in->normals : NULL,
                             .tangents = tangents ? in->tangents : NULL};
    const uint32_t count = mesh->vertex_count;
    digest_expect(to, sqt_skin_vertices(&out, mesh, palette, mesh->palette_count, 0, count, flags));
    if (out.positions) digest_floats(to, out.positions, (size_t)count * 3 * sizeof(float));
    if (out.normals) digest_floats(to, out.normals, (size_t)count * 3 * sizeof(float));
    if (out.tangents) digest_floats(to, out.tangents, (size_t)count * 4 * sizeof(float));
}

static const sqt_mat4 *palette_of(const same_bits_input *in, uint32_t skinned, uint32_t prim) {
    return in->palettes + (size_t)skinned * in->palette_count + in->palette_offsets[in->a->prims[prim].skin];
}

/// The meshes of the asset in every `step`th of the poses.
static void skin(digest *to, const same_bits_input *in, uint32_t wanted, uint32_t flags, uint32_t step) {
    for (uint32_t i = 0; i < in->skinned_count; i += step) {
        for (uint32_t p = 0; p < in->a->prim_count; ++p) {
            add_skinned(to, in, &in->a->prims[p].geometry, palette_of(in, i, p), wanted, flags);
        }
    }
}

static void run_skin_positions(digest *to, const same_bits_input *in) { skin(to, in, POSITIONS, 0, 1); }

static void run_skin_cofactor(digest *to, const same_bits_input *in) {
    skin(to, in, NORMALS, 0, 2);
    skin(to, in, POSITIONS | NORMALS, 0, 4);
}

static void run_skin_plain(digest *to, const same_bits_input *in) {
    skin(to, in, POSITIONS | NORMALS, SQT_PLAIN_NORMALS, 4);
}

static void run_skin_tangents(digest *to, const same_bits_input *in) {
    skin(to, in, TANGENTS, 0, 4);
    skin(to, in, POSITIONS | NORMALS | TANGENTS, 0, 4);
    skin(to, in, POSITIONS | NORMALS | TANGENTS, SQT_PLAIN_NORMALS, 8);
}

static void run_skin_raw(digest *to, const same_bits_input *in) {
    skin(to, in, POSITIONS | NORMALS | TANGENTS, SQT_RAW_NORMALS, 8);
    skin(to, in, POSITIONS | NORMALS | TANGENTS, SQT_RAW_NORMALS | SQT_PLAIN_NORMALS, 8);
}

static void run_skin_grouped(digest *to, const same_bits_input *in) {
    static const uint32_t flags[] = {0, SQT_PLAIN_NORMALS, SQT_RAW_NORMALS, SQT_RAW_NORMALS | SQT_PLAIN_NORMALS};
    for (uint32_t i = 0; i < in->skinned_count; i += 2) {
        for (uint32_t p = 0; p < in->a->prim_count; ++p) {
            const uint32_t wanted = i % 4 ? POSITIONS | NORMALS | TANGENTS : POSITIONS | NORMALS;
            add_skinned(to, in, &in->grouped[p].mesh, palette_of(in, i, p), wanted, flags[i / 2 % 4]);
        }
    }
}

// ---- Finite numbers of every magnitude: zeros of both signs, denormals, and results that overflow

static const sqt_pose_block *extreme_pose(const same_bits_input *in, uint32_t i) {
    return in->extreme_poses + (size_t)(i % in->extreme_count) * in->block_count;
}

static void run_extreme_blend(digest *to, const same_bits_input *in) {
    for (uint32_t i = 0; i < 8 * in->extreme_count; ++i) {
        const sqt_pose_block *const a = extreme_pose(in, i), *const b =
                                                                 i % 3 ? extreme_pose(in, i + 1) : pose_of(in, i);
        const float *const mask = i % 4 < 2 ? NULL : in->mask;
        digest_expect(to, sqt_blend_pair(in->pose, &in->a->skeleton, a, b, mask, weight_of(i), i % 2));
        add_pose(to, in, in->pose);
    }
}

static void run_extreme_global(digest *to, const same_bits_input *in) {
    const uint32_t joint_count = in->a->skeleton.joint_count;
    for (uint32_t i = 0; i < in->extreme_count; ++i) {
        digest_expect(to, sqt_global_from_local(in->matrices, &in->a->skeleton, extreme_pose(in, i), NULL));
        add_matrices(to, in->matrices, joint_count);
        digest_expect(to, sqt_global_transforms(in->transforms, NULL, &in->a->skeleton, extreme_pose(in, i), NULL));
        add_transforms(to, in->transforms, joint_count);
    }
}

static void run_extreme_skin(digest *to, const same_bits_input *in) {
    for (uint32_t i = 0; i < in->extreme_count; i += 3) { // an odd step: flags alternate
        const sqt_mat4 *const palettes = in->extreme_matrices + (size_t)i * in->palette_count;
        for (uint32_t p = 0; p < in->a->prim_count; ++p) {
            const sqt_mat4 *const palette = palettes + in->palette_offsets[in->a->prims[p].skin];
            const uint32_t flags = i % 2 ? SQT_PLAIN_NORMALS : 0;
            add_skinned(to, in, &in->a->prims[p].geometry, palette, POSITIONS | NORMALS | TANGENTS, flags);
            add_skinned(to, in, &in->grouped[p].mesh, palette, POSITIONS | NORMALS | TANGENTS, flags);
        }
    }
}

const same_bits_stage same_bits_stages[] = {
    {"inputs", run_inputs, false},
    {"functions", run_functions, false},
    {"channels", run_channels, false},
    {"channels_step", run_channels_step, false},
    {"channels_linear", run_channels_linear, false},
    {"channels_cubic", run_channels_cubic, false},
    {"channels_euler", run_channels_euler, false},
    {"bake", run_bake, false},
    {"sample_nlerp", run_sample_nlerp, false},
    {"sample_slerp", run_sample_slerp, false},
    {"sample_listed", run_sample_listed, false},
    {"sample_pair", run_sample_pair, false},
    {"uniform_nlerp", run_uniform_nlerp, false},
    {"uniform_slerp", run_uniform_slerp, false},
    {"uniform_listed", run_uniform_listed, false},
    {"blend_nlerp", run_blend_nlerp, false},
    {"blend_slerp", run_blend_slerp, false},
    {"blend_masked", run_blend_masked, false},
    {"blend_many", run_blend_many, false},
    {"blend_many_masked", run_blend_many_masked, false},
    {"difference", run_difference, false},
    {"add", run_add, false},
    {"layers", run_layers, false},
    {"inertial", run_inertial, false},
    {"fades", run_fades, false},
    {"weights", run_weights, false},
    {"motion", run_motion, false},
    {"global", run_global, false},
    {"global_transforms", run_global_transforms, false},
    {"local_from_global", run_local_from_global, false},
    {"inverse_bind", run_inverse_bind, false},
    {"palette", run_palette, false},
    {"palette_3x4", run_palette_3x4, false},
    {"global_many", run_global_many, false},
    {"skin_positions", run_skin_positions, false},
    {"skin_cofactor", run_skin_cofactor, false},
    {"skin_plain", run_skin_plain, false},
    {"skin_tangents", run_skin_tangents, false},
    {"skin_raw", run_skin_raw, false},
    {"skin_grouped", run_skin_grouped, false},
    {"extreme_blend", run_extreme_blend, true},
    {"extreme_global", run_extreme_global, true},
    {"extreme_skin", run_extreme_skin, true},
    {NULL, NULL, false},
};
