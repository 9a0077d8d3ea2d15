// The command line of the tool: what it takes, what it refuses, and with which exit status.
#include "eval_compare.h"

#include <stdlib.h>

#include "check.h"
#include "run_program.h"

#define KEYS SQT_TEST_DATA "/synth_keys.gltf"           // clips "mixed ranges" and "late start", no skin
#define QUANTIZED SQT_TEST_DATA "/synth_quantized.gltf" // one clip, one skin, normals

enum { MAX_ARGUMENTS = 24 };

/// Runs the tool with arguments that end with NULL.
static run_output run_sqt(const char *const *arguments) {
    const char *line[MAX_ARGUMENTS + 2] = {SQT_TOOL};
    size_t count = 0;
    while (arguments[count]) {
        assert_true(count < MAX_ARGUMENTS);
        line[count + 1] = arguments[count];
        ++count;
    }
    return run_program(line);
}

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define eval_document(...) check_document(ARGUMENTS("eval", __VA_ARGS__))

/// The document of a run that must succeed.
static cJSON *check_document(const char *const *arguments) {
    run_output output = run_sqt(arguments);
    if (output.status != 0) print_error("exit status %d: %s\n", output.status, output.err);
    assert_int_equal(output.status, 0);
    assert_int_equal(output.err_bytes, 0);
    cJSON *const document = eval_parse(output.out, "the output");
    assert_non_null(document);
    // One document and a line's end, nothing else.
    assert_int_equal(output.out[output.out_bytes - 1], '\n');
    run_output_free(&output);
    return document;
}

#define assert_same_output(a, b) check_same_output((a), (b), __FILE__, __LINE__)

static void check_same_output(const char *const *a, const char *const *b, const char *file, int line) {
    run_output first = run_sqt(a), second = run_sqt(b);
    const bool same = first.status == 0 && second.status == 0 && first.out_bytes > 0 &&
                      first.out_bytes == second.out_bytes && memcmp(first.out, second.out, first.out_bytes) == 0;
    if (!same) {
        print_command(a);
        print_command(b);
        print_error("do not print the same: %s%s\n", first.err, second.err);
    }
    run_output_free(&first);
    run_output_free(&second);
    if (!same) _fail(file, line);
}

#define assert_refused(word, ...) check_refused(ARGUMENTS(__VA_ARGS__), (word), __FILE__, __LINE__)

/// Exit status 2, nothing on standard output, one line on standard error that repeats the word at fault.
static void check_refused(const char *const *arguments, const char *word, const char *file, int line) {
    run_output output = run_sqt(arguments);
    const char *const end = strchr(output.err, '\n');
    const bool right = output.status == 2 && output.out_bytes == 0 && end && end > output.err && end[1] == '\0' &&
                       strstr(output.err, word);
    if (!right) {
        print_command(arguments);
        print_error("exit status %d, %zu bytes on standard output, standard error (to name %s): %s\n", output.status,
                    output.out_bytes, word, output.err);
    }
    run_output_free(&output);
    if (!right) _fail(file, line);
}

static const cJSON *first_clip(const cJSON *document) {
    const cJSON *const clips = cJSON_GetObjectItem(document, "clips");
    assert_true(cJSON_IsArray(clips) && cJSON_GetArraySize(clips) == 1);
    return clips->child;
}

static const cJSON *sample_of(const cJSON *document, int index) {
    const cJSON *const sample = cJSON_GetArrayItem(cJSON_GetObjectItem(first_clip(document), "samples"), index);
    assert_non_null(sample);
    return sample;
}

static double time_of(const cJSON *document, int index) {
    const cJSON *const time = cJSON_GetObjectItem(sample_of(document, index), "t");
    assert_true(cJSON_IsNumber(time));
    return time->valuedouble;
}

