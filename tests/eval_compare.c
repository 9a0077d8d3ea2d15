#include "eval_compare.h"

#include <stdlib.h>

#include "check.h"
#include "run_program.h"

static const double rotation_tolerance = 2e-6, vector_tolerance = 2e-6; // vectors: times the node's largest component
static const double matrix_tolerance = 1e-5, column_tolerance = 1e-5, short_column_tolerance = 1e-6;
static const double position_tolerance = 1e-5; // times the sample's largest coordinate
static const double normal_tolerance = 1e-4;

void eval_counts_add(eval_counts *sum, const eval_counts *counts) {
    sum->structure += counts->structure;
    sum->local += counts->local;
    sum->world += counts->world;
    sum->skin += counts->skin;
    sum->position += counts->position;
    sum->normal += counts->normal;
}

void eval_counts_print(const char *title, const eval_counts *counts) {
    print_message("%s: %llu members, %llu local, %llu world, %llu skin, %llu position and %llu normal numbers agree\n",
                  title, (unsigned long long)counts->structure, (unsigned long long)counts->local,
                  (unsigned long long)counts->world, (unsigned long long)counts->skin,
                  (unsigned long long)counts->position, (unsigned long long)counts->normal);
}

cJSON *eval_parse(const char *text, const char *what) {
    const char *end = NULL;
    cJSON *const document = cJSON_ParseWithOpts(text, &end, 1);
    if (!document) print_error("%s is not JSON, at: %.60s\n", what, end ? end : text);
    return document;
}

cJSON *eval_read_gltf(const char *path) {
    size_t bytes = 0;
    char *const text = read_whole_file(path, &bytes);
    if (!text) {
        print_error("%s cannot be read\n", path);
        return NULL;
    }
    const char *json = text;
    if (bytes >= 20 && memcmp(text, "glTF", 4) == 0) {
        const unsigned char *const length = (const unsigned char *)text + 12;
        const size_t json_bytes =
            length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
        if (json_bytes <= bytes - 20) {
            text[20 + json_bytes] = '\0';
            json = text + 20;
        }
    }
    cJSON *const document = eval_parse(json, path);
    free(text);
    return document;
}

static const cJSON *member(const cJSON *object, const char *name) {
    return object ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

typedef struct numbers {
    double *values;
    size_t count;
} numbers;

/// The numbers of an array. False, with a message, where it is no array of numbers only.
static bool read_numbers(numbers *read, const cJSON *array, const char *what) {
    read->values = NULL;
    read->count = 0;
    if (!cJSON_IsArray(array)) {
        print_error("%s is no array\n", what);
        return false;
    }
    read->values = malloc(((size_t)cJSON_GetArraySize(array) + 1) * sizeof(double));
    assert_non_null(read->values);
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsNumber(item)) {
            print_error("%s[%zu] is no number\n", what, read->count);
            free(read->values);
            read->values = NULL;
            return false;
        }
        read->values[read->count++] = item->valuedouble;
    }
    return true;
}

static double largest_magnitude(const double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(values[i]) <= largest)) largest = fabs(values[i]);
    }
    return largest;
}

/// True where both are absent or null, the same text, or the same number.
static bool same_member(const cJSON *actual, const cJSON *expected, const char *name, const char *what, size_t index,
                        eval_counts *counts) {
    const cJSON *const a = member(actual, name);
    const cJSON *const b = member(expected, name);
    ++counts->structure;
    const bool no_a = !a || cJSON_IsNull(a), no_b = !b || cJSON_IsNull(b);
    if (no_a && no_b) return true;
    if (!no_a && !no_b) {
        if (cJSON_IsString(a) && cJSON_IsString(b) && strcmp(a->valuestring, b->valuestring) == 0) return true;
        if (cJSON_IsNumber(a) && cJSON_IsNumber(b) && check_close(a->valuedouble, b->valuedouble, 0)) return true;
    }
    char *const text_a = no_a ? NULL : cJSON_PrintUnformatted(a);
    char *const text_b = no_b ? NULL : cJSON_PrintUnformatted(b);
    print_error("%s %zu: %s is %s, expected %s\n", what, index, name, text_a ? text_a : "null",
                text_b ? text_b : "null");
    cJSON_free(text_a);
    cJSON_free(text_b);
    return false;
}

