#include "same_bits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 900, MOST_SAMPLES = 300, EXTREME_COUNT = 16, MOST_SKINNED_VERTICES = 150000, MOST_SKINNED = 48 };

static const float sample_rate_hz = 30.0f;
static const double frame_rate_hz = 60.0;

static void *take(asset *a, size_t count, size_t size) {
    void *const memory = asset_alloc(a, count, size);
    if (memory) return memory;
    fputs("same_bits: no memory left\n", stderr);
    exit(1);
}

static void require(sqt_result result, const char *what) {
    if (result == SQT_OK) return;
    fprintf(stderr, "same_bits: %s: %s\n", what, sqt_result_string(result));
    exit(1);
}

// ---- The keys of a clip, read in other ways

/// [key_count][component_count] without the tangents of a cubic curve.
static float *plain_values(asset *a, const sqt_curve *curve) {
    const size_t size = curve->component_count, cubic = curve->interpolation == SQT_CUBIC;
    float *const plain = take(a, curve->key_count * size, sizeof *plain);
    for (size_t k = 0; k < curve->key_count; ++k) {
        memcpy(plain + k * size, curve->values + (cubic ? 3 * k + 1 : k) * size, size * sizeof *plain);
    }
    return plain;
}

static float *spline_values(asset *a, const sqt_curve *curve) {
    const size_t size = curve->component_count, bytes = size * sizeof(float), last = curve->key_count - 1;
    const float *const plain = plain_values(a, curve);
    float *const spline = take(a, 3 * curve->key_count * size, sizeof *spline);
    for (size_t k = 0; k <= last; ++k) {
        memcpy(spline + (3 * k + 0) * size, plain + (k > 0 ? k - 1 : 0) * size, bytes);
        memcpy(spline + (3 * k + 1) * size, plain + k * size, bytes);
        memcpy(spline + (3 * k + 2) * size, plain + (k < last ? k + 1 : last) * size, bytes);
    }
    return spline;
}

static float *angle_values(asset *a, const sqt_curve *curve) {
    const float *const plain = plain_values(a, curve);
    float *const angles = take(a, 3 * (size_t)curve->key_count, sizeof *angles);
    for (size_t k = 0; k < curve->key_count; ++k) memcpy(angles + 3 * k, plain + 4 * k, 3 * sizeof *angles);
    return angles;
}

static void reread_channel(asset *a, sqt_channel *channel, uint32_t as) {
    sqt_curve *const curve = &channel->curve;
    if (as == SAME_BITS_AS_ANGLES && channel->target == SQT_TARGET_ROTATION) {
        curve->values = angle_values(a, curve);
        curve->component_count = 3;
        curve->interpolation = SQT_LINEAR;
        channel->target = SQT_TARGET_EULER;
        channel->euler_order = (uint8_t)(channel->joint % 6);
    } else if (as == SAME_BITS_AS_SPLINES) {
        curve->values = spline_values(a, curve);
        curve->interpolation = SQT_CUBIC;
    } else if (as != SAME_BITS_AS_STORED) {
        curve->values = plain_values(a, curve);
        curve->interpolation = as == SAME_BITS_AS_STEPS ? SQT_STEP : SQT_LINEAR;
    }
}

static void make_rereads(same_bits_input *in) {
    asset *const a = in->a;
    for (uint32_t as = 0; as < SAME_BITS_REREAD_COUNT; ++as) {
        sqt_channel_clip *const clips = take(a, a->clip_count, sizeof *clips);
        for (uint32_t c = 0; c < a->clip_count; ++c) {
            const uint32_t count = a->clips[c].clip.channel_count;
            sqt_channel *const channels = take(a, count, sizeof *channels);
            clips[c] = a->clips[c].clip;
            if (count > 0) memcpy(channels, clips[c].channels, count * sizeof *channels);
            for (uint32_t i = 0; i < count; ++i) reread_channel(a, channels + i, as);
            clips[c].channels = channels;
        }
        in->reread[as] = clips;
    }
}

// ---- Clips, frames, poses

static sqt_pose_block *poses_alloc(same_bits_input *in, uint32_t count) {
    return take(in->a, (size_t)count * in->block_count, sizeof(sqt_pose_block));
}