static void unknown_arguments_are_refused(void **state) {
    (void)state;
    assert_refused("subcommand", "frobnicate");
    assert_refused("subcommand", "frobnicate", KEYS);
    assert_refused("--frobnicate", "eval", KEYS, "--frobnicate");
    assert_refused("--frobnicate", "info", KEYS, "--frobnicate");
    assert_refused("-x", "eval", "-x", KEYS);
    assert_refused("--tim", "eval", KEYS, "--tim", "0");
    assert_refused("--json", "eval", KEYS, "--json");
    assert_refused("--skin", "info", KEYS, "--skin");
    assert_refused("--normals", "eval", KEYS, "--normals");
    assert_refused("flat", "eval", KEYS, "--normals", "flat");
    assert_refused("synth_quantized", "eval", KEYS, QUANTIZED);
    assert_refused("synth_quantized", "info", KEYS, QUANTIZED);
}

static void without_arguments_the_usage_goes_to_standard_error(void **state) {
    (void)state;
    run_output output = run_sqt((const char *const[]){NULL});
    assert_int_equal(output.status, 2);
    assert_int_equal(output.out_bytes, 0);
    assert_non_null(strstr(output.err, "eval"));
    assert_non_null(strstr(output.err, "info"));
    run_output_free(&output);
}

static void times_that_are_no_finite_numbers_are_refused(void **state) {
    (void)state;
    static const char *const times[] = {"x",     "",     " ",    "nan",    "NaN",  "-nan", "inf", "-inf", "infinity",
                                        "1e999", "1e39", "1.5s", "0.5 .5", "0,5x", "--",   "1e",  "0x",   "1.2.3"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        assert_refused("--time", "eval", KEYS, "--clip", "0", "--time", times[i]);
    }
    assert_refused("--time", "eval", KEYS, "--clip", "0", "--time", "0", "--time", "nan");
    assert_refused("--time", "eval", KEYS, "--clip", "0", "--time");
}

static void clips_that_are_not_there_are_refused(void **state) {
    (void)state;
    static const char *const clips[] = {"2",
                                        "99",
                                        "4294967296",
                                        "18446744073709551616",
                                        "99999999999999999999999",
                                        "no such clip",
                                        "Mixed Ranges",
                                        "mixed",
                                        "late start ",
                                        "-1",
                                        "+1",
                                        "0x0"};
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; ++i) {
        assert_refused(clips[i], "eval", KEYS, "--clip", clips[i]);
    }
    assert_refused("--clip", "eval", KEYS, "--clip");
    assert_refused("clip", "eval", KEYS, "--clip", "");
}

static void instruction_sets_that_are_unknown_or_unavailable_are_refused(void **state) {
    (void)state;
    static const char *const unknown[] = {"mmx", "SSE", "avx", "avx2 ", "best", "0"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i) {
        assert_refused(unknown[i], "eval", KEYS, "--isa", unknown[i]);
    }
    assert_refused("--isa", "eval", KEYS, "--isa");
    uint32_t unavailable = 0;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (sqt_isa_available(isa)) continue;
        assert_refused(sqt_isa_name(isa), "eval", KEYS, "--isa", sqt_isa_name(isa));
        ++unavailable;
    }
    assert_true(unavailable > 0); // no machine is x86, ARM and WebAssembly at once
}

static void files_that_cannot_be_read_are_refused(void **state) {
    (void)state;
    assert_refused("absent.gltf", "eval", SQT_TEST_DATA "/absent.gltf");
    assert_refused("absent.glb", "info", SQT_TEST_DATA "/absent.glb");
    assert_refused(SQT_TEST_DATA, "eval", SQT_TEST_DATA);
    assert_refused("synth_keys.json", "eval", SQT_TEST_DATA "/synth_keys.json");
    run_output output = run_sqt(ARGUMENTS("eval", ""));
    assert_int_equal(output.status, 2);
    assert_int_equal(output.out_bytes, 0);
    run_output_free(&output);
}

static void every_available_set_prints_the_same(void **state) {
    (void)state;
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa)) continue;
        assert_same_output(
            ARGUMENTS("eval", QUANTIZED, "--skin", "--clip", "0", "--time", "0.3", "--isa", sqt_isa_name(isa)),
            ARGUMENTS("eval", QUANTIZED, "--skin", "--clip", "0", "--time", "0.3"));
    }
}

