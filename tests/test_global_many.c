// Many characters at once: the bits of one after another, for every number of them, on every instruction set.
#include "check_guard.h"
#include "check_matrix.h"
#include "check_pose.h"

enum { SEED = 0x3A2C, MOST_CHARACTERS = 70 };

static void *make(size_t count, size_t bytes) {
    void *const memory = malloc(count * bytes + 1);
    assert_non_null(memory);
    memset(memory, 0xFF, count * bytes);
    return memory;
}

static sqt_mat4 random_affine(check_random *random) {
    sqt_transform t = check_random_transform(random);
    t.scale.x = -t.scale.x;
    return sqt_mat4_from_transform(t);
}

/// A skeleton, a skin and characters with all that they can have.
typedef struct crowd {
    check_tree tree;
    sqt_skin skin;
    uint16_t *joints;
    sqt_mat4 *inverse_bind;
    uint32_t count;
    sqt_pose_block *locals;
    sqt_mat4 *roots, *worlds;
    sqt_mat4 *globals, *palettes; ///< [count * joint_count], [count * palette]
    sqt_mat3x4 *rows;
    sqt_global_character characters[MOST_CHARACTERS];
} crowd;

enum { LISTED = 1, BOUND = 2 };

/// @param palette_count LISTED: entries in any order, with repeats; else at most joint_count.
static crowd crowd_make(check_tree tree, uint32_t count, uint32_t palette_count, uint32_t traits,
                        check_random *random) {
    crowd c = {.tree = tree, .count = count};
    const uint32_t joint_count = tree.skeleton.joint_count;
    const size_t blocks = SQT_POSE_BLOCKS(joint_count);
    c.joints = make(palette_count, sizeof *c.joints);
    c.inverse_bind = make(palette_count, sizeof *c.inverse_bind);
    for (uint32_t k = 0; k < palette_count; ++k) {
        c.joints[k] = (uint16_t)check_random_below(random, joint_count);
        c.inverse_bind[k] = random_affine(random);
    }
    assert_int_equal(sqt_skin_init(&c.skin, &tree.skeleton, traits & LISTED ? c.joints : NULL, palette_count,
                                   traits & BOUND ? c.inverse_bind : NULL, NULL),
                     SQT_OK);
    c.locals = make(count * blocks, sizeof *c.locals);
    c.roots = make(count, sizeof *c.roots);
    c.worlds = make(count, sizeof *c.worlds);
    c.globals = make((size_t)count * joint_count, sizeof *c.globals);
    c.palettes = make((size_t)count * palette_count, sizeof *c.palettes);
    c.rows = make((size_t)count * palette_count, sizeof *c.rows);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < joint_count; ++j) {
            sqt_transform t = check_random_transform(random);
            if (check_random_below(random, 2)) t.scale = (sqt_vec3){1, 1, 1};
            if (check_random_below(random, 8) == 0) t.rotation = (sqt_quat){0, -0.0f, 0, 1};
            if (check_random_below(random, 8) == 0) t.translation = (sqt_vec3){-0.0f, 0, -0.0f};
            sqt_pose_set(c.locals + i * blocks, j, t);
        }
        c.roots[i] = random_affine(random);
        c.worlds[i] = random_affine(random);
    }
    return c;
}

static void crowd_free(crowd *c) {
    void *const parts[] = {c->joints, c->inverse_bind, c->locals,   c->roots,
                           c->worlds, c->globals,      c->palettes, c->rows};
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; ++i) free(parts[i]);
    check_tree_free(&c->tree);
}

/// What a character has and wants: bits.
enum { ROOT = 1, WORLD = 2, GLOBAL = 4, PALETTE = 8, ROWS = 16, ALL_WANTS = 31 };

