// Skins: joints and inverse bind matrices of any kind, palettes in both forms, bind matrices from poses.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"

static sqt_mat4 *any_matrices(fuzz_input *in, uint32_t count, bool spoil) {
    sqt_mat4 *const matrices = FUZZ_ARRAY(in, sqt_mat4, count);
    const uint32_t kind = fuzz_u8(in) % FUZZ_KINDS;
    fuzz_seed(in);
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i = 0; i < 16; ++i) {
            matrices[k].m[i] = i % 4 == 3 ? (i == 15 ? 1.0f : 0.0f) : fuzz_random_float(in, kind);
        }
    }
    if (spoil) fuzz_patch_floats(in, (float *)(void *)matrices, (size_t)16 * count);
    return matrices;
}

/// Joints in any order, each as often as it likes, most of them below a limit.
static uint16_t *any_joints(fuzz_input *in, uint32_t count, uint32_t limit) {
    uint16_t *const joints = FUZZ_ARRAY(in, uint16_t, count);
    for (uint32_t k = 0; k < count; ++k) joints[k] = (uint16_t)fuzz_below(in, limit);
    if (fuzz_rarely(in)) fuzz_patch_u16(in, joints, count);
    return joints;
}

static sqt_skin any_skin(fuzz_input *in, const sqt_skeleton *skeleton) {
    sqt_skin skin = {0};
    skin.joint_count = fuzz_count(in, 30, 200);
    const uint32_t byte = fuzz_u8(in);
    skin.rig_hash = byte & 1u ? skeleton->rig_hash : 0;
    if (fuzz_rarely(in)) skin.rig_hash = fuzz_u32(in);
    if (byte & 2u) {
        skin.joint_count = fuzz_below(in, skeleton->joint_count) + 1; // joint k is k
    } else {
        skin.joints = any_joints(in, skin.joint_count, skeleton->joint_count);
    }
    if (byte & 4u) skin.inverse_bind = any_matrices(in, skin.joint_count, true);
    skin.joint_limit = byte & 8u ? fuzz_below(in, skeleton->joint_count + 2) : skeleton->joint_count;
    if (fuzz_rarely(in)) {
        const uint32_t wrong = fuzz_u8(in) % 4;
        if (wrong == 0) skin.joint_count = 0;
        if (wrong == 1) skin.joint_limit = fuzz_u32(in);
        if (wrong == 2 && !skin.joints && !skin.inverse_bind) skin.joint_count = fuzz_u32(in);
    }
    return skin;
}

static void check_palette(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_skin *skin, const sqt_mat4 *global,
                          const sqt_mat4 *to_world) {
    const uint32_t n = skin->joint_count;
    sqt_mat4 *const full = FUZZ_ARRAY(in, sqt_mat4, n), *const again = FUZZ_ARRAY(in, sqt_mat4, n);
    sqt_mat3x4 *const packed = FUZZ_ARRAY(in, sqt_mat3x4, n);
    FUZZ_REQUIRE(sqt_skin_palette(full, skeleton, skin, global, to_world) == SQT_OK);
    FUZZ_REQUIRE(sqt_skin_palette_3x4(packed, skeleton, skin, global, to_world) == SQT_OK);
    fuzz_cap_isa(in);
    FUZZ_REQUIRE(sqt_skin_palette(again, skeleton, skin, global, to_world) == SQT_OK);
    double bound = 4.0 * fuzz_magnitude(global->m, (size_t)16 * skeleton->joint_count);
    if (skin->inverse_bind) bound *= 4.0 * fmax(1.0, fuzz_magnitude(skin->inverse_bind->m, (size_t)16 * n));
    if (to_world) bound *= 4.0 * fmax(1.0, fuzz_magnitude(to_world->m, 16));
    if (!(bound < 1e37)) return;
    FUZZ_REQUIRE(fuzz_is_finite(full->m, (size_t)16 * n));
    FUZZ_REQUIRE(memcmp(full, again, n * sizeof *full) == 0);
    for (uint32_t k = 0; k < n; ++k) {
        for (uint32_t i = 0; i < 12; ++i) {
            const float packed_value = packed[k].m[i], value = full[k].m[4 * (i % 4) + i / 4];
            FUZZ_REQUIRE(memcmp(&packed_value, &value, sizeof value) == 0);
        }
    }
}

/// What the same joints and matrices make.
static void check_init(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_skin *skin) {
    sqt_skin made;
    FUZZ_REQUIRE(sqt_skin_init(&made, skeleton, skin->joints, skin->joint_count, skin->inverse_bind, NULL) == SQT_OK);
    FUZZ_REQUIRE(sqt_skin_validate(&made, skeleton, NULL) == SQT_OK);
    FUZZ_REQUIRE(made.joint_limit <= skin->joint_limit);
    const sqt_skeleton level = fuzz_level_of_detail(in, skeleton);
    const sqt_mat4 *const global = any_matrices(in, level.joint_count, false);
    sqt_mat4 *const palette = FUZZ_ARRAY(in, sqt_mat4, skin->joint_count);
    const sqt_result result = sqt_skin_palette(palette, &level, &made, global, NULL);
    FUZZ_REQUIRE(result == (made.joint_limit > level.joint_count ? SQT_ERROR_COUNT : SQT_OK));
}

static void check_binds(fuzz_input *in, const sqt_skeleton *skeleton, const sqt_skin *skin, const sqt_mat4 *global) {
    const uint32_t n = skin->joint_count;
    sqt_mat4 *const bind = FUZZ_ARRAY(in, sqt_mat4, n);
    if (sqt_skin_bind_from_global(bind, skin->joints, n, global, skeleton->joint_count, NULL) == SQT_OK) {
        FUZZ_REQUIRE(fuzz_is_finite(bind->m, (size_t)16 * n));
    }
    if (sqt_skin_bind_from_rest(bind, skeleton, skin->joints, n, NULL) == SQT_OK) {
        FUZZ_REQUIRE(fuzz_is_finite(bind->m, (size_t)16 * n));
        sqt_skin bound;
        FUZZ_REQUIRE(sqt_skin_init(&bound, skeleton, skin->joints, n, bind, NULL) == SQT_OK);
    }
}

static void play(fuzz_input *in) {
    sqt_skeleton skeleton;
    if (!fuzz_skeleton(in, &skeleton)) return;
    const sqt_skin skin = any_skin(in, &skeleton);
    sqt_fault fault = {0};
    if (sqt_skin_validate(&skin, &skeleton, &fault)) {
        FUZZ_REQUIRE(fault.field != NULL);
        return;
    }
    sqt_mat4 *const rest = FUZZ_ARRAY(in, sqt_mat4, skeleton.joint_count);
    FUZZ_REQUIRE(sqt_global_from_local(rest, &skeleton, skeleton.rest, NULL) == SQT_OK);
    const sqt_mat4 *const global = fuzz_u8(in) & 1u ? rest : any_matrices(in, skeleton.joint_count, true);
    const sqt_mat4 *const to_world = fuzz_u8(in) & 1u ? any_matrices(in, 1, true) : NULL;
    check_palette(in, &skeleton, &skin, global, to_world);
    check_init(in, &skeleton, &skin);
    check_binds(in, &skeleton, &skin, global);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = fuzz_begin(data, bytes);
    play(&in);
    fuzz_end(&in);
    return 0;
}