static void a_clip_is_found_by_index_and_by_name(void **state) {
    (void)state;
    assert_same_output(ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "0.4"),
                       ARGUMENTS("eval", KEYS, "--clip", "mixed ranges", "--time", "0.4"));
    assert_same_output(ARGUMENTS("eval", KEYS, "--clip", "1", "--time", "0.4"),
                       ARGUMENTS("eval", KEYS, "--clip", "late start", "--time", "0.4"));
    assert_same_output(ARGUMENTS("eval", KEYS, "--clip", "1"), ARGUMENTS("eval", KEYS, "--clip", "01"));
    cJSON *const document = eval_document(KEYS, "--clip", "late start");
    assert_int_equal(cJSON_GetObjectItem(first_clip(document), "index")->valueint, 1);
    assert_string_equal(cJSON_GetObjectItem(first_clip(document), "name")->valuestring, "late start");
    cJSON_Delete(document);
}

static void of_equal_names_the_first_clip_is_taken_and_digits_are_an_index(void **state) {
    (void)state;
    // Three clips of one channel each, without keys to share: their scales tell them apart.
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}],"
        "\"buffers\":[{\"byteLength\":16,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAEAAAIBAAAAAQQ==\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":16}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"min\":[0],\"max\":["
        "0]},"
        "{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
        "\"animations\":["
        "{\"name\":\"1\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{"
        "\"input\":0,"
        "\"output\":1}]},"
        "{\"name\":\"twice\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
        "\"samplers\":["
        "{\"input\":0,\"output\":1}]},"
        "{\"name\":\"twice\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{"
        "\"input\":0,\"output\":1}]}]}";
    make_folder(SQT_TEST_SCRATCH "/cli");
    const char *const path = SQT_TEST_SCRATCH "/cli/names.gltf";
    write_whole_file(path, json, strlen(json));
    cJSON *document = eval_document(path, "--clip", "twice");
    assert_int_equal(cJSON_GetObjectItem(first_clip(document), "index")->valueint, 1);
    const cJSON *const local = cJSON_GetObjectItem(sample_of(document, 0), "local");
    const float expected[10] = {2, 4, 8, 0, 0, 0, 1, 1, 1, 1};
    for (int i = 0; i < 10; ++i) assert_close(cJSON_GetArrayItem(local, i)->valuedouble, expected[i], 0);
    assert_close(cJSON_GetObjectItem(first_clip(document), "duration")->valuedouble, 0, 0);
    cJSON_Delete(document);
    document = eval_document(path, "--clip", "1"); // an index, though clip 0 has that name
    assert_int_equal(cJSON_GetObjectItem(first_clip(document), "index")->valueint, 1);
    cJSON_Delete(document);
    document = eval_document(path, "--clip", "2");
    assert_int_equal(cJSON_GetObjectItem(first_clip(document), "index")->valueint, 2);
    cJSON_Delete(document);
}

static void times_keep_their_order_and_number(void **state) {
    (void)state;
    cJSON *const document =
        eval_document(KEYS, "--clip", "0", "--time", "0.5", "--time", "0", "--time", "0.1", "--time", "0.5");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(first_clip(document), "samples")), 4);
    assert_close(time_of(document, 0), 0.5, 0);
    assert_close(time_of(document, 1), 0, 0);
    assert_close(time_of(document, 2), 0.100000001, 0); // the nearest float32, with nine digits
    assert_close(time_of(document, 3), 0.5, 0);
    assert_true(cJSON_Compare(sample_of(document, 0), sample_of(document, 3), true));
    assert_false(cJSON_Compare(sample_of(document, 0), sample_of(document, 1), true));
    cJSON_Delete(document);
}

static void a_time_may_be_written_in_any_way_of_a_number(void **state) {
    (void)state;
    const char *const usual[] = {"eval", KEYS, "--clip", "0", "--time", "0.5", NULL};
    assert_same_output(usual, ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "5e-1"));
    assert_same_output(usual, ARGUMENTS("eval", KEYS, "--clip", "0", "--time", ".5"));
    assert_same_output(usual, ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "0.500000000000000001"));
}

