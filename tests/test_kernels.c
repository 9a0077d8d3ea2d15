// Every kernel of every instruction set that this machine has, against the scalar one: the same bits, the same bytes
// written, nothing touched outside the buffers. NaN equals NaN, because processors differ in the NaN that they make.
#include <stdlib.h>

#include "check.h"
#include "check_guard.h"

#include "simd/kernels.h"

enum { SEED = 0x5E75, LARGEST = 1025, PALETTE = 40, MOST_INFLUENCES = 14 };

static const uint32_t counts[] = {0,  1,  2,  3,  4,  5,  6,  7,   8,   9,   10,   11,   12,  13, 14,
                                  15, 16, 17, 18, 19, 20, 21, 22,  23,  24,  25,   26,   27,  28, 29,
                                  30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025};

enum { COUNTS = sizeof counts / sizeof *counts };

/// The sets besides scalar that this build has and this processor can run.
static uint32_t available_sets(const sqt_kernels **sets) {
    uint32_t set_count = 0;
    for (uint32_t isa = SQT_ISA_SCALAR + 1; isa < SQT_ISA_COUNT; ++isa) {
        const sqt_kernels *const kernels = sqt_kernels_of(isa);
        if (kernels) sets[set_count++] = kernels;
    }
    return set_count;
}

// ---- Numbers ----

/// Kinds of numbers to fill buffers with.
enum { USUAL, ODD, LARGE, WRONG, KINDS };

static float number(check_random *random, uint32_t kind) {
    static const float odd[] = {-0.0f, 0.0f, 1e-45f, -1e-45f,     1e-40f, -1.17549435e-38f, 1e-31f, -1e-30f, 1e-15f, 1,
                                -1,    0.5f, -2,     0.99999994f, 1e-8f,  -0.001f,          3,      1e15f};
    static const float large[] = {1e15f, -1e15f, 1e30f, -1e30f, 3e38f, -1, 1e10f, 1e19f, -1e20f, 0.25f, -0.0f};
    static const float wrong[] = {NAN, INFINITY, -INFINITY, 1, -1, 0};
    switch (kind) {
    case ODD:
        return odd[check_random_below(random, sizeof odd / sizeof *odd)];
    case LARGE:
        return large[check_random_below(random, sizeof large / sizeof *large)];
    case WRONG:
        if (check_random_below(random, 16) == 0) return wrong[check_random_below(random, sizeof wrong / sizeof *wrong)];
        return check_random_float(random, -2, 2);
    default:
        return check_random_float(random, -2, 2);
    }
}

static void fill(void *memory, size_t count, check_random *random, uint32_t kind) {
    unsigned char *at = memory;
    for (size_t i = 0; i < count; ++i, at += sizeof(float)) {
        const float value = number(random, kind);
        memcpy(at, &value, sizeof value);
    }
}

/// Unit rotations where the kind is USUAL, any numbers else. The lanes behind the last joint hold numbers as well.
static void fill_pose(sqt_pose_block *pose, uint32_t block_count, check_random *random, uint32_t kind) {
    fill(pose, block_count * sizeof *pose / sizeof(float), random, kind);
    if (kind != USUAL) return;
    for (uint32_t j = 0; j < block_count * SQT_POSE_LANES; ++j) {
        sqt_transform t = sqt_pose_get(pose, j);
        t.rotation = check_random_quat(random);
        sqt_pose_set(pose, j, t);
    }
}

static void fill_affine(sqt_mat4 *matrices, uint32_t count, check_random *random, uint32_t kind) {
    for (uint32_t k = 0; k < count; ++k) {
        fill(matrices + k, 16, random, kind);
        for (uint32_t i = 3; i < 16; i += 4) matrices[k].m[i] = i == 15 ? 1.0f : 0.0f;
    }
}

static bool is_nan_bits(uint32_t bits) { return (bits & 0x7FFFFFFFu) > 0x7F800000u; }

/// Word for word from the end, so that the buffers may begin anywhere.
static void assert_same_bits(const void *expected, const void *actual, size_t bytes, const char *what, uint32_t count) {
    if (memcmp(expected, actual, bytes) == 0) return;
    const unsigned char *const a = expected, *const b = actual;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        if (x != y && !(is_nan_bits(x) && is_nan_bits(y))) {
            fail_msg("%s of %u: word %zu is %08x, scalar has %08x", what, count, i / 4, y, x);
        }
    }
}

// ---- Buffers ----

/// An output of scalar and one of another set.
typedef struct twins {
    check_guard guards[2];
    void *data[2];
    size_t bytes;
} twins;

static twins twins_make(size_t capacity_bytes) {
    twins t = {{check_guard_make(capacity_bytes), check_guard_make(capacity_bytes)}, {NULL, NULL}, 0};
    return t;
}

static void *twins_take(twins *t, uint32_t which, size_t bytes) {
    t->bytes = bytes;
    t->data[which] = check_guard_take(t->guards + which, bytes);
    return t->data[which];
}

/// What scalar was given, for the other set: in place, the input is in the output.
static void twins_fill(twins *t, uint32_t which, const void *content) {
    if (t->bytes) memcpy(t->data[which], content, t->bytes);
}

static void twins_assert_same(const twins *t, const char *what, uint32_t count) {
    assert_same_bits(t->data[0], t->data[1], t->bytes, what, count);
    for (uint32_t i = 0; i < 2; ++i) check_guard_assert_before(t->guards + i, t->bytes);
}

static void twins_free(twins *t) {
    for (uint32_t i = 0; i < 2; ++i) check_guard_free(t->guards + i);
}

// ---- Blend ----

