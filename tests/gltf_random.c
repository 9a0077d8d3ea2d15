#include "gltf_random.h"

#include <stdlib.h>

#include "check.h"
#include "run_program.h"

enum {
    MAX_NODES = 28,
    MAX_BUFFERS = 3,
    MAX_SKINS = 3,
    MAX_MESHES = 4,
    MAX_KEYS = 6,
    MAX_VERTICES = 9,
    MAX_INFLUENCES = 12,
    MAX_POOL = 64,
    MAX_CHANNELS = 3 * MAX_NODES + 8,
    MAX_DEPTH = 6
};

// componentType of glTF.
enum { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

enum { STEP, LINEAR, CUBIC };

typedef struct bytes {
    unsigned char *data;
    size_t size, capacity;
} bytes;

/// Key times, and the values that go with them, are kept to be shared by several samplers.
typedef struct input {
    uint32_t accessor, key_count;
    float times[MAX_KEYS];
} input;

typedef enum property { ROTATION, TRANSLATION, SCALE, WEIGHTS } property;

typedef struct output {
    uint32_t accessor, input; // pool index of the times it was made for: cubic values are checked against them
    property property;
    int interpolation;
} output;

typedef struct skin {
    uint32_t joint_count;
} skin;

typedef struct maker {
    check_random random;
    bytes buffers[MAX_BUFFERS];
    uint32_t buffer_count;
    bytes views, accessors; // JSON, without the brackets
    uint32_t view_count, accessor_count;
    uint32_t node_count;
    uint32_t parent[MAX_NODES], depth[MAX_NODES], root[MAX_NODES]; // node indices of the file; parent MAX_NODES: none
    bool has_matrix[MAX_NODES];
    double scale_sign[MAX_NODES][3];
    int mesh[MAX_NODES], node_skin[MAX_NODES]; // -1: none
    skin skins[MAX_SKINS];
    uint32_t skin_count;
    bytes meshes;
    uint32_t mesh_count;
    bool morphs[MAX_MESHES]; // whether the mesh has a morph target
    input inputs[MAX_POOL];
    output outputs[MAX_POOL];
    uint32_t input_count, output_count;
} maker;

// ---- bytes and text

static void *append_space(bytes *b, size_t size) {
    if (!b->data || b->capacity - b->size < size) {
        b->capacity = 2 * (b->size + size) + 256;
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    void *const space = b->data + b->size;
    b->size += size;
    return space;
}

static void append(bytes *b, const void *data, size_t size) {
    if (size > 0) memcpy(append_space(b, size), data, size);
}

static void append_format(bytes *b, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    append(b, text, (size_t)length);
}

static void append_text(bytes *b, const char *text) { append(b, text, strlen(text)); }

static void append_float(bytes *b, double value) { append_format(b, "%.9g", (double)(float)value); }

static void append_bytes(bytes *b, const bytes *other) { append(b, other->data, other->size); }

static void comma(bytes *b, bool *first) {
    if (!*first) append(b, ",", 1);
    *first = false;
}

static void append_base64(bytes *b, const bytes *data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < data->size; i += 3) {
        const size_t left = data->size - i;
        const uint32_t word = (uint32_t)data->data[i] << 16 | (left > 1 ? (uint32_t)data->data[i + 1] << 8 : 0) |
                              (left > 2 ? data->data[i + 2] : 0);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63], left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        append(b, four, 4);
    }
}

// ---- chance

static uint32_t below(maker *m, uint32_t count) { return check_random_below(&m->random, count); }

static bool chance(maker *m, uint32_t percent) { return below(m, 100) < percent; }

static double uniform(maker *m, double low, double high) {
    return (double)check_random_float(&m->random, (float)low, (float)high);
}

static void shuffle(maker *m, uint32_t *values, uint32_t count) {
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t k = below(m, i), swap = values[k];
        values[k] = values[i - 1];
        values[i - 1] = swap;
    }
}

/// Names as JSON writes them, or none.
static void append_name(maker *m, bytes *b, bool *first) {
    static const char *const names[] = {
        "\"\"",
        "\"hip\"",
        "\"Bone.001\"",
        "\"twice\"",
        "\"twice\"",
        "\"a \\\"quoted\\\" \\\\ name\"",
        "\"tab\\tbell\\u0007\"",
        "\"Gr\\u00f6\\u00dfe\"",
        "\"\xc3\xa9t\xc3\xa9\"",
        "\"\\ud83e\\udd8a fox\"",
        "\"17\"",
        "\"a/b:c[d]\"",
    };
    if (chance(m, 35)) return;
    comma(b, first);
    append_text(b, "\"name\":");
    append_text(b, names[below(m, sizeof names / sizeof names[0])]);
}

static void append_extras(maker *m, bytes *b, bool *first) {
    static const char *const members[] = {"\"extras\":{\"note\":[1,2,{\"deep\":null}]}", "\"extras\":3",
                                          "\"extensions\":{\"EXT_unheard_of\":{\"x\":[0]}}"};
    if (!chance(m, 15)) return;
    comma(b, first);
    append_text(b, members[below(m, 3)]);
}

// ---- buffers, views, accessors

static uint32_t component_bytes(int type) {
    return type == F32 || type == U32 ? 4 : type == I16 || type == U16 ? 2 : 1;
}