static void times_outside_the_clip_are_clamped(void **state) {
    (void)state;
    cJSON *const ends = eval_document(KEYS, "--clip", "1", "--time", "0", "--time", "1e9", "--time", "-3");
    const double duration = cJSON_GetObjectItem(first_clip(ends), "duration")->valuedouble;
    assert_true(duration > 0.1);
    char text[32];
    snprintf(text, sizeof text, "%.9g", duration);
    cJSON *const exact = eval_document(KEYS, "--clip", "1", "--time", text);
    const char *const members[] = {"local", "world"};
    for (size_t i = 0; i < 2; ++i) {
        const cJSON *const start = cJSON_GetObjectItem(sample_of(ends, 0), members[i]);
        const cJSON *const end = cJSON_GetObjectItem(sample_of(exact, 0), members[i]);
        assert_true(cJSON_Compare(start, cJSON_GetObjectItem(sample_of(ends, 2), members[i]), true));
        assert_true(cJSON_Compare(end, cJSON_GetObjectItem(sample_of(ends, 1), members[i]), true));
        assert_false(cJSON_Compare(start, end, true));
    }
    assert_close(time_of(ends, 1), duration, 0);
    assert_close(time_of(ends, 2), 0, 0);
    cJSON_Delete(ends);
    cJSON_Delete(exact);
}

static void without_a_time_a_clip_is_sampled_at_0(void **state) {
    (void)state;
    assert_same_output(ARGUMENTS("eval", KEYS, "--clip", "0"), ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "0"));
    assert_same_output(ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "0"),
                       ARGUMENTS("eval", KEYS, "--clip", "0", "--time", "-0"));
}

static void options_may_stand_before_and_after_the_file(void **state) {
    (void)state;
    assert_same_output(ARGUMENTS("eval", QUANTIZED, "--skin", "--clip", "0", "--time", "0.25"),
                       ARGUMENTS("eval", "--time", "0.25", "--clip", "0", "--skin", QUANTIZED));
}

static void the_document_has_what_was_asked_for(void **state) {
    (void)state;
    cJSON *document = eval_document(QUANTIZED);
    assert_non_null(cJSON_GetObjectItem(document, "file"));
    assert_string_equal(cJSON_GetObjectItem(document, "file")->valuestring, "synth_quantized.gltf");
    assert_null(cJSON_GetObjectItem(document, "clips"));
    const cJSON *rest = cJSON_GetObjectItem(document, "rest");
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(rest, "local")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(rest, "world")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(rest, "skins")));
    assert_null(cJSON_GetObjectItem(rest, "pos"));
    assert_null(cJSON_GetObjectItem(rest, "nrm"));
    cJSON_Delete(document);

    document = eval_document(QUANTIZED, "--skin", "--clip", "0");
    assert_null(cJSON_GetObjectItem(document, "rest"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(sample_of(document, 0), "pos")),
                     cJSON_GetArraySize(cJSON_GetObjectItem(document, "prims")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(sample_of(document, 0), "nrm")),
                     cJSON_GetArraySize(cJSON_GetObjectItem(document, "prims")));
    cJSON_Delete(document);

    // Nothing is skinned in this file, and its lists are there all the same.
    document = eval_document(KEYS, "--skin");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "skins")), 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "prims")), 0);
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(document, "skins")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(document, "prims")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "rest"), "pos")));
    cJSON_Delete(document);
}

