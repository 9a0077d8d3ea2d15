// Files that lie: each is one change to a small valid file, and the tool refuses each with one line that names the
// problem, exit status 2 and nothing on standard output.
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "check.h"
#include "run_program.h"

#define FOLDER SQT_TEST_SCRATCH "/hostile"

// ---- the valid file: two joints, a triangle on them, a clip

enum {
    TIMES = 0,
    ROTATIONS = TIMES + 3 * 4,
    TRANSLATIONS = ROTATIONS + 3 * 16,
    BINDS = TRANSLATIONS + 3 * 12,
    POSITIONS = BINDS + 2 * 64,
    NORMALS = POSITIONS + 3 * 12,
    JOINTS = NORMALS + 3 * 12,
    WEIGHTS = JOINTS + 3 * 4,
    INDICES = WEIGHTS + 3 * 16,
    SPARSE_INDICES = INDICES + 8,
    SPARSE_VALUES = SPARSE_INDICES + 4,
    BUFFER_BYTES = SPARSE_VALUES + 12
};

static const char valid_json[] =
    "{\"asset\":{\"version\":\"2.0\"},"
    "\"buffers\":[{\"byteLength\":380,\"uri\":\"buffer.bin\"}],"
    "\"bufferViews\":["
    "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":12,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":128},"
    "{\"buffer\":0,\"byteOffset\":224,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":260,\"byteLength\":36},"
    "{\"buffer\":0,\"byteOffset\":296,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":308,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":356,\"byteLength\":6},{\"buffer\":0,\"byteOffset\":364,\"byteLength\":2},"
    "{\"buffer\":0,\"byteOffset\":368,\"byteLength\":12}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":9,\"componentType\":5123},\"values\":{\"bufferView\":10}}},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":4,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
    "{\"bufferView\":5,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":6,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":8,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":4,\"NORMAL\":5,\"JOINTS_0\":6,\"WEIGHTS_0\":7},"
    "\"indices\":8}]}],"
    "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":3}],"
    "\"nodes\":[{\"name\":\"hip\",\"children\":[1,2],\"translation\":[0,1,0]},{\"name\":\"knee\",\"rotation\":[0,0,0,1]"
    "},"
    "{\"mesh\":0,\"skin\":0}],"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"animations\":[{\"name\":\"bend\",\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
    "\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,\"output\":2,\"interpolation\":\"STEP\"}]}]}";

static void put_bits(unsigned char *out, uint32_t bits, size_t size) {
    for (size_t i = 0; i < size; ++i) out[i] = (unsigned char)(bits >> 8 * i);
}

static void put_floats(unsigned char *out, const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, values + i, sizeof bits);
        put_bits(out + 4 * i, bits, 4);
    }
}

static void make_valid_buffer(unsigned char buffer[BUFFER_BYTES]) {
    static const float times[] = {0, 0.5f, 1};
    static const float rotations[] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 1, 0};
    static const float translations[] = {0, 1, 0, 0, 2, 0, 0, 3, 0};
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float weights[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0};
    static const float sparse_values[] = {0, 2.5f, 0};
    static const unsigned char joints[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    memset(buffer, 0, BUFFER_BYTES);
    put_floats(buffer + TIMES, times, 3);
    put_floats(buffer + ROTATIONS, rotations, 12);
    put_floats(buffer + TRANSLATIONS, translations, 9);
    for (size_t i = 0; i < 8; ++i) put_floats(buffer + BINDS + 64 * (i / 4) + 20 * (i % 4), &(const float){1}, 1);
    put_floats(buffer + POSITIONS, positions, 9);
    put_floats(buffer + NORMALS, normals, 9);
    memcpy(buffer + JOINTS, joints, sizeof joints);
    put_floats(buffer + WEIGHTS, weights, 12);
    for (uint32_t i = 0; i < 3; ++i) put_bits(buffer + INDICES + 2 * i, i, 2);
    put_bits(buffer + SPARSE_INDICES, 1, 2);
    put_floats(buffer + SPARSE_VALUES, sparse_values, 3);
}

// ---- running the tool

static bool contains_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (; *text; ++text) {
        size_t i = 0;
        while (i < length && text[i] && (text[i] | 0x20) == (word[i] | 0x20)) ++i;
        if (i == length) return true;
    }
    return false;
}