static double largest_integer(int type) { return type == I8 ? 127 : type == U8 ? 255 : type == I16 ? 32767 : 65535; }

/// The integer that stands for a value.
static long encode(int type, bool normalised, double value) {
    return lround(normalised ? value * largest_integer(type) : value);
}

static double decode(int type, double value) {
    if (type == F32) return (double)(float)value;
    return (double)encode(type, true, value) / largest_integer(type);
}

static void write_component(unsigned char *out, int type, bool normalised, double value) {
    if (type == F32) {
        const float number = (float)value;
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        for (int i = 0; i < 4; ++i) out[i] = (unsigned char)(bits >> 8 * i);
        return;
    }
    long integer = encode(type, normalised, value);
    if (normalised && integer == -(long)largest_integer(type)) --integer; // -128 and -32768 stand for -1 as well
    const uint32_t bits = (uint32_t)integer;
    for (uint32_t i = 0; i < component_bytes(type); ++i) out[i] = (unsigned char)(bits >> 8 * i);
}

/// Room in one of the buffers, 4-byte aligned, perhaps with bytes of no meaning before it.
static unsigned char *buffer_room(maker *m, size_t size, uint32_t *buffer, size_t *offset) {
    *buffer = below(m, m->buffer_count);
    bytes *const b = &m->buffers[*buffer];
    const size_t junk = (4 - b->size % 4) % 4 + (chance(m, 30) ? 4 * (size_t)below(m, 5) : 0);
    memset(append_space(b, junk), 0xA5, junk);
    *offset = b->size;
    return append_space(b, size);
}

static uint32_t add_view(maker *m, uint32_t buffer, size_t offset, size_t size, uint32_t stride) {
    append_format(&m->views, "%s{\"buffer\":%u,\"byteLength\":%zu", m->view_count ? "," : "", buffer, size);
    if (offset > 0 || chance(m, 50)) append_format(&m->views, ",\"byteOffset\":%zu", offset);
    if (stride > 0) append_format(&m->views, ",\"byteStride\":%u", stride);
    append_text(&m->views, "}");
    return m->view_count++;
}

static const char *type_name(uint32_t components) {
    static const char *const names[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    return components == 16 ? "MAT4" : names[components - 1];
}

/// The members that every accessor has; the caller adds the closing bracket.
static uint32_t begin_accessor(maker *m, const double *values, uint32_t count, uint32_t components, int type,
                               bool normalised) {
    bytes *const b = &m->accessors;
    append_format(b, "%s{\"componentType\":%d,\"count\":%u,\"type\":\"%s\"", m->accessor_count ? "," : "", type, count,
                  type_name(components));
    if (normalised) append_text(b, ",\"normalized\":true");
    if (type == F32 && components <= 3) {
        for (int upper = 0; upper < 2; ++upper) {
            append_text(b, upper ? ",\"max\":[" : ",\"min\":[");
            for (uint32_t c = 0; c < components; ++c) {
                double bound = values[c];
                for (uint32_t i = 1; i < count; ++i) {
                    const double value = values[i * components + c];
                    if (upper ? value > bound : value < bound) bound = value;
                }
                if (c) append_text(b, ",");
                append_float(b, bound);
            }
            append_text(b, "]");
        }
    }
    return m->accessor_count++;
}

static void append_view(maker *m, uint32_t view, size_t offset) {
    append_format(&m->accessors, ",\"bufferView\":%u", view);
    if (offset > 0 || chance(m, 30)) append_format(&m->accessors, ",\"byteOffset\":%zu", offset);
}

/// Sparse storage: some elements, or all where there is no view below, come from a list.
static void append_sparse(maker *m, const double *values, const bool *listed, uint32_t count, uint32_t components,
                          int type, bool normalised) {
    const int index_types[] = {U8, U16, U32};
    const int index_type = index_types[below(m, 3)];
    const uint32_t element = components * component_bytes(type);
    uint32_t listed_count = 0;
    for (uint32_t i = 0; i < count; ++i) listed_count += listed[i];
    for (int k = 0; k < 2; ++k) {
        const uint32_t size = k == 0 ? component_bytes(index_type) : element;
        const uint32_t skip = chance(m, 40) ? 4 * (1 + below(m, 3)) : 0;
        uint32_t buffer;
        size_t offset;
        unsigned char *out = buffer_room(m, skip + (size_t)listed_count * size, &buffer, &offset);
        memset(out, 0x5A, skip);
        out += skip;
        for (uint32_t i = 0; i < count; ++i) {
            if (!listed[i]) continue;
            if (k == 0) {
                for (uint32_t c = 0; c < size; ++c) out[c] = (unsigned char)(i >> 8 * c);
            } else {
                for (uint32_t c = 0; c < components; ++c) {
                    write_component(out + c * component_bytes(type), type, normalised, values[i * components + c]);
                }
            }
            out += size;
        }
        const uint32_t view = add_view(m, buffer, offset, skip + (size_t)listed_count * size, 0);
        if (k == 0) {
            append_format(&m->accessors,
                          ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,\"componentType\":%d", listed_count,
                          view, index_type);
        } else {
            append_format(&m->accessors, "},\"values\":{\"bufferView\":%u", view);
        }
        if (skip > 0) append_format(&m->accessors, ",\"byteOffset\":%u", skip);
    }
    append_text(&m->accessors, "}}");
}

/// An accessor in a view of its own: tight, or (vertices only) strided; behind bytes of no meaning; or sparse.
static uint32_t add_accessor(maker *m, const double *values, uint32_t count, uint32_t components, int type,
                             bool normalised, bool vertices) {
    const uint32_t index = begin_accessor(m, values, count, components, type, normalised);
    const uint32_t size = component_bytes(type), element = components * size;
    bool listed[3 * MAX_KEYS + MAX_VERTICES + MAX_NODES] = {false};
    assert_true(count <= sizeof listed);
    const bool sparse = chance(m, 20), base = !sparse || chance(m, 60);
    if (sparse) {
        listed[below(m, count)] = true;
        for (uint32_t i = 0; i < count; ++i) listed[i] |= !base || chance(m, 40);
    }
    if (base) {
        const uint32_t stride = vertices && chance(m, 30) ? (element + 3) / 4 * 4 + 4 * below(m, 4) : 0;
        const uint32_t skip = chance(m, 30) ? 4 * (1 + below(m, 4)) : 0;
        const uint32_t step = stride ? stride : element;
        // The last element needs no stride behind it.
        const size_t room = skip + (size_t)step * (count - 1) + element;
        uint32_t buffer;
        size_t offset;
        unsigned char *const out = buffer_room(m, room, &buffer, &offset);
        memset(out, 0x3C, room);
        for (uint32_t i = 0; i < count; ++i) {
            for (uint32_t c = 0; c < components; ++c) {
                if (listed[i]) continue; // what lies below a listed element has no meaning
                write_component(out + skip + (size_t)i * step + c * size, type, normalised, values[i * components + c]);
            }
        }
        append_view(m, add_view(m, buffer, offset, room, stride), skip);
    }
    if (sparse) append_sparse(m, values, listed, count, components, type, normalised);
    append_text(&m->accessors, "}");
    return index;
}

// ---- rotations

static void random_rotation(maker *m, double q[4]) {
    const sqt_quat r = check_random_quat(&m->random);
    q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w;
}

static void normalise(double q[4]) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) q[i] /= length;
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// ---- nodes