static void blends_have_the_bits_of_scalar(void **state) {
    (void)state;
    static const float weights[] = {0, 1, 0.5f, 0.3f, -1, 2, -0.0f, 0.9999999f, 1e-7f};
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    const size_t capacity = SQT_POSE_BLOCKS(LARGEST) * sizeof(sqt_pose_block);
    check_random random = {SEED};
    twins out = twins_make(capacity);
    check_guard a_guard = check_guard_make(capacity), b_guard = check_guard_make(capacity);
    check_guard mask_guard = check_guard_make(LARGEST * sizeof(float));
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 16 : 64;
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 16 % KINDS, in_place = round % 8 < 6 ? 0 : round % 8 - 5;
            const bool slerp = round % 2, masked = round / 2 % 2;
            // NLERP takes any weight, SLERP those of -1..2.
            const float any = kind == LARGE ? 1e15f : check_random_float(&random, -5, 5);
            const float weight = check_random_below(&random, 4) == 0
                                     ? (slerp ? check_random_float(&random, -1, 2) : any)
                                     : weights[check_random_below(&random, sizeof weights / sizeof *weights)];
            const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
            sqt_pose_block *const a = check_guard_take(&a_guard, bytes), *const b = check_guard_take(&b_guard, bytes);
            float *const mask = check_guard_take(&mask_guard, n * sizeof *mask);
            fill_pose(a, SQT_POSE_BLOCKS(n), &random, kind);
            fill_pose(b, SQT_POSE_BLOCKS(n), &random, kind);
            uint32_t choice = 0;
            for (uint32_t j = 0; j < n; ++j) { // exact zeros and ones among them, in half of the rounds in long runs
                if (round / 4 % 2 == 0 || check_random_below(&random, 24) == 0) choice = check_random_below(&random, 4);
                const float any_mask = kind == WRONG ? number(&random, WRONG) : check_random_float(&random, 0, 1);
                mask[j] = choice == 0 ? 0.0f : choice == 1 ? 1.0f : any_mask;
            }
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_pose_block *const o = twins_take(&out, k, bytes);
                    if (in_place) twins_fill(&out, k, in_place == 1 ? a : b);
                    pair[k]->blend(o, in_place == 1 ? o : a, in_place == 2 ? o : b, masked ? mask : NULL, weight, n,
                                   slerp);
                }
                twins_assert_same(&out, "blend", n);
            }
        }
    }
    twins_free(&out);
    check_guard_free(&a_guard);
    check_guard_free(&b_guard);
    check_guard_free(&mask_guard);
}

static void blends_of_nearly_equal_and_opposite_rotations_have_the_bits_of_scalar(void **state) {
    (void)state; // where signs and clamps decide
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 1};
    for (uint32_t round = 0; round < 2000; ++round) {
        sqt_pose_block a[4], b[4], out[2][4];
        fill_pose(a, 4, &random, USUAL);
        memcpy(b, a, sizeof a);
        for (uint32_t j = 0; j < 64; ++j) {
            float *const parts[4] = {&b[j / 16].rx[j % 16], &b[j / 16].ry[j % 16], &b[j / 16].rz[j % 16],
                                     &b[j / 16].rw[j % 16]};
            const float sign = check_random_u32(&random) & 1 ? -1.0f : 1.0f;
            for (uint32_t i = 0; i < 4; ++i) *parts[i] *= sign;
            const uint32_t kind = check_random_below(&random, 4);
            if (kind == 1) *parts[check_random_below(&random, 4)] += 1e-7f;
            if (kind == 2) { // at right angles, to rounding: the dot product is +-0 or nearly so
                const float x = *parts[0], z = *parts[2];
                *parts[0] = *parts[1], *parts[1] = -x;
                *parts[2] = *parts[3], *parts[3] = -z;
            }
        }
        const float weight = check_random_float(&random, -1, 2);
        for (uint32_t s = 0; s < set_count; ++s) {
            sqt_kernels_scalar()->blend(out[0], a, b, NULL, weight, 64, round % 2);
            sets[s]->blend(out[1], a, b, NULL, weight, 64, round % 2);
            assert_same_bits(out[0], out[1], sizeof *out, "blend", 64);
        }
    }
}

enum { MOST_POSES = 10 };

/// Poses and masks at guard pages, and outputs in twins.
typedef struct blend_bench {
    check_guard poses[MOST_POSES], masks[MOST_POSES], translation_masks[MOST_POSES], rest;
    twins out;
} blend_bench;

static blend_bench blend_bench_make(void) {
    const size_t capacity = SQT_POSE_BLOCKS(LARGEST) * sizeof(sqt_pose_block);
    blend_bench b = {.rest = check_guard_make(capacity), .out = twins_make(capacity)};
    for (uint32_t k = 0; k < MOST_POSES; ++k) {
        b.poses[k] = check_guard_make(capacity);
        b.masks[k] = check_guard_make(LARGEST * sizeof(float));
        b.translation_masks[k] = check_guard_make(LARGEST * sizeof(float));
    }
    return b;
}

static void blend_bench_free(blend_bench *b) {
    for (uint32_t k = 0; k < MOST_POSES; ++k) {
        check_guard_free(b->poses + k);
        check_guard_free(b->masks + k);
        check_guard_free(b->translation_masks + k);
    }
    check_guard_free(&b->rest);
    twins_free(&b->out);
}

static const sqt_pose_block *take_pose(check_guard *guard, uint32_t joint_count, check_random *random, uint32_t kind) {
    sqt_pose_block *const pose = check_guard_take(guard, SQT_POSE_BLOCKS(joint_count) * sizeof *pose);
    fill_pose(pose, SQT_POSE_BLOCKS(joint_count), random, kind);
    return pose;
}

