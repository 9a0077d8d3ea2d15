// glTF files: whatever the reader makes an asset of goes through the whole path of a frame.
//
// An input is a file as it comes. One that begins with a 1 is JSON text, a zero, and the binary chunk: they are put
// into a .glb container here, so that neither the JSON nor the binary data has to keep a length.
#include <math.h>
#include <string.h>

#include "fuzz_gltf.h"
#include "fuzz_input.h"

#include "gltf_import.h"

void (*fuzz_gltf_on_asset)(const uint8_t *data, size_t bytes);

enum { MOST_VERTICES = 400, MOST_JOINTS = 400, MOST_PARTS = 6, TIMES = 3 };

static void put_u32(uint8_t *out, size_t value) {
    for (int i = 0; i < 4; ++i) out[i] = (uint8_t)(value >> 8 * i);
}

static size_t padded(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

/// A .glb file of JSON text and binary data.
static const uint8_t *wrapped(fuzz_input *in, size_t *bytes, const uint8_t *data) {
    const uint8_t *const zero = *bytes ? memchr(data, 0, *bytes) : NULL;
    const size_t json = zero ? (size_t)(zero - data) : *bytes, binary = zero ? *bytes - json - 1 : 0;
    const size_t json_room = padded(json), binary_room = padded(binary);
    const size_t total = 12 + 8 + json_room + (zero ? 8 + binary_room : 0);
    uint8_t *const glb = fuzz_block(in, total);
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, total);
    put_u32(glb + 12, json_room);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', json_room);
    memcpy(glb + 20, data, json);
    if (zero) {
        uint8_t *const chunk = glb + 20 + json_room;
        put_u32(chunk, binary_room);
        memcpy(chunk + 4, "BIN\0", 4);
        memset(chunk + 8, 0, binary_room);
        memcpy(chunk + 8, zero + 1, binary);
    }
    *bytes = total;
    return glb;
}

/// Whether a count of 100,000 up to 99,999,999 stands in the text. An accessor without a buffer view decodes to so many
/// zeros: right, but seconds of work; larger ones are refused at once.
static bool is_slow(const uint8_t *data, size_t bytes) {
    for (size_t i = 0; i + 6 < bytes; ++i) {
        if (memcmp(data + i, "count\"", 6) != 0) continue;
        size_t at = i + 6, digits = 0;
        while (at < bytes && strchr(": \t\r\n", data[at]) && data[at]) ++at;
        while (at + digits < bytes && data[at + digits] >= '0' && data[at + digits] <= '9') ++digits;
        if (digits >= 6 && digits <= 8) return true;
    }
    return false;
}

static void skin_prim(fuzz_input *in, const asset *a, const asset_prim *prim, const sqt_mat4 *palette) {
    const sqt_mesh *const mesh = &prim->geometry;
    if (mesh->vertex_count > MOST_VERTICES) return;
    FUZZ_REQUIRE(prim->index_count % 3 == 0);
    for (uint32_t i = 0; i < prim->index_count; ++i) FUZZ_REQUIRE(prim->indices[i] < mesh->vertex_count);
    const uint32_t n = mesh->vertex_count, palette_count = a->skins[prim->skin].skin.joint_count;
    const sqt_skinned skinned = {
        .positions = FUZZ_ARRAY(in, float, (size_t)3 * n),
        .normals = mesh->normals.data ? FUZZ_ARRAY(in, float, (size_t)3 * n) : NULL,
        .tangents = mesh->tangents.data ? FUZZ_ARRAY(in, float, (size_t)4 * n) : NULL,
    };
    const uint32_t half = n / 2;
    FUZZ_REQUIRE(sqt_skin_vertices(&skinned, mesh, palette, palette_count, 0, half, 0) == SQT_OK);
    FUZZ_REQUIRE(sqt_skin_vertices(&skinned, mesh, palette, palette_count, half, n - half, SQT_PLAIN_NORMALS) ==
                 SQT_OK);
}

