// Random glTF files (gltf_random.h) through `sqt eval`.
//
// usage: test_random read     every clip of every file comes out, of the right shape and in agreement with itself
//        test_random oracle   ... and agrees with the double-precision evaluator ../oracle/evaluate.py beside the
//        folder
//                             that SQT_ASSETS names
// SQT_RANDOM_FILES in the environment is another number of files than 60.
#include "eval_compare.h"

#include <stdlib.h>

#include "check.h"
#include "gltf_random.h"
#include "run_program.h"

enum { FILES = 60, FIRST_SEED = 1, MAX_ARGUMENTS = 16 + 2 * GLTF_RANDOM_MAX_TIMES };

static char oracle[1024];

static uint32_t file_count(void) {
    const char *const number = getenv("SQT_RANDOM_FILES");
    const int count = number ? atoi(number) : FILES;
    assert_true(count > 0);
    return (uint32_t)count;
}

/// The options that the tool and the evaluator share: FILE [--clip I --time S ...] --skin.
static void add_arguments(const char **arguments, size_t count, const gltf_random *made, int clip) {
    static char texts[GLTF_RANDOM_MAX_TIMES + 1][32];
    arguments[count++] = made->path;
    arguments[count++] = "--skin";
    if (clip >= 0) {
        snprintf(texts[GLTF_RANDOM_MAX_TIMES], sizeof texts[0], "%d", clip);
        arguments[count++] = "--clip";
        arguments[count++] = texts[GLTF_RANDOM_MAX_TIMES];
        for (uint32_t t = 0; t < made->time_counts[clip]; ++t) {
            snprintf(texts[t], sizeof texts[0], "%.9g", (double)made->times[clip][t]);
            arguments[count++] = "--time";
            arguments[count++] = texts[t];
        }
    }
    arguments[count] = NULL;
}

/// The document that a program prints; NULL, with a message, where it fails.
static cJSON *run_document(const char *const *arguments) {
    run_output output = run_program(arguments);
    cJSON *document = NULL;
    if (output.status == 0 && output.err_bytes == 0) {
        document = eval_parse(output.out, "the output");
    } else {
        print_error("exit status %d, standard error: %s\n", output.status, output.err);
    }
    if (!document) print_command(arguments);
    run_output_free(&output);
    return document;
}

static cJSON *run_sqt(const gltf_random *made, int clip) {
    const char *arguments[MAX_ARGUMENTS] = {SQT_TOOL, "eval", "--normals", "plain"};
    add_arguments(arguments, 4, made, clip);
    return run_document(arguments);
}

static bool agrees_with_oracle(const gltf_random *made, int clip, eval_counts *counts) {
    const char *arguments[MAX_ARGUMENTS] = {"python3", oracle};
    add_arguments(arguments, 2, made, clip);
    cJSON *const expected = run_document(arguments);
    cJSON *const actual = run_sqt(made, clip);
    cJSON *const gltf = eval_read_gltf(made->path);
    const bool same =
        expected && actual && gltf && eval_compare_structure(actual, expected, counts) &&
        (clip < 0 ? eval_compare_rest(actual, expected, gltf, counts)
                  : eval_compare_clip(actual, expected, cJSON_GetObjectItem(expected, "clips")->child, gltf, counts));
    if (!same) print_command(arguments);
    cJSON_Delete(expected);
    cJSON_Delete(actual);
    cJSON_Delete(gltf);
    return same;
}

static void random_files_agree_with_the_double_precision_evaluator(void **state) {
    (void)state;
    eval_counts sum = {0};
    uint32_t wrong = 0;
    const uint32_t count = file_count();
    print_message("seeds %d to %u\n", FIRST_SEED, FIRST_SEED + count - 1);
    for (uint32_t seed = FIRST_SEED; seed < FIRST_SEED + count; ++seed) {
        gltf_random made;
        gltf_random_write(&made, SQT_TEST_SCRATCH "/random_oracle", seed);
        const int clip = made.clip_count > 0 ? (int)(seed % made.clip_count) : -1;
        bool same = agrees_with_oracle(&made, clip, &sum);
        if (same && clip >= 0 && seed % 4 == 0) same = agrees_with_oracle(&made, -1, &sum);
        if (same) {
            gltf_random_remove(&made);
        } else {
            print_error("seed %u differs: %s\n", seed, made.path);
            ++wrong;
        }
    }
    eval_counts_print("random files", &sum);
    assert_int_equal(wrong, 0);
    assert_true(sum.local > 100 * count && sum.world > 100 * count && sum.skin > 100 * count);
    assert_true(sum.position > 10 * count && sum.normal > 10 * count);
}

static int array_size(const cJSON *object, const char *name) {
    const cJSON *const array = cJSON_GetObjectItem(object, name);
    return cJSON_IsArray(array) ? cJSON_GetArraySize(array) : -1;
}

// ---- without the evaluator: what the tool says of a file fits together, by formulas and indices of our own

static void read_matrix(double out[16], const cJSON **number) {
    for (int i = 0; i < 16; ++i, *number = (*number)->next) out[i] = (*number)->valuedouble;
}

static void multiply(double out[16], const double a[16], const double b[16]) {
    for (int i = 0; i < 16; ++i) {
        out[i] = 0;
        for (int k = 0; k < 4; ++k) out[i] += a[4 * k + i % 4] * b[i / 4 * 4 + k];
    }
}

/// T * R * S of translation, rotation and scale.
static void compose(double out[16], const double local[10]) {
    const double *const t = local, *const s = local + 7;
    const double x = local[3], y = local[4], z = local[5], w = local[6];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                                2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                                2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 12; ++i) out[i] = i % 4 == 3 ? 0 : rotation[3 * (i / 4) + i % 4] * s[i / 4];
    for (int i = 0; i < 3; ++i) out[12 + i] = t[i];
    out[15] = 1;
}