static void set_wants(crowd *c, uint32_t i, uint32_t wants) {
    const uint32_t joint_count = c->tree.skeleton.joint_count, palette_count = c->skin.joint_count;
    c->characters[i] = (sqt_global_character){
        c->locals + i * (size_t)SQT_POSE_BLOCKS(joint_count),
        wants & ROOT ? c->roots + i : NULL,
        wants & WORLD ? c->worlds + i : NULL,
        wants & GLOBAL ? c->globals + (size_t)i * joint_count : NULL,
        wants & PALETTE ? c->palettes + (size_t)i * palette_count : NULL,
        wants & ROWS ? c->rows + (size_t)i * palette_count : NULL,
    };
}

static void forget_outputs(crowd *c) {
    memset(c->globals, 0xFF, (size_t)c->count * c->tree.skeleton.joint_count * sizeof *c->globals);
    memset(c->palettes, 0xFF, (size_t)c->count * c->skin.joint_count * sizeof *c->palettes);
    memset(c->rows, 0xFF, (size_t)c->count * c->skin.joint_count * sizeof *c->rows);
}

/// Fails unless every output has the bits of the functions for one, or is untouched where it was not wanted.
static void assert_as_one_by_one(const crowd *c, const sqt_skeleton *skeleton) {
    const uint32_t whole = c->tree.skeleton.joint_count, palette_count = c->skin.joint_count;
    sqt_mat4 *const global = make(whole, sizeof *global), *const palette = make(palette_count, sizeof *palette);
    sqt_mat3x4 *const rows = make(palette_count, sizeof *rows);
    for (uint32_t i = 0; i < c->count; ++i) {
        const sqt_global_character *const one = c->characters + i;
        memset(global, 0xFF, whole * sizeof *global);
        assert_int_equal(sqt_global_from_local(global, skeleton, one->local, one->root), SQT_OK);
        assert_int_equal(sqt_skin_palette(palette, skeleton, &c->skin, global, one->model_to_world), SQT_OK);
        assert_int_equal(sqt_skin_palette_3x4(rows, skeleton, &c->skin, global, one->model_to_world), SQT_OK);
        if (!one->global) memset(global, 0xFF, whole * sizeof *global);
        if (!one->palette) memset(palette, 0xFF, palette_count * sizeof *palette);
        if (!one->palette_3x4) memset(rows, 0xFF, palette_count * sizeof *rows);
        assert_memory_equal(c->globals + (size_t)i * whole, global, whole * sizeof *global);
        assert_memory_equal(c->palettes + (size_t)i * palette_count, palette, palette_count * sizeof *palette);
        assert_memory_equal(c->rows + (size_t)i * palette_count, rows, palette_count * sizeof *rows);
    }
    free(global);
    free(palette);
    free(rows);
}

/// With memory of exactly the size, at any address, between bytes that nobody may touch.
static void run(crowd *c, const sqt_skeleton *skeleton, const sqt_skin *skin, check_random *random) {
    const size_t bytes = sqt_global_many_bytes(skeleton, skin);
    const size_t offset = check_random_below(random, 70), margin = 80;
    unsigned char *const memory = make(offset + bytes + margin, 1);
    assert_int_equal(sqt_global_many(c->characters, skeleton, skin, c->count, memory + offset, bytes), SQT_OK);
    for (size_t i = 0; i < offset; ++i) assert_int_equal(memory[i], 0xFF);
    for (size_t i = offset + bytes; i < offset + bytes + margin; ++i) assert_int_equal(memory[i], 0xFF);
    free(memory);
}

static void every_set(crowd *c, const sqt_skeleton *skeleton, const sqt_skin *skin, check_random *random) {
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_cap(isa) != isa) continue;
        forget_outputs(c);
        run(c, skeleton, skin, random);
        assert_as_one_by_one(c, skeleton);
    }
    sqt_isa_cap(SQT_ISA_BEST);
}