/// Sampled clips: open ones and cyclic ones, of every joint and of a list.
static void make_clips(same_bits_input *in) {
    asset *const a = in->a;
    const uint32_t joint_count = a->skeleton.joint_count, listed_count = (joint_count + 2) / 3;
    uint16_t *const listed = take(a, listed_count, sizeof *listed);
    for (uint32_t k = 0; k < listed_count; ++k) listed[k] = (uint16_t)(3 * k);
    in->baked = take(a, a->clip_count, sizeof *in->baked);
    in->listed = take(a, a->clip_count, sizeof *in->listed);
    in->uniform = take(a, a->clip_count, sizeof *in->uniform);
    in->uniform_listed = take(a, a->clip_count, sizeof *in->uniform_listed);
    for (uint32_t c = 0; c < a->clip_count; ++c) {
        const sqt_channel_clip *const clip = &a->clips[c].clip;
        const uint32_t flags = clip->timeline.loop == SQT_LOOP_WRAP && c % 2 ? SQT_CLIP_CYCLIC : 0;
        const uint32_t all = sqt_clip_sample_count(clip->timeline.duration_seconds, sample_rate_hz, flags);
        const uint32_t count = all < MOST_SAMPLES ? all : MOST_SAMPLES;
        sqt_pose_block *const samples = poses_alloc(in, count), *const fewer = poses_alloc(in, count);
        require(sqt_channel_clip_bake(in->baked + c, samples, &a->skeleton, clip, NULL, joint_count, count, flags, NULL,
                                      NULL),
                "bake");
        require(sqt_channel_clip_bake(in->listed + c, fewer, &a->skeleton, clip, listed, listed_count, count, flags,
                                      in->pose, NULL),
                "bake");
    }
}

/// Every clip from a quarter of its length before it begins to a quarter after it ends, at 60 frames a second or, where
/// that would be too many, at as many as its part of all durations comes to.
static void make_frames(same_bits_input *in) {
    asset *const a = in->a;
    double total = 0.0;
    for (uint32_t c = 0; c < a->clip_count; ++c) total += (double)a->clips[c].clip.timeline.duration_seconds;
    in->frames = take(a, MOST_FRAMES + 8 * (size_t)a->clip_count, sizeof *in->frames);
    for (uint32_t c = 0; c < a->clip_count; ++c) {
        const double duration = (double)a->clips[c].clip.timeline.duration_seconds;
        const double before = 0.25 * duration, length = 1.5 * duration, affordable = duration / total * MOST_FRAMES;
        const double wanted = length * frame_rate_hz;
        const uint32_t count = 8 + (total > 0.0 ? (uint32_t)(wanted < affordable ? wanted : affordable) : 0);
        const double step = length / count;
        for (uint32_t i = 0; i < count; ++i) {
            same_bits_frame *const frame = in->frames + in->frame_count++;
            const double passed = step * (i + 0.37);
            frame->clip = c;
            frame->seconds = passed - before;
        }
    }
}

static void make_poses(same_bits_input *in) {
    asset *const a = in->a;
    const uint32_t joint_count = a->skeleton.joint_count;
    in->pose_count = in->frame_count ? in->frame_count : 1;
    in->poses = poses_alloc(in, in->pose_count);
    in->globals = take(a, (size_t)in->pose_count * joint_count, sizeof *in->globals);
    require(sqt_skeleton_rest(in->poses, &a->skeleton), "rest");
    for (uint32_t f = 0; f < in->pose_count; ++f) {
        sqt_pose_block *const pose = in->poses + (size_t)f * in->block_count;
        if (f < in->frame_count) {
            const same_bits_frame *const frame = in->frames + f;
            require(sqt_clip_sample(pose, &a->skeleton, in->baked + frame->clip, frame->seconds, SQT_NLERP), "sample");
        }
        sqt_mat4 *const globals = in->globals + (size_t)f * joint_count;
        require(sqt_global_from_local(globals, &a->skeleton, pose, NULL), "global");
    }
    static const float parts[] = {1.0f, 0.0f, 0.5f, 0.3f, 1.0f, 0.9f, 0.0f, 0.125f, 0.7f};
    in->mask = take(a, joint_count, sizeof *in->mask);
    for (uint32_t j = 0; j < joint_count; ++j) in->mask[j] = parts[j % (sizeof parts / sizeof *parts)];
}

// ---- Palettes and meshes