/// Exact zeros and ones among other numbers.
static const float *take_mask(check_guard *guard, uint32_t joint_count, check_random *random) {
    static const float odd[] = {0, -0.0f, 1, -1, 1e-40f, 0.5f};
    float *const mask = check_guard_take(guard, joint_count * sizeof *mask);
    for (uint32_t j = 0; j < joint_count; ++j) {
        const uint32_t choice = check_random_below(random, 8);
        mask[j] = choice < 6 ? odd[choice] : check_random_float(random, 0, 1);
    }
    return mask;
}

static void blends_of_many_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 5};
    blend_bench b = blend_bench_make();
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 16 : 64;
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 16 % KINDS, part_count = 1 + round % SQT_BLEND_PARTS;
            const uint32_t heaviest = check_random_below(&random, part_count);
            const uint32_t in_place = check_random_below(&random, 2 * part_count); // above: apart
            sqt_blend_part parts[SQT_BLEND_PARTS];
            for (uint32_t k = 0; k < part_count; ++k) {
                parts[k].pose = take_pose(b.poses + k, n, &random, kind);
                parts[k].weight = number(&random, round % 3 ? USUAL : kind);
            }
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_blend_part mine[SQT_BLEND_PARTS];
                    memcpy(mine, parts, sizeof parts);
                    sqt_pose_block *const out = twins_take(&b.out, k, bytes);
                    if (in_place < part_count) {
                        twins_fill(&b.out, k, parts[in_place].pose);
                        mine[in_place].pose = out;
                    }
                    pair[k]->blend_many(out, mine, part_count, heaviest, n);
                }
                twins_assert_same(&b.out, "blend_many", n);
            }
        }
    }
    blend_bench_free(&b);
}

static void masked_blends_of_many_have_the_bits_of_scalar(void **state) {
    (void)state;
    static const float thresholds[] = {0, 0.1f, 1, 2.5f};
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 6};
    blend_bench b = blend_bench_make();
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 8 : 64;
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 4 % KINDS, input_count = check_random_below(&random, MOST_POSES + 1);
            const uint32_t in_place = check_random_below(&random, 2 * input_count + 1);
            sqt_blend_input inputs[MOST_POSES];
            for (uint32_t k = 0; k < input_count; ++k) {
                inputs[k].pose = take_pose(b.poses + k, n, &random, kind);
                inputs[k].mask = check_random_below(&random, 3) ? take_mask(b.masks + k, n, &random) : NULL;
                inputs[k].translation_mask =
                    round % 2 && check_random_below(&random, 2) ? take_mask(b.translation_masks + k, n, &random) : NULL;
                inputs[k].weight = check_random_below(&random, 5) ? fabsf(number(&random, kind)) : 0.0f;
            }
            const sqt_pose_block *const rest = take_pose(&b.rest, n, &random, kind);
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_blend_input mine[MOST_POSES];
                    if (input_count) memcpy(mine, inputs, input_count * sizeof *mine);
                    sqt_pose_block *const out = twins_take(&b.out, k, bytes);
                    if (in_place < input_count) {
                        twins_fill(&b.out, k, inputs[in_place].pose);
                        mine[in_place].pose = out;
                    }
                    const sqt_blend_masked_job job = {mine, input_count, thresholds[round / 16 % 4], rest};
                    pair[k]->blend_many_masked(out, &job, n);
                }
                twins_assert_same(&b.out, "blend_many_masked", n);
            }
        }
    }
    blend_bench_free(&b);
}

static void additive_blends_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 7};
    blend_bench b = blend_bench_make();
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 16 : 64;
        const size_t bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 16 % KINDS, in_place = round % 8 < 6 ? 0 : round % 8 - 5;
            const bool slerp = round % 2, masked = round / 2 % 2, scale_difference = round / 4 % 2;
            const float any = kind == LARGE ? 1e15f : check_random_float(&random, -5, 5);
            const float weight = round / 8 % 2 ? 1.0f : slerp ? check_random_float(&random, -1, 2) : any;
            const sqt_pose_block *const base = take_pose(b.poses, n, &random, kind);
            sqt_pose_block *const delta = check_guard_take(b.poses + 1, bytes);
            fill_pose(delta, SQT_POSE_BLOCKS(n), &random, kind);
            for (uint32_t j = 0; j < n && kind == USUAL; j += 3) { // none, and half a turn
                const sqt_transform nothing = SQT_TRANSFORM_IDENTITY;
                sqt_transform half = nothing;
                half.rotation = (sqt_quat){1, 0, 0, j % 2 ? 0.0f : -0.0f};
                sqt_pose_set(delta, j, j % 4 ? nothing : half);
            }
            const float *const mask = masked ? take_mask(b.masks, n, &random) : NULL;
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_pose_block *const o = twins_take(&b.out, k, bytes);
                    if (in_place) twins_fill(&b.out, k, in_place == 1 ? base : delta);
                    pair[k]->add(o, in_place == 1 ? o : base, in_place == 2 ? o : delta, mask, weight, n, slerp,
                                 scale_difference);
                }
                twins_assert_same(&b.out, "add", n);
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_pose_block *const o = twins_take(&b.out, k, bytes);
                    if (in_place) twins_fill(&b.out, k, in_place == 1 ? base : delta);
                    pair[k]->difference(o, in_place == 1 ? o : base, in_place == 2 ? o : delta, n, scale_difference);
                }
                twins_assert_same(&b.out, "difference", n);
            }
        }
    }
    blend_bench_free(&b);
}