static void any_number_of_characters_has_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED};
    for (uint32_t count = 1; count <= MOST_CHARACTERS; count += count < 34 ? 1 : 9) {
        const uint32_t joint_count = 1 + check_random_below(&random, 70), traits = check_random_below(&random, 4);
        const uint32_t palette = 1 + check_random_below(&random, traits & LISTED ? 100 : joint_count);
        crowd c = crowd_make(check_tree_random(joint_count, &random), count, palette, traits, &random);
        const uint32_t wants = check_random_below(&random, ALL_WANTS + 1);
        for (uint32_t i = 0; i < count; ++i) set_wants(&c, i, wants);
        every_set(&c, &c.tree.skeleton, &c.skin, &random);
        crowd_free(&c);
    }
}

static void any_outputs_and_inputs_have_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED + 1};
    for (uint32_t wants = 0; wants <= ALL_WANTS; ++wants) {
        for (uint32_t traits = 0; traits < 4; ++traits) {
            crowd c = crowd_make(check_tree_random(37, &random), 21, traits & LISTED ? 50 : 30, traits, &random);
            for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, wants);
            every_set(&c, &c.tree.skeleton, &c.skin, &random);
            crowd_free(&c);
        }
    }
}

/// Where nothing else is scaled, scales are not looked at again.
static void one_scale_of_one_joint_of_one_character_counts(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    const uint32_t joint_count = 35, blocks = SQT_POSE_BLOCKS(joint_count);
    crowd c = crowd_make(check_tree_random(joint_count, &random), 16, joint_count, BOUND, &random);
    for (uint32_t i = 0; i < c.count; ++i) {
        for (uint32_t j = 0; j < blocks * SQT_POSE_LANES; ++j) {
            sqt_transform t = sqt_pose_get(c.locals + i * blocks, j);
            if (j >= joint_count) t = (sqt_transform)SQT_TRANSFORM_IDENTITY;
            t.scale = (sqt_vec3){1, 1, 1};
            sqt_pose_set(c.locals + i * blocks, j, t);
        }
        set_wants(&c, i, PALETTE);
    }
    every_set(&c, &c.tree.skeleton, &c.skin, &random);
    for (uint32_t round = 0; round < 3 * joint_count; ++round) {
        sqt_pose_block *const pose = c.locals + round % c.count * blocks;
        const uint32_t joint = round / 3;
        const sqt_transform before = sqt_pose_get(pose, joint);
        sqt_transform t = before;
        float *const scales[] = {&t.scale.x, &t.scale.y, &t.scale.z};
        *scales[round % 3] = round % 2 ? 2.0f : 0.5f;
        sqt_pose_set(pose, joint, t);
        every_set(&c, &c.tree.skeleton, &c.skin, &random);
        sqt_pose_set(pose, joint, before);
    }
    crowd_free(&c);
}

static void characters_that_want_different_things_have_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED + 2};
    for (uint32_t round = 0; round < 30; ++round) {
        crowd c = crowd_make(check_tree_random(20, &random), 1 + check_random_below(&random, MOST_CHARACTERS), 20,
                             round % 4, &random);
        for (uint32_t i = 0, wants = ALL_WANTS; i < c.count; ++i) { // in stretches
            if (check_random_below(&random, round % 3 ? 20 : 4) == 0) {
                wants = check_random_below(&random, ALL_WANTS + 1);
            }
            set_wants(&c, i, wants);
        }
        every_set(&c, &c.tree.skeleton, &c.skin, &random);
        crowd_free(&c);
    }
}

static void every_shape_of_tree_has_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED + 3};
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 15, 16, 17, 67, 130, 300};
    for (uint32_t shape = 0; shape < 6; ++shape) {
        for (uint32_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
            const uint32_t n = counts[i];
            check_tree tree = check_tree_make(n);
            for (uint32_t j = 1; j < n; ++j) {
                const uint32_t parents[6] = {
                    j - 1, 0, (j - 1) / 2, SQT_NO_JOINT, j < 5 ? 0u : j - 5, j % 7 ? j - 1 : (j - 1) / 3};
                tree.joints[j].parent = parents[shape];
            }
            check_tree_build(&tree);
            crowd c = crowd_make(tree, 17, n, BOUND, &random);
            for (uint32_t k = 0; k < c.count; ++k) set_wants(&c, k, GLOBAL | ROWS);
            every_set(&c, &c.tree.skeleton, &c.skin, &random);
            crowd_free(&c);
        }
    }
}

