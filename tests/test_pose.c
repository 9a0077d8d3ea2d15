// Poses as memory: where each float of each joint lies, the lanes behind the last joint, and what is never touched.
#include "check.h"

#include <stdlib.h>

enum { LARGEST = 65535 };

static const uint32_t counts[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 300, LARGEST};
enum { COUNT_COUNT = sizeof counts / sizeof counts[0] };

static const sqt_transform identity = SQT_TRANSFORM_IDENTITY;

/// Blocks with a guard block on either side, filled with a byte. The blocks begin at an address that is a multiple of 4
/// and, on purpose, of nothing more.
typedef struct guarded_pose {
    unsigned char *memory;
    sqt_pose_block *blocks;
    size_t bytes; // of the blocks alone
} guarded_pose;

enum { GUARD = sizeof(sqt_pose_block) };

static guarded_pose guarded_pose_make(uint32_t joint_count, unsigned char fill) {
    guarded_pose g;
    g.bytes = SQT_POSE_BLOCKS((size_t)joint_count) * sizeof(sqt_pose_block);
    g.memory = malloc(4 + GUARD + g.bytes + GUARD);
    assert_non_null(g.memory);
    memset(g.memory, fill, 4 + GUARD + g.bytes + GUARD);
    g.blocks = (sqt_pose_block *)(void *)(g.memory + 4 + GUARD);
    return g;
}

static void assert_bytes(const unsigned char *bytes, size_t count, unsigned char fill) {
    for (size_t i = 0; i < count; ++i) assert_int_equal(bytes[i], fill);
}

/// Checks that nothing around the blocks was written, and frees.
static void guarded_pose_end(guarded_pose g, unsigned char fill) {
    assert_bytes(g.memory, 4 + GUARD, fill);
    assert_bytes(g.memory + 4 + GUARD + g.bytes, GUARD, fill);
    free(g.memory);
}

/// Component c of joint j, in the order of sqt_transform: exact in float and different for every pair up to 65,535.
static float value_of(uint32_t joint, uint32_t component) { return (float)(10 * joint + component) * 0.25f - 7.0f; }