static bool same_length(const cJSON *actual, const cJSON *expected, const char *what) {
    const int a = cJSON_IsArray(actual) ? cJSON_GetArraySize(actual) : -1;
    const int b = cJSON_IsArray(expected) ? cJSON_GetArraySize(expected) : -1;
    if (a == b && a >= 0) return true;
    print_error("%s has %d entries, expected %d (-1: no array)\n", what, a, b);
    return false;
}

/// Numbers that both sides took from the file as they are: equal to the nine digits that are written.
static bool same_numbers(const cJSON *actual, const cJSON *expected, const char *what, size_t index,
                         eval_counts *counts) {
    numbers a, b = {NULL, 0};
    bool same = read_numbers(&a, actual, what) && read_numbers(&b, expected, what);
    if (same && a.count != b.count) {
        print_error("%s %zu has %zu numbers, expected %zu\n", what, index, a.count, b.count);
        same = false;
    }
    for (size_t i = 0; same && i < a.count; ++i) {
        ++counts->structure;
        same = check_close(a.values[i], b.values[i], 1e-12 + 1.5e-8 * fabs(b.values[i]));
        if (!same) {
            print_error("%s %zu: number %zu is %.9g, expected %.9g\n", what, index, i, a.values[i], b.values[i]);
        }
    }
    free(a.values);
    free(b.values);
    return same;
}

bool eval_compare_structure(const cJSON *actual, const cJSON *expected, eval_counts *counts) {
    static const char *const arrays[] = {"nodes", "skins", "prims"};
    static const char *const members[][5] = {
        {"name", "parent"}, {"name"}, {"node", "mesh", "primitive", "skin", "vertexCount"}};
    if (!same_member(actual, expected, "file", "document", 0, counts)) return false;
    for (size_t k = 0; k < 3; ++k) {
        const cJSON *const a_list = member(actual, arrays[k]);
        const cJSON *const b_list = member(expected, arrays[k]);
        if (!same_length(a_list, b_list, arrays[k])) return false;
        const cJSON *b = b_list->child;
        size_t index = 0;
        for (const cJSON *a = a_list->child; a; a = a->next, b = b->next, ++index) {
            for (size_t m = 0; m < 5 && members[k][m]; ++m) {
                if (!same_member(a, b, members[k][m], arrays[k], index, counts)) return false;
            }
            if (k == 1 && !(same_numbers(member(a, "joints"), member(b, "joints"), "joints of skin", index, counts) &&
                            same_numbers(member(a, "ibm"), member(b, "ibm"), "ibm of skin", index, counts))) {
                return false;
            }
            // The evaluator beside the references does not write it.
            if (k == 2 && member(b, "jointSets") && !same_member(a, b, "jointSets", "prims", index, counts)) {
                return false;
            }
        }
    }
    const cJSON *prim;
    cJSON_ArrayForEach(prim, member(actual, "prims")) {
        const cJSON *const vertices = member(prim, "vertices");
        if (!cJSON_IsString(vertices) || strcmp(vertices->valuestring, "all") != 0) {
            print_error("prims do not list all vertices\n");
            return false;
        }
    }
    return true;
}

static bool compare_local(const numbers *actual, const numbers *expected, const cJSON *gltf, eval_counts *counts) {
    const cJSON *node = member(gltf, "nodes") ? member(gltf, "nodes")->child : NULL;
    for (size_t n = 0; 10 * n < expected->count; ++n, node = node ? node->next : NULL) {
        if (member(node, "matrix")) continue;
        const double *const a = actual->values + 10 * n;
        const double *const b = expected->values + 10 * n;
        const double dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
        const double sign = dot < 0 ? -1 : 1;
        for (size_t i = 0; i < 10; ++i) {
            const bool rotation = i >= 3 && i < 7;
            const double *const first = b + (i < 3 ? 0 : 7);
            const double tolerance =
                rotation ? rotation_tolerance : vector_tolerance * fmax(1, largest_magnitude(first, 3));
            const double want = rotation ? sign * b[i] : b[i];
            if (!check_close(a[i], want, tolerance)) {
                print_error("node %zu: local number %zu (%s) is %.9g, expected %.9g within %.3g\n", n, i,
                            rotation ? "rotation"
                            : i < 3  ? "translation"
                                     : "scale",
                            a[i], want, tolerance);
                return false;
            }
        }
        counts->local += 10;
    }
    return true;
}

