// `sqt render`, its rasteriser, and silhouettes of skinned meshes against those of an independent evaluator.
//
// usage: test_render cli    the rasteriser and the subcommand
//        test_render data   silhouettes for the files in tests/data
//        test_render real   silhouettes for the files in the folder that SQT_ASSETS names, references in ../reference
#define _POSIX_C_SOURCE 200809L
#include <cjson/cJSON.h>
#include <dirent.h>
#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "gltf_import.h"
#include "raster.h"
#include "run_program.h"

enum { PATH_BYTES = 1024, MAX_SOUP = 4096 };

// ---- The rasteriser.

static raster_view view_from_front(sqt_vec3 low, sqt_vec3 high) {
    raster_frame frame = raster_frame_towards(0, 0);
    raster_frame_add(&frame, low);
    raster_frame_add(&frame, high);
    return raster_view_fit(&frame, 1);
}

static void clear(raster *r) {
    const sqt_vec3 black = {0, 0, 0};
    for (size_t k = 0; k < (size_t)r->width * r->height; ++k) {
        r->depth[k] = 1;
        r->colour[k] = black;
    }
}

static uint32_t covered(const raster *r) {
    uint32_t count = 0;
    for (size_t k = 0; k < (size_t)r->width * r->height; ++k) count += r->depth[k] < 1;
    return count;
}