/// @param words what the line has one of, separated by '|'.
static bool names_the_problem(const char *line, const char *words) {
    // The path that it begins with is not part of the message.
    const char *const message = strstr(line, FOLDER) ? strstr(line, FOLDER) + strlen(FOLDER) : line;
    const char *const after_path = strchr(message, ':') ? strchr(message, ':') : message;
    for (const char *word = words; *word;) {
        char one[64];
        const size_t length = strcspn(word, "|");
        assert_true(length < sizeof one);
        memcpy(one, word, length);
        one[length] = '\0';
        if (contains_word(after_path, one)) return true;
        word += length + (word[length] == '|');
    }
    return false;
}

static uint32_t refused, not_refused;

/// Runs `sqt eval` and `sqt info` on a file that both must refuse.
static void check_refused(const char *title, const char *path, const char *words) {
    const char *const runs[][8] = {{SQT_TOOL, "eval", path, "--skin", NULL},
                                   {SQT_TOOL, "eval", path, "--clip", "0", "--time", "0.3", NULL},
                                   {SQT_TOOL, "info", path, NULL}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
        run_output output = run_program(runs[i]);
        const char *const end = strchr(output.err, '\n');
        const bool one_line = end && end[1] == '\0' && end > output.err;
        if (output.status == 2 && output.out_bytes == 0 && one_line && names_the_problem(output.err, words)) {
            ++refused;
        } else {
            print_error("%s (%s): exit status %d, %zu bytes on standard output, standard error (to name %s): %s\n",
                        title, runs[i][1], output.status, output.out_bytes, words, output.err);
            ++not_refused;
        }
        run_output_free(&output);
    }
}

static void check_all_refused(uint32_t expected) {
    print_message("%u refused\n", refused);
    assert_int_equal(not_refused, 0);
    assert_int_equal(refused, 3 * expected);
    refused = 0;
}

static int start_empty(void **state) {
    (void)state;
    make_folder(FOLDER);
    refused = not_refused = 0;
    return 0;
}

static void write_pair(const char *json, size_t json_bytes, const unsigned char *buffer, size_t bytes) {
    write_whole_file(FOLDER "/file.gltf", json, json_bytes);
    write_whole_file(FOLDER "/buffer.bin", buffer, bytes);
}

// ---- changes to the JSON

typedef struct json_change {
    const char *title;
    const char *path;  ///< members and indices, from the top
    const char *value; ///< NULL: removed
    const char *words; ///< one of them stands in the message
} json_change;