/// Offsets as sqt_inertial_begin makes them, or any numbers.
static void fill_offset(sqt_inertial_offset *offset, check_random *random, uint32_t kind) {
    fill(offset, sizeof *offset / sizeof(float), random, kind);
    if (kind != USUAL) return;
    for (uint32_t i = 0; i < SQT_POSE_LANES; ++i) {
        static const float sizes[] = {0, 1e-20f, 1e-8f, 1e-15f, 3.14159265f};
        const sqt_quat q = check_random_quat(random);
        const float inverse = 1 / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + 1e-9f);
        offset->x[i] = q.x * inverse, offset->y[i] = q.y * inverse, offset->z[i] = q.z * inverse;
        const uint32_t choice = check_random_below(random, 10);
        offset->size[i] = choice < 5 ? sizes[choice] : check_random_float(random, 0, 3.2f);
        offset->pull[i] = check_random_below(random, 3) ? check_random_float(random, 0, 5) : 5;
        offset->rate[i] = check_random_below(random, 8) ? check_random_float(random, 1, 50) : 1e30f;
    }
}

static void inertial_poses_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 9};
    const size_t capacity = SQT_POSE_BLOCKS(LARGEST) * sizeof(sqt_pose_block);
    check_guard target_guard = check_guard_make(capacity);
    check_guard offsets_guard = check_guard_make(SQT_POSE_BLOCKS(LARGEST) * sizeof(sqt_inertial_block));
    twins out = twins_make(capacity);
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 16 : 64;
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 16 % KINDS;
            const bool in_place = round % 4 == 3;
            const float seconds = round % 8 == 0 ? 0.0f : round % 8 == 1 ? 1e15f : check_random_float(&random, 0, 1);
            const sqt_pose_block *const target = take_pose(&target_guard, n, &random, kind);
            sqt_inertial_block *const offsets = check_guard_take(&offsets_guard, SQT_POSE_BLOCKS(n) * sizeof *offsets);
            for (uint32_t b = 0; b < SQT_POSE_BLOCKS(n); ++b) {
                fill_offset(&offsets[b].rotation, &random, kind);
                fill_offset(&offsets[b].translation, &random, kind);
                fill_offset(&offsets[b].scale, &random, kind);
            }
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_pose_block *const o = twins_take(&out, k, SQT_POSE_BLOCKS(n) * sizeof *o);
                    if (in_place) twins_fill(&out, k, target);
                    pair[k]->inertial(o, in_place ? o : target, offsets, seconds, n);
                }
                twins_assert_same(&out, "inertial", n);
            }
        }
    }
    twins_free(&out);
    check_guard_free(&target_guard);
    check_guard_free(&offsets_guard);
}

// ---- Global poses ----

/// Random parents, some of them roots, and the joints level by level.
static void random_tree(uint16_t *parents, uint16_t *schedule, uint32_t joint_count, check_random *random) {
    static uint32_t depths[LARGEST];
    uint32_t deepest = 0, placed = 0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        const uint32_t near = j < 4 ? j : 4;
        const bool root = j == 0 || check_random_below(random, 12) == 0;
        parents[j] = root ? SQT_NO_JOINT : (uint16_t)(j - 1 - check_random_below(random, j % 3 ? near : j));
        depths[j] = root ? 0 : depths[parents[j]] + 1;
        if (depths[j] > deepest) deepest = depths[j];
    }
    for (uint32_t depth = 0; depth <= deepest; ++depth) {
        for (uint32_t j = 0; j < joint_count; ++j) {
            if (depths[j] == depth) schedule[placed++] = (uint16_t)j;
        }
    }
}

static void global_poses_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 2};
    twins out = twins_make(LARGEST * sizeof(sqt_mat4));
    check_guard local_guard = check_guard_make(SQT_POSE_BLOCKS(LARGEST) * sizeof(sqt_pose_block));
    check_guard parents_guard = check_guard_make(LARGEST * sizeof(uint16_t));
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c];
        for (uint32_t round = 0; round < 16; ++round) {
            const uint32_t kind = round / 4;
            // Every other round is a level of detail: the schedule has joints that are left out.
            const uint32_t whole = round % 2 ? n + check_random_below(&random, LARGEST - n + 1) : n;
            uint16_t parents[LARGEST], schedule[LARGEST];
            random_tree(parents, schedule, whole, &random);
            uint16_t *const first_parents = check_guard_take(&parents_guard, n * sizeof *first_parents);
            if (n) memcpy(first_parents, parents, n * sizeof *parents);
            const size_t local_bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
            sqt_pose_block *const local = check_guard_take(&local_guard, local_bytes);
            fill_pose(local, SQT_POSE_BLOCKS(n), &random, kind);
            sqt_mat4 root;
            fill_affine(&root, 1, &random, kind);
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    sqt_mat4 *const global = twins_take(&out, k, n * sizeof *global);
                    pair[k]->global(global, first_parents, schedule, local, round / 2 % 2 ? &root : NULL, n);
                }
                twins_assert_same(&out, "global", n);
                for (uint32_t k = 0; k < 2; ++k) pair[k]->matrices(twins_take(&out, k, n * sizeof(sqt_mat4)), local, n);
                twins_assert_same(&out, "matrices", n);
            }
        }
    }
    twins_free(&out);
    check_guard_free(&local_guard);
    check_guard_free(&parents_guard);
}

/// The first three rows, and the last one where no number is beyond the range of floats: a character at a time works it
/// out, and 0 times infinity is NaN.
static void assert_same_matrices(const sqt_mat4 *expected, const float *actual, uint32_t count, const char *what) {
    for (uint32_t k = 0; k < count; ++k) {
        sqt_mat4 m;
        memcpy(m.m, actual + 16 * (size_t)k, sizeof m.m);
        for (uint32_t i = 3; i < 16; i += 4) {
            if (!(fabsf(expected[k].m[i]) <= 1.0f)) m.m[i] = expected[k].m[i];
        }
        assert_same_bits(expected + k, &m, sizeof m, what, k);
    }
}