static void a_level_of_detail_has_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED + 4};
    crowd c = crowd_make(check_tree_random(60, &random), 16, 25, LISTED | BOUND, &random);
    for (uint32_t k = 0; k < 25; ++k) c.joints[k] = (uint16_t)check_random_below(&random, 9);
    assert_int_equal(sqt_skin_init(&c.skin, &c.tree.skeleton, c.joints, 25, c.inverse_bind, NULL), SQT_OK);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, ALL_WANTS);
    sqt_skeleton detail = c.tree.skeleton;
    for (detail.joint_count = 9; detail.joint_count <= 60; ++detail.joint_count) {
        every_set(&c, &detail, &c.skin, &random);
    }
    crowd_free(&c);
}

static void how_a_crowd_is_cut_does_not_matter(void **state) {
    (void)state;
    check_random random = {SEED + 5};
    crowd c = crowd_make(check_tree_random(40, &random), MOST_CHARACTERS, 40, BOUND, &random);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, ALL_WANTS);
    const size_t bytes = sqt_global_many_bytes(&c.tree.skeleton, &c.skin);
    void *const memory = make(bytes, 1);
    for (uint32_t round = 0; round < 20; ++round) {
        forget_outputs(&c);
        for (uint32_t first = 0; first < c.count;) {
            const uint32_t left = c.count - first, part = 1 + check_random_below(&random, 40);
            const uint32_t count = part < left ? part : left;
            assert_int_equal(sqt_global_many(c.characters + first, &c.tree.skeleton, &c.skin, count, memory, bytes),
                             SQT_OK);
            first += count;
        }
        assert_as_one_by_one(&c, &c.tree.skeleton);
    }
    free(memory);
    crowd_free(&c);
}

static void characters_agree_with_double_precision(void **state) {
    (void)state;
    check_random random = {SEED + 6};
    crowd c = crowd_make(check_tree_random(30, &random), 33, 30, BOUND, &random);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, ALL_WANTS);
    run(&c, &c.tree.skeleton, &c.skin, &random);
    for (uint32_t i = 0; i < c.count; ++i) {
        check_dmat exact[30];
        for (uint32_t j = 0; j < 30; ++j) {
            const uint32_t parent = c.tree.skeleton.parents[j];
            const check_dmat above = parent == SQT_NO_JOINT ? check_dmat_of(c.roots[i]) : exact[parent];
            exact[j] = check_dmat_multiply(above, check_dmat_from_transform(sqt_pose_get(c.characters[i].local, j)));
            const check_dmat skin = check_dmat_multiply(
                check_dmat_of(c.worlds[i]), check_dmat_multiply(exact[j], check_dmat_of(c.inverse_bind[j])));
            const double size = 1 + check_dmat_size(skin, false), reach = size + check_dmat_size(skin, true);
            check_assert_matrix(c.characters[i].palette[j], skin, 1e-5 * size, 2e-5 * reach, j);
        }
    }
    crowd_free(&c);
}