static void make_tree(maker *m) {
    m->node_count = 1 + below(m, chance(m, 20) ? MAX_NODES : 14);
    uint32_t order[MAX_NODES]; // order[k]: the file's index of the k-th node made
    for (uint32_t i = 0; i < m->node_count; ++i) order[i] = i;
    if (chance(m, 80)) shuffle(m, order, m->node_count);
    for (uint32_t k = 0; k < m->node_count; ++k) {
        const uint32_t node = order[k];
        const uint32_t above = k > 0 ? order[below(m, k)] : 0;
        const bool is_root = k == 0 || m->depth[above] + 1 >= MAX_DEPTH || chance(m, 12);
        m->parent[node] = is_root ? MAX_NODES : above;
        m->depth[node] = is_root ? 0 : m->depth[above] + 1;
        m->root[node] = is_root ? node : m->root[above];
        m->mesh[node] = m->node_skin[node] = -1;
    }
}

/// Scales stay near 1, so that the tolerances are about arithmetic and not about a matrix that is nearly flat.
static void random_scale(maker *m, const double sign[3], double scale[3]) {
    const double uniform_scale = uniform(m, 0.7, 1.4);
    const bool is_uniform = chance(m, 50);
    for (int i = 0; i < 3; ++i) scale[i] = sign[i] * (is_uniform ? uniform_scale : uniform(m, 0.7, 1.4));
}

static void append_vector(bytes *b, bool *first, const char *name, const double *values, uint32_t count) {
    comma(b, first);
    append_format(b, "\"%s\":[", name);
    for (uint32_t i = 0; i < count; ++i) {
        if (i) append_text(b, ",");
        append_float(b, values[i]);
    }
    append_text(b, "]");
}

/// Column-major T * R * S.
static void compose(double out[16], const double t[3], const double r[4], const double s[3]) {
    const double x = r[0], y = r[1], z = r[2], w = r[3];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                                2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                                2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) out[4 * column + row] = rotation[3 * column + row] * s[column];
        out[4 * column + 3] = 0;
        out[12 + column] = t[column];
    }
    out[15] = 1;
}

static void make_nodes(maker *m, bytes *nodes) {
    for (uint32_t n = 0; n < m->node_count; ++n) {
        double t[3], r[4], s[3];
        const uint32_t mirror = chance(m, 15) ? 1 + below(m, 7) : 0;
        for (int i = 0; i < 3; ++i) {
            t[i] = uniform(m, -1.5, 1.5);
            m->scale_sign[n][i] = mirror >> i & 1 ? -1 : 1;
        }
        random_rotation(m, r);
        random_scale(m, m->scale_sign[n], s);
        append_text(nodes, n ? ",{" : "{");
        bool first = true;
        append_name(m, nodes, &first);
        m->has_matrix[n] = chance(m, 15);
        if (m->has_matrix[n]) {
            double matrix[16];
            compose(matrix, t, r, s);
            append_vector(nodes, &first, "matrix", matrix, 16);
        } else {
            if (chance(m, 75)) append_vector(nodes, &first, "translation", t, 3);
            if (chance(m, 15)) {
                // Rounded to three digits, as some exporters do: nearly unit.
                for (int i = 0; i < 4; ++i) r[i] = round(r[i] * 1000) / 1000;
            }
            if (chance(m, 75)) append_vector(nodes, &first, "rotation", r, 4);
            if (mirror || chance(m, 30)) append_vector(nodes, &first, "scale", s, 3);
        }
        bool any = false;
        uint32_t children[MAX_NODES], child_count = 0;
        for (uint32_t c = 0; c < m->node_count; ++c) {
            if (m->parent[c] == n) children[child_count++] = c;
        }
        shuffle(m, children, child_count);
        for (uint32_t c = 0; c < child_count; ++c) {
            if (!any) comma(nodes, &first);
            append_format(nodes, "%s%u", any ? "," : "\"children\":[", children[c]);
            any = true;
        }
        if (any) append_text(nodes, "]");
        if (m->mesh[n] >= 0) {
            comma(nodes, &first);
            append_format(nodes, "\"mesh\":%d", m->mesh[n]);
        }
        if (m->node_skin[n] >= 0) append_format(nodes, ",\"skin\":%d", m->node_skin[n]);
        append_extras(m, nodes, &first);
        append_text(nodes, "}");
    }
}