static bool compare_matrices(const numbers *actual, const numbers *expected, const char *what, uint64_t *count) {
    const double tolerance = matrix_tolerance * fmax(1, largest_magnitude(expected->values, expected->count));
    for (size_t m = 0; 16 * m < expected->count; ++m) {
        const double *const a = actual->values + 16 * m;
        const double *const b = expected->values + 16 * m;
        for (size_t i = 0; i < 16; ++i) {
            if (!check_close(a[i], b[i], tolerance)) {
                print_error("%s %zu: element %zu is %.9g, expected %.9g within %.3g\n", what, m, i, a[i], b[i],
                            tolerance);
                return false;
            }
        }
        for (size_t c = 0; c < 3; ++c) {
            double difference = 0, length = 0;
            for (size_t i = 4 * c; i < 4 * c + 3; ++i) {
                difference += (a[i] - b[i]) * (a[i] - b[i]);
                length += b[i] * b[i];
            }
            if (!(sqrt(difference) <= fmax(column_tolerance * sqrt(length), short_column_tolerance))) {
                print_error("%s %zu: column %zu of length %.9g is off by %.3g\n", what, m, c, sqrt(length),
                            sqrt(difference));
                return false;
            }
        }
        *count += 16;
    }
    return true;
}

/// Which vertices entry k of the expected numbers stands for: a list, or NULL for all. False where it is neither.
static bool listed_vertices(numbers *list, const cJSON *prim) {
    const cJSON *const vertices = member(prim, "vertices");
    list->values = NULL;
    list->count = 0;
    if (cJSON_IsString(vertices) && strcmp(vertices->valuestring, "all") == 0) return true;
    return read_numbers(list, vertices, "vertices");
}

static bool compare_vertices(const cJSON *actual, const cJSON *expected, const cJSON *prim, double tolerance,
                             const char *what, size_t index, uint64_t *count) {
    if (cJSON_IsNull(expected) && cJSON_IsNull(actual)) return true;
    numbers a, b = {NULL, 0}, list = {NULL, 0};
    bool same = read_numbers(&a, actual, what) && read_numbers(&b, expected, what) && listed_vertices(&list, prim);
    const cJSON *const vertex_count = member(prim, "vertexCount");
    const size_t vertices = cJSON_IsNumber(vertex_count) ? (size_t)vertex_count->valuedouble : 0;
    const size_t listed = list.values ? list.count : vertices;
    if (same && (a.count != 3 * vertices || b.count != 3 * listed)) {
        print_error("%s of prim %zu has %zu numbers for %zu vertices, expected %zu for %zu\n", what, index, a.count,
                    vertices, b.count, listed);
        same = false;
    }
    for (size_t i = 0; same && i < 3 * listed; ++i) {
        const size_t vertex = list.values ? (size_t)list.values[i / 3] : i / 3;
        const double value = vertex < vertices ? a.values[3 * vertex + i % 3] : NAN;
        same = check_close(value, b.values[i], tolerance);
        if (!same) {
            print_error("prim %zu, vertex %zu: %s component %zu is %.9g, expected %.9g within %.3g\n", index, vertex,
                        what, i % 3, value, b.values[i], tolerance);
        }
        ++*count;
    }
    free(a.values);
    free(b.values);
    free(list.values);
    return same;
}

static double largest_in_lists(const cJSON *lists) {
    double largest = 0;
    const cJSON *list, *item;
    cJSON_ArrayForEach(list, lists) { cJSON_ArrayForEach(item, list) largest = fmax(largest, fabs(item->valuedouble)); }
    return largest;
}