static void a_square_covers_its_area(void **state) {
    (void)state;
    static const float positions[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    const raster_mesh mesh = {.positions = positions, .indices = indices, .index_count = 6};
    const sqt_vec3 low = {-2, -2, 0}, high = {2, 2, 0};
    const raster_view view = view_from_front(low, high);
    raster r;
    assert_true(raster_init(&r, 400, 400));
    clear(&r);
    raster_triangles(&r, &view, &mesh);
    // Where the eye sees the square: half of what it is fitted to, whose margin is 5% on either side.
    const double side = 400 / 1.05 / 2;
    assert_close(covered(&r), side * side, 2 * side);
    const raster copy = r;
    raster_free(&r);
    assert_null(r.depth);
    assert_non_null(copy.depth);
}

static void the_nearer_triangle_wins_in_any_order(void **state) {
    (void)state;
    static const float positions[] = {-1, -1, 0, 1, -1, 0, 0, 1, 0, -1, -1, 0.5f, 1, -1, 0.5f, 0, 1, 0.5f};
    static const uint32_t order[2][6] = {{0, 1, 2, 3, 4, 5}, {3, 4, 5, 0, 1, 2}};
    const sqt_vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    const raster_view view = view_from_front(low, high);
    raster r[2];
    for (int k = 0; k < 2; ++k) {
        const raster_mesh mesh = {.positions = positions, .indices = order[k], .index_count = 6};
        assert_true(raster_init(&r[k], 64, 64));
        clear(&r[k]);
        raster_triangles(&r[k], &view, &mesh);
    }
    assert_true(covered(&r[0]) > 500);
    assert_memory_equal(r[0].depth, r[1].depth, 64 * 64 * sizeof(float));
    // The nearer one lies at z = 0.5: its depth is that of a point there.
    const float *const m = view.from_model;
    const double w = (double)m[11] * 0.5 + m[15], z = (double)m[10] * 0.5 + m[14];
    assert_close(r[0].depth[40 * 64 + 32], 0.5 + 0.5 * z / w, 1e-5);
    raster_free(&r[0]);
    raster_free(&r[1]);
}

static void a_fitted_camera_sees_every_point(void **state) {
    (void)state;
    check_random random = {0xC0FFEEu};
    print_message("seed %llu\n", (unsigned long long)random.state);
    for (uint32_t round = 0; round < 200; ++round) {
        sqt_vec3 points[20];
        raster_frame frame =
            raster_frame_towards(check_random_float(&random, -3, 3), check_random_float(&random, 0, 1));
        const float size = round % 2 ? 100.0f : 0.01f;
        for (uint32_t k = 0; k < 20; ++k) {
            points[k] = check_random_vec3(&random, -size, size);
            raster_frame_add(&frame, points[k]);
        }
        const raster_view view = raster_view_fit(&frame, 1);
        const float *const m = view.from_model;
        double largest = 0;
        for (uint32_t k = 0; k < 20; ++k) {
            const sqt_vec3 p = points[k];
            double clip[4];
            for (uint32_t c = 0; c < 4; ++c)
                clip[c] = (double)m[c] * p.x + (double)m[4 + c] * p.y + (double)m[8 + c] * p.z + m[12 + c];
            assert_true(clip[3] > 0);
            for (uint32_t c = 0; c < 3; ++c) assert_true(fabs(clip[c] / clip[3]) < 1);
            largest = fmax(largest, fmax(fabs(clip[0] / clip[3]), fabs(clip[1] / clip[3])));
        }
        assert_true(largest > 0.5); // and not from far away
    }
}

static void a_shadow_darkens_the_ground_once_and_nothing_else(void **state) {
    (void)state;
    // Two squares above one another, of one shadow's size.
    static const float positions[] = {-1, 1, -1, 1, 1, -1, 1, 1, 1, -1, 1, 1, -1, 2, -1, 1, 2, -1, 1, 2, 1, -1, 2, 1};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    const raster_mesh mesh = {.positions = positions, .indices = indices, .index_count = 12};
    raster_frame frame = raster_frame_towards(0.3f, 0.6f);
    const sqt_vec3 low = {-4, 0, -4}, high = {4, 3, 4};
    raster_frame_add(&frame, low);
    raster_frame_add(&frame, high);
    const raster_view view = raster_view_fit(&frame, 1);
    raster r, lit;
    assert_true(raster_init(&r, 128, 128) && raster_init(&lit, 128, 128));
    raster_ground(&lit, &view, 0, 1, 0);
    raster_ground(&r, &view, 0, 1, 0);
    raster_shadow(&r, &view, &mesh, 0);
    uint32_t dark = 0;
    for (uint32_t k = 0; k < 128 * 128; ++k) {
        const double share = (double)r.colour[k].y / lit.colour[k].y;
        dark += share < 1;
        assert_true(share == 1 || check_close(share, 0.62, 1e-5));
    }
    assert_true(dark > 300);
    raster_free(&r);
    raster_free(&lit);
}

// ---- The subcommand.

static const char *const picture = SQT_TEST_SCRATCH "/render.png";

typedef struct png_size {
    uint32_t width, height;
    size_t bytes;
} png_size;

/// Size by the PNG's header (ISO/IEC 15948, 11.2.2): 8 bytes of signature, a length, "IHDR", width, height.
static png_size read_png(const char *path, char **bytes) {
    png_size size = {0, 0, 0};
    unsigned char *const data = (unsigned char *)read_whole_file(path, &size.bytes);
    assert_non_null(data);
    assert_true(size.bytes > 33);
    assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(data + 12, "IHDR", 4);
    for (uint32_t k = 0; k < 4; ++k) {
        size.width = size.width << 8 | data[16 + k];
        size.height = size.height << 8 | data[20 + k];
    }
    assert_memory_equal(data + size.bytes - 8, "IEND", 4);
    *bytes = (char *)data;
    return size;
}

/// Runs `sqt render` with up to six arguments and returns the picture.
static char *render(const char *const *extra, png_size *size) {
    const char *arguments[12] = {SQT_TOOL, "render", "-o", picture};
    for (size_t k = 0; extra[k]; ++k) arguments[4 + k] = extra[k];
    remove(picture);
    run_output output = run_program(arguments);
    assert_int_equal(output.status, 0);
    assert_int_equal(output.out_bytes, 0);
    assert_int_equal(output.err_bytes, 0);
    run_output_free(&output);
    char *bytes;
    *size = read_png(picture, &bytes);
    assert_int_not_equal(access(SQT_TEST_SCRATCH "/render.png.part", F_OK), 0);
    return bytes;
}

static void the_default_is_twelve_frames_in_rows_of_four(void **state) {
    (void)state;
    png_size size;
    free(render((const char *const[]){NULL}, &size));
    assert_int_equal(size.width, 4 * 320);
    assert_int_equal(size.height, 3 * 320);
    free(render((const char *const[]){"--frames", "5", "--clip", "run", NULL}, &size));
    assert_int_equal(size.width, 4 * 320);
    assert_int_equal(size.height, 2 * 320);
}

/// The pixels of the last picture.
static unsigned char *decode(png_image *image) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    assert_true(png_image_begin_read_from_file(image, picture));
    image->format = PNG_FORMAT_RGB;
    unsigned char *const pixels = malloc(PNG_IMAGE_SIZE(*image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
    return pixels;
}

static bool same_cell(const unsigned char *pixels, uint32_t a, uint32_t b) {
    for (uint32_t y = 0; y < 320; ++y) {
        const unsigned char *const row_a = pixels + ((a / 4 * 320 + y) * 1280 + a % 4 * 320) * 3;
        const unsigned char *const row_b = pixels + ((b / 4 * 320 + y) * 1280 + b % 4 * 320) * 3;
        if (memcmp(row_a, row_b, (size_t)320 * 3) != 0) return false;
    }
    return true;
}

static void every_frame_has_its_cell_and_the_rest_is_white(void **state) {
    (void)state;
    png_size size;
    png_image image;
    free(render((const char *const[]){"--frames", "6", NULL}, &size));
    unsigned char *const pixels = decode(&image);
    for (uint32_t a = 0; a < 6; ++a) {
        for (uint32_t b = 0; b < a; ++b) assert_false(same_cell(pixels, a, b));
        assert_false(same_cell(pixels, a, 6));
    }
    assert_true(same_cell(pixels, 6, 7));
    assert_int_equal(pixels[(320 * 1280 + 1279) * 3], 255);
    free(pixels);
}

static void every_option_changes_the_picture_and_the_same_options_do_not(void **state) {
    (void)state;
    static const char *const options[][6] = {
        {"--frames", "2", NULL},
        {"--frames", "2", "--clip", "wave", NULL},
        {"--frames", "2", "--clip", "2", NULL},
        {"--frames", "2", "--view", "front", NULL},
        {"--frames", "2", "--view", "side", NULL},
        {"--frames", "2", "--skeleton", NULL},
        {"--frames", "2", "--view", "three-quarter", NULL}, // the default
        {"--frames", "2", "--clip", "walk", NULL},          // the default
    };
    enum { COUNT = sizeof options / sizeof *options, DISTINCT = 6 };
    char *pictures[COUNT];
    png_size sizes[COUNT];
    for (uint32_t k = 0; k < COUNT; ++k) pictures[k] = render(options[k], &sizes[k]);
    for (uint32_t k = 0; k < COUNT; ++k) {
        const bool same = sizes[k].bytes == sizes[0].bytes && memcmp(pictures[k], pictures[0], sizes[0].bytes) == 0;
        assert_int_equal(same, k == 0 || k >= DISTINCT);
    }
    for (uint32_t k = 0; k < COUNT; ++k) free(pictures[k]);
}

static void what_is_wrong_is_one_line_and_leaves_no_file(void **state) {
    (void)state;
    static const char *const wrong[][6] = {
        {"--clip", "no such clip", NULL}, {"--clip", "99", NULL},
        {"--frames", "0", NULL},          {"--frames", "401", NULL},
        {"--frames", "-1", NULL},         {"--frames", "3x", NULL},
        {"--frames", "", NULL},           {"--frames", NULL},
        {"--view", "behind", NULL},       {"--skeletons", NULL},
        {"no such file.glb", NULL},       {"-o", SQT_TEST_SCRATCH "/no such folder/render.png", NULL},
    };
    for (uint32_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        const char *arguments[12] = {SQT_TOOL, "render", "-o", picture};
        for (size_t i = 0; wrong[k][i]; ++i) arguments[4 + i] = wrong[k][i];
        write_whole_file(picture, "kept", 4);
        run_output output = run_program(arguments);
        if (output.status != 2) print_command(arguments);
        assert_int_equal(output.status, 2);
        assert_int_equal(output.out_bytes, 0);
        assert_true(output.err_bytes > 1 && output.err[output.err_bytes - 1] == '\n');
        assert_true(strchr(output.err, '\n') == output.err + output.err_bytes - 1);
        run_output_free(&output);
        size_t bytes;
        char *const kept = read_whole_file(picture, &bytes);
        assert_int_equal(bytes, 4);
        assert_string_equal(kept, "kept");
        free(kept);
        assert_int_not_equal(access(SQT_TEST_SCRATCH "/render.png.part", F_OK), 0);
    }
    run_output output = run_program((const char *const[]){SQT_TOOL, "render", NULL});
    assert_int_equal(output.status, 2); // no -o
    run_output_free(&output);
}

// ---- Silhouettes.

static const char *asset_folder, *reference_folder;

/// Vertices of a primitive by the library at a time of a clip (NULL: the rest pose).
static float *skinned_vertices(const asset *a, const asset_prim *prim, const sqt_channel_clip *clip, double seconds) {
    const sqt_skeleton *const skeleton = &a->skeleton;
    const sqt_skin *const skin = &a->skins[prim->skin].skin;
    const sqt_mesh *const mesh = &prim->geometry;
    sqt_pose_block *const pose = malloc(SQT_POSE_BLOCKS(skeleton->joint_count) * sizeof *pose);
    sqt_mat4 *const global = malloc(skeleton->joint_count * sizeof *global);
    sqt_mat4 *const palette = malloc(skin->joint_count * sizeof *palette);
    float *const positions = malloc(mesh->vertex_count * 3 * sizeof(float));
    assert_true(pose && global && palette && positions);
    assert_int_equal(clip ? sqt_channel_clip_sample(pose, skeleton, clip, NULL, seconds)
                          : sqt_skeleton_rest(pose, skeleton),
                     SQT_OK);
    assert_int_equal(sqt_global_from_local(global, skeleton, pose, NULL), SQT_OK);
    assert_int_equal(sqt_skin_palette(palette, skeleton, skin, global, NULL), SQT_OK);
    const sqt_skinned skinned = {.positions = positions};
    assert_int_equal(sqt_skin_vertices(&skinned, mesh, palette, skin->joint_count, 0, mesh->vertex_count, 0), SQT_OK);
    free(palette);
    free(global);
    free(pose);
    return positions;
}

/// Intersection over union of the samples that two sets of vertices cover, seen by a camera fitted to the second.
static double silhouette_overlap(const asset_prim *prim, const float *ours, const float *theirs, float azimuth) {
    raster_frame frame = raster_frame_towards(azimuth, 0.3f);
    for (uint32_t v = 0; v < prim->geometry.vertex_count; ++v) {
        sqt_vec3 p;
        memcpy(&p, theirs + 3 * (size_t)v, sizeof p);
        raster_frame_add(&frame, p);
    }
    const raster_view view = raster_view_fit(&frame, 1);
    const float *const vertices[2] = {ours, theirs};
    // Where the source draws points or lines, triples of vertices stand for triangles.
    static uint32_t soup[MAX_SOUP];
    for (uint32_t k = 0; k < MAX_SOUP; ++k) soup[k] = k;
    const bool points = prim->index_count == 0;
    assert_true(!points || prim->geometry.vertex_count <= MAX_SOUP);
    raster r[2];
    for (uint32_t k = 0; k < 2; ++k) {
        const raster_mesh mesh = {.positions = vertices[k],
                                  .indices = points ? soup : prim->indices,
                                  .index_count = points ? prim->geometry.vertex_count / 3 * 3 : prim->index_count};
        assert_true(raster_init(&r[k], 640, 640));
        clear(&r[k]);
        raster_triangles(&r[k], &view, &mesh);
    }
    uint32_t both = 0, either = 0;
    for (size_t k = 0; k < 640 * 640; ++k) {
        both += r[0].depth[k] < 1 && r[1].depth[k] < 1;
        either += r[0].depth[k] < 1 || r[1].depth[k] < 1;
    }
    raster_free(&r[0]);
    raster_free(&r[1]);
    assert_true(either > 1000);
    return (double)both / either;
}

typedef struct tally {
    uint32_t compared, noticed;
    double worst;
} tally;

static void compare_sample(const asset *a, const cJSON *prims, const cJSON *sample, const sqt_channel_clip *clip,
                           tally *sum) {
    const cJSON *const all = cJSON_GetObjectItem(sample, "pos");
    if (!all) return;
    assert_int_equal(cJSON_GetArraySize(prims), a->prim_count);
    const cJSON *const t = cJSON_GetObjectItem(sample, "t");
    const double seconds = t ? (double)(float)t->valuedouble : 0; // a float32, printed with nine digits
    for (uint32_t k = 0; k < a->prim_count; ++k) {
        if (!cJSON_IsString(cJSON_GetObjectItem(cJSON_GetArrayItem(prims, (int)k), "vertices"))) continue; // not "all"
        const asset_prim *const prim = &a->prims[k];
        const cJSON *const listed = cJSON_GetArrayItem(all, (int)k);
        assert_int_equal(cJSON_GetArraySize(listed), 3 * prim->geometry.vertex_count);
        float *const theirs = malloc(prim->geometry.vertex_count * 3 * sizeof(float));
        assert_non_null(theirs);
        size_t count = 0;
        const cJSON *number;
        cJSON_ArrayForEach(number, listed) theirs[count++] = (float)number->valuedouble;
        float *const ours = skinned_vertices(a, prim, clip, seconds);
        for (uint32_t view = 0; view < 3; ++view)
            sum->worst = fmin(sum->worst, silhouette_overlap(prim, ours, theirs, 0.4f + 0.8f * (float)view));
        // A mesh one part in fifty too large has another silhouette.
        for (size_t i = 0; i < count; ++i) ours[i] *= 1.02f;
        sum->noticed += silhouette_overlap(prim, ours, theirs, 0.4f) < 0.99;
        ++sum->compared;
        free(ours);
        free(theirs);
    }
}

static void compare_file(const char *reference, tally *sum) {
    char path[2 * PATH_BYTES], error[768];
    snprintf(path, sizeof path, "%s/%s", reference_folder, reference);
    char *const text = read_whole_file(path, NULL);
    assert_non_null(text);
    cJSON *const expected = cJSON_Parse(text);
    assert_non_null(expected);
    free(text);
    const cJSON *const prims = cJSON_GetObjectItem(expected, "prims");
    if (cJSON_GetArraySize(prims) > 0) {
        asset a;
        snprintf(path, sizeof path, "%s/%s", asset_folder, cJSON_GetObjectItem(expected, "file")->valuestring);
        if (!gltf_import(&a, path, error, sizeof error)) fail_msg("%s", error);
        tally here = {0, 0, 1};
        compare_sample(&a, prims, cJSON_GetObjectItem(expected, "rest"), NULL, &here);
        const cJSON *clip, *sample;
        cJSON_ArrayForEach(clip, cJSON_GetObjectItem(expected, "clips")) {
            const uint32_t index = (uint32_t)cJSON_GetObjectItem(clip, "index")->valuedouble;
            assert_true(index < a.clip_count);
            cJSON_ArrayForEach(sample, cJSON_GetObjectItem(clip, "samples"))
                compare_sample(&a, prims, sample, &a.clips[index].clip, &here);
        }
        if (here.compared > 0)
            print_message("%s: %u silhouettes, the worst agrees to %.4f\n", reference, here.compared, here.worst);
        sum->compared += here.compared;
        sum->noticed += here.noticed;
        sum->worst = fmin(sum->worst, here.worst);
        asset_free(&a);
    }
    cJSON_Delete(expected);
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void silhouettes_agree_with_the_reference(void **state) {
    (void)state;
    DIR *const folder = opendir(reference_folder);
    assert_non_null(folder);
    tally sum = {0, 0, 1};
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char normalised[2 * PATH_BYTES];
        if (!ends_with(entry->d_name, ".json") || ends_with(entry->d_name, ".bvh.json") ||
            ends_with(entry->d_name, ".blend.json"))
            continue;
        // Rotations are normalised on import: NAME.norm.json holds where there is one.
        snprintf(normalised, sizeof normalised, "%s/%.*s.norm.json", reference_folder,
                 (int)(strlen(entry->d_name) - strlen(".json")), entry->d_name);
        if (access(normalised, F_OK) != 0) compare_file(entry->d_name, &sum);
    }
    closedir(folder);
    assert_true(sum.compared > 0);
    assert_true(sum.worst >= 0.99);
    assert_true(sum.noticed > sum.compared / 2);
}

int main(int argc, char **argv) {
    static char beside[PATH_BYTES];
    const char *const mode = argc == 2 ? argv[1] : "";
    if (strcmp(mode, "cli") == 0) {
        make_folder(SQT_TEST_SCRATCH);
        const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_square_covers_its_area),
            cmocka_unit_test(the_nearer_triangle_wins_in_any_order),
            cmocka_unit_test(a_fitted_camera_sees_every_point),
            cmocka_unit_test(a_shadow_darkens_the_ground_once_and_nothing_else),
            cmocka_unit_test(the_default_is_twelve_frames_in_rows_of_four),
            cmocka_unit_test(every_frame_has_its_cell_and_the_rest_is_white),
            cmocka_unit_test(every_option_changes_the_picture_and_the_same_options_do_not),
            cmocka_unit_test(what_is_wrong_is_one_line_and_leaves_no_file),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    if (strcmp(mode, "data") == 0) {
        asset_folder = reference_folder = SQT_TEST_DATA;
    } else if (strcmp(mode, "real") == 0) {
        asset_folder = getenv("SQT_ASSETS");
        if (!asset_folder) {
            puts("skipped: SQT_ASSETS does not name a folder of real files");
            return CHECK_SKIPPED;
        }
        snprintf(beside, sizeof beside, "%s/../reference", asset_folder);
        reference_folder = beside;
    } else {
        fprintf(stderr, "usage: test_render cli|data|real\n");
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silhouettes_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