/// A pose's global matrices, the palette of every skin and the vertices of every primitive.
static void play_pose(fuzz_input *in, const asset *a, const sqt_pose_block *pose) {
    const uint32_t joint_count = a->skeleton.joint_count;
    sqt_mat4 *const global = FUZZ_ARRAY(in, sqt_mat4, joint_count);
    FUZZ_REQUIRE(sqt_global_from_local(global, &a->skeleton, pose, NULL) == SQT_OK);
    for (uint32_t s = 0; s < a->skin_count && s < MOST_PARTS; ++s) {
        const sqt_skin *const skin = &a->skins[s].skin;
        if (skin->joint_count > MOST_JOINTS) continue;
        sqt_mat4 *const palette = FUZZ_ARRAY(in, sqt_mat4, skin->joint_count);
        sqt_mat3x4 *const packed = FUZZ_ARRAY(in, sqt_mat3x4, skin->joint_count);
        FUZZ_REQUIRE(sqt_skin_palette(palette, &a->skeleton, skin, global, global) == SQT_OK);
        FUZZ_REQUIRE(sqt_skin_palette_3x4(packed, &a->skeleton, skin, global, NULL) == SQT_OK);
        for (uint32_t p = 0; p < a->prim_count && p < MOST_PARTS; ++p) {
            if (a->prims[p].skin == s) skin_prim(in, a, &a->prims[p], palette);
        }
    }
}

static void play_clip(fuzz_input *in, const asset *a, const sqt_channel_clip *clip) {
    const uint32_t joint_count = a->skeleton.joint_count;
    const double duration = (double)clip->timeline.duration_seconds;
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(joint_count));
    uint32_t *const cursors = FUZZ_ARRAY(in, uint32_t, clip->channel_count);
    const double times[TIMES] = {-1.0, duration * 0.37, duration};
    for (uint32_t i = 0; i < TIMES; ++i) {
        FUZZ_REQUIRE(sqt_channel_clip_sample(pose, &a->skeleton, clip, cursors, times[i]) == SQT_OK);
        fuzz_check_pose(pose, joint_count, 1.01e-4, false);
        play_pose(in, a, pose);
    }
}

static void check_asset(const asset *a) {
    FUZZ_REQUIRE(sqt_skeleton_validate(&a->skeleton, NULL) == SQT_OK);
    FUZZ_REQUIRE(a->node_count == a->skeleton.joint_count);
    for (uint32_t i = 0; i < a->node_count; ++i) {
        const uint32_t parent = a->nodes[i].parent, above = a->skeleton.parents[a->nodes[i].joint];
        FUZZ_REQUIRE(a->nodes[i].joint < a->node_count);
        FUZZ_REQUIRE(above == (parent == SQT_NO_JOINT ? SQT_NO_JOINT : a->nodes[parent].joint));
    }
    for (uint32_t i = 0; i < a->clip_count; ++i) {
        FUZZ_REQUIRE(sqt_channel_clip_validate(&a->clips[i].clip, &a->skeleton, NULL) == SQT_OK);
    }
    for (uint32_t i = 0; i < a->skin_count; ++i) {
        FUZZ_REQUIRE(sqt_skin_validate(&a->skins[i].skin, &a->skeleton, NULL) == SQT_OK);
    }
    for (uint32_t i = 0; i < a->prim_count; ++i) {
        FUZZ_REQUIRE(a->prims[i].skin < a->skin_count);
        FUZZ_REQUIRE(sqt_mesh_validate(&a->prims[i].geometry, NULL) == SQT_OK);
    }
}

static void play(fuzz_input *in, const asset *a) {
    check_asset(a);
    const uint32_t joint_count = a->skeleton.joint_count;
    if (joint_count > MOST_JOINTS) return;
    sqt_pose_block *const pose = FUZZ_ARRAY(in, sqt_pose_block, SQT_POSE_BLOCKS(joint_count));
    FUZZ_REQUIRE(sqt_skeleton_rest(pose, &a->skeleton) == SQT_OK);
    play_pose(in, a, pose);
    fuzz_play_pose(in, &a->skeleton, pose, 1.01e-4);
    for (uint32_t i = 0; i < a->clip_count && i < MOST_PARTS; ++i) play_clip(in, a, &a->clips[i].clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    if (is_slow(data, bytes)) return 0;
    fuzz_input in = fuzz_begin(data, 0);
    const bool is_split = bytes > 0 && data[0] == 1;
    size_t file_bytes = is_split ? bytes - 1 : bytes;
    const uint8_t *const file = is_split ? wrapped(&in, &file_bytes, data + 1) : data;
    asset a;
    char error[256] = "";
    if (gltf_import_memory(&a, file, file_bytes, NULL, error, sizeof error)) {
        if (fuzz_gltf_on_asset && a.clip_count > 0 && a.prim_count > 0) fuzz_gltf_on_asset(data, bytes);
        play(&in, &a);
        asset_free(&a);
    } else {
        const size_t length = strlen(error);
        FUZZ_REQUIRE(length > 0 && length < sizeof error && !strchr(error, '\n'));
    }
    fuzz_end(&in);
    return 0;
}