// ---- skins

static void make_skins(maker *m, bytes *skins) {
    const uint32_t wanted = below(m, MAX_SKINS + 1);
    for (; m->skin_count < wanted; ++m->skin_count) {
        // The joints of a skin have a common root.
        const uint32_t root = m->root[below(m, m->node_count)];
        uint32_t joints[MAX_NODES], tree = 0;
        for (uint32_t n = 0; n < m->node_count; ++n) {
            if (m->root[n] == root) joints[tree++] = n;
        }
        shuffle(m, joints, tree);
        const uint32_t count = chance(m, 40) ? tree : 1 + below(m, tree);
        m->skins[m->skin_count].joint_count = count;
        bytes *const b = skins;
        append_text(b, m->skin_count ? ",{" : "{");
        bool first = true;
        append_name(m, b, &first);
        comma(b, &first);
        append_text(b, "\"joints\":[");
        for (uint32_t k = 0; k < count; ++k) append_format(b, "%s%u", k ? "," : "", joints[k]);
        append_text(b, "]");
        if (chance(m, 30)) append_format(b, ",\"skeleton\":%u", root);
        if (chance(m, 75)) {
            double matrices[MAX_NODES * 16];
            for (uint32_t k = 0; k < count; ++k) {
                const double sign[3] = {chance(m, 5) ? -1 : 1, 1, 1};
                const double t[3] = {uniform(m, -1, 1), uniform(m, -1, 1), uniform(m, -1, 1)};
                double r[4], s[3];
                random_rotation(m, r);
                random_scale(m, sign, s);
                compose(matrices + 16 * k, t, r, s);
            }
            append_format(b, ",\"inverseBindMatrices\":%u", add_accessor(m, matrices, count, 16, F32, false, false));
        }
        append_extras(m, b, &first);
        append_text(b, "}");
    }
}

// ---- meshes

typedef struct attribute {
    const char *name;
    double values[4 * MAX_VERTICES];
    uint32_t components;
    int type;
    bool normalised;
} attribute;

/// Weights that sum to 1, or whose integers sum to the integer that stands for 1.
static void make_influences(maker *m, attribute *attributes, uint32_t *attribute_count, uint32_t vertex_count,
                            uint32_t joint_count) {
    static const char *const joint_names[] = {"JOINTS_0", "JOINTS_1", "JOINTS_2"};
    static const char *const weight_names[] = {"WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2"};
    const uint32_t most = joint_count < MAX_INFLUENCES ? joint_count : MAX_INFLUENCES;
    const uint32_t largest = 1 + below(m, most);
    const uint32_t sets = chance(m, 85) ? (largest + 3) / 4 : 3;
    const int weight_types[] = {F32, U8, U16};
    const int weight_type = weight_types[below(m, 3)];
    attribute *const joints = attributes + *attribute_count;
    attribute *const weights = joints + sets;
    *attribute_count += 2 * sets;
    for (uint32_t k = 0; k < sets; ++k) {
        joints[k] = (attribute){joint_names[k], {0}, 4, chance(m, 50) ? U8 : U16, false};
        weights[k] = (attribute){weight_names[k], {0}, 4, weight_type, weight_type != F32};
    }
    for (uint32_t v = 0; v < vertex_count; ++v) {
        uint32_t list[MAX_NODES];
        for (uint32_t i = 0; i < joint_count; ++i) list[i] = i;
        shuffle(m, list, joint_count);
        const uint32_t count = chance(m, 50) ? largest : 1 + below(m, largest);
        double raw[MAX_INFLUENCES], sum = 0;
        for (uint32_t i = 0; i < count; ++i) sum += raw[i] = uniform(m, i == 0 ? 0.6 : 0.1, 1);
        double rest = 1;
        const uint32_t turn = below(m, count); // the first takes what rounding leaves, and may stand anywhere
        for (uint32_t i = count; i-- > 0;) {
            const uint32_t place = (i + turn) % count;
            const double weight = decode(weight_type, i > 0 ? raw[i] / sum : rest);
            rest -= weight;
            joints[place / 4].values[4 * v + place % 4] = list[i];
            weights[place / 4].values[4 * v + place % 4] = weight;
        }
    }
}

