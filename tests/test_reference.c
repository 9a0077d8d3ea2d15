// `sqt eval` against reference values of an independent double-precision evaluator, for every clip and time that the
// references list.
//
// usage: test_reference data   the files in tests/data
//        test_reference real   the files in the folder that SQT_ASSETS names, references in ../reference beside it
#define _POSIX_C_SOURCE 200809L
#include "eval_compare.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "run_program.h"

enum { MAX_FILES = 256, MAX_TIMES = 64, PATH_BYTES = 1024 };

static const char *asset_folder, *reference_folder;

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

/// The references of glTF files, sorted: NAME.norm.json where there is one, since the tool normalises rotations.
static size_t list_references(char (*names)[PATH_BYTES]) {
    DIR *const folder = opendir(reference_folder);
    if (!folder) print_error("%s cannot be listed\n", reference_folder);
    assert_non_null(folder);
    size_t count = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *const name = entry->d_name;
        if (!ends_with(name, ".json") || ends_with(name, ".norm.json") || ends_with(name, ".bvh.json") ||
            ends_with(name, ".blend.json")) {
            continue;
        }
        assert_true(count < MAX_FILES);
        char normalised[PATH_BYTES];
        const int stem = (int)(strlen(name) - strlen(".json"));
        snprintf(normalised, sizeof normalised, "%s/%.*s.norm.json", reference_folder, stem, name);
        char *const text = read_whole_file(normalised, NULL);
        snprintf(names[count++], PATH_BYTES, "%.*s%s", stem, name, text ? ".norm.json" : ".json");
        free(text);
    }
    closedir(folder);
    qsort(names, count, sizeof names[0], compare_names);
    return count;
}

/// Every instruction set gives the same bytes.
static bool same_on_every_set(const char **arguments, size_t count, const run_output *usual) {
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa)) continue;
        arguments[count] = "--isa";
        arguments[count + 1] = sqt_isa_name(isa);
        arguments[count + 2] = NULL;
        run_output output = run_program(arguments);
        const bool same = output.status == 0 && output.out_bytes == usual->out_bytes &&
                          memcmp(output.out, usual->out, usual->out_bytes) == 0;
        run_output_free(&output);
        if (!same) {
            print_error("another result with --isa %s\n", sqt_isa_name(isa));
            return false;
        }
    }
    return true;
}

/// One run of the tool, for one clip (all its times) or, with clip NULL, for the rest pose.
///
/// @param every_set whether to run it again on every instruction set.
static bool compare_run(const char *path, const cJSON *expected, const cJSON *clip, const cJSON *gltf, bool every_set,
                        eval_counts *counts) {
    const char *arguments[16 + 2 * MAX_TIMES] = {SQT_TOOL, "eval", path, "--normals", "plain", "--skin"};
    static char texts[MAX_TIMES + 1][32];
    size_t count = 6;
    if (clip) {
        snprintf(texts[MAX_TIMES], sizeof texts[0], "%d", (int)cJSON_GetObjectItem(clip, "index")->valuedouble);
        arguments[count++] = "--clip";
        arguments[count++] = texts[MAX_TIMES];
        size_t time = 0;
        const cJSON *sample;
        cJSON_ArrayForEach(sample, cJSON_GetObjectItem(clip, "samples")) {
            assert_true(time < MAX_TIMES);
            snprintf(texts[time], sizeof texts[0], "%.9g", cJSON_GetObjectItem(sample, "t")->valuedouble);
            arguments[count++] = "--time";
            arguments[count++] = texts[time++];
        }
    }
    arguments[count] = NULL;
    run_output output = run_program(arguments);
    bool same = output.status == 0 && output.err_bytes == 0;
    if (!same) print_error("exit status %d, standard error: %s\n", output.status, output.err);
    cJSON *const actual = same ? eval_parse(output.out, "the output") : NULL;
    same = actual && eval_compare_structure(actual, expected, counts) &&
           (clip ? eval_compare_clip(actual, expected, clip, gltf, counts)
                 : eval_compare_rest(actual, expected, gltf, counts)) &&
           (!every_set || same_on_every_set(arguments, count, &output));
    if (!same) print_command(arguments);
    cJSON_Delete(actual);
    run_output_free(&output);
    return same;
}

static bool compare_reference(const char *name, eval_counts *sum) {
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", reference_folder, name);
    char *const text = read_whole_file(path, NULL);
    assert_non_null(text);
    cJSON *const expected = eval_parse(text, path);
    free(text);
    assert_non_null(expected);
    snprintf(path, sizeof path, "%s/%s", asset_folder, cJSON_GetObjectItem(expected, "file")->valuestring);
    cJSON *const gltf = eval_read_gltf(path);
    eval_counts counts = {0};
    bool same = gltf != NULL;
    if (same && cJSON_GetObjectItem(expected, "rest")) same = compare_run(path, expected, NULL, gltf, true, &counts);
    const cJSON *clip;
    bool first = true; // one clip a file goes through every set
    cJSON_ArrayForEach(clip, cJSON_GetObjectItem(expected, "clips")) {
        if (same) same = compare_run(path, expected, clip, gltf, first, &counts);
        first = false;
    }
    eval_counts_print(name, &counts);
    // A comparison that found nothing to compare has not passed.
    if (same && (counts.local == 0 || counts.world == 0 ||
                 (cJSON_GetArraySize(cJSON_GetObjectItem(expected, "skins")) > 0 && counts.skin == 0) ||
                 (cJSON_GetArraySize(cJSON_GetObjectItem(expected, "prims")) > 0 && counts.position == 0))) {
        print_error("%s: nothing was compared\n", name);
        same = false;
    }
    eval_counts_add(sum, &counts);
    cJSON_Delete(gltf);
    cJSON_Delete(expected);
    return same;
}

static void every_clip_and_time_agrees_with_the_reference(void **state) {
    (void)state;
    static char names[MAX_FILES][PATH_BYTES];
    const size_t count = list_references(names);
    eval_counts sum = {0};
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        if (compare_reference(names[i], &sum)) continue;
        print_error("%s differs\n", names[i]);
        ++wrong;
    }
    eval_counts_print("all files", &sum);
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
    assert_true(sum.local > 0 && sum.world > 0 && sum.skin > 0 && sum.position > 0 && sum.normal > 0);
}

int main(int argc, char **argv) {
    static char beside[PATH_BYTES];
    if (argc == 2 && strcmp(argv[1], "data") == 0) {
        asset_folder = reference_folder = SQT_TEST_DATA;
    } else if (argc == 2 && strcmp(argv[1], "real") == 0) {
        asset_folder = getenv("SQT_ASSETS");
        if (!asset_folder) {
            puts("skipped: SQT_ASSETS does not name a folder of real files");
            return CHECK_SKIPPED;
        }
        snprintf(beside, sizeof beside, "%s/../reference", asset_folder);
        reference_folder = beside;
    } else {
        fprintf(stderr, "usage: test_reference data|real\n");
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clip_and_time_agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