static void only_what_was_given_is_read(void **state) {
    (void)state; // poses and matrices end where a page begins that nobody may touch
    check_random random = {SEED + 7};
    enum { COUNT = 16 };
    check_guard poses[COUNT], globals[COUNT], rows[COUNT], palettes[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        poses[i] = check_guard_make(8 * sizeof(sqt_pose_block));
        globals[i] = check_guard_make(70 * sizeof(sqt_mat4));
        palettes[i] = check_guard_make(70 * sizeof(sqt_mat4));
        rows[i] = check_guard_make(70 * sizeof(sqt_mat3x4));
    }
    for (uint32_t n = 1; n <= 70; ++n) {
        crowd c = crowd_make(check_tree_random(n, &random), COUNT, n, BOUND, &random);
        const size_t pose_bytes = SQT_POSE_BLOCKS(n) * sizeof(sqt_pose_block);
        for (uint32_t i = 0; i < COUNT; ++i) {
            set_wants(&c, i, ALL_WANTS);
            sqt_pose_block *const local = check_guard_take(poses + i, pose_bytes);
            memcpy(local, c.characters[i].local, pose_bytes);
            c.characters[i].local = local;
            c.characters[i].global = check_guard_take(globals + i, n * sizeof(sqt_mat4));
            c.characters[i].palette = check_guard_take(palettes + i, n * sizeof(sqt_mat4));
            c.characters[i].palette_3x4 = check_guard_take(rows + i, n * sizeof(sqt_mat3x4));
        }
        run(&c, &c.tree.skeleton, &c.skin, &random);
        for (uint32_t i = 0; i < COUNT; ++i) {
            check_guard_assert_before(poses + i, pose_bytes);
            check_guard_assert_before(globals + i, n * sizeof(sqt_mat4));
            check_guard_assert_before(palettes + i, n * sizeof(sqt_mat4));
            check_guard_assert_before(rows + i, n * sizeof(sqt_mat3x4));
        }
        crowd_free(&c);
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        check_guard_free(poses + i);
        check_guard_free(globals + i);
        check_guard_free(palettes + i);
        check_guard_free(rows + i);
    }
}

static void no_skin_is_needed_where_no_palette_is_wanted(void **state) {
    (void)state;
    check_random random = {SEED + 8};
    crowd c = crowd_make(check_tree_random(25, &random), 20, 25, 0, &random);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, GLOBAL | ROOT);
    every_set(&c, &c.tree.skeleton, NULL, &random);
    crowd_free(&c);
}

static void the_memory_of_a_humanoid_is_small(void **state) {
    (void)state;
    const sqt_transform identity = SQT_TRANSFORM_IDENTITY;
    check_tree chain = check_tree_chain(67, identity);
    assert_true(sqt_global_many_bytes(&chain.skeleton, NULL) < 6000);
    assert_int_equal(sqt_global_many_bytes(NULL, NULL), 0);
    sqt_skeleton wrong = chain.skeleton;
    wrong.joint_count = 0;
    assert_int_equal(sqt_global_many_bytes(&wrong, NULL), 0);
    wrong.joint_count = SQT_MAX_JOINTS + 1;
    assert_int_equal(sqt_global_many_bytes(&wrong, NULL), 0);
    check_tree_free(&chain);
}

static void the_largest_skeleton_has_the_bits_of_one_by_one(void **state) {
    (void)state;
    check_random random = {SEED + 10};
    check_tree tree = check_tree_make(SQT_MAX_JOINTS);
    for (uint32_t j = 1; j < SQT_MAX_JOINTS; ++j) tree.joints[j].parent = (j - 1) / 2;
    check_tree_build(&tree);
    crowd c = crowd_make(tree, 6, 3, LISTED, &random);
    c.joints[1] = SQT_MAX_JOINTS - 1;
    assert_int_equal(sqt_skin_init(&c.skin, &c.tree.skeleton, c.joints, 3, NULL, NULL), SQT_OK);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, GLOBAL | PALETTE);
    run(&c, &c.tree.skeleton, &c.skin, &random);
    assert_as_one_by_one(&c, &c.tree.skeleton);
    crowd_free(&c);
}