static void global_poses_of_many_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 8};
    enum { MOST = 129 };
    const sqt_kernels *const scalar = sqt_kernels_scalar();
    check_guard locals[SQT_MOST_LANES], inverse_guard = check_guard_make(MOST * sizeof(sqt_mat4));
    check_guard outputs[SQT_MOST_LANES][3], slots_guard = check_guard_make(MOST * 12 * SQT_MOST_LANES * sizeof(float));
    for (uint32_t i = 0; i < SQT_MOST_LANES; ++i) {
        locals[i] = check_guard_make(SQT_POSE_BLOCKS(MOST) * sizeof(sqt_pose_block));
        for (uint32_t k = 0; k < 3; ++k) outputs[i][k] = check_guard_make(MOST * sizeof(sqt_mat4));
    }
    for (uint32_t c = 0; c < COUNTS && counts[c] <= MOST; ++c) {
        const uint32_t n = counts[c];
        for (uint32_t round = 0; round < 32; ++round) {
            const uint32_t kind = round / 8;
            const bool below = round % 2, bound = round / 2 % 2, placed = round / 4 % 2;
            uint16_t parents[MOST], schedule[MOST];
            sqt_many_step steps[MOST];
            random_tree(parents, schedule, n, &random);
            for (uint32_t j = 0; j < n; ++j) steps[j] = (sqt_many_step){parents[j], (uint16_t)j, (uint16_t)j, 0};
            sqt_mat4 *const inverse_bind = check_guard_take(&inverse_guard, n * sizeof *inverse_bind);
            fill_affine(inverse_bind, n, &random, kind);
            sqt_mat4 roots[SQT_MOST_LANES], worlds[SQT_MOST_LANES], global[MOST], palette[MOST];
            sqt_mat3x4 rows[MOST];
            sqt_many_job job = {.steps = steps, .inverse_bind = bound ? inverse_bind : NULL, .joint_count = n};
            for (uint32_t i = 0; i < SQT_MOST_LANES; ++i) {
                fill_affine(roots + i, 1, &random, kind);
                fill_affine(worlds + i, 1, &random, kind);
                job.locals[i] = take_pose(locals + i, n, &random, kind);
                job.roots[i] = below ? roots + i : NULL;
                job.worlds[i] = placed ? worlds + i : NULL;
            }
            for (uint32_t s = 0; s < set_count; ++s) {
                job.slots = check_guard_take(&slots_guard, n * 12 * sets[s]->lanes * sizeof *job.slots);
                for (uint32_t i = 0; i < SQT_MOST_LANES; ++i) {
                    job.globals[i] = check_guard_take(outputs[i], n * sizeof(sqt_mat4));
                    job.palettes[i] = check_guard_take(outputs[i] + 1, n * sizeof(sqt_mat4));
                    job.palettes_3x4[i] = check_guard_take(outputs[i] + 2, n * sizeof(sqt_mat3x4));
                }
                sets[s]->global_many(&job);
                for (uint32_t i = 0; i < sets[s]->lanes; ++i) {
                    scalar->global(global, parents, schedule, job.locals[i], job.roots[i], n);
                    scalar->palette(palette, NULL, job.inverse_bind, global, job.worlds[i], n);
                    scalar->palette_3x4(rows, NULL, job.inverse_bind, global, job.worlds[i], n);
                    assert_same_matrices(global, job.globals[i], n, "global_many");
                    assert_same_matrices(palette, job.palettes[i], n, "palette of many");
                    assert_same_bits(rows, job.palettes_3x4[i], n * sizeof *rows, "palette_3x4 of many", n);
                    check_guard_assert_before(outputs[i], n * sizeof(sqt_mat4));
                    check_guard_assert_before(outputs[i] + 1, n * sizeof(sqt_mat4));
                    check_guard_assert_before(outputs[i] + 2, n * sizeof(sqt_mat3x4));
                }
                check_guard_assert_before(&slots_guard, n * 12 * sets[s]->lanes * sizeof *job.slots);
            }
        }
    }
    for (uint32_t i = 0; i < SQT_MOST_LANES; ++i) {
        check_guard_free(locals + i);
        for (uint32_t k = 0; k < 3; ++k) check_guard_free(outputs[i] + k);
    }
    check_guard_free(&inverse_guard);
    check_guard_free(&slots_guard);
}

// ---- Palettes ----

static void palettes_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 3};
    twins out = twins_make(LARGEST * sizeof(sqt_mat4)), rows = twins_make(LARGEST * sizeof(sqt_mat3x4));
    check_guard joints_guard = check_guard_make(LARGEST * sizeof(uint16_t));
    check_guard inverse_guard = check_guard_make(LARGEST * sizeof(sqt_mat4));
    check_guard global_guard = check_guard_make(LARGEST * sizeof(sqt_mat4));
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t n = counts[c], rounds = n > 200 ? 16 : 32;
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t kind = round / 8 % KINDS;
            const bool listed = round % 2, bound = round / 2 % 2, placed = round / 4 % 2;
            const uint32_t globals = listed ? 1 + check_random_below(&random, LARGEST) : n;
            uint16_t *const joints = check_guard_take(&joints_guard, n * sizeof *joints);
            sqt_mat4 *const inverse_bind = check_guard_take(&inverse_guard, n * sizeof *inverse_bind);
            sqt_mat4 *const global = check_guard_take(&global_guard, globals * sizeof *global);
            sqt_mat4 world;
            fill_affine(inverse_bind, n, &random, kind);
            fill_affine(global, globals, &random, kind);
            fill_affine(&world, 1, &random, kind);
            for (uint32_t k = 0; k < n; ++k) joints[k] = (uint16_t)check_random_below(&random, globals);
            for (uint32_t s = 0; s < set_count; ++s) {
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[s]};
                for (uint32_t k = 0; k < 2; ++k) {
                    pair[k]->palette(twins_take(&out, k, n * sizeof(sqt_mat4)), listed ? joints : NULL,
                                     bound ? inverse_bind : NULL, global, placed ? &world : NULL, n);
                    pair[k]->palette_3x4(twins_take(&rows, k, n * sizeof(sqt_mat3x4)), listed ? joints : NULL,
                                         bound ? inverse_bind : NULL, global, placed ? &world : NULL, n);
                }
                twins_assert_same(&out, "palette", n);
                twins_assert_same(&rows, "palette_3x4", n);
            }
        }
    }
    twins_free(&out);
    twins_free(&rows);
    check_guard_free(&joints_guard);
    check_guard_free(&inverse_guard);
    check_guard_free(&global_guard);
}