static void normals_are_cofactor_normals_unless_plain_is_asked_for(void **state) {
    (void)state;
    // A triangle on one joint that is stretched by 2 along x; its normals are (1, 1, 0) / sqrt 2.
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[2,1,1]},{\"mesh\":0,\"skin\":0}],"
        "\"skins\":[{\"joints\":[0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],"
        "\"buffers\":[{\"byteLength\":20,\"uri\":\"data:application/octet-stream;base64,8wQ1P/"
        "MENT8AAAAAAAAAAP8AAAA=\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":20}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":"
        "[1,1,1]"
        "},{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5121,\"count\":1,\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":16,\"componentType\":5121,\"count\":1,\"type\":\"VEC4\",\"normalized\":true}]"
        "}";
    make_folder(SQT_TEST_SCRATCH "/cli");
    const char *const path = SQT_TEST_SCRATCH "/cli/normals.gltf";
    write_whole_file(path, json, strlen(json));
    assert_same_output(ARGUMENTS("eval", path, "--skin"), ARGUMENTS("eval", path, "--skin", "--normals", "cofactor"));
    for (int plain = 0; plain < 2; ++plain) {
        cJSON *const document = eval_document(path, "--skin", "--normals", plain ? "plain" : "cofactor");
        const cJSON *const normal = cJSON_GetObjectItem(cJSON_GetObjectItem(document, "rest"), "nrm")->child;
        assert_int_equal(cJSON_GetArraySize(normal), 3);
        assert_close(cJSON_GetArrayItem(normal, plain)->valuedouble, 0.4472136, 1e-6);
        assert_close(cJSON_GetArrayItem(normal, 1 - plain)->valuedouble, 0.8944272, 1e-6);
        assert_close(cJSON_GetArrayItem(normal, 2)->valuedouble, 0, 1e-6);
        const cJSON *const position = cJSON_GetObjectItem(cJSON_GetObjectItem(document, "rest"), "pos")->child;
        assert_close(cJSON_GetArrayItem(position, 0)->valuedouble, 1.4142136, 1e-6);
        assert_close(cJSON_GetArrayItem(position, 1)->valuedouble, 0.7071068, 1e-6);
        cJSON_Delete(document);
    }
}

static void without_a_file_the_embedded_character_is_evaluated(void **state) {
    (void)state;
    cJSON *document = eval_document("--skin");
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(document, "nodes")) > 3);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(document, "skins")) > 0);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "rest"), "pos")) > 0);
    cJSON_Delete(document);
    document = eval_document("--clip", "0", "--time", "0.25");
    assert_true(cJSON_GetObjectItem(first_clip(document), "duration")->valuedouble > 0);
    cJSON_Delete(document);
}

static void info_tells_people_and_programs_what_a_file_holds(void **state) {
    (void)state;
    run_output output = run_sqt(ARGUMENTS("info", KEYS));
    assert_int_equal(output.status, 0);
    assert_non_null(strstr(output.out, "mixed ranges"));
    assert_non_null(strstr(output.out, "late start"));
    run_output_free(&output);
    output = run_sqt(ARGUMENTS("info", QUANTIZED, "--json"));
    assert_int_equal(output.status, 0);
    cJSON *const document = eval_parse(output.out, "the output");
    assert_non_null(document);
    assert_non_null(strstr(output.out, "\"quantized\""));
    cJSON_Delete(document);
    run_output_free(&output);
    output = run_sqt(ARGUMENTS("info"));
    assert_int_equal(output.status, 0);
    assert_true(output.out_bytes > 50);
    run_output_free(&output);
}

// ---- Seams

static double number_of(const cJSON *object, const char *name) {
    const cJSON *const number = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(number));
    return number->valuedouble;
}

enum { MOST_JOINTS = 64 };

enum { MOST_TIMES = 8 };

typedef double joint_positions[MOST_JOINTS][3];

/// Joints of the embedded character in model space at some times, as `sqt eval` gives them. Returns how many.
static int positions_of(joint_positions *positions, int clip, const double *seconds, int time_count) {
    char index[16], times[MOST_TIMES][32];
    const char *arguments[4 + 2 * MOST_TIMES] = {"eval", "--clip", index};
    snprintf(index, sizeof index, "%d", clip);
    for (int i = 0; i < time_count; ++i) {
        snprintf(times[i], sizeof times[i], "%.17g", seconds[i]);
        arguments[3 + 2 * i] = "--time";
        arguments[4 + 2 * i] = times[i];
    }
    cJSON *const document = check_document(arguments);
    int count = 0;
    for (int i = 0; i < time_count; ++i) {
        const cJSON *const world = cJSON_GetObjectItem(sample_of(document, i), "world");
        count = cJSON_GetArraySize(world) / 16;
        assert_true(count > 0 && count <= MOST_JOINTS);
        int k = 0;
        for (const cJSON *number = world->child; number; number = number->next, ++k) {
            if (k % 16 >= 12 && k % 16 < 15) positions[i][k / 16][k % 16 - 12] = number->valuedouble;
        }
    }
    cJSON_Delete(document);
    return count;
}