static void wrong_arguments_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    check_random random = {SEED + 11};
    crowd c = crowd_make(check_tree_random(25, &random), 20, 25, BOUND, &random);
    for (uint32_t i = 0; i < c.count; ++i) set_wants(&c, i, ALL_WANTS);
    const sqt_skeleton *const rig = &c.tree.skeleton;
    const size_t bytes = sqt_global_many_bytes(rig, &c.skin);
    void *const memory = make(bytes, 1);
    assert_int_equal(sqt_global_many(NULL, rig, &c.skin, 20, memory, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_many(c.characters, NULL, &c.skin, 20, memory, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_many(c.characters, rig, NULL, 20, memory, bytes), SQT_ERROR_NULL);
    assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 20, NULL, bytes), SQT_ERROR_NULL);
    c.characters[19].local = NULL;
    assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 20, memory, bytes), SQT_ERROR_NULL);
    set_wants(&c, 19, ALL_WANTS);
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_cap(isa) != isa) continue;
        const size_t less[] = {0, 1, bytes / 2, bytes - 1};
        for (uint32_t i = 0; i < 4; ++i) {
            assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 20, memory, less[i]), SQT_ERROR_SPACE);
            assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 1, memory, less[i]), SQT_ERROR_SPACE);
        }
    }
    sqt_isa_cap(SQT_ISA_BEST);
    sqt_skin other = c.skin;
    other.rig_hash ^= 1;
    assert_int_equal(sqt_global_many(c.characters, rig, &other, 20, memory, bytes), SQT_ERROR_RIG);
    other = c.skin;
    other.joint_limit = 26;
    assert_int_equal(sqt_global_many(c.characters, rig, &other, 20, memory, bytes), SQT_ERROR_COUNT);
    other.joint_limit = 24; // below its own list
    assert_int_equal(sqt_global_many(c.characters, rig, &other, 20, memory, bytes), SQT_ERROR_COUNT);
    static const uint32_t counts[] = {0, SQT_MAX_JOINTS + 1, ~0u};
    for (uint32_t i = 0; i < 3; ++i) {
        sqt_skeleton wrong = *rig;
        wrong.joint_count = counts[i];
        assert_int_equal(sqt_global_many(c.characters, &wrong, &c.skin, 20, memory, bytes), SQT_ERROR_COUNT);
    }
    const unsigned char *const outputs[] = {(const unsigned char *)c.globals, (const unsigned char *)c.palettes,
                                            (const unsigned char *)c.rows};
    for (uint32_t i = 0; i < 3; ++i) {
        for (size_t k = 0; k < (size_t)c.count * 25 * sizeof(sqt_mat3x4); ++k) assert_int_equal(outputs[i][k], 0xFF);
    }
    assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 0, memory, bytes), SQT_OK);
    assert_int_equal(sqt_global_many(NULL, rig, &c.skin, 0, NULL, 0), SQT_OK);
    assert_int_equal(outputs[0][0], 0xFF);
    assert_int_equal(sqt_global_many(c.characters, rig, &c.skin, 20, memory, bytes), SQT_OK);
    free(memory);
    crowd_free(&c);
}

int main(void) {
    print_message("seed 0x%X, kernels %s\n", SEED, sqt_isa_name(sqt_isa_current()));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_characters_has_the_bits_of_one_by_one),
        cmocka_unit_test(any_outputs_and_inputs_have_the_bits_of_one_by_one),
        cmocka_unit_test(one_scale_of_one_joint_of_one_character_counts),
        cmocka_unit_test(characters_that_want_different_things_have_the_bits_of_one_by_one),
        cmocka_unit_test(every_shape_of_tree_has_the_bits_of_one_by_one),
        cmocka_unit_test(a_level_of_detail_has_the_bits_of_one_by_one),
        cmocka_unit_test(how_a_crowd_is_cut_does_not_matter),
        cmocka_unit_test(characters_agree_with_double_precision),
        cmocka_unit_test(only_what_was_given_is_read),
        cmocka_unit_test(no_skin_is_needed_where_no_palette_is_wanted),
        cmocka_unit_test(the_memory_of_a_humanoid_is_small),
        cmocka_unit_test(the_largest_skeleton_has_the_bits_of_one_by_one),
        cmocka_unit_test(wrong_arguments_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