/// All attributes in one view, one vertex after the other.
static void add_interleaved(maker *m, const attribute *attributes, uint32_t count, uint32_t vertex_count,
                            uint32_t *accessors) {
    uint32_t offsets[16], stride = 0, order[16];
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    shuffle(m, order, count);
    for (uint32_t i = 0; i < count; ++i) {
        const attribute *const a = &attributes[order[i]];
        offsets[order[i]] = stride;
        stride += (a->components * component_bytes(a->type) + 3) / 4 * 4 + (chance(m, 20) ? 4 : 0);
    }
    assert_true(stride <= 252);
    const size_t room = (size_t)stride * vertex_count;
    uint32_t buffer;
    size_t offset;
    unsigned char *const out = buffer_room(m, room, &buffer, &offset);
    memset(out, 0x77, room);
    for (uint32_t i = 0; i < count; ++i) {
        const attribute *const a = &attributes[i];
        for (uint32_t k = 0; k < vertex_count * a->components; ++k) {
            write_component(out + (size_t)stride * (k / a->components) + offsets[i] +
                                k % a->components * component_bytes(a->type),
                            a->type, a->normalised, a->values[k]);
        }
    }
    const uint32_t view = add_view(m, buffer, offset, room, stride);
    for (uint32_t i = 0; i < count; ++i) {
        const attribute *const a = &attributes[i];
        accessors[i] = begin_accessor(m, a->values, vertex_count, a->components, a->type, a->normalised);
        append_view(m, view, offsets[i]);
        append_text(&m->accessors, "}");
    }
}

/// @param joint_count 0: a mesh without a skin.
static void make_primitive(maker *m, uint32_t joint_count, bool morphs) {
    attribute attributes[16];
    uint32_t count = 0, accessors[16];
    const bool indexed = chance(m, 50);
    const uint32_t vertex_count = indexed ? 1 + below(m, MAX_VERTICES) : 3 * (1 + below(m, 3));
    attribute *const positions = &attributes[count++];
    *positions = (attribute){"POSITION", {0}, 3, F32, false};
    for (uint32_t i = 0; i < 3 * vertex_count; ++i) positions->values[i] = uniform(m, -2, 2);
    for (int k = 0; k < 2; ++k) {
        if (chance(m, k == 0 ? 30 : 70)) continue;
        attribute *const a = &attributes[count++];
        *a = (attribute){k == 0 ? "NORMAL" : "TANGENT", {0}, k == 0 ? 3 : 4, F32, false};
        for (uint32_t v = 0; v < vertex_count; ++v) {
            double q[4];
            do {
                random_rotation(m, q);
                q[3] = 0;
            } while (dot4(q, q) < 0.1);
            normalise(q);
            q[3] = chance(m, 50) ? -1 : 1;
            memcpy(a->values + a->components * v, q, a->components * sizeof(double));
        }
    }
    if (joint_count > 0) make_influences(m, attributes, &count, vertex_count, joint_count);
    if (chance(m, 40)) {
        add_interleaved(m, attributes, count, vertex_count, accessors);
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            accessors[i] = add_accessor(m, attributes[i].values, vertex_count, attributes[i].components,
                                        attributes[i].type, attributes[i].normalised, true);
        }
    }
    bytes *const b = &m->meshes;
    append_text(b, "{\"attributes\":{");
    for (uint32_t i = 0; i < count; ++i)
        append_format(b, "%s\"%s\":%u", i ? "," : "", attributes[i].name, accessors[i]);
    append_text(b, "}");
    if (indexed) {
        const int types[] = {U8, U16, U32};
        double indices[12];
        const uint32_t index_count = 3 * (1 + below(m, 4));
        for (uint32_t i = 0; i < index_count; ++i) indices[i] = below(m, vertex_count);
        append_format(b, ",\"indices\":%u", add_accessor(m, indices, index_count, 1, types[below(m, 3)], false, false));
    }
    if (chance(m, 30)) append_text(b, ",\"mode\":4");
    if (morphs) {
        append_format(b, ",\"targets\":[{\"POSITION\":%u}]",
                      add_accessor(m, positions->values, vertex_count, 3, F32, false, true));
    }
    append_text(b, "}");
}

/// Meshes on nodes of their own; a skinned one may be worn twice, on skins that are large enough.
static void make_meshes(maker *m) {
    uint32_t nodes[MAX_NODES];
    for (uint32_t i = 0; i < m->node_count; ++i) nodes[i] = i;
    shuffle(m, nodes, m->node_count);
    uint32_t used = 0;
    for (uint32_t k = 0; k < m->skin_count + 1 && m->mesh_count < MAX_MESHES && used < m->node_count; ++k) {
        const bool skinned = k < m->skin_count;
        if (!chance(m, skinned ? 90 : 30)) continue;
        const uint32_t joint_count = skinned ? m->skins[k].joint_count : 0;
        const bool morphs = m->morphs[m->mesh_count] = chance(m, 25);
        append_text(&m->meshes, m->mesh_count ? ",{" : "{");
        bool first = true;
        append_name(m, &m->meshes, &first);
        comma(&m->meshes, &first);
        append_text(&m->meshes, "\"primitives\":[");
        const uint32_t primitives = 1 + below(m, 2);
        for (uint32_t p = 0; p < primitives; ++p) {
            if (p > 0) append_text(&m->meshes, ",");
            make_primitive(m, joint_count, morphs);
        }
        append_text(&m->meshes, morphs ? "],\"weights\":[0.5]}" : "]}");
        m->mesh[nodes[used]] = (int)m->mesh_count;
        m->node_skin[nodes[used++]] = skinned ? (int)k : -1;
        for (uint32_t other = 0; skinned && other < m->skin_count && used < m->node_count; ++other) {
            if (m->skins[other].joint_count < joint_count || !chance(m, 30)) continue;
            m->mesh[nodes[used]] = (int)m->mesh_count;
            m->node_skin[nodes[used++]] = (int)other;
        }
        ++m->mesh_count;
    }
}