static void make_palettes(same_bits_input *in) {
    asset *const a = in->a;
    const uint32_t joint_count = a->skeleton.joint_count;
    uint32_t vertices = 1;
    for (uint32_t p = 0; p < a->prim_count; ++p) vertices += a->prims[p].geometry.vertex_count;
    in->palette_offsets = take(a, a->skin_count, sizeof *in->palette_offsets);
    for (uint32_t s = 0; s < a->skin_count; ++s) {
        in->palette_offsets[s] = in->palette_count;
        in->palette_count += a->skins[s].skin.joint_count;
    }
    const uint32_t affordable = MOST_SKINNED_VERTICES / vertices + 1;
    in->skinned_count = affordable < MOST_SKINNED ? affordable : MOST_SKINNED;
    if (in->skinned_count > in->pose_count) in->skinned_count = in->pose_count;
    in->palettes = take(a, (size_t)in->skinned_count * in->palette_count, sizeof *in->palettes);
    const uint32_t step = in->pose_count / in->skinned_count;
    for (uint32_t i = 0; i < in->skinned_count; ++i) {
        for (uint32_t s = 0; s < a->skin_count; ++s) {
            sqt_mat4 *const palette = in->palettes + (size_t)i * in->palette_count + in->palette_offsets[s];
            const sqt_mat4 *const globals = in->globals + (size_t)i * step * joint_count;
            require(sqt_skin_palette(palette, &a->skeleton, &a->skins[s].skin, globals, NULL), "palette");
        }
    }
}

static sqt_attribute permute(asset *a, const sqt_attribute *from, const uint32_t *permutation, uint32_t count,
                             uint32_t components) {
    sqt_attribute to = *from;
    if (!from->data) return to;
    const size_t bytes = from->stride_bytes ? from->stride_bytes : components * sizeof(float);
    const size_t element = components * sizeof(float);
    char *const permuted = take(a, count, element);
    for (uint32_t v = 0; v < count; ++v) {
        memcpy(permuted + v * element, (const char *)from->data + permutation[v] * bytes, element);
    }
    to.data = permuted;
    to.stride_bytes = 0;
    return to;
}

static void make_grouped(same_bits_input *in) {
    asset *const a = in->a;
    in->grouped = take(a, a->prim_count, sizeof *in->grouped);
    for (uint32_t p = 0; p < a->prim_count; ++p) {
        const sqt_mesh *const mesh = &a->prims[p].geometry;
        same_bits_grouped *const to = in->grouped + p;
        const size_t bytes = sqt_mesh_group_bytes(mesh);
        uint32_t *const permutation = take(a, mesh->vertex_count, sizeof *permutation);
        to->mesh = *mesh;
        if (mesh->vertex_count == 0) continue;
        require(sqt_mesh_group(&to->groups, permutation, mesh, take(a, 1, bytes), bytes, NULL), "group");
        to->mesh.positions = permute(a, &mesh->positions, permutation, mesh->vertex_count, 3);
        to->mesh.normals = permute(a, &mesh->normals, permutation, mesh->vertex_count, 3);
        to->mesh.tangents = permute(a, &mesh->tangents, permutation, mesh->vertex_count, 4);
        to->mesh.groups = &to->groups;
    }
}

// ---- Numbers of every magnitude