// ---- Skinning ----

/// The memory of random skinning jobs: inputs once, outputs twice, everything ending at a guard page.
typedef struct bench {
    check_guard positions, normals, tangents, joints, weights, offsets, palette;
    twins out[3];
} bench;

enum { MOST_STRIDE = 64 };

static bench bench_make(void) {
    const size_t vertices = (size_t)LARGEST * MOST_STRIDE, lists = (size_t)LARGEST * MOST_INFLUENCES * 24;
    bench b = {check_guard_make(vertices),
               check_guard_make(vertices),
               check_guard_make(vertices),
               check_guard_make(lists),
               check_guard_make(lists),
               check_guard_make((LARGEST + 1) * sizeof(uint32_t)),
               check_guard_make(PALETTE * sizeof(sqt_mat4)),
               {twins_make(vertices), twins_make(vertices), twins_make(vertices)}};
    return b;
}

static void bench_free(bench *b) {
    check_guard *const guards[] = {&b->positions, &b->normals, &b->tangents, &b->joints,
                                   &b->weights,   &b->offsets, &b->palette};
    for (uint32_t i = 0; i < sizeof guards / sizeof *guards; ++i) check_guard_free(guards[i]);
    for (uint32_t i = 0; i < 3; ++i) twins_free(b->out + i);
}

/// What a job is made of.
typedef struct shape {
    uint32_t vertex_count, kind;
    uint32_t joint_format, weight_format;
    uint32_t influence_count; ///< MOST_INFLUENCES: the variable form, of up to that many less one
    uint32_t flags;           ///< 1: plain normals, 2: raw
    uint32_t wanted;          ///< a bit an output
    bool tight;
} shape;

static size_t span(size_t count, size_t stride, size_t bytes) { return count == 0 ? 0 : (count - 1) * stride + bytes; }

static size_t format_size(uint32_t format) {
    return format == SQT_FORMAT_U8 || format == SQT_FORMAT_UNORM8     ? 1
           : format == SQT_FORMAT_U16 || format == SQT_FORMAT_UNORM16 ? 2
                                                                      : 4;
}

static size_t random_stride(size_t bytes, bool tight, check_random *random) {
    return tight ? bytes : bytes + check_random_below(random, 11);
}

static const char *fill_attribute(check_guard *guard, size_t *stride, size_t bytes, const shape *s,
                                  check_random *random) {
    *stride = random_stride(bytes, s->tight, random);
    unsigned char *const data = check_guard_take(guard, span(s->vertex_count, *stride, bytes));
    for (uint32_t v = 0; v < s->vertex_count; ++v) fill(data + v * *stride, bytes / sizeof(float), random, s->kind);
    return (const char *)data;
}

static void fill_influences(sqt_skin_job *job, bench *b, const shape *s, check_random *random) {
    const bool variable = s->influence_count == MOST_INFLUENCES;
    const size_t joint_bytes = format_size(s->joint_format), weight_bytes = format_size(s->weight_format);
    const size_t in_a_row = variable ? 1 : s->influence_count;
    uint32_t rows = s->vertex_count;
    if (variable) {
        uint32_t *const offsets = check_guard_take(&b->offsets, (s->vertex_count + 1u) * sizeof *offsets);
        offsets[0] = 0;
        for (uint32_t v = 0; v < s->vertex_count; ++v) {
            offsets[v + 1] = offsets[v] + check_random_below(random, MOST_INFLUENCES);
        }
        rows = offsets[s->vertex_count];
        job->influence_offsets = offsets;
    }
    job->influence_count = s->influence_count;
    job->joint_format = s->joint_format;
    job->weight_format = s->weight_format;
    job->joint_stride = random_stride(in_a_row * joint_bytes, s->tight, random);
    job->weight_stride = random_stride(in_a_row * weight_bytes, s->tight, random);
    unsigned char *const joints = check_guard_take(&b->joints, span(rows, job->joint_stride, in_a_row * joint_bytes));
    unsigned char *const weights =
        check_guard_take(&b->weights, span(rows, job->weight_stride, in_a_row * weight_bytes));
    for (uint32_t row = 0; row < rows; ++row) {
        for (size_t i = 0; i < in_a_row; ++i) {
            const uint32_t index = check_random_below(random, PALETTE), any = check_random_u32(random);
            unsigned char *const joint = joints + row * job->joint_stride + i * joint_bytes;
            unsigned char *const weight = weights + row * job->weight_stride + i * weight_bytes;
            const uint8_t byte = (uint8_t)index;
            const uint16_t two = (uint16_t)index;
            memcpy(joint,
                   joint_bytes == 1   ? (const void *)&byte
                   : joint_bytes == 2 ? (const void *)&two
                                      : &index,
                   joint_bytes);
            const float number_weight = s->kind == USUAL ? check_random_float(random, 0, 1) : number(random, s->kind);
            memcpy(weight, weight_bytes == 4 ? (const void *)&number_weight : &any, weight_bytes);
        }
    }
    job->joints = (const char *)joints;
    job->weights = (const char *)weights;
}