/// (3 p(0) - 4 p(h) + p(2 h)) / -2 h at a time.
static void velocities_of(joint_positions velocities, int clip, double seconds, double h) {
    static joint_positions p[3];
    const int count = positions_of(p, clip, (const double[]){seconds, seconds + h, seconds + 2 * h}, 3);
    for (int j = 0; j < count; ++j) {
        for (int i = 0; i < 3; ++i) velocities[j][i] = (3 * p[0][j][i] - 4 * p[1][j][i] + p[2][j][i]) / (-2 * h);
    }
}

static double largest_distance(joint_positions a, joint_positions b, int count) {
    double most = 0;
    for (int j = 0; j < count; ++j) {
        const double x = a[j][0] - b[j][0], y = a[j][1] - b[j][1], z = a[j][2] - b[j][2];
        const double distance = sqrt(x * x + y * y + z * z);
        if (distance > most) most = distance;
    }
    return most;
}

static cJSON *seams_document(void) {
    cJSON *const document = check_document(ARGUMENTS("info", "--json", "--seams"));
    assert_non_null(cJSON_GetObjectItem(document, "seams"));
    return document;
}

static const cJSON *seam_between(const cJSON *document, int from, int to) {
    const cJSON *const pairs = cJSON_GetObjectItem(cJSON_GetObjectItem(document, "seams"), "pairs");
    for (const cJSON *pair = pairs->child; pair; pair = pair->next) {
        if (number_of(pair, "from") == from && number_of(pair, "to") == to) return pair;
    }
    fail_msg("there is no seam from %d to %d", from, to);
    return NULL;
}

/// From one key to the next of a clip of the embedded character, whose keys are evenly spaced.
static double key_step_of(const cJSON *document, int clip_index) {
    const cJSON *const clip = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "clips"), clip_index);
    return number_of(clip, "duration") / (number_of(cJSON_GetObjectItem(clip, "channels")->child, "keysMost") - 1);
}

/// The largest change of velocity from key to key: eight keys at a time, of which two are those of the time before.
static double roughness_of(const cJSON *document, int clip) {
    static joint_positions p[MOST_TIMES];
    const double step = key_step_of(document, clip);
    const double duration = number_of(cJSON_GetArrayItem(cJSON_GetObjectItem(document, "clips"), clip), "duration");
    double most = 0;
    for (int first = 0; (first + 1.5) * step < duration; first += MOST_TIMES - 2) {
        double times[MOST_TIMES];
        for (int i = 0; i < MOST_TIMES; ++i) times[i] = (first + i) * step;
        const int count = positions_of(p, clip, times, MOST_TIMES);
        for (int i = 2; i < MOST_TIMES && (first + i - 0.5) * step < duration; ++i) {
            for (int j = 0; j < count; ++j) {
                for (int k = 0; k < 3; ++k) p[i - 2][j][k] = 2 * p[i - 1][j][k] - p[i - 2][j][k];
            }
            most = fmax(most, largest_distance(p[i - 2], p[i], count) / step);
        }
    }
    return most;
}

static double velocity_limit_of(const cJSON *document, int clip) {
    const double size = 100 * number_of(cJSON_GetObjectItem(document, "seams"), "positionLimit");
    return fmax(0.2 * size, 1.25 * roughness_of(document, clip));
}

enum { IDLE, WALK, RUN, TURN, WAVE, ABSOLUTE_CLIPS }; // of the embedded character; "lean", behind them, is additive