static const json_change json_changes[] = {
    {"count of 2^62", "accessors/0/count", "4611686018427387904", "accessor|count"},
    {"count of 2^62 with a stride of 4", "accessors/8/count", "4611686018427387904", "accessor|count"},
    {"count of 2^32 + 3", "accessors/4/count", "4294967299", "accessor|count"},
    {"count of 0", "accessors/0/count", "0", "accessor|count|key"},
    {"count of 0 vertices", "accessors/4/count", "0", "accessor|count|position"},
    {"negative count", "accessors/4/count", "-1", "accessor|count"},
    {"fractional count", "accessors/4/count", "2.5", "accessor|count"},
    {"count of 1e300", "accessors/4/count", "1e300", "accessor|count"},
    {"count as text", "accessors/4/count", "\"3\"", "accessor|count"},
    {"count missing", "accessors/4/count", NULL, "accessor|count"},
    {"count past the view", "accessors/4/count", "4", "accessor|view"},
    {"bufferView -7", "accessors/0/bufferView", "-7", "accessor|bufferView|view"},
    {"bufferView past the last", "accessors/0/bufferView", "11", "accessor|bufferView|view"},
    {"negative byteOffset", "accessors/0/byteOffset", "-4", "accessor|byteOffset|offset"},
    {"huge byteOffset", "accessors/0/byteOffset", "18446744073709551612", "accessor|byteOffset|offset"},
    {"byteOffset past the view", "accessors/4/byteOffset", "4", "accessor|byteOffset|view"},
    {"componentType 5124", "accessors/0/componentType", "5124", "accessor|componentType"},
    {"componentType 0", "accessors/4/componentType", "0", "accessor|componentType"},
    {"componentType missing", "accessors/4/componentType", NULL, "accessor|componentType"},
    {"type VEC9", "accessors/2/type", "\"VEC9\"", "accessor|type"},
    {"type missing", "accessors/2/type", NULL, "accessor|type"},
    {"SCALAR for a translation", "accessors/2/type", "\"SCALAR\"", "accessor|type|translation"},
    {"VEC3 for a rotation", "accessors/1/type", "\"VEC3\"", "accessor|type|rotation"},
    {"integer times", "accessors/0/componentType", "5125", "accessor|componentType|input|time"},
    {"one joint matrix too few", "accessors/3/count", "1", "inverse|matri"},
    {"VEC4 for joint matrices", "accessors/3/type", "\"VEC4\"", "inverse|matri|type"},
    {"integer joint matrices", "skins/0/inverseBindMatrices", "6", "inverse|matri|type"},
    {"sparse count past the accessor's", "accessors/2/sparse/count", "4", "sparse"},
    {"negative sparse count", "accessors/2/sparse/count", "-1", "sparse"},
    {"sparse count of 2^62", "accessors/2/sparse/count", "4611686018427387904", "sparse"},
    {"float sparse indices", "accessors/2/sparse/indices/componentType", "5126", "sparse"},
    {"sparse indices without a view", "accessors/2/sparse/indices/bufferView", NULL, "sparse"},
    {"sparse indices in view 99", "accessors/2/sparse/indices/bufferView", "99", "sparse|view"},
    {"sparse values in view -1", "accessors/2/sparse/values/bufferView", "-1", "sparse|view"},
    {"sparse values past the view", "accessors/2/sparse/values/byteOffset", "4", "sparse"},
    {"huge offset of sparse indices", "accessors/2/sparse/indices/byteOffset", "9223372036854775806", "sparse"},
    {"sparse values missing", "accessors/2/sparse/values", NULL, "sparse"},
    {"view of buffer 5", "bufferViews/4/buffer", "5", "buffer|view"},
    {"view of buffer -1", "bufferViews/4/buffer", "-1", "buffer|view"},
    {"view without a buffer", "bufferViews/4/buffer", NULL, "buffer|view"},
    {"view past its buffer", "bufferViews/10/byteLength", "13", "view|buffer"},
    {"view with a negative offset", "bufferViews/4/byteOffset", "-224", "view|offset"},
    {"view whose end overflows", "bufferViews/4/byteOffset", "18446744073709551600", "view|offset"},
    {"view of negative length", "bufferViews/4/byteLength", "-1", "view|length"},
    {"view shorter than its accessor", "bufferViews/4/byteLength", "35", "view|accessor"},
    {"stride below the element", "bufferViews/4/byteStride", "8", "stride"},
    {"stride past the view", "bufferViews/4/byteStride", "252", "view|stride|accessor"},
    {"negative stride", "bufferViews/4/byteStride", "-12", "stride"},
    {"buffer longer than its file", "buffers/0/byteLength", "381", "buffer"},
    {"buffer of negative length", "buffers/0/byteLength", "-380", "buffer"},
    {"buffer of 2^62 bytes", "buffers/0/byteLength", "4611686018427387904", "buffer"},
    {"buffer shorter than its views", "buffers/0/byteLength", "370", "view|buffer"},
    {"buffer without a length", "buffers/0/byteLength", NULL, "buffer|length"},
    {"buffer that is not there", "buffers/0/uri", "\"absent.bin\"", "absent.bin|buffer"},
    {"buffer above the folder", "buffers/0/uri", "\"../hostile/buffer.bin\"", "uri|path|folder|buffer"},
    {"buffer above the folder, escaped", "buffers/0/uri", "\"%2e%2e/hostile/buffer.bin\"", "uri|path|folder|buffer"},
    {"buffer above the folder, further in", "buffers/0/uri", "\"a/../../hostile/buffer.bin\"",
     "uri|path|folder|buffer"},
    {"buffer at an absolute path", "buffers/0/uri", "\"" FOLDER "/buffer.bin\"", "uri|path|folder|buffer"},
    {"buffer at a web address", "buffers/0/uri", "\"https://example.org/buffer.bin\"", "uri|scheme|path|buffer"},
    {"buffer at a file address", "buffers/0/uri", "\"file:buffer.bin\"", "uri|scheme|path|buffer"},
    {"buffer that is a folder", "buffers/0/uri", "\".\"", "uri|path|buffer|folder"},
    {"buffer without a uri", "buffers/0/uri", NULL, "uri|buffer"},
    {"base64 that is none", "buffers/0/uri", "\"data:application/octet-stream;base64,!!!!\"", "base64|buffer|uri"},
    {"base64 that is too short", "buffers/0/uri", "\"data:application/octet-stream;base64,AAAA\"",
     "base64|buffer|length"},
    {"data URI without base64", "buffers/0/uri", "\"data:text/plain,AAAA\"", "base64|buffer|uri"},
    {"buffers that are no array", "buffers", "{\"a\":1}", "buffer"},
    {"child -5", "nodes/0/children", "[1,-5]", "child"},
    {"child past the last", "nodes/0/children", "[1,3]", "child"},
    {"child of 2^32", "nodes/0/children", "[1,2,4294967296]", "child"},
    {"child of itself", "nodes/1/children", "[1]", "parent|cycle|child|itself"},
    {"cycle", "nodes/1/children", "[0]", "parent|cycle|child|itself"},
    {"child of two", "nodes/1/children", "[2]", "parent|twice|child"},
    {"child listed twice", "nodes/0/children", "[1,2,2]", "parent|twice|child"},
    {"mesh past the last", "nodes/2/mesh", "1", "mesh"},
    {"skin past the last", "nodes/2/skin", "1", "skin"},
    {"rotation of zero", "nodes/1/rotation", "[0,0,0,0]", "rotation"},
    {"rotation of three numbers", "nodes/1/rotation", "[0,0,1]", "rotation"},
    {"translation past float", "nodes/0/translation", "[0,1e39,0]", "translation|number|finite"},
    {"translation past double", "nodes/0/translation", "[0,1e400,0]", "translation|number|finite|json|parse"},
    {"translation of two numbers", "nodes/0/translation", "[0,1]", "translation"},
    {"translation as text", "nodes/0/translation", "[0,\"1\",0]", "translation"},
    {"scale with null", "nodes/0/scale", "[1,null,1]", "scale"},
    {"matrix of 15 numbers", "nodes/1/matrix", "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]", "matrix"},
    {"projective matrix", "nodes/1/matrix", "[1,0,0,0.5,0,1,0,0,0,0,1,0,0,0,0,1]", "matrix"},
    {"joint 2^31", "skins/0/joints", "[0,2147483648]", "joint"},
    {"joint -1", "skins/0/joints", "[0,-1]", "joint"},
    {"joint past the last", "skins/0/joints", "[0,3]", "joint"},
    {"no joints", "skins/0/joints", "[]", "joint"},
    {"joints missing", "skins/0/joints", NULL, "joint"},
    {"fewer joints than the mesh uses", "skins/0/joints", "[0]", "joint"},
    {"joint matrices in accessor 99", "skins/0/inverseBindMatrices", "99", "inverse|matri|accessor"},
    {"positions in accessor 99", "meshes/0/primitives/0/attributes/POSITION", "99", "position|accessor"},
    {"positions in accessor -3", "meshes/0/primitives/0/attributes/POSITION", "-3", "position|accessor"},
    {"no positions", "meshes/0/primitives/0/attributes/POSITION", NULL, "position"},
    {"integer positions", "meshes/0/primitives/0/attributes/POSITION", "6", "position"},
    {"normals of four numbers", "meshes/0/primitives/0/attributes/NORMAL", "7", "normal"},
    {"joint indices without weights", "meshes/0/primitives/0/attributes/WEIGHTS_0", NULL, "weight|joint"},
    {"float joint indices", "meshes/0/primitives/0/attributes/JOINTS_0", "7", "joint"},
    {"joint indices of three numbers", "accessors/6/type", "\"VEC3\"", "joint"},
    {"fewer joint indices than positions", "accessors/6/count", "2", "joint|count"},
    {"fewer weights than positions", "accessors/7/count", "2", "weight|count"},
    {"fewer normals than positions", "accessors/5/count", "2", "normal|count"},
    {"integer weights that are not normalised", "meshes/0/primitives/0/attributes/WEIGHTS_0", "6", "weight"},
    {"indices in accessor 99", "meshes/0/primitives/0/indices", "99", "indices|index|accessor"},
    {"float indices", "meshes/0/primitives/0/indices", "0", "indices|index"},
    {"primitive without attributes", "meshes/0/primitives/0/attributes", NULL, "attribute|position"},
    {"primitives that are no array", "meshes/0/primitives", "7", "primitive"},
    {"channel of sampler 2", "animations/0/channels/0/sampler", "2", "sampler"},
    {"channel of sampler -1", "animations/0/channels/0/sampler", "-1", "sampler"},
    {"channel of node 3", "animations/0/channels/0/target/node", "3", "node"},
    {"channel of node -2", "animations/0/channels/0/target/node", "-2", "node"},
    {"channel without a path", "animations/0/channels/0/target/path", NULL, "path"},
    {"channel without a target", "animations/0/channels/0/target", NULL, "target"},
    {"unknown interpolation", "animations/0/samplers/0/interpolation", "\"BEZIER\"", "interpolation"},
    {"cubic with one value a key", "animations/0/samplers/0/interpolation", "\"CUBICSPLINE\"",
     "count|key|output|value"},
    {"fewer values than keys", "accessors/1/count", "2", "count|key|output|value"},
    {"input in accessor 99", "animations/0/samplers/0/input", "99", "input|accessor"},
    {"output in accessor -1", "animations/0/samplers/0/output", "-1", "output|accessor"},
    {"sampler without an input", "animations/0/samplers/0/input", NULL, "input"},
    {"translations that turn", "animations/0/channels/1/target/path", "\"rotation\"", "rotation|type|accessor"},
    {"another major version", "asset/version", "\"1.0\"", "version"},
    {"no asset", "asset", NULL, "asset"},
    {"an extension that it would need", "extensionsRequired", "[\"KHR_draco_mesh_compression\"]", "extension|draco"},
    {"nodes that are no array", "nodes", "\"none\"", "node"},
    {"a node that is a number", "nodes/1", "1", "node"},
};