static bool compare_sample(const cJSON *actual, const cJSON *expected, const cJSON *prims, const cJSON *gltf,
                           eval_counts *counts) {
    static const char *const arrays[] = {"local", "world"};
    for (size_t k = 0; k < 2; ++k) {
        const cJSON *const b_list = member(expected, arrays[k]);
        if (!b_list && k > 0) continue; // all but `local` may be missing from a reference, never from ours
        numbers a, b = {NULL, 0};
        bool same = read_numbers(&a, member(actual, arrays[k]), arrays[k]) && read_numbers(&b, b_list, arrays[k]);
        if (same && a.count != b.count) {
            print_error("%s has %zu numbers, expected %zu\n", arrays[k], a.count, b.count);
            same = false;
        }
        same = same && (k == 0 ? compare_local(&a, &b, gltf, counts)
                               : compare_matrices(&a, &b, "world matrix of node", &counts->world));
        free(a.values);
        free(b.values);
        if (!same) return false;
    }
    const cJSON *const skins = member(expected, "skins");
    if (skins) {
        if (!same_length(member(actual, "skins"), skins, "skins of a sample")) return false;
        const cJSON *a_skin = member(actual, "skins")->child;
        for (const cJSON *b_skin = skins->child; b_skin; b_skin = b_skin->next, a_skin = a_skin->next) {
            numbers a, b = {NULL, 0};
            bool same = read_numbers(&a, a_skin, "skin") && read_numbers(&b, b_skin, "skin");
            if (same && a.count != b.count) {
                print_error("a skin has %zu numbers, expected %zu\n", a.count, b.count);
                same = false;
            }
            same = same && compare_matrices(&a, &b, "skin matrix", &counts->skin);
            free(a.values);
            free(b.values);
            if (!same) return false;
        }
    }
    static const char *const vertex_arrays[] = {"pos", "nrm"};
    for (size_t k = 0; k < 2; ++k) {
        const cJSON *const b_lists = member(expected, vertex_arrays[k]);
        if (!b_lists) continue;
        const cJSON *const a_lists = member(actual, vertex_arrays[k]);
        if (!same_length(a_lists, b_lists, vertex_arrays[k]) || !same_length(b_lists, prims, "prims")) return false;
        const double tolerance = k == 0 ? position_tolerance * largest_in_lists(b_lists) : normal_tolerance;
        const cJSON *a = a_lists->child, *prim = prims->child;
        size_t index = 0;
        for (const cJSON *b = b_lists->child; b; b = b->next, a = a->next, prim = prim->next, ++index) {
            if (!compare_vertices(a, b, prim, tolerance, vertex_arrays[k], index,
                                  k == 0 ? &counts->position : &counts->normal)) {
                return false;
            }
        }
    }
    return true;
}

bool eval_compare_clip(const cJSON *actual, const cJSON *expected, const cJSON *expected_clip, const cJSON *gltf,
                       eval_counts *counts) {
    const cJSON *const clips = member(actual, "clips");
    if (!cJSON_IsArray(clips) || cJSON_GetArraySize(clips) != 1) {
        print_error("clips does not have one entry\n");
        return false;
    }
    const cJSON *const clip = clips->child;
    const cJSON *const a_duration = member(clip, "duration");
    const cJSON *const b_duration = member(expected_clip, "duration");
    if (!same_member(clip, expected_clip, "index", "clip", 0, counts) ||
        !same_member(clip, expected_clip, "name", "clip", 0, counts)) {
        return false;
    }
    if (!cJSON_IsNumber(a_duration) || !cJSON_IsNumber(b_duration) ||
        !check_close((float)a_duration->valuedouble, (float)b_duration->valuedouble, 0)) {
        print_error("duration is %.9g, expected %.9g\n", a_duration ? a_duration->valuedouble : NAN,
                    b_duration ? b_duration->valuedouble : NAN);
        return false;
    }
    ++counts->structure;
    const cJSON *const a_samples = member(clip, "samples");
    const cJSON *const b_samples = member(expected_clip, "samples");
    if (!same_length(a_samples, b_samples, "samples")) return false;
    const cJSON *a = a_samples->child;
    for (const cJSON *b = b_samples->child; b; b = b->next, a = a->next) {
        const cJSON *const a_time = member(a, "t");
        const double want = member(b, "t")->valuedouble;
        if (!cJSON_IsNumber(a_time) || !check_close((float)a_time->valuedouble, (float)want, 0)) {
            print_error("t is %.9g, expected %.9g\n", a_time ? a_time->valuedouble : NAN, want);
            return false;
        }
        ++counts->structure;
        if (!compare_sample(a, b, member(expected, "prims"), gltf, counts)) {
            print_error("at t %.9g of clip %d\n", want, (int)member(expected_clip, "index")->valuedouble);
            return false;
        }
    }
    return true;
}

bool eval_compare_rest(const cJSON *actual, const cJSON *expected, const cJSON *gltf, eval_counts *counts) {
    if (!member(actual, "rest")) {
        print_error("rest is missing\n");
        return false;
    }
    if (compare_sample(member(actual, "rest"), member(expected, "rest"), member(expected, "prims"), gltf, counts)) {
        return true;
    }
    print_error("in the rest pose\n");
    return false;
}