// ---- clips

static uint32_t make_input(maker *m, bool two_keys) {
    for (int attempt = 0; m->input_count > 0 && attempt < 4; ++attempt) {
        const uint32_t shared = below(m, m->input_count);
        if (chance(m, 40) && (!two_keys || m->inputs[shared].key_count >= 2)) return shared;
    }
    if (m->input_count == MAX_POOL) return 0; // the first is made with two keys or more
    input *const made = &m->inputs[m->input_count];
    const uint32_t least = two_keys || m->input_count == 0 ? 2 : 1;
    made->key_count = least + below(m, MAX_KEYS + 1 - least);
    double time = chance(m, 50) ? 0 : uniform(m, 0.01, 1.5), times[MAX_KEYS];
    for (uint32_t k = 0; k < made->key_count; ++k) {
        made->times[k] = (float)time;
        times[k] = (double)made->times[k];
        time += uniform(m, 0.02, 0.8);
    }
    made->accessor = add_accessor(m, times, made->key_count, 1, F32, false, false);
    return m->input_count++;
}

/// The shortest that a cubic rotation gets between two keys: near zero its direction would be decided by noise.
static double shortest_on_spline(const double *a, const double *b, double span) {
    double v0[4], v1[4], shortest = 1;
    memcpy(v0, a + 4, sizeof v0);
    memcpy(v1, b + 4, sizeof v1);
    normalise(v0);
    normalise(v1);
    for (int i = 0; i <= 32; ++i) {
        const double u = i / 32.0, u2 = u * u, u3 = u2 * u;
        double q[4];
        for (int c = 0; c < 4; ++c) {
            q[c] = (2 * u3 - 3 * u2 + 1) * v0[c] + span * (u3 - 2 * u2 + u) * a[8 + c] + (3 * u2 - 2 * u3) * v1[c] +
                   span * (u3 - u2) * b[c];
        }
        shortest = fmin(shortest, sqrt(dot4(q, q)));
    }
    return shortest;
}

/// A rotation as it will be decoded; an unsigned type has no negative components.
static void make_key_rotation(maker *m, int type, double q[4]) {
    const bool rounded = chance(m, 12);
    do {
        random_rotation(m, q);
        for (int i = 0; i < 4; ++i) {
            if (type == U8 || type == U16) q[i] = fabs(q[i]);
            if (type == F32 && rounded) q[i] = round(q[i] * 1000) / 1000;
            q[i] = decode(type, q[i]);
        }
        if ((type == I8 || type == I16) && chance(m, 15)) q[below(m, 4)] = -1;
    } while (dot4(q, q) < 0.5);
}

static void make_rotation_keys(maker *m, const input *in, int interpolation, int type, double *values) {
    const uint32_t width = interpolation == CUBIC ? 12 : 4, at = interpolation == CUBIC ? 4 : 0;
    for (uint32_t k = 0; k < in->key_count; ++k) {
        double *const key = values + width * k;
        const double *const before = key - width;
        for (int attempt = 0;; ++attempt) {
            assert_true(attempt < 100000);
            make_key_rotation(m, type, key + at);
            // Sometimes a key that nearly repeats the one before, or is its opposite.
            if (k > 0 && chance(m, 15)) {
                const double sign = interpolation != CUBIC && type != U8 && type != U16 && chance(m, 50) ? -1 : 1;
                for (int c = 0; c < 4; ++c) key[at + (uint32_t)c] = sign * before[at + (uint32_t)c];
                if (type == F32) key[at] = decode(type, key[at] + uniform(m, -1e-3, 1e-3));
            }
            if (interpolation == CUBIC) {
                const bool flat = chance(m, 30);
                for (int c = 0; c < 4; ++c) {
                    const double low = type == U8 || type == U16 ? 0 : -0.9;
                    key[c] = flat ? 0 : decode(type, uniform(m, low, 0.9));
                    key[8 + c] = flat ? 0 : decode(type, uniform(m, low, 0.9));
                }
            }
            if (k == 0 || interpolation == STEP) break;
            if (interpolation == CUBIC) {
                if (shortest_on_spline(before, key, (double)in->times[k] - (double)in->times[k - 1]) > 0.5) break;
            } else {
                // Half a turn apart either way round is as short: noise would choose.
                if (fabs(dot4(before, key)) > 1e-3) break;
            }
        }
    }
}