/// The member or element that a path names; what is above the last step is there.
static cJSON *parent_of(cJSON *document, const char *path, const char **last) {
    cJSON *at = document;
    for (;;) {
        const char *const slash = strchr(path, '/');
        if (!slash) {
            *last = path;
            return at;
        }
        char step[64];
        assert_true((size_t)(slash - path) < sizeof step);
        memcpy(step, path, (size_t)(slash - path));
        step[slash - path] = '\0';
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(step)) : cJSON_GetObjectItemCaseSensitive(at, step);
        assert_non_null(at);
        path = slash + 1;
    }
}

static void change(cJSON *document, const json_change *c) {
    const char *last;
    cJSON *const parent = parent_of(document, c->path, &last);
    if (cJSON_IsArray(parent)) {
        assert_true(cJSON_ReplaceItemInArray(parent, atoi(last), cJSON_CreateRaw(c->value)));
        return;
    }
    const bool there = cJSON_HasObjectItem(parent, last);
    if (!c->value) {
        assert_true(there);
        cJSON_DeleteItemFromObjectCaseSensitive(parent, last);
    } else if (there) {
        // Raw, so that integers past 2^53 stand in the file as they stand here.
        assert_true(cJSON_ReplaceItemInObjectCaseSensitive(parent, last, cJSON_CreateRaw(c->value)));
    } else {
        assert_true(cJSON_AddItemToObject(parent, last, cJSON_CreateRaw(c->value)));
    }
}