static void seams_of_loops_join_and_others_only_where_they_meet(void **state) {
    (void)state;
    static const char *const names[] = {"idle", "walk", "run", "turn", "wave"};
    static const bool joins[ABSOLUTE_CLIPS][ABSOLUTE_CLIPS] = {
        {true, false, false, true, true},   // all that starts as the character stands may follow idling
        {false, true, false, false, false}, // walking and running are loops
        {false, false, true, false, false},
        {false, false, false, false, false}, // a turn ends with the feet elsewhere
        {true, false, false, true, true}};
    cJSON *const document = seams_document();
    const cJSON *const clips = cJSON_GetObjectItem(document, "clips");
    for (int c = 0; c < ABSOLUTE_CLIPS; ++c) {
        assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(clips, c), "name")->valuestring, names[c]);
    }
    const cJSON *const pairs = cJSON_GetObjectItem(cJSON_GetObjectItem(document, "seams"), "pairs");
    assert_int_equal(cJSON_GetArraySize(pairs), ABSOLUTE_CLIPS * ABSOLUTE_CLIPS);
    for (int from = 0; from < ABSOLUTE_CLIPS; ++from) {
        for (int to = 0; to < ABSOLUTE_CLIPS; ++to) {
            const cJSON *const pair = seam_between(document, from, to);
            if (cJSON_IsTrue(cJSON_GetObjectItem(pair, "joins")) != joins[from][to]) {
                fail_msg("%s to %s", names[from], names[to]);
            }
        }
    }
    cJSON_Delete(document);
}

static void seams_measure_what_eval_shows(void **state) {
    (void)state;
    static const int pairs[][2] = {{IDLE, WALK}, {WALK, WALK}};
    static joint_positions a, b;
    cJSON *const document = seams_document();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        const int from = pairs[k][0], to = pairs[k][1];
        const cJSON *const pair = seam_between(document, from, to), *const clip = cJSON_GetArrayItem(
                                                                        cJSON_GetObjectItem(document, "clips"), from);
        const double duration = number_of(clip, "duration");
        const int count = positions_of(&a, from, &duration, 1);
        positions_of(&b, to, (const double[]){0}, 1);
        assert_close(number_of(pair, "positionMost"), largest_distance(a, b, count), 1e-5);
        double least = INFINITY;
        for (int step = 0; step < 4; ++step) {
            const double even = 1.0 / (30 << step);
            velocities_of(a, from, duration, step ? -even : -key_step_of(document, from));
            velocities_of(b, to, 0, step ? even : key_step_of(document, to));
            least = fmin(least, largest_distance(a, b, count));
        }
        assert_close(number_of(pair, "velocityMost"), least, 2e-3);
        if (from == to) { assert_close(number_of(pair, "velocityLimit"), velocity_limit_of(document, from), 2e-3); }
        assert_true(number_of(pair, "position") <= number_of(pair, "positionMost"));
        assert_true(number_of(pair, "velocity") <= number_of(pair, "velocityMost"));
    }
    const cJSON *const seams = cJSON_GetObjectItem(document, "seams");
    assert_close(number_of(seams, "positionLimit"), 0.0196, 2e-3); // of a character 1.8 high, arms at its sides
    cJSON_Delete(document);
}

static void a_bounce_ends_where_it_started_and_does_not_join_itself(void **state) {
    (void)state; // y is 0, 0.75, 1, 0.75, 0 at the quarters of a second: it lands at 3 a second and starts at 3 again
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"ball\"}],\"buffers\":[{\"byteLength\":80,"
        "\"uri\":\"data:application/octet-stream;base64,AAAAAAAAgD4AAAA/"
        "AABAPwAAgD8AAAAAAAAAAAAAAAAAAAAAAABAPwAAAAAAAAAAAACAPwAAAAAAAAAAAABAPwAAAAAAAAAAAAAAAAAAAAA=\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":80}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
        "{\"bufferView\":0,\"byteOffset\":20,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}],"
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
        "\"samplers\":[{\"input\":0,\"output\":1}]}]}";
    make_folder(SQT_TEST_SCRATCH "/cli");
    const char *const path = SQT_TEST_SCRATCH "/cli/bounce.gltf";
    write_whole_file(path, json, strlen(json));
    cJSON *const document = check_document(ARGUMENTS("info", path, "--json", "--seams"));
    const cJSON *const pair = seam_between(document, 0, 0);
    assert_close(number_of(pair, "positionMost"), 0, 0);
    // The short steps see 3 up and 3 down. The step over two pairs of keys sees 2 * 3 - 2 = 4 each way, and is not used.
    assert_close(number_of(pair, "velocityMost"), 6, 1e-3);
    assert_close(number_of(pair, "velocityLimit"), 1.25 * 2, 1e-3); // from key to key 3, 1, -1, -3
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(pair, "joins")));
    cJSON_Delete(document);
}