static sqt_skin_job make_job(bench *b, const shape *s, check_random *random) {
    sqt_skin_job job = {.plain_normals = s->flags & 1, .raw_normals = (s->flags & 2) != 0};
    sqt_mat4 *const palette = check_guard_take(&b->palette, PALETTE * sizeof *palette);
    fill_affine(palette, PALETTE, random, s->kind);
    job.palette = palette;
    job.positions = fill_attribute(&b->positions, &job.position_stride, 12, s, random);
    job.normals = fill_attribute(&b->normals, &job.normal_stride, 12, s, random);
    job.tangents = fill_attribute(&b->tangents, &job.tangent_stride, 16, s, random);
    fill_influences(&job, b, s, random);
    job.out_position_stride = 12 + (s->tight ? 0 : 4 * check_random_below(random, 4));
    job.out_normal_stride = 12 + (s->tight ? 0 : 4 * check_random_below(random, 4));
    job.out_tangent_stride = 16 + (s->tight ? 0 : 4 * check_random_below(random, 4));
    return job;
}

/// Runs scalar and one set on a range of vertices and compares whole buffers, gaps and canaries with them.
static void compare_skins(bench *b, const sqt_skin_job *job, const shape *s, const sqt_kernels *set, uint32_t first,
                          uint32_t count) {
    const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), set};
    const size_t n = s->vertex_count;
    for (uint32_t k = 0; k < 2; ++k) {
        sqt_skin_job run = *job;
        char *const positions = twins_take(b->out, k, span(n, job->out_position_stride, 12));
        char *const normals = twins_take(b->out + 1, k, span(n, job->out_normal_stride, 12));
        char *const tangents = twins_take(b->out + 2, k, span(n, job->out_tangent_stride, 16));
        if (s->wanted & 1) run.out_positions = positions;
        if (s->wanted & 2) run.out_normals = normals;
        if (s->wanted & 4) run.out_tangents = tangents;
        pair[k]->skin(&run, first, count);
    }
    twins_assert_same(b->out, "positions", count);
    twins_assert_same(b->out + 1, "normals", count);
    twins_assert_same(b->out + 2, "tangents", count);
}

static const uint32_t joint_formats[] = {SQT_FORMAT_U8, SQT_FORMAT_U16, SQT_FORMAT_U32};
static const uint32_t weight_formats[] = {SQT_FORMAT_F32, SQT_FORMAT_UNORM8, SQT_FORMAT_UNORM16};

static void skins_of_every_format_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 4};
    bench b = bench_make();
    for (uint32_t influences = 0; influences <= MOST_INFLUENCES; ++influences) {
        for (uint32_t formats = 0; formats < 9; ++formats) {
            for (uint32_t flags = 0; flags < 8; ++flags) { // the third bit: tight strides
                const shape s = {1 + check_random_below(&random, 70),
                                 check_random_below(&random, KINDS),
                                 joint_formats[formats % 3],
                                 weight_formats[formats / 3],
                                 influences,
                                 flags & 3,
                                 7,
                                 flags >> 2};
                const sqt_skin_job job = make_job(&b, &s, &random);
                for (uint32_t k = 0; k < set_count; ++k) compare_skins(&b, &job, &s, sets[k], 0, s.vertex_count);
            }
        }
    }
    bench_free(&b);
}

static void skins_of_every_count_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 5};
    bench b = bench_make();
    for (uint32_t c = 0; c < COUNTS; ++c) {
        const uint32_t rounds = counts[c] > 200 ? 8 : 24;
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t most = LARGEST - counts[c] < 20 ? LARGEST - counts[c] : 20;
            const uint32_t before = check_random_below(&random, most + 1);
            const uint32_t behind = check_random_below(&random, most + 1 - before);
            const shape s = {before + counts[c] + behind,
                             round % KINDS,
                             joint_formats[check_random_below(&random, 3)],
                             weight_formats[check_random_below(&random, 3)],
                             check_random_below(&random, MOST_INFLUENCES + 1),
                             check_random_below(&random, 4),
                             1 + check_random_below(&random, 7),
                             round / KINDS % 2};
            const sqt_skin_job job = make_job(&b, &s, &random);
            for (uint32_t k = 0; k < set_count; ++k) compare_skins(&b, &job, &s, sets[k], before, counts[c]);
        }
    }
    bench_free(&b);
}

static void skins_of_many_influences_have_the_bits_of_scalar(void **state) {
    (void)state;
    static const uint32_t many[] = {16, 31, 63, 64, 65, 100, 128, 200, 254, 255};
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 7};
    bench b = bench_make();
    for (uint32_t i = 0; i < 10; ++i) {
        for (uint32_t round = 0; round < 9; ++round) {
            const shape s = {1 + check_random_below(&random, 40), USUAL,    joint_formats[round % 3],
                             weight_formats[round / 3],           many[i],  round % 4,
                             1 + check_random_below(&random, 7),  round % 2};
            const sqt_skin_job job = make_job(&b, &s, &random);
            for (uint32_t k = 0; k < set_count; ++k) compare_skins(&b, &job, &s, sets[k], 0, s.vertex_count);
        }
    }
    bench_free(&b);
}