static void the_unchanged_file_is_accepted(void **state) {
    (void)state;
    unsigned char buffer[BUFFER_BYTES];
    make_valid_buffer(buffer);
    write_pair(valid_json, strlen(valid_json), buffer, sizeof buffer);
    const char *const runs[][8] = {{SQT_TOOL, "eval", FOLDER "/file.gltf", "--skin", "--clip", "0", NULL},
                                   {SQT_TOOL, "info", FOLDER "/file.gltf", NULL}};
    for (size_t i = 0; i < 2; ++i) {
        run_output output = run_program(runs[i]);
        if (output.status != 0) print_error("%s\n", output.err);
        assert_int_equal(output.status, 0);
        assert_true(output.out_bytes > 100);
        run_output_free(&output);
    }
}

static void files_with_a_wrong_member_are_refused(void **state) {
    (void)state;
    unsigned char buffer[BUFFER_BYTES];
    make_valid_buffer(buffer);
    const uint32_t count = sizeof json_changes / sizeof json_changes[0];
    for (uint32_t i = 0; i < count; ++i) {
        cJSON *const document = cJSON_Parse(valid_json);
        assert_non_null(document);
        change(document, &json_changes[i]);
        char *const text = cJSON_PrintUnformatted(document);
        write_pair(text, strlen(text), buffer, sizeof buffer);
        cJSON_free(text);
        cJSON_Delete(document);
        check_refused(json_changes[i].title, FOLDER "/file.gltf", json_changes[i].words);
    }
    check_all_refused(count);
}