/// Marsaglia, "Xorshift RNGs", 13, 17, 5.
static uint32_t draw(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/// Mostly numbers near 1, else any finite number, else a number where arithmetic has an edge.
static float draw_extreme(uint32_t *state) {
    static const uint32_t edges[] = {
        0x00000000u, 0x80000000u,                                        // zeros
        0x00000001u, 0x80000001u, 0x007FFFFFu, 0x00800000u, 0x80800000u, // around the smallest normal number
        0x0DA24260u, 0x26901D7Du, 0xA6901D7Du,                           // 1e-30, 1e-15
        0x3F800000u, 0xBF800000u, 0x3F7FFFFFu, 0x3F800001u,              // around 1
        0x58635FA9u, 0xD8635FA9u, 0x7149F2CAu, 0x7F7FFFFFu, 0xFF7FFFFFu  // 1e15, 1e30, the largest
    };
    const uint32_t kind = draw(state) % 8, bits = draw(state);
    uint32_t word = (bits & 0x80FFFFFFu) | 0x3E000000u; // 0.125 .. 0.5
    if (kind == 0) word = edges[bits % (sizeof edges / sizeof *edges)];
    if (kind == 1) word = (bits & 0x7F800000u) == 0x7F800000u ? bits ^ 0x40000000u : bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/// Up to 1e15, the magnitude up to which a mix of rotations is promised. Beyond, their dot product may be infinity
/// minus infinity: a NaN, whose sign is that of the machine.
static float draw_rotation(uint32_t *state) {
    float value = draw_extreme(state);
    while (value < -1e15f || value > 1e15f) value = draw_extreme(state);
    return value;
}

static void make_extremes(same_bits_input *in) {
    asset *const a = in->a;
    uint32_t state = 2463534242u;
    in->extreme_count = EXTREME_COUNT;
    in->extreme_poses = poses_alloc(in, EXTREME_COUNT);
    for (uint32_t i = 0; i < EXTREME_COUNT; ++i) {
        sqt_pose_block *const pose = in->extreme_poses + (size_t)i * in->block_count;
        require(sqt_pose_identity(pose, a->skeleton.joint_count), "identity");
        for (uint32_t j = 0; j < a->skeleton.joint_count; ++j) {
            float v[10];
            for (uint32_t k = 0; k < 10; ++k) v[k] = k < 4 ? draw_rotation(&state) : draw_extreme(&state);
            const sqt_transform t = {{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
            sqt_pose_set(pose, j, t);
        }
    }
    in->extreme_matrices = take(a, (size_t)EXTREME_COUNT * in->palette_count, sizeof *in->extreme_matrices);
    for (uint32_t i = 0; i < EXTREME_COUNT * in->palette_count; ++i) {
        for (uint32_t k = 0; k < 16; ++k) {
            in->extreme_matrices[i].m[k] = k % 4 < 3 ? draw_extreme(&state) : k == 15 ? 1.0f : 0.0f;
        }
    }
}

// ---- Clips in 16 bits

static void make_uniform(same_bits_input *in) {
    asset *const a = in->a;
    for (uint32_t c = 0; c < a->clip_count; ++c) {
        const size_t whole = sqt_uniform_clip_bytes(in->baked + c, 0),
                     fewer = sqt_uniform_clip_bytes(in->listed + c, 0);
        void *const memory = take(a, 1, whole), *const listed = take(a, 1, fewer);
        require(sqt_uniform_clip_build(in->uniform + c, &a->skeleton, in->baked + c, 0, memory, whole, NULL),
                "uniform");
        require(sqt_uniform_clip_build(in->uniform_listed + c, &a->skeleton, in->listed + c, 0, listed, fewer, NULL),
                "uniform");
    }
}

// ---- Room for what the stages write

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void make_room(same_bits_input *in) {
    asset *const a = in->a;
    const uint32_t joint_count = a->skeleton.joint_count;
    uint32_t vertices = 1, channels = 1, matrices = joint_count;
    for (uint32_t p = 0; p < a->prim_count; ++p) vertices = larger(vertices, a->prims[p].geometry.vertex_count);
    for (uint32_t c = 0; c < a->clip_count; ++c) channels = larger(channels, a->clips[c].clip.channel_count);
    for (uint32_t s = 0; s < a->skin_count; ++s) matrices = larger(matrices, a->skins[s].skin.joint_count);
    in->pose = poses_alloc(in, 1);
    in->samples = poses_alloc(in, MOST_SAMPLES);
    in->matrices = take(a, matrices, sizeof *in->matrices);
    in->rows = take(a, matrices, sizeof *in->rows);
    in->crowd = take(a, (size_t)SAME_BITS_CROWD * joint_count, sizeof *in->crowd);
    in->palettes_4 = take(a, (size_t)SAME_BITS_CROWD * matrices, sizeof *in->palettes_4);
    in->palettes_3 = take(a, (size_t)SAME_BITS_CROWD * matrices, sizeof *in->palettes_3);
    in->many_bytes = sqt_global_many_bytes(&a->skeleton, a->skin_count ? &a->skins[0].skin : NULL);
    in->many_memory = take(a, 1, in->many_bytes);
    in->transforms = take(a, joint_count, sizeof *in->transforms);
    in->offsets = take(a, in->block_count, sizeof *in->offsets);
    in->positions = take(a, vertices, 3 * sizeof(float));
    in->normals = take(a, vertices, 3 * sizeof(float));
    in->tangents = take(a, vertices, 4 * sizeof(float));
    in->cursors = take(a, channels, sizeof *in->cursors);
}

void same_bits_prepare(same_bits_input *in, asset *a) {
    memset(in, 0, sizeof *in);
    in->a = a;
    in->block_count = SQT_POSE_BLOCKS(a->skeleton.joint_count);
    sqt_isa_cap(SQT_ISA_SCALAR);
    make_room(in);
    make_rereads(in);
    make_clips(in);
    make_uniform(in);
    make_frames(in);
    make_poses(in);
    make_palettes(in);
    make_grouped(in);
    make_extremes(in);
}