static void skins_in_place_have_the_bits_of_scalar(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT];
    const uint32_t set_count = available_sets(sets);
    check_random random = {SEED + 6};
    bench b = bench_make();
    for (uint32_t c = 0; c < COUNTS; ++c) {
        for (uint32_t round = 0; round < 6; ++round) {
            const shape s = {counts[c], round % KINDS, SQT_FORMAT_U16, SQT_FORMAT_F32, round, round % 4, 7, round < 4};
            sqt_skin_job job = make_job(&b, &s, &random);
            job.out_position_stride = job.position_stride;
            job.out_normal_stride = job.normal_stride;
            job.out_tangent_stride = job.tangent_stride;
            const char *const inputs[3] = {job.positions, job.normals, job.tangents};
            const size_t strides[3] = {job.position_stride, job.normal_stride, job.tangent_stride};
            for (uint32_t k = 0; k < set_count; ++k) {
                // Apart first: in place must not change a bit.
                compare_skins(&b, &job, &s, sets[k], 0, s.vertex_count);
                const sqt_kernels *const pair[2] = {sqt_kernels_scalar(), sets[k]};
                for (uint32_t p = 0; p < 2; ++p) {
                    sqt_skin_job run = job;
                    char *data[3];
                    unsigned char *apart[3];
                    for (uint32_t i = 0; i < 3; ++i) {
                        const size_t bytes = span(s.vertex_count, strides[i], i == 2 ? 16 : 12);
                        apart[i] = malloc(bytes + 1);
                        assert_non_null(apart[i]);
                        if (bytes) memcpy(apart[i], b.out[i].data[p], bytes);
                        data[i] = twins_take(b.out + i, p, bytes);
                        twins_fill(b.out + i, p, inputs[i]);
                    }
                    run.positions = run.out_positions = data[0];
                    run.normals = run.out_normals = data[1];
                    run.tangents = run.out_tangents = data[2];
                    pair[p]->skin(&run, 0, s.vertex_count);
                    for (uint32_t i = 0; i < 3; ++i) {
                        const size_t bytes = i == 2 ? 16 : 12;
                        for (uint32_t v = 0; v < s.vertex_count; ++v) {
                            assert_same_bits(apart[i] + v * strides[i], data[i] + v * strides[i], bytes, "in place", v);
                        }
                        free(apart[i]);
                    }
                }
                for (uint32_t i = 0; i < 3; ++i) twins_assert_same(b.out + i, "in place", s.vertex_count);
            }
        }
    }
    bench_free(&b);
}

// ---- The sets ----

static void scalar_is_always_there_and_unknown_sets_never(void **state) {
    (void)state;
    assert_ptr_equal(sqt_kernels_of(SQT_ISA_SCALAR), sqt_kernels_scalar());
    static const uint32_t unknown[] = {SQT_ISA_COUNT, 7, SQT_ISA_BEST, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) assert_null(sqt_kernels_of(unknown[i]));
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        assert_int_equal(sqt_isa_available(isa), sqt_kernels_of(isa) != NULL);
    }
}

static void every_set_has_kernels_of_its_own(void **state) {
    (void)state;
    const sqt_kernels *sets[SQT_ISA_COUNT + 1] = {sqt_kernels_scalar()};
    const uint32_t set_count = 1 + available_sets(sets + 1);
    for (uint32_t a = 0; a < set_count; ++a) {
        assert_true(sets[a]->blend && sets[a]->blend_many && sets[a]->blend_many_masked && sets[a]->difference);
        assert_true(sets[a]->lanes > 0 && sets[a]->lanes <= SQT_MOST_LANES);
        assert_int_equal(sets[a]->global_many != NULL, sets[a]->lanes > 1);
        assert_true(sets[a]->add && sets[a]->inertial && sets[a]->matrices && sets[a]->global && sets[a]->palette &&
                    sets[a]->palette_3x4 && sets[a]->skin);
        for (uint32_t b = 0; b < a; ++b) {
            assert_ptr_not_equal(sets[a], sets[b]);
            assert_true(sets[a]->blend != sets[b]->blend && sets[a]->skin != sets[b]->skin);
        }
    }
}

static void the_current_kernels_follow_the_cap(void **state) {
    (void)state;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa)) continue;
        assert_int_equal(sqt_isa_cap(isa), isa);
        assert_int_equal(sqt_isa_current(), isa);
        assert_ptr_equal(sqt_kernels_current(), sqt_kernels_of(isa));
    }
    const uint32_t best = sqt_isa_cap(SQT_ISA_BEST);
    assert_ptr_equal(sqt_kernels_current(), sqt_kernels_of(best));
}

int main(void) {
    print_message("seed 0x%X, against scalar:", SEED);
    for (uint32_t isa = SQT_ISA_SCALAR + 1; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_kernels_of(isa)) print_message(" %s", sqt_isa_name(isa));
    }
    print_message("\n");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_have_the_bits_of_scalar),
        cmocka_unit_test(blends_of_nearly_equal_and_opposite_rotations_have_the_bits_of_scalar),
        cmocka_unit_test(blends_of_many_have_the_bits_of_scalar),
        cmocka_unit_test(masked_blends_of_many_have_the_bits_of_scalar),
        cmocka_unit_test(additive_blends_have_the_bits_of_scalar),
        cmocka_unit_test(inertial_poses_have_the_bits_of_scalar),
        cmocka_unit_test(global_poses_have_the_bits_of_scalar),
        cmocka_unit_test(global_poses_of_many_have_the_bits_of_scalar),
        cmocka_unit_test(palettes_have_the_bits_of_scalar),
        cmocka_unit_test(skins_of_every_format_have_the_bits_of_scalar),
        cmocka_unit_test(skins_of_every_count_have_the_bits_of_scalar),
        cmocka_unit_test(skins_of_many_influences_have_the_bits_of_scalar),
        cmocka_unit_test(skins_in_place_have_the_bits_of_scalar),
        cmocka_unit_test(scalar_is_always_there_and_unknown_sets_never),
        cmocka_unit_test(every_set_has_kernels_of_its_own),
        cmocka_unit_test(the_current_kernels_follow_the_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