// ---- changes to the buffer

static void files_with_a_wrong_number_in_a_buffer_are_refused(void **state) {
    (void)state;
    static const uint32_t nan_bits = 0x7FC00000u, infinity_bits = 0x7F800000u, half_bits = 0x3F000000u;
    const struct {
        const char *title;
        size_t offset, size;
        uint32_t bits;
        const char *words;
    } changes[] = {
        {"sparse index of the count", SPARSE_INDICES, 2, 3, "sparse"},
        {"sparse index of 65535", SPARSE_INDICES, 2, 0xFFFFu, "sparse"},
        {"vertex index of the count", INDICES + 4, 2, 3, "indices|index"},
        {"joint index of the count", JOINTS + 5, 1, 2, "joint"},
        {"time that is not a number", TIMES, 4, nan_bits, "time|input"},
        {"time that is infinite", TIMES + 8, 4, infinity_bits, "time|input"},
        {"times that descend", TIMES, 4, 0x40000000u, "time|input"},
        {"rotation that is not a number", ROTATIONS + 4, 4, nan_bits, "rotation|value|output"},
        {"rotation of zero", ROTATIONS + 12, 4, 0, "rotation|quaternion"},
        {"translation that is infinite", TRANSLATIONS + 8, 4, infinity_bits, "translation|value|output"},
        {"sparse value that is not a number", SPARSE_VALUES, 4, nan_bits, "translation|value|output"},
        {"joint matrix with infinity", BINDS + 64 + 48, 4, infinity_bits, "inverse|matri"},
        {"projective joint matrix", BINDS + 12, 4, half_bits, "inverse|matri"},
        {"position that is not a number", POSITIONS + 20, 4, nan_bits, "position"},
        {"normal that is infinite", NORMALS, 4, infinity_bits, "normal"},
        {"weight that is not a number", WEIGHTS + 16, 4, nan_bits, "weight"},
        {"negative weight", WEIGHTS + 20, 4, 0xBF000000u, "weight"},
    };
    const uint32_t count = sizeof changes / sizeof changes[0];
    for (uint32_t i = 0; i < count; ++i) {
        unsigned char buffer[BUFFER_BYTES];
        make_valid_buffer(buffer);
        put_bits(buffer + changes[i].offset, changes[i].bits, changes[i].size);
        write_pair(valid_json, strlen(valid_json), buffer, sizeof buffer);
        check_refused(changes[i].title, FOLDER "/file.gltf", changes[i].words);
    }
    check_all_refused(count);
}

static void a_joint_index_without_weight_does_no_harm(void **state) {
    (void)state;
    // Exporters leave anything there.
    unsigned char buffer[BUFFER_BYTES];
    const char *const run[] = {SQT_TOOL, "eval", FOLDER "/file.gltf", "--skin", "--clip", "0", NULL};
    make_valid_buffer(buffer);
    write_pair(valid_json, strlen(valid_json), buffer, sizeof buffer);
    run_output usual = run_program(run);
    buffer[JOINTS + 3] = 255;
    write_pair(valid_json, strlen(valid_json), buffer, sizeof buffer);
    run_output odd = run_program(run);
    assert_int_equal(usual.status, 0);
    assert_int_equal(odd.status, 0);
    assert_string_equal(odd.out, usual.out);
    run_output_free(&usual);
    run_output_free(&odd);
}