static uint32_t make_output(maker *m, uint32_t input_index, property what, int interpolation, const double sign[3]) {
    for (uint32_t i = 0; i < m->output_count; ++i) {
        const output *const o = &m->outputs[i];
        const bool same_property = o->property == what || (what == TRANSLATION && o->property == SCALE);
        const bool same_use = o->input == input_index && (o->interpolation == CUBIC) == (interpolation == CUBIC) &&
                              (what != ROTATION || o->interpolation == interpolation || interpolation == STEP);
        if (same_property && same_use && chance(m, 30)) return o->accessor;
    }
    const input *const in = &m->inputs[input_index];
    const uint32_t per_key = interpolation == CUBIC ? 3 : 1;
    double values[MAX_KEYS * 3 * 4];
    uint32_t components = 3;
    int type = F32;
    if (what == ROTATION) {
        const int types[] = {F32, F32, F32, I8, U8, I16, U16};
        components = 4;
        type = types[below(m, 7)];
        make_rotation_keys(m, in, interpolation, type, values);
    } else {
        components = what == WEIGHTS ? 1 : 3;
        for (uint32_t k = 0; k < in->key_count * per_key; ++k) {
            const bool tangent = per_key == 3 && k % 3 != 1;
            double v[3];
            if (what == SCALE && !tangent) random_scale(m, sign, v);
            for (uint32_t c = 0; c < components; ++c) {
                const double reach = what == SCALE ? 0.4 : 1.5;
                if (what != SCALE || tangent) v[c] = uniform(m, -reach, reach);
                values[components * k + c] = v[c];
            }
        }
    }
    const uint32_t accessor = add_accessor(m, values, in->key_count * per_key, components, type, type != F32, false);
    if (m->output_count < MAX_POOL) {
        m->outputs[m->output_count++] = (output){accessor, input_index, what, interpolation};
    }
    return accessor;
}

typedef struct sampler {
    uint32_t input;
    property property;
} sampler;

static void make_clip(maker *m, bytes *clips, gltf_random *made) {
    static const char *const paths[] = {"rotation", "translation", "scale", "weights"};
    const uint32_t clip = made->clip_count++;
    sampler samplers[MAX_CHANNELS];
    uint32_t sampler_count = 0, channel_count = 0;
    bytes channels = {0}, sampler_text = {0};
    float duration = 0;
    const uint32_t density = 10 + below(m, 70);
    // Channels of a node stand anywhere in the list, in any order.
    uint32_t targets[4 * MAX_NODES], target_count = 0;
    for (uint32_t i = 0; i < 4 * m->node_count; ++i) {
        if (m->has_matrix[i / 4] || !(i % 4 == WEIGHTS ? chance(m, 70) : chance(m, density))) continue;
        if (i % 4 == WEIGHTS && (m->mesh[i / 4] < 0 || !m->morphs[m->mesh[i / 4]])) continue;
        targets[target_count++] = i;
    }
    shuffle(m, targets, target_count);
    for (uint32_t i = 0; i < target_count + 1; ++i) {
        const bool no_node = i == target_count; // for what some extension animates; without effect
        if (no_node && channel_count > 0 && !chance(m, 20)) continue;
        const uint32_t node = no_node ? 0 : targets[i] / 4;
        const property what = no_node ? TRANSLATION : (property)(targets[i] % 4);
        uint32_t chosen = sampler_count;
        for (uint32_t s = 0; s < sampler_count; ++s) {
            if (samplers[s].property == what && chance(m, 15)) chosen = s;
        }
        if (chosen == sampler_count) {
            static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
            const int interpolation = (int)below(m, 3);
            const uint32_t in = make_input(m, interpolation == CUBIC);
            const uint32_t out = make_output(m, in, what, interpolation, m->scale_sign[node]);
            append_format(&sampler_text, "%s{\"input\":%u,\"output\":%u", sampler_count ? "," : "",
                          m->inputs[in].accessor, out);
            if (interpolation != LINEAR || chance(m, 50)) {
                append_format(&sampler_text, ",\"interpolation\":\"%s\"", names[interpolation]);
            }
            append_text(&sampler_text, "}");
            samplers[sampler_count++] = (sampler){in, what};
        }
        append_format(&channels, "%s{\"sampler\":%u,\"target\":{", channel_count++ ? "," : "", chosen);
        if (!no_node) append_format(&channels, "\"node\":%u,", node);
        append_format(&channels, "\"path\":\"%s\"}}", paths[what]);
        const input *const in = &m->inputs[samplers[chosen].input];
        if (!no_node && in->times[in->key_count - 1] > duration) duration = in->times[in->key_count - 1];
    }
    append_text(clips, clip ? ",{" : "{");
    bool first = true;
    append_name(m, clips, &first);
    comma(clips, &first);
    append_text(clips, "\"channels\":[");
    append_bytes(clips, &channels);
    append_text(clips, "],\"samplers\":[");
    append_bytes(clips, &sampler_text);
    append_text(clips, "]}");
    free(channels.data);
    free(sampler_text.data);
    // Both ends, exact keys, instants between.
    float *const times = made->times[clip];
    times[0] = 0;
    times[1] = duration;
    for (uint32_t t = 2; t < GLTF_RANDOM_MAX_TIMES; ++t) {
        const input *const in = &m->inputs[samplers[below(m, sampler_count)].input];
        times[t] = t < 4 ? in->times[below(m, in->key_count)] : check_random_float(&m->random, 0, duration);
        if (times[t] > duration) times[t] = duration;
    }
    made->time_counts[clip] = GLTF_RANDOM_MAX_TIMES;
}

// ---- the file

static void add_array(bytes *document, const char *name, const bytes *content, bool *first) {
    if (content->size == 0) return;
    comma(document, first);
    append_format(document, "\"%s\":[", name);
    append_bytes(document, content);
    append_text(document, "]");
}