static void seams_are_printed_where_they_are_asked_for(void **state) {
    (void)state;
    run_output output = run_sqt(ARGUMENTS("info", "--seams"));
    assert_int_equal(output.status, 0);
    assert_non_null(strstr(output.out, "\"walk\" to 1 \"walk\": yes"));
    assert_non_null(strstr(output.out, "\"idle\" to 1 \"walk\": no"));
    assert_null(strstr(output.out, "\"lean\" to"));
    run_output_free(&output);
    output = run_sqt(ARGUMENTS("info", KEYS, "--seams"));
    assert_int_equal(output.status, 0);
    assert_non_null(strstr(output.out, "\"mixed ranges\" to 1 \"late start\""));
    run_output_free(&output);
    output = run_sqt(ARGUMENTS("info"));
    assert_null(strstr(output.out, "seams"));
    run_output_free(&output);
    output = run_sqt(ARGUMENTS("info", "--json"));
    assert_null(strstr(output.out, "\"seams\""));
    run_output_free(&output);
    assert_refused("--seams", "eval", KEYS, "--seams");
}

static void output_that_cannot_be_written_is_a_failure(void **state) {
    (void)state;
    FILE *const full = fopen("/dev/full", "w"); // only some systems have it
    if (!full) return;
    fclose(full);
    const char *const commands[] = {"exec \"$0\" eval \"$1\" > /dev/full", "exec \"$0\" info \"$1\" > /dev/full"};
    for (size_t i = 0; i < 2; ++i) {
        run_output output = run_program((const char *const[]){"sh", "-c", commands[i], SQT_TOOL, KEYS, NULL});
        assert_int_equal(output.status, 1);
        assert_true(output.err_bytes > 0);
        run_output_free(&output);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_arguments_are_refused),
        cmocka_unit_test(without_arguments_the_usage_goes_to_standard_error),
        cmocka_unit_test(times_that_are_no_finite_numbers_are_refused),
        cmocka_unit_test(clips_that_are_not_there_are_refused),
        cmocka_unit_test(instruction_sets_that_are_unknown_or_unavailable_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_refused),
        cmocka_unit_test(every_available_set_prints_the_same),
        cmocka_unit_test(a_clip_is_found_by_index_and_by_name),
        cmocka_unit_test(of_equal_names_the_first_clip_is_taken_and_digits_are_an_index),
        cmocka_unit_test(times_keep_their_order_and_number),
        cmocka_unit_test(a_time_may_be_written_in_any_way_of_a_number),
        cmocka_unit_test(times_outside_the_clip_are_clamped),
        cmocka_unit_test(without_a_time_a_clip_is_sampled_at_0),
        cmocka_unit_test(options_may_stand_before_and_after_the_file),
        cmocka_unit_test(the_document_has_what_was_asked_for),
        cmocka_unit_test(normals_are_cofactor_normals_unless_plain_is_asked_for),
        cmocka_unit_test(without_a_file_the_embedded_character_is_evaluated),
        cmocka_unit_test(info_tells_people_and_programs_what_a_file_holds),
        cmocka_unit_test(seams_of_loops_join_and_others_only_where_they_meet),
        cmocka_unit_test(seams_measure_what_eval_shows),
        cmocka_unit_test(a_bounce_ends_where_it_started_and_does_not_join_itself),
        cmocka_unit_test(seams_are_printed_where_they_are_asked_for),
        cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