static void cut_buffers_are_refused(void **state) {
    (void)state;
    unsigned char buffer[BUFFER_BYTES];
    make_valid_buffer(buffer);
    const size_t sizes[] = {0, 1, 12, BUFFER_BYTES - 1};
    for (size_t i = 0; i < 4; ++i) {
        write_pair(valid_json, strlen(valid_json), buffer, sizes[i]);
        check_refused("cut buffer", FOLDER "/file.gltf", "buffer");
    }
    check_all_refused(4);
}

// ---- files that are no glTF

static void files_that_are_no_gltf_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *title, *text, *words;
    } files[] = {
        {"empty file", "", "empty|json|parse|glTF"},
        {"no JSON", "solid cube\nfacet normal 0 0 0\n", "json|parse|glTF"},
        {"open bracket", "{", "json|parse|bracket|nest|end"},
        {"array", "[]", "json|object|glTF|asset"},
        {"null", "null", "json|object|glTF|asset"},
        {"number", "3", "json|object|glTF|asset"},
        {"empty object", "{}", "asset"},
        {"no nodes", "{\"asset\":{\"version\":\"2.0\"}}", "node"},
        {"two documents", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}]}{}", "json|parse"},
        {"name that is no UTF-8", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"\xff\xfe\"}]}",
         "json|parse|UTF"},
    };
    const uint32_t count = sizeof files / sizeof files[0];
    for (uint32_t i = 0; i < count; ++i) {
        write_whole_file(FOLDER "/other.gltf", files[i].text, strlen(files[i].text));
        check_refused(files[i].title, FOLDER "/other.gltf", files[i].words);
    }
    static const char binary_zeros[64];
    write_whole_file(FOLDER "/other.gltf", binary_zeros, sizeof binary_zeros);
    check_refused("zeros", FOLDER "/other.gltf", "json|parse|glTF");
    // Cut in the middle of the JSON.
    write_whole_file(FOLDER "/other.gltf", valid_json, strlen(valid_json) / 2);
    check_refused("half a file", FOLDER "/other.gltf", "json|parse|end");
    check_refused("folder", FOLDER, "read|open|folder|directory|file");
    check_refused("file that is not there", FOLDER "/absent.glb", "read|open|no such|found");
    check_all_refused(count + 4);
}

static void json_that_nests_deeply_is_refused(void **state) {
    (void)state;
    enum { DEPTH = 20000 };
    static char text[8 * DEPTH];
    static const struct {
        const char *before, *open, *close;
    } forms[] = {
        {"{\"a\":", "[", "]"}, {"", "[", "]"}, {"{\"asset\":{\"version\":\"2.0\"},\"extras\":", "{\"a\":", "}"}};
    for (size_t f = 0; f < 3; ++f) {
        for (int closed = 0; closed < 2; ++closed) {
            size_t size = strlen(forms[f].before);
            memcpy(text, forms[f].before, size);
            for (int i = 0; i < DEPTH; ++i) {
                const size_t length = strlen(forms[f].open);
                memcpy(text + size, forms[f].open, length);
                size += length;
            }
            if (closed) {
                text[size++] = '1';
                memset(text + size, forms[f].close[0], DEPTH);
                size += DEPTH;
                if (f != 1) text[size++] = '}';
            }
            write_whole_file(FOLDER "/other.gltf", text, size);
            check_refused("20,000 brackets", FOLDER "/other.gltf", "nest|deep|level");
        }
    }
    check_all_refused(6);
}

// ---- binary files

enum { JSON_CHUNK = 0x4E4F534A, BIN_CHUNK = 0x004E4942, GLB_BYTES = 4096 };

typedef struct glb {
    unsigned char data[GLB_BYTES];
    size_t size, json_chunk, bin_chunk; ///< where the chunks begin
} glb;