static sqt_transform transform_of(uint32_t joint) {
    float v[10];
    for (uint32_t c = 0; c < 10; ++c) v[c] = value_of(joint, c);
    const sqt_transform t = {{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
    return t;
}

static void assert_same_transform(sqt_transform a, sqt_transform b) { assert_memory_equal(&a, &b, sizeof a); }

/// The float of a component as the header's layout has it: block j / 16, row c, lane j % 16.
static float stored(const sqt_pose_block *pose, uint32_t joint, uint32_t component) {
    float value;
    memcpy(&value, (const char *)(pose + joint / 16) + 4 * (16 * (size_t)component + joint % 16), sizeof value);
    return value;
}

static void assert_padding_is_identity(const sqt_pose_block *pose, uint32_t joint_count) {
    static const float lanes[10] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 1};
    for (uint32_t joint = joint_count; joint % 16 != 0; ++joint) {
        for (uint32_t c = 0; c < 10; ++c) {
            const float value = stored(pose, joint, c);
            assert_memory_equal(&value, &lanes[c], sizeof value);
        }
    }
}

static void blocks_are_ten_rows_of_sixteen_floats(void **state) {
    (void)state;
    assert_int_equal(sizeof(sqt_pose_block), 640);
    assert_int_equal(offsetof(sqt_pose_block, rx), 0);
    assert_int_equal(offsetof(sqt_pose_block, ry), 64);
    assert_int_equal(offsetof(sqt_pose_block, rz), 128);
    assert_int_equal(offsetof(sqt_pose_block, rw), 192);
    assert_int_equal(offsetof(sqt_pose_block, tx), 256);
    assert_int_equal(offsetof(sqt_pose_block, ty), 320);
    assert_int_equal(offsetof(sqt_pose_block, tz), 384);
    assert_int_equal(offsetof(sqt_pose_block, sx), 448);
    assert_int_equal(offsetof(sqt_pose_block, sy), 512);
    assert_int_equal(offsetof(sqt_pose_block, sz), 576);
    assert_int_equal(_Alignof(sqt_pose_block), _Alignof(float));
    assert_int_equal(SQT_POSE_LANES, 16);
}

static void block_counts_round_up(void **state) {
    (void)state;
    assert_int_equal(SQT_POSE_BLOCKS(0), 0);
    assert_int_equal(SQT_POSE_BLOCKS(1), 1);
    assert_int_equal(SQT_POSE_BLOCKS(15), 1);
    assert_int_equal(SQT_POSE_BLOCKS(16), 1);
    assert_int_equal(SQT_POSE_BLOCKS(17), 2);
    assert_int_equal(SQT_POSE_BLOCKS(30 + 3), 3); // an expression as argument
    assert_int_equal(SQT_POSE_BLOCKS(65535), 4096);
    sqt_pose_block pose[SQT_POSE_BLOCKS(67)]; // a constant expression
    assert_int_equal(sizeof pose / sizeof pose[0], 5);
}

static void set_writes_one_lane_and_get_reads_it(void **state) {
    (void)state;
    enum { JOINTS = 33, BLOCKS = 3 };
    for (uint32_t joint = 0; joint < JOINTS; ++joint) {
        sqt_pose_block pose[BLOCKS], before[BLOCKS];
        memset(pose, 0xA5, sizeof pose);
        memcpy(before, pose, sizeof before);
        sqt_pose_set(pose, joint, transform_of(joint));
        for (uint32_t other = 0; other < 16 * BLOCKS; ++other) {
            for (uint32_t c = 0; c < 10; ++c) {
                const float want = other == joint ? value_of(joint, c) : stored(before, other, c);
                const float have = stored(pose, other, c);
                assert_memory_equal(&have, &want, sizeof have);
            }
        }
        assert_same_transform(sqt_pose_get(pose, joint), transform_of(joint));
    }
}

static void get_and_set_reach_the_last_possible_joint(void **state) {
    (void)state;
    const guarded_pose g = guarded_pose_make(LARGEST, 0x5A);
    sqt_pose_set(g.blocks, LARGEST - 1, transform_of(LARGEST - 1));
    assert_same_transform(sqt_pose_get(g.blocks, LARGEST - 1), transform_of(LARGEST - 1));
    assert_close(stored(g.blocks, LARGEST - 1, 9), value_of(LARGEST - 1, 9), 0);
    guarded_pose_end(g, 0x5A);
}

static void missed_look_ups_read_identity_and_write_nothing(void **state) {
    (void)state;
    const uint32_t missed[] = {SQT_NO_JOINT, SQT_NO_JOINT + 1, 0x10000000, UINT32_MAX};
    sqt_pose_block pose[3];
    memset(pose, 0xA5, sizeof pose);
    for (size_t i = 0; i < sizeof missed / sizeof missed[0]; ++i) {
        assert_same_transform(sqt_pose_get(pose + 1, missed[i]), identity);
        sqt_pose_set(pose + 1, missed[i], transform_of(3));
    }
    assert_bytes((const unsigned char *)pose, sizeof pose, 0xA5);
    assert_same_transform(sqt_pose_get(NULL, 0), identity);
    assert_same_transform(sqt_pose_get(NULL, SQT_NO_JOINT), identity);
    sqt_pose_set(NULL, 0, transform_of(3));
    sqt_pose_set(NULL, SQT_NO_JOINT, transform_of(3));
}

static void identity_fills_every_lane(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_COUNT; ++i) {
        const guarded_pose g = guarded_pose_make(counts[i], 0xFF);
        assert_int_equal(sqt_pose_identity(g.blocks, counts[i]), SQT_OK);
        for (uint32_t joint = 0; joint < counts[i]; ++joint)
            assert_same_transform(sqt_pose_get(g.blocks, joint), identity);
        assert_padding_is_identity(g.blocks, counts[i]);
        guarded_pose_end(g, 0xFF);
    }
}

static void pack_puts_every_component_where_the_layout_says(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_COUNT; ++i) {
        const uint32_t count = counts[i];
        // Exactly as long as the header says, so that a sanitizer sees a read behind the end.
        sqt_transform *const transforms = malloc(count ? count * sizeof *transforms : 1);
        assert_non_null(transforms);
        for (uint32_t joint = 0; joint < count; ++joint) transforms[joint] = transform_of(joint);
        const guarded_pose g = guarded_pose_make(count, 0xFF);
        assert_int_equal(sqt_pose_pack(g.blocks, transforms, count), SQT_OK);
        for (uint32_t joint = 0; joint < count; ++joint) {
            for (uint32_t c = 0; c < 10; ++c) assert_close(stored(g.blocks, joint, c), value_of(joint, c), 0);
        }
        assert_padding_is_identity(g.blocks, count);
        guarded_pose_end(g, 0xFF);
        free(transforms);
    }
}

static void unpack_gives_back_what_was_packed_and_writes_no_more(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_COUNT; ++i) {
        const uint32_t count = counts[i];
        const guarded_pose g = guarded_pose_make(count, 0xFF); // padding that must not be read into a result
        for (uint32_t joint = 0; joint < count; ++joint) sqt_pose_set(g.blocks, joint, transform_of(joint));
        sqt_transform *const transforms = malloc((count + 1) * sizeof *transforms);
        assert_non_null(transforms);
        memset(transforms, 0x5A, (count + 1) * sizeof *transforms);
        assert_int_equal(sqt_pose_unpack(transforms, g.blocks, count), SQT_OK);
        for (uint32_t joint = 0; joint < count; ++joint) assert_same_transform(transforms[joint], transform_of(joint));
        assert_bytes((const unsigned char *)(transforms + count), sizeof *transforms, 0x5A);
        free(transforms);
        guarded_pose_end(g, 0xFF);
    }
}