static void external_path(char *path, size_t size, const gltf_random *made, uint32_t buffer) {
    snprintf(path, size, "%.*s %u.bin", (int)(strrchr(made->path, '.') - made->path), made->path, buffer);
}

static void add_buffers(maker *m, bytes *document, bool binary, const gltf_random *made, bool *first) {
    if (m->view_count == 0) return;
    comma(document, first);
    append_text(document, "\"buffers\":[");
    for (uint32_t b = 0; b < m->buffer_count; ++b) {
        bytes *const buffer = &m->buffers[b];
        if (buffer->size == 0) memset(append_space(buffer, 4), 0, 4);
        append_format(document, "%s{\"byteLength\":%zu", b ? "," : "", buffer->size);
        if (binary && b == 0) {
            append_text(document, "}");
        } else if (chance(m, 60)) {
            append_text(document, chance(m, 50) ? ",\"uri\":\"data:application/octet-stream;base64,"
                                                : ",\"uri\":\"data:application/gltf-buffer;base64,");
            append_base64(document, buffer);
            append_text(document, "\"}");
        } else {
            char path[1100];
            external_path(path, sizeof path, made, b);
            write_whole_file(path, buffer->data, buffer->size);
            // A space in a file's name is %20 in a URI.
            const char *const name = strrchr(path, '/') + 1;
            const char *const space = strchr(name, ' ');
            append_format(document, ",\"uri\":\"%.*s%%20%s\"}", (int)(space - name), name, space + 1);
        }
    }
    append_text(document, "]");
}

static void append_u32(bytes *b, uint32_t value) {
    const unsigned char four[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 24)};
    append(b, four, 4);
}

static void append_chunk(bytes *file, const char type[4], const bytes *content, unsigned char padding) {
    const size_t pad = (4 - content->size % 4) % 4;
    append_u32(file, (uint32_t)(content->size + pad));
    append(file, type, 4);
    append_bytes(file, content);
    memset(append_space(file, pad), padding, pad);
}

static void write_document(maker *m, const bytes *document, bool binary, const gltf_random *made) {
    if (!binary) {
        write_whole_file(made->path, document->data, document->size);
        return;
    }
    bytes chunks = {0}, file = {0};
    append_chunk(&chunks, "JSON", document, ' ');
    if (m->view_count > 0) append_chunk(&chunks, "BIN\0", &m->buffers[0], 0);
    append_text(&file, "glTF");
    append_u32(&file, 2);
    append_u32(&file, (uint32_t)(12 + chunks.size));
    append_bytes(&file, &chunks);
    write_whole_file(made->path, file.data, file.size);
    free(chunks.data);
    free(file.data);
}

void gltf_random_write(gltf_random *made, const char *folder, uint64_t seed) {
    memset(made, 0, sizeof *made);
    static maker m;
    memset(&m, 0, sizeof m);
    // Neighbouring seeds start far apart.
    m.random.state = seed * 0x9E3779B97F4A7C15ull | 1;
    for (int i = 0; i < 8; ++i) check_random_u32(&m.random);
    const bool binary = chance(&m, 40);
    make_folder(folder);
    snprintf(made->path, sizeof made->path, "%s/%llu.%s", folder, (unsigned long long)seed, binary ? "glb" : "gltf");
    m.buffer_count = 1 + below(&m, MAX_BUFFERS);

    bytes nodes = {0}, skins = {0}, clips = {0}, document = {0};
    make_tree(&m);
    make_skins(&m, &skins);
    make_meshes(&m);
    make_nodes(&m, &nodes);
    const uint32_t clip_count = below(&m, GLTF_RANDOM_MAX_CLIPS + 1);
    for (uint32_t c = 0; c < clip_count; ++c) make_clip(&m, &clips, made);
    made->node_count = m.node_count;
    made->skin_count = m.skin_count;

    append_text(&document, "{\"asset\":{\"version\":\"2.0\"}");
    bool first = false;
    if (chance(&m, 60)) {
        append_text(&document, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
        bool first_root = true;
        for (uint32_t n = 0; n < m.node_count; ++n) {
            if (m.parent[n] != MAX_NODES) continue;
            comma(&document, &first_root);
            append_format(&document, "%u", n);
        }
        append_text(&document, "]}]");
    }
    append_text(&document, ",\"extensionsUsed\":[\"EXT_unheard_of\"]");
    add_buffers(&m, &document, binary, made, &first);
    add_array(&document, "bufferViews", &m.views, &first);
    add_array(&document, "accessors", &m.accessors, &first);
    add_array(&document, "meshes", &m.meshes, &first);
    add_array(&document, "skins", &skins, &first);
    add_array(&document, "nodes", &nodes, &first);
    add_array(&document, "animations", &clips, &first);
    append_text(&document, "}");
    write_document(&m, &document, binary, made);

    bytes *const used[] = {&nodes, &skins, &clips, &document, &m.views, &m.accessors, &m.meshes};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; ++i) free(used[i]->data);
    for (uint32_t b = 0; b < MAX_BUFFERS; ++b) free(m.buffers[b].data);
}

void gltf_random_remove(const gltf_random *made) {
    for (uint32_t b = 0; b < MAX_BUFFERS; ++b) {
        char path[1100];
        external_path(path, sizeof path, made, b);
        remove(path); // not there where the buffer is embedded
    }
    remove(made->path);
}