static void make_glb(glb *file) {
    unsigned char buffer[BUFFER_BYTES];
    make_valid_buffer(buffer);
    char json[sizeof valid_json + 4];
    memcpy(json, valid_json, sizeof valid_json);
    // The first buffer of a binary file has no URI.
    char *const uri = strstr(json, ",\"uri\":\"buffer.bin\"");
    memset(uri, ' ', strlen(",\"uri\":\"buffer.bin\""));
    size_t json_bytes = strlen(json);
    while (json_bytes % 4) json[json_bytes++] = ' ';
    memcpy(file->data, "glTF", 4);
    put_bits(file->data + 4, 2, 4);
    file->json_chunk = 12;
    put_bits(file->data + 12, (uint32_t)json_bytes, 4);
    put_bits(file->data + 16, JSON_CHUNK, 4);
    memcpy(file->data + 20, json, json_bytes);
    file->bin_chunk = 20 + json_bytes;
    put_bits(file->data + file->bin_chunk, BUFFER_BYTES, 4);
    put_bits(file->data + file->bin_chunk + 4, BIN_CHUNK, 4);
    memcpy(file->data + file->bin_chunk + 8, buffer, BUFFER_BYTES);
    file->size = file->bin_chunk + 8 + BUFFER_BYTES;
    put_bits(file->data + 8, (uint32_t)file->size, 4);
}

static void check_glb_refused(const char *title, const glb *file, const char *words) {
    write_whole_file(FOLDER "/file.glb", file->data, file->size);
    check_refused(title, FOLDER "/file.glb", words);
}

static void binary_files_with_wrong_headers_are_refused(void **state) {
    (void)state;
    static glb valid, file;
    make_glb(&valid);
    write_whole_file(FOLDER "/file.glb", valid.data, valid.size);
    const char *const run[] = {SQT_TOOL, "eval", FOLDER "/file.glb", "--skin", "--clip", "0", NULL};
    run_output output = run_program(run);
    if (output.status != 0) print_error("%s\n", output.err);
    assert_int_equal(output.status, 0);
    run_output_free(&output);

    const char *const container = "glb|header|chunk|length|version|buffer|json|truncated|cut";
    const size_t cuts[] = {4, 8, 12, 16, 19, 20, 24, valid.bin_chunk, valid.bin_chunk + 4, valid.size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        file = valid;
        file.size = cuts[i];
        check_glb_refused("cut binary file", &file, container);
    }
    // Cut as well, but with a header that agrees: the buffer is not there.
    file = valid;
    file.size = valid.bin_chunk;
    put_bits(file.data + 8, (uint32_t)file.size, 4);
    check_glb_refused("no binary chunk", &file, "buffer|chunk");

    const struct {
        const char *title;
        size_t offset;
        uint32_t bits;
    } changes[] = {
        {"version 1", 4, 1},
        {"version 3", 4, 3},
        {"length past the file", 8, (uint32_t)valid.size + 4},
        {"length of 2^32 - 1", 8, 0xFFFFFFFFu},
        {"length of 0", 8, 0},
        {"length inside a chunk", 8, 24},
        {"chunk past the file", valid.json_chunk, (uint32_t)valid.size},
        {"chunk of 2^32 - 1", valid.json_chunk, 0xFFFFFFFFu},
        {"chunk of 2^32 - 4", valid.json_chunk, 0xFFFFFFFCu},
        {"JSON chunk of 0", valid.json_chunk, 0},
        {"binary chunk first", valid.json_chunk + 4, BIN_CHUNK},
        {"unknown chunk first", valid.json_chunk + 4, 0x12345678u},
        {"binary chunk of 2^32 - 1", valid.bin_chunk, 0xFFFFFFFFu},
        {"binary chunk shorter than the buffer", valid.bin_chunk, BUFFER_BYTES - 4},
        {"no binary chunk but another", valid.bin_chunk + 4, 0x12345678u},
    };
    const uint32_t count = sizeof changes / sizeof changes[0];
    for (uint32_t i = 0; i < count; ++i) {
        file = valid;
        put_bits(file.data + changes[i].offset, changes[i].bits, 4);
        check_glb_refused(changes[i].title, &file, container);
    }
    check_all_refused(count + 11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_unchanged_file_is_accepted, start_empty),
        cmocka_unit_test_setup(files_with_a_wrong_member_are_refused, start_empty),
        cmocka_unit_test_setup(files_with_a_wrong_number_in_a_buffer_are_refused, start_empty),
        cmocka_unit_test_setup(a_joint_index_without_weight_does_no_harm, start_empty),
        cmocka_unit_test_setup(cut_buffers_are_refused, start_empty),
        cmocka_unit_test_setup(files_that_are_no_gltf_are_refused, start_empty),
        cmocka_unit_test_setup(json_that_nests_deeply_is_refused, start_empty),
        cmocka_unit_test_setup(binary_files_with_wrong_headers_are_refused, start_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