// Copies are of bits: signed zeros, denormals, infinities and NaN payloads survive, and a rotation is not normalised.
static void packing_keeps_every_bit(void **state) {
    (void)state;
    static const uint32_t bits[10] = {0x80000000u, 0x00000001u, 0x807FFFFFu, 0x7F7FFFFFu, 0x7F800000u,
                                      0xFF800000u, 0x7FC12345u, 0xFFC00001u, 0x3F800001u, 0x00800000u};
    sqt_transform in, out;
    _Static_assert(sizeof in == sizeof bits, "ten floats");
    memcpy(&in, bits, sizeof in);
    sqt_pose_block pose[1];
    assert_int_equal(sqt_pose_pack(pose, &in, 1), SQT_OK);
    assert_int_equal(sqt_pose_unpack(&out, pose, 1), SQT_OK);
    assert_memory_equal(&out, bits, sizeof out);
    sqt_pose_set(pose, 5, in);
    out = sqt_pose_get(pose, 5);
    assert_memory_equal(&out, bits, sizeof out);
}

static void equal_poses_are_equal_bytes_whatever_lay_there_before(void **state) {
    (void)state;
    enum { JOINTS = 21, BLOCKS = 2 };
    sqt_transform transforms[JOINTS];
    for (uint32_t joint = 0; joint < JOINTS; ++joint) transforms[joint] = transform_of(joint);
    sqt_pose_block a[BLOCKS], b[BLOCKS];
    memset(a, 0xFF, sizeof a);
    memset(b, 0x00, sizeof b);
    assert_int_equal(sqt_pose_pack(a, transforms, JOINTS), SQT_OK);
    assert_int_equal(sqt_pose_pack(b, transforms, JOINTS), SQT_OK);
    assert_memory_equal(a, b, sizeof a);
}

static void null_is_an_error_and_nothing_is_written(void **state) {
    (void)state;
    sqt_transform transforms[2];
    sqt_pose_block pose[1];
    memset(transforms, 0xA5, sizeof transforms);
    memset(pose, 0xA5, sizeof pose);
    for (uint32_t count = 0; count <= 2; ++count) {
        assert_int_equal(sqt_pose_identity(NULL, count), SQT_ERROR_NULL);
        assert_int_equal(sqt_pose_pack(NULL, transforms, count), SQT_ERROR_NULL);
        assert_int_equal(sqt_pose_pack(pose, NULL, count), SQT_ERROR_NULL);
        assert_int_equal(sqt_pose_unpack(NULL, pose, count), SQT_ERROR_NULL);
        assert_int_equal(sqt_pose_unpack(transforms, NULL, count), SQT_ERROR_NULL);
    }
    assert_bytes((const unsigned char *)transforms, sizeof transforms, 0xA5);
    assert_bytes((const unsigned char *)pose, sizeof pose, 0xA5);
}

static void too_many_joints_are_an_error_and_nothing_is_written(void **state) {
    (void)state;
    const uint32_t too_many[] = {SQT_MAX_JOINTS + 1, 0x80000000u, UINT32_MAX - 14, UINT32_MAX};
    sqt_transform transforms[2];
    sqt_pose_block pose[1];
    memset(transforms, 0xA5, sizeof transforms);
    memset(pose, 0xA5, sizeof pose);
    for (size_t i = 0; i < sizeof too_many / sizeof too_many[0]; ++i) {
        assert_int_equal(sqt_pose_identity(pose, too_many[i]), SQT_ERROR_COUNT);
        assert_int_equal(sqt_pose_pack(pose, transforms, too_many[i]), SQT_ERROR_COUNT);
        assert_int_equal(sqt_pose_unpack(transforms, pose, too_many[i]), SQT_ERROR_COUNT);
    }
    assert_bytes((const unsigned char *)transforms, sizeof transforms, 0xA5);
    assert_bytes((const unsigned char *)pose, sizeof pose, 0xA5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_ten_rows_of_sixteen_floats),
        cmocka_unit_test(block_counts_round_up),
        cmocka_unit_test(set_writes_one_lane_and_get_reads_it),
        cmocka_unit_test(get_and_set_reach_the_last_possible_joint),
        cmocka_unit_test(missed_look_ups_read_identity_and_write_nothing),
        cmocka_unit_test(identity_fills_every_lane),
        cmocka_unit_test(pack_puts_every_component_where_the_layout_says),
        cmocka_unit_test(unpack_gives_back_what_was_packed_and_writes_no_more),
        cmocka_unit_test(packing_keeps_every_bit),
        cmocka_unit_test(equal_poses_are_equal_bytes_whatever_lay_there_before),
        cmocka_unit_test(null_is_an_error_and_nothing_is_written),
        cmocka_unit_test(too_many_joints_are_an_error_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