static void assert_same_matrix(const double a[16], const double b[16], const char *what, size_t index) {
    double largest = 1;
    for (int i = 0; i < 16; ++i) largest = fmax(largest, fabs(b[i]));
    for (int i = 0; i < 16; ++i) {
        if (check_close(a[i], b[i], 1e-5 * largest)) continue;
        print_error("%s %zu: element %d is %.9g, expected %.9g\n", what, index, i, a[i], b[i]);
        fail();
    }
}

/// world = world of the parent * T * R * S, with the children that the file lists; skin matrix k = world of the joint k
/// that the file lists * inverse bind matrix k.
static void check_sample(const cJSON *sample, const cJSON *document, const cJSON *gltf) {
    enum { MAX_NODES = 64 };
    static double world[MAX_NODES][16];
    int parents[MAX_NODES], count = 0;
    const cJSON *number = cJSON_GetObjectItem(sample, "world")->child;
    for (; number; ++count) {
        assert_true(count < MAX_NODES);
        read_matrix(world[count], &number);
        parents[count] = -1;
    }
    const cJSON *node, *child, *skin;
    int index = 0;
    cJSON_ArrayForEach(node, cJSON_GetObjectItem(gltf, "nodes")) {
        cJSON_ArrayForEach(child, cJSON_GetObjectItem(node, "children")) parents[child->valueint] = index;
        ++index;
    }
    number = cJSON_GetObjectItem(sample, "local")->child;
    for (int n = 0; n < count; ++n) {
        double local[10], matrix[16], expected[16];
        for (int i = 0; i < 10; ++i, number = number->next) local[i] = number->valuedouble;
        compose(matrix, local);
        if (parents[n] >= 0) multiply(expected, world[parents[n]], matrix);
        assert_same_matrix(world[n], parents[n] >= 0 ? expected : matrix, "world matrix", (size_t)n);
    }
    const cJSON *matrices = cJSON_GetObjectItem(sample, "skins")->child;
    const cJSON *listed = cJSON_GetObjectItem(document, "skins")->child;
    cJSON_ArrayForEach(skin, cJSON_GetObjectItem(gltf, "skins")) {
        const cJSON *bind = cJSON_GetObjectItem(listed, "ibm")->child, *joint;
        number = matrices->child;
        size_t k = 0;
        cJSON_ArrayForEach(joint, cJSON_GetObjectItem(skin, "joints")) {
            double inverse_bind[16], matrix[16], expected[16];
            read_matrix(inverse_bind, &bind);
            read_matrix(matrix, &number);
            multiply(expected, world[joint->valueint], inverse_bind);
            assert_same_matrix(matrix, expected, "skin matrix", k++);
        }
        assert_null(number);
        matrices = matrices->next;
        listed = listed->next;
    }
}

static void random_files_are_read_whole(void **state) {
    (void)state;
    const uint32_t count = file_count();
    print_message("seeds %d to %u\n", FIRST_SEED, FIRST_SEED + count - 1);
    for (uint32_t seed = FIRST_SEED; seed < FIRST_SEED + count; ++seed) {
        gltf_random made;
        gltf_random_write(&made, SQT_TEST_SCRATCH "/random_read", seed);
        cJSON *const gltf = eval_read_gltf(made.path);
        assert_non_null(gltf);
        for (int clip = -1; clip < (int)made.clip_count; ++clip) {
            cJSON *const document = run_sqt(&made, clip);
            if (!document) print_error("seed %u: %s\n", seed, made.path);
            assert_non_null(document);
            assert_int_equal(array_size(document, "nodes"), made.node_count);
            assert_int_equal(array_size(document, "skins"), made.skin_count);
            const cJSON *sample = cJSON_GetObjectItem(document, "rest");
            if (clip >= 0) {
                const cJSON *const samples =
                    cJSON_GetObjectItem(cJSON_GetObjectItem(document, "clips")->child, "samples");
                assert_int_equal(cJSON_GetArraySize(samples), made.time_counts[clip]);
                sample = samples->child;
            }
            for (; sample; sample = sample->next) {
                assert_int_equal(array_size(sample, "local"), 10 * (int)made.node_count);
                assert_int_equal(array_size(sample, "world"), 16 * (int)made.node_count);
                assert_int_equal(array_size(sample, "skins"), made.skin_count);
                check_sample(sample, document, gltf);
                if (clip < 0) break;
            }
            cJSON_Delete(document);
        }
        cJSON_Delete(gltf);
        gltf_random_remove(&made);
    }
}

int main(int argc, char **argv) {
    const bool with_oracle = argc == 2 && strcmp(argv[1], "oracle") == 0;
    if (argc != 2 || (!with_oracle && strcmp(argv[1], "read") != 0)) {
        fprintf(stderr, "usage: test_random read|oracle\n");
        return 2;
    }
    if (with_oracle) {
        const char *const assets = getenv("SQT_ASSETS");
        if (!assets) {
            puts("skipped: SQT_ASSETS does not name a folder with an evaluator beside it");
            return CHECK_SKIPPED;
        }
        snprintf(oracle, sizeof oracle, "%s/../oracle/evaluate.py", assets);
    }
    const struct CMUnitTest tests[] = {
        with_oracle ? (struct CMUnitTest)cmocka_unit_test(random_files_agree_with_the_double_precision_evaluator)
                    : (struct CMUnitTest)cmocka_unit_test(random_files_are_read_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
