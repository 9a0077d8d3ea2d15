// The project's one C++ file: tinygltf parses, everything around it checks.
//
// tinygltf 2.7 takes the numbers of a file as they come (a count of 2^62, a child -5), drops members of a wrong type,
// loads files that a URI points at, and fails where an image does not decode. So it gets only what was checked before:
// the text is parsed once as plain JSON, what glTF's schema says about the members that matter here is enforced
// (`document_rules`), and a document of those members alone goes on to tinygltf. Buffers are loaded here. Whatever
// relates two members (an index to an array, a count to a buffer) is checked on what tinygltf returns.
#include "gltf_import.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_FS
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_INCLUDE_JSON
#include <tiny_gltf.h>

#include "gltf_accessor.h"
#include "gltf_source.h"

namespace {

using json = nlohmann::json;

#if defined(__GNUC__)
#define PRINTF_LIKE(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define PRINTF_LIKE(text, arguments)
#endif

// ---------------------------------------------------------------------------------------------------------- messages

std::string vformat(const char *format, va_list arguments) {
    char line[512];
    return std::vsnprintf(line, sizeof line, format, arguments) < 0 ? std::string(format) : std::string(line);
}

PRINTF_LIKE(1, 2) std::string text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const std::string line = vformat(format, arguments);
    va_end(arguments);
    return line;
}

[[noreturn]] PRINTF_LIKE(1, 2) void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const std::string line = vformat(format, arguments);
    va_end(arguments);
    throw std::runtime_error(line);
}

/// Where sqt's own checks find something: the importer's messages come first, so this is a last line of defence.
void require(sqt_result result, const sqt_fault &fault, const std::string &what) {
    if (result == SQT_OK) return;
    fail("%s: %s %" PRIu32 " (element %" PRIu32 "): %s", what.c_str(), fault.field ? fault.field : "argument",
         fault.index, fault.element, sqt_result_string(result));
}

// ----------------------------------------------------------------------------------------------- what the schema asks

enum class kind { index, size, string, boolean, numbers, indices, index_map, strings, object, objects, count };

struct rule {
    const char *name;
    kind type;
    bool required;
    size_t length;        // numbers: how many; 0: any
    const char *singular; // objects: what one is called in messages
    const rule *inside;   // object, objects: the rules of its members, up to a name of nullptr
};

constexpr rule end_of_rules = {nullptr, kind::index, false, 0, nullptr, nullptr};
constexpr rule optional(const char *name, kind type) { return {name, type, false, 0, nullptr, nullptr}; }
constexpr rule required(const char *name, kind type) { return {name, type, true, 0, nullptr, nullptr}; }
constexpr rule numbers(const char *name, size_t length) {
    return {name, kind::numbers, false, length, nullptr, nullptr};
}

constexpr rule asset_rules[] = {required("version", kind::string), optional("minVersion", kind::string), end_of_rules};
constexpr rule buffer_rules[] = {optional("uri", kind::string), required("byteLength", kind::size), end_of_rules};
constexpr rule view_rules[] = {required("buffer", kind::index), optional("byteOffset", kind::size),
                               required("byteLength", kind::size), optional("byteStride", kind::size), end_of_rules};
constexpr rule sparse_indices_rules[] = {required("bufferView", kind::index), optional("byteOffset", kind::index),
                                         required("componentType", kind::index), end_of_rules};
constexpr rule sparse_values_rules[] = {required("bufferView", kind::index), optional("byteOffset", kind::index),
                                        end_of_rules};
constexpr rule sparse_rules[] = {required("count", kind::index),
                                 {"indices", kind::object, true, 0, nullptr, sparse_indices_rules},
                                 {"values", kind::object, true, 0, nullptr, sparse_values_rules},
                                 end_of_rules};
constexpr rule accessor_rules[] = {optional("bufferView", kind::index),
                                   optional("byteOffset", kind::size),
                                   required("componentType", kind::index),
                                   optional("normalized", kind::boolean),
                                   required("count", kind::size),
                                   required("type", kind::string),
                                   {"sparse", kind::object, false, 0, nullptr, sparse_rules},
                                   end_of_rules};
constexpr rule primitive_rules[] = {required("attributes", kind::index_map), optional("indices", kind::index),
                                    optional("mode", kind::index), optional("targets", kind::count), end_of_rules};
constexpr rule mesh_rules[] = {
    optional("name", kind::string), {"primitives", kind::objects, true, 0, "primitive", primitive_rules}, end_of_rules};
constexpr rule node_rules[] = {optional("name", kind::string),
                               optional("skin", kind::index),
                               optional("mesh", kind::index),
                               numbers("matrix", 16),
                               numbers("rotation", 4),
                               numbers("translation", 3),
                               numbers("scale", 3),
                               optional("children", kind::indices),
                               end_of_rules};
constexpr rule skin_rules[] = {optional("name", kind::string), required("joints", kind::indices),
                               optional("inverseBindMatrices", kind::index), optional("skeleton", kind::index),
                               end_of_rules};
constexpr rule target_rules[] = {optional("node", kind::index), required("path", kind::string), end_of_rules};
constexpr rule channel_rules[] = {
    required("sampler", kind::index), {"target", kind::object, true, 0, nullptr, target_rules}, end_of_rules};
constexpr rule sampler_rules[] = {required("input", kind::index), required("output", kind::index),
                                  optional("interpolation", kind::string), end_of_rules};
constexpr rule animation_rules[] = {optional("name", kind::string),
                                    {"channels", kind::objects, true, 0, "channel", channel_rules},
                                    {"samplers", kind::objects, true, 0, "sampler", sampler_rules},
                                    end_of_rules};
constexpr rule document_rules[] = {{"asset", kind::object, true, 0, nullptr, asset_rules},
                                   optional("extensionsUsed", kind::strings),
                                   optional("extensionsRequired", kind::strings),
                                   {"buffers", kind::objects, false, 0, "buffer", buffer_rules},
                                   {"bufferViews", kind::objects, false, 0, "buffer view", view_rules},
                                   {"accessors", kind::objects, false, 0, "accessor", accessor_rules},
                                   {"meshes", kind::objects, false, 0, "mesh", mesh_rules},
                                   {"nodes", kind::objects, false, 0, "node", node_rules},
                                   {"skins", kind::objects, false, 0, "skin", skin_rules},
                                   {"animations", kind::objects, false, 0, "animation", animation_rules},
                                   end_of_rules};

/// A value as a message shows it: "-7", "\"seven\"", "[...]".
std::string shown(const json &value) {
    if (value.is_object()) return "{...}";
    if (value.is_array()) return "[...]";
    const std::string dumped = value.dump(-1, ' ', true, json::error_handler_t::replace);
    return dumped.size() <= 40 ? dumped : dumped.substr(0, 37) + "...";
}

bool is_index(const json &value) {
    return value.is_number_unsigned() &&
           value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int32_t>::max());
}

void require_each(const json &value, const std::string &where, bool (*accepts)(const json &), const char *expected) {
    if (!value.is_array()) fail("%s is not an array", where.c_str());
    for (size_t i = 0; i < value.size(); i++) {
        if (!accepts(value[i])) fail("%s[%zu] is %s, not %s", where.c_str(), i, shown(value[i]).c_str(), expected);
    }
}

json keep_object(const json &source, const rule *rules, const std::string &where);

/// The value if it is what the rule says, reduced to the members that have rules.
json keep_value(const json &value, const rule &r, const std::string &where) {
    const std::string name = where + r.name;
    const auto refuse = [&](const char *expected) {
        fail("%s is %s, not %s", name.c_str(), shown(value).c_str(), expected);
    };
    switch (r.type) {
    case kind::index:
        if (!is_index(value)) refuse("an index or count");
        return value;
    case kind::size:
        if (!value.is_number_unsigned()) refuse("a count of 0 or more");
        return value;
    case kind::string:
        if (!value.is_string()) refuse("a string");
        return value;
    case kind::boolean:
        if (!value.is_boolean()) refuse("true or false");
        return value;
    case kind::numbers:
        require_each(
            value, name, [](const json &element) { return element.is_number(); }, "a number");
        if (value.size() != r.length) fail("%s has %zu numbers, not %zu", name.c_str(), value.size(), r.length);
        return value;
    case kind::indices:
        require_each(value, name, is_index, "an index");
        return value;
    case kind::strings:
        require_each(
            value, name, [](const json &element) { return element.is_string(); }, "a string");
        return value;
    case kind::index_map:
        if (!value.is_object()) refuse("an object");
        for (const auto &[key, element] : value.items()) {
            if (!is_index(element)) {
                fail("%s.%s is %s, not an index", name.c_str(), key.c_str(), shown(element).c_str());
            }
        }
        return value;
    case kind::count:
        if (!value.is_array()) refuse("an array");
        return value.size();
    case kind::object:
        if (!value.is_object()) refuse("an object");
        return keep_object(value, r.inside, name + ".");
    case kind::objects:
        break;
    }
    json kept = json::array();
    require_each(
        value, name, [](const json &element) { return element.is_object(); }, "an object");
    for (size_t i = 0; i < value.size(); i++) {
        kept.push_back(keep_object(value[i], r.inside, text("%s%s %zu: ", where.c_str(), r.singular, i)));
    }
    return kept;
}

json keep_object(const json &source, const rule *rules, const std::string &where) {
    json kept = json::object();
    for (const rule *r = rules; r->name; r++) {
        const auto member = source.find(r->name);
        if (member != source.end()) {
            kept[r->name] = keep_value(*member, *r, where);
        } else if (r->required) {
            fail("%s%s is missing", where.c_str(), r->name);
        }
    }
    return kept;
}

// ------------------------------------------------------------------------------------------------------ the importer

struct importer {
    asset *out = nullptr;
    std::string folder; // of external buffers
    bool has_folder = false;
    json document; // what document_rules kept
    tinygltf::Model model;
    std::vector<std::vector<unsigned char>> buffers;
    std::vector<gltf_accessor> accessors;
    bool quantized = false; // KHR_mesh_quantization allows integer positions and normals
    uint64_t budget = 0;    // bytes that may still be decoded
    std::map<int, const float *> times;
    std::map<std::tuple<int, bool, bool>, const float *> keys; // accessor, rotation, cubic
    std::map<int, const float *> attributes;
    std::map<std::vector<int>, std::pair<const uint16_t *, const float *>> influences; // accessors, palette_count
    std::map<std::tuple<int, int, int>, uint32_t> prims;                               // mesh, primitive, skin
};

constexpr uint64_t least_budget = uint64_t(64) << 20;
constexpr uint64_t budget_per_byte = 64;

/// Decoded data is bounded by the size of the input: accessors without a buffer view, or thousands that share one,
/// could ask for any amount.
void spend(importer &in, uint64_t count, uint64_t size) {
    if (count > in.budget / size) fail("decodes to far more data than the file has");
    in.budget -= count * size;
}

template <typename T> T *allocate(importer &in, size_t count) {
    spend(in, count, sizeof(T));
    void *const memory = asset_alloc(in.out, count, sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T *>(memory);
}

const char *copy_string(importer &in, const std::string &string) {
    const char *const copy = asset_copy_string(in.out, string.c_str());
    if (!copy) throw std::bad_alloc();
    return copy;
}

/// The name of an object of the document: nullptr where it has none, which tinygltf does not tell from "".
const char *name_of(importer &in, const char *section, size_t index) {
    const json &object = in.document[section][index];
    const auto name = object.find("name");
    return name == object.end() ? nullptr : copy_string(in, name->get_ref<const std::string &>());
}

// ------------------------------------------------------------------------------------------------------ bytes and JSON

std::vector<unsigned char> read_file(const std::filesystem::path &path) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) fail("is a folder");
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.string().c_str(), "rb"), std::fclose);
    if (!file) fail("cannot be opened: %s", std::strerror(errno));
    std::vector<unsigned char> bytes;
    unsigned char piece[65536];
    size_t got;
    while ((got = std::fread(piece, 1, sizeof piece, file.get())) > 0) {
        if (bytes.size() + got > GLTF_MAX_FILE_BYTES) fail("is larger than %zu bytes", GLTF_MAX_FILE_BYTES);
        bytes.insert(bytes.end(), piece, piece + got);
    }
    if (std::ferror(file.get())) fail("cannot be read: %s", std::strerror(errno));
    return bytes;
}

std::vector<unsigned char> read_external(const importer &in, const std::string &uri, const std::string &what) {
    std::vector<char> relative(uri.size() + 1);
    if (const char *const wrong = gltf_path_from_uri(relative.data(), uri.c_str())) {
        fail("%s: uri \"%.80s\" %s", what.c_str(), uri.c_str(), wrong);
    }
    if (!in.has_folder) fail("%s: uri \"%.80s\" points out of the data", what.c_str(), uri.c_str());
    const std::filesystem::path path = std::filesystem::path(in.folder) / relative.data();
    std::error_code code; // a pipe or a device would never end
    if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) {
        fail("%s: \"%.80s\" is not a plain file", what.c_str(), relative.data());
    }
    try {
        return read_file(path);
    } catch (const std::runtime_error &wrong) { fail("%s: \"%.80s\" %s", what.c_str(), relative.data(), wrong.what()); }
}

std::vector<unsigned char> read_buffer(const importer &in, const json &buffer, gltf_span binary, bool is_first,
                                       const std::string &what) {
    const auto member = buffer.find("uri");
    if (member == buffer.end()) {
        if (!is_first || !binary.data) fail("%s: has neither a uri nor a binary chunk", what.c_str());
        return std::vector<unsigned char>(binary.data, binary.data + binary.size);
    }
    const std::string &uri = member->get_ref<const std::string &>();
    if (uri.find('\0') != std::string::npos) fail("%s: uri has a zero byte", what.c_str());
    if (uri.compare(0, 5, "data:") != 0) return read_external(in, uri, what);

    gltf_span base64;
    const char *wrong = gltf_data_uri(&base64, uri.data(), uri.size());
    if (wrong) fail("%s: uri %s", what.c_str(), wrong);
    std::vector<unsigned char> bytes(base64.size / 4 * 3 + 3);
    size_t size = 0;
    wrong = gltf_decode_base64(bytes.data(), &size, base64);
    if (wrong) fail("%s: uri %s", what.c_str(), wrong);
    bytes.resize(size);
    return bytes;
}

void load_buffers(importer &in, gltf_span binary) {
    const auto section = in.document.find("buffers");
    if (section == in.document.end()) return;
    for (size_t i = 0; i < section->size(); i++) {
        const std::string what = text("buffer %zu", i);
        const json &buffer = (*section)[i];
        std::vector<unsigned char> bytes = read_buffer(in, buffer, binary, i == 0, what);
        const uint64_t length = buffer["byteLength"].get<uint64_t>();
        if (length > bytes.size()) {
            fail("%s: has %zu bytes, byteLength says %" PRIu64, what.c_str(), bytes.size(), length);
        }
        bytes.resize(static_cast<size_t>(length));
        in.budget += budget_per_byte * length;
        in.buffers.push_back(std::move(bytes));
    }
    in.document.erase(section);
}

/// Extensions that change nothing that is read here, or that are supported.
bool is_known_extension(const std::string &name) {
    static const char *const prefixes[] = {"KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "KHR_lights_",
                                           "KHR_animation_pointer", "EXT_texture_",   "MSFT_texture_"};
    return std::any_of(std::begin(prefixes), std::end(prefixes),
                       [&](const char *prefix) { return name.compare(0, std::strlen(prefix), prefix) == 0; });
}

void check_header(importer &in) {
    const json &header = in.document["asset"];
    const auto minimum = header.find("minVersion");
    const json &version = minimum == header.end() ? header["version"] : *minimum;
    const std::string &number = version.get_ref<const std::string &>();
    if (minimum != header.end() ? number != "2.0" : number.compare(0, 2, "2.") != 0) {
        fail("is of glTF version %s; 2.0 is read", shown(version).c_str());
    }
    for (const json &name : in.document.value("extensionsRequired", json::array())) {
        if (!is_known_extension(name.get_ref<const std::string &>())) {
            fail("requires the extension %s, which is not supported", shown(name).c_str());
        }
    }
    for (const json &name : in.document.value("extensionsUsed", json::array())) {
        if (name == "KHR_mesh_quantization") in.quantized = true;
    }
}

void parse(importer &in, gltf_span source) {
    if (const char *const wrong = gltf_check_nesting(source)) fail("%s", wrong);
    json whole;
    try {
        whole = json::parse(source.data, source.data + source.size);
    } catch (const json::exception &wrong) {
        const std::string line = wrong.what(); // "[json.exception...] what; last read: all of a data URI"
        const size_t begin = line.find("] "), end = line.find("; last read");
        fail("is not JSON: %s", line.substr(begin == std::string::npos ? 0 : begin + 2, end - begin - 2).c_str());
    }
    if (!whole.is_object()) fail("the JSON is not an object");
    in.document = keep_object(whole, document_rules, "");
    check_header(in);
}

void parse_with_tinygltf(importer &in) {
    json document = in.document;
    for (json &mesh : document["meshes"]) { // tinygltf refuses index accessors without a buffer view: read apart
        for (json &primitive : mesh["primitives"]) {
            primitive.erase("indices");
            primitive.erase("targets");
        }
    }
    for (json &animation : document["animations"]) { // and drops channels without a node, which would shift the rest
        for (json &channel : animation["channels"]) {
            if (!channel["target"].contains("node")) channel["target"]["node"] = -1;
        }
    }
    const std::string dumped = document.dump();
    tinygltf::TinyGLTF parser;
    std::string wrong, odd;
    if (!parser.LoadASCIIFromString(&in.model, &wrong, &odd, dumped.c_str(), static_cast<unsigned>(dumped.size()),
                                    "")) {
        fail("tinygltf: %s", wrong.c_str());
    }
}

// ---------------------------------------------------------------------------------------------------------- accessors

void check_views(const importer &in) {
    for (size_t i = 0; i < in.model.bufferViews.size(); i++) {
        const tinygltf::BufferView &view = in.model.bufferViews[i];
        if (static_cast<size_t>(view.buffer) >= in.buffers.size()) {
            fail("buffer view %zu: there is no buffer %d", i, view.buffer);
        }
        const size_t size = in.buffers[static_cast<size_t>(view.buffer)].size();
        if (view.byteOffset > size || view.byteLength > size - view.byteOffset) {
            fail("buffer view %zu: %zu bytes from %zu run past buffer %d of %zu", i, view.byteLength, view.byteOffset,
                 view.buffer, size);
        }
    }
}

/// What tinygltf would refuse in words that do not name the place.
void check_before_tinygltf(const importer &in) {
    const json views = in.document.value("bufferViews", json::array());
    for (size_t i = 0; i < views.size(); i++) {
        const uint64_t stride = views[i].value("byteStride", uint64_t(0));
        if (stride > 252 || stride % 4 != 0) {
            fail("buffer view %zu: byteStride %" PRIu64 " is not a multiple of 4 up to 252", i, stride);
        }
    }
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    const json sources = in.document.value("accessors", json::array());
    for (size_t i = 0; i < sources.size(); i++) {
        const json &type = sources[i]["type"];
        if (std::find(std::begin(types), std::end(types), type) == std::end(types)) {
            fail("accessor %zu: type %s is unknown", i, shown(type).c_str());
        }
        const int component_type = sources[i]["componentType"].get<int>();
        if (component_type < GLTF_I8 || component_type > GLTF_F32) {
            fail("accessor %zu: %d is no component type", i, component_type);
        }
    }
}

gltf_range range_of(const importer &in, int view_index, size_t offset, const std::string &what) {
    if (static_cast<size_t>(view_index) >= in.model.bufferViews.size()) {
        fail("%s: there is no buffer view %d", what.c_str(), view_index);
    }
    const tinygltf::BufferView &view = in.model.bufferViews[static_cast<size_t>(view_index)];
    const std::vector<unsigned char> &buffer = in.buffers[static_cast<size_t>(view.buffer)];
    return {buffer.data() + view.byteOffset, view.byteLength, offset};
}

void set_shape(gltf_accessor &accessor, int type) {
    const auto shape = [&](uint32_t rows, uint32_t columns) {
        accessor.row_count = rows;
        accessor.column_count = columns;
    };
    switch (type) {
    case TINYGLTF_TYPE_VEC2:
        return shape(2, 1);
    case TINYGLTF_TYPE_VEC3:
        return shape(3, 1);
    case TINYGLTF_TYPE_VEC4:
        return shape(4, 1);
    case TINYGLTF_TYPE_MAT2:
        return shape(2, 2);
    case TINYGLTF_TYPE_MAT3:
        return shape(3, 3);
    case TINYGLTF_TYPE_MAT4:
        return shape(4, 4);
    default:
        return shape(1, 1);
    }
}

void load_accessors(importer &in) {
    check_views(in);
    for (size_t i = 0; i < in.model.accessors.size(); i++) {
        const tinygltf::Accessor &source = in.model.accessors[i];
        const std::string what = text("accessor %zu", i);
        gltf_accessor accessor = {};
        accessor.count = source.count;
        accessor.component_type = static_cast<uint32_t>(source.componentType);
        accessor.normalized = source.normalized;
        set_shape(accessor, source.type);
        if (source.bufferView >= 0) {
            accessor.has_view = true;
            accessor.range = range_of(in, source.bufferView, source.byteOffset, what);
            accessor.stride_bytes =
                static_cast<uint32_t>(in.model.bufferViews[static_cast<size_t>(source.bufferView)].byteStride);
        }
        if (source.sparse.isSparse) {
            accessor.is_sparse = true;
            accessor.sparse_count = static_cast<uint64_t>(source.sparse.count);
            accessor.sparse_index_type = static_cast<uint32_t>(source.sparse.indices.componentType);
            accessor.sparse_indices = range_of(in, source.sparse.indices.bufferView,
                                               static_cast<size_t>(source.sparse.indices.byteOffset), what);
            accessor.sparse_values = range_of(in, source.sparse.values.bufferView,
                                              static_cast<size_t>(source.sparse.values.byteOffset), what);
        }
        uint64_t at = 0;
        if (const char *const wrong = gltf_accessor_check(&accessor, &at)) {
            fail("%s: %" PRIu64 " %s", what.c_str(), at, wrong);
        }
        in.accessors.push_back(accessor);
    }
}

/// Formats that a use allows, as bits: component types, plain or normalised.
enum : unsigned {
    plain_f32 = 1u,
    plain_u8 = 2u,
    plain_u16 = 4u,
    plain_u32 = 8u,
    plain_i8 = 16u,
    plain_i16 = 32u,
    unorm8 = 64u,
    unorm16 = 128u,
    snorm8 = 256u,
    snorm16 = 512u,
};

unsigned format_of(const gltf_accessor &accessor) {
    switch (accessor.component_type) {
    case GLTF_F32:
        return plain_f32;
    case GLTF_U32:
        return plain_u32;
    case GLTF_U8:
        return accessor.normalized ? unorm8 : plain_u8;
    case GLTF_U16:
        return accessor.normalized ? unorm16 : plain_u16;
    case GLTF_I8:
        return accessor.normalized ? snorm8 : plain_i8;
    default:
        return accessor.normalized ? snorm16 : plain_i16;
    }
}

std::string shape_name(uint32_t rows, uint32_t columns) {
    if (rows == 1) return "SCALAR";
    return text("%s%" PRIu32, columns == 1 ? "VEC" : "MAT", rows);
}

/// The accessor of an index that the file gives, if it has the shape and one of the formats that `use` needs.
const gltf_accessor &find_accessor(const importer &in, int index, uint32_t rows, uint32_t columns, unsigned formats,
                                   const std::string &use) {
    if (index < 0 || static_cast<size_t>(index) >= in.accessors.size()) {
        fail("%s: there is no accessor %d", use.c_str(), index);
    }
    const gltf_accessor &accessor = in.accessors[static_cast<size_t>(index)];
    if (accessor.row_count != rows || accessor.column_count != columns) {
        fail("%s: accessor %d is %s, not %s", use.c_str(), index,
             shape_name(accessor.row_count, accessor.column_count).c_str(), shape_name(rows, columns).c_str());
    }
    if (!(format_of(accessor) & formats)) {
        fail("%s: accessor %d is of %s%s, which is not allowed here", use.c_str(), index,
             accessor.normalized ? "normalized " : "", gltf_component_name(accessor.component_type));
    }
    return accessor;
}

std::vector<double> decode(importer &in, int index, const std::string &use) {
    const gltf_accessor &accessor = in.accessors[static_cast<size_t>(index)];
    const uint32_t components = gltf_component_count(&accessor);
    spend(in, accessor.count, components * sizeof(double));
    std::vector<double> values(static_cast<size_t>(accessor.count) * components);
    gltf_accessor_read(values.data(), &accessor);
    for (size_t i = 0; i < values.size(); i++) {
        if (!std::isfinite(values[i])) {
            fail("%s: accessor %d: element %zu is not finite", use.c_str(), index, i / components);
        }
    }
    return values;
}

const float *copy_floats(importer &in, const std::vector<double> &values) {
    float *const floats = allocate<float>(in, values.size());
    for (size_t i = 0; i < values.size(); i++) floats[i] = static_cast<float>(values[i]);
    sqt_snap(floats, values.size());
    return floats;
}

/// Scales a quaternion to unit length; gives its length before, 0 where it has none. One that is unit to the rounding of
/// floats is left alone: rounding it again would only add an error, which a long chain of joints multiplies.
double normalize(double *q) {
    const double largest = std::max({std::fabs(q[0]), std::fabs(q[1]), std::fabs(q[2]), std::fabs(q[3])});
    if (!(largest > 0)) return 0;
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += (q[i] / largest) * (q[i] / largest);
    const double length = largest * std::sqrt(sum);
    if (std::fabs(length - 1) <= 1.25e-7) return length;
    for (int i = 0; i < 4; i++) q[i] = q[i] / largest * (largest / length);
    return length;
}

// ------------------------------------------------------------------------------------------------------------ skeleton

float to_float(double value, const std::string &what) {
    const float rounded = static_cast<float>(
        std::clamp(value, -double(std::numeric_limits<float>::max()), double(std::numeric_limits<float>::max())));
    if (!(std::fabs(value) <= double(std::numeric_limits<float>::max()))) {
        fail("%s %g is beyond the range of a float", what.c_str(), value);
    }
    return rounded;
}

sqt_vec3 vec3_from(const std::vector<double> &values, const std::string &what) {
    return {to_float(values[0], what), to_float(values[1], what), to_float(values[2], what)};
}

constexpr double unit_tolerance = 1e-3; // what exporters round rotations to before it is worth a word

sqt_quat rest_rotation(importer &in, const std::vector<double> &values, const std::string &what) {
    double q[4] = {values[0], values[1], values[2], values[3]};
    const double length = normalize(q);
    if (length == 0) fail("%s: rotation is a zero quaternion", what.c_str());
    if (std::fabs(length - 1) > unit_tolerance) {
        asset_warn(in.out, "%s: rotation of length %.6g, normalised", what.c_str(), length);
    }
    return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

/// A node's matrix as a transform. What T * R * S cannot hold is shear, which glTF forbids.
sqt_transform rest_from_matrix(importer &in, const std::vector<double> &values, const std::string &what) {
    sqt_mat4 matrix;
    for (size_t i = 0; i < 16; i++) matrix.m[i] = to_float(values[i], what + ": matrix");
    for (size_t row = 0; row < 4; row++) {
        if (!(std::fabs(values[4 * row + 3] - (row == 3 ? 1 : 0)) <= 1e-5)) {
            fail("%s: the last row of its matrix is not 0, 0, 0, 1", what.c_str());
        }
    }
    const sqt_transform rest = sqt_transform_from_mat4(matrix);
    const sqt_mat4 again = sqt_mat4_from_transform(rest);
    for (int column = 0; column < 3; column++) {
        double size = 0, difference = 0;
        for (int row = 0; row < 3; row++) {
            const double element = double(matrix.m[4 * column + row]);
            size = std::max(size, std::fabs(element));
            difference = std::max(difference, std::fabs(element - double(again.m[4 * column + row])));
        }
        if (difference > 1e-4 * size) {
            asset_warn(in.out, "%s: its matrix has shear, which is dropped", what.c_str());
            break;
        }
    }
    return rest;
}

sqt_transform rest_of(importer &in, const tinygltf::Node &node, const std::string &what) {
    const bool has_parts = !node.translation.empty() || !node.rotation.empty() || !node.scale.empty();
    if (!node.matrix.empty()) {
        if (has_parts) asset_warn(in.out, "%s: has a matrix and parts; the matrix counts", what.c_str());
        return rest_from_matrix(in, node.matrix, what);
    }
    sqt_transform rest = SQT_TRANSFORM_IDENTITY;
    if (!node.rotation.empty()) rest.rotation = rest_rotation(in, node.rotation, what);
    if (!node.translation.empty()) rest.translation = vec3_from(node.translation, what + ": translation");
    if (!node.scale.empty()) rest.scale = vec3_from(node.scale, what + ": scale");
    return rest;
}

void set_parents(const importer &in, std::vector<sqt_joint> &joints) {
    for (size_t i = 0; i < joints.size(); i++) {
        for (const int child : in.model.nodes[i].children) {
            if (static_cast<size_t>(child) >= joints.size())
                fail("node %zu: there is no node %d for a child", i, child);
            uint32_t &parent = joints[static_cast<size_t>(child)].parent;
            if (parent == i) fail("node %d: listed twice among the children of node %zu", child, i);
            if (parent != SQT_NO_JOINT) {
                fail("node %d: has two parents, nodes %" PRIu32 " and %zu", child, parent, i);
            }
            parent = static_cast<uint32_t>(i);
        }
    }
}

void import_skeleton(importer &in) {
    const size_t count = in.model.nodes.size();
    if (count == 0) fail("has no nodes");
    if (count > SQT_MAX_JOINTS) fail("has %zu nodes; at most %u are supported", count, SQT_MAX_JOINTS);
    in.out->nodes = allocate<asset_node>(in, count);
    in.out->node_count = static_cast<uint32_t>(count);

    std::vector<sqt_joint> joints(count), sorted(count);
    std::vector<uint16_t> joint_of(count);
    for (size_t i = 0; i < count; i++) {
        joints[i] = {name_of(in, "nodes", i), SQT_NO_JOINT, rest_of(in, in.model.nodes[i], text("node %zu", i))};
    }
    set_parents(in, joints);
    sqt_fault fault = {};
    const sqt_result order =
        sqt_joint_sort(sorted.data(), joint_of.data(), joints.data(), static_cast<uint32_t>(count), &fault);
    if (order == SQT_ERROR_ORDER) fail("node %" PRIu32 ": is below itself", fault.index);
    require(order, fault, "nodes");
    for (size_t i = 0; i < count; i++) in.out->nodes[i] = {joints[i].name, joints[i].parent, joint_of[i]};

    const size_t bytes = sqt_skeleton_bytes(sorted.data(), static_cast<uint32_t>(count));
    void *const memory = allocate<unsigned char>(in, bytes);
    require(sqt_skeleton_build(&in.out->skeleton, sorted.data(), static_cast<uint32_t>(count), memory, bytes, &fault),
            fault, "skeleton");
    require(sqt_skeleton_validate(&in.out->skeleton, &fault), fault, "skeleton");
}

// --------------------------------------------------------------------------------------------------------------- clips

const float *key_times(importer &in, int index, const std::string &what) {
    find_accessor(in, index, 1, 1, plain_f32, what + ": input");
    const auto known = in.times.find(index);
    if (known != in.times.end()) return known->second;
    const std::vector<double> values = decode(in, index, what + ": input");
    if (values[0] < 0) fail("%s: time 0 is negative: %g", what.c_str(), values[0]);
    bool repeats = false;
    for (size_t k = 1; k < values.size(); k++) {
        if (values[k] < values[k - 1]) {
            fail("%s: time %zu is before time %zu: %g, %g", what.c_str(), k, k - 1, values[k], values[k - 1]);
        }
        repeats = repeats || values[k] == values[k - 1];
    }
    if (repeats) asset_warn(in.out, "%s: several keys at one time; the last counts from then on", what.c_str());
    return in.times[index] = copy_floats(in, values);
}

/// Normalises the values among the keys of a rotation, not the tangents.
void normalize_keys(importer &in, std::vector<double> &values, bool cubic, const std::string &what) {
    size_t odd = 0;
    double worst = 0;
    for (size_t i = cubic ? 1 : 0; i < values.size() / 4; i += cubic ? 3 : 1) {
        const double length = normalize(&values[4 * i]);
        if (length == 0) fail("%s: key %zu is a zero quaternion", what.c_str(), cubic ? i / 3 : i);
        if (std::fabs(length - 1) > unit_tolerance) odd++;
        worst = std::max(worst, std::fabs(length - 1));
    }
    if (odd > 0) {
        asset_warn(in.out, "%s: %zu rotations are off unit length by up to %.3g, normalised", what.c_str(), odd, worst);
    }
}

const float *key_values(importer &in, int index, bool rotation, bool cubic, const std::string &what) {
    const auto name = std::make_tuple(index, rotation, cubic);
    const auto known = in.keys.find(name);
    if (known != in.keys.end()) return known->second;
    std::vector<double> values = decode(in, index, what + ": output");
    if (rotation) normalize_keys(in, values, cubic, what);
    return in.keys[name] = copy_floats(in, values);
}

uint16_t interpolation_of(const tinygltf::AnimationSampler &sampler, const std::string &what) {
    if (sampler.interpolation == "LINEAR") return SQT_LINEAR;
    if (sampler.interpolation == "STEP") return SQT_STEP;
    if (sampler.interpolation == "CUBICSPLINE") return SQT_CUBIC;
    fail("%s: interpolation \"%.40s\" is unknown", what.c_str(), sampler.interpolation.c_str());
}

bool target_of(uint8_t *target, const std::string &path) {
    if (path == "rotation") {
        *target = SQT_TARGET_ROTATION;
    } else if (path == "translation") {
        *target = SQT_TARGET_TRANSLATION;
    } else if (path == "scale") {
        *target = SQT_TARGET_SCALE;
    } else {
        return false;
    }
    return true;
}

sqt_curve import_curve(importer &in, const tinygltf::AnimationSampler &sampler, uint8_t target,
                       const std::string &what) {
    const bool rotation = target == SQT_TARGET_ROTATION;
    sqt_curve curve = {};
    curve.interpolation = interpolation_of(sampler, what);
    curve.component_count = static_cast<uint16_t>(sqt_target_components(target));
    curve.times = key_times(in, sampler.input, what);
    const bool cubic = curve.interpolation == SQT_CUBIC;
    const unsigned formats = rotation ? plain_f32 | unorm8 | unorm16 | snorm8 | snorm16 : plain_f32;
    const gltf_accessor &output =
        find_accessor(in, sampler.output, curve.component_count, 1, formats, what + ": output");
    const uint64_t keys = in.accessors[static_cast<size_t>(sampler.input)].count;
    if (keys > std::numeric_limits<uint32_t>::max()) fail("%s: too many keys", what.c_str());
    if (output.count != (cubic ? 3 * keys : keys)) {
        fail("%s: %" PRIu64 " output elements for %" PRIu64 " %skeys", what.c_str(), output.count, keys,
             cubic ? "cubic " : "");
    }
    curve.key_count = static_cast<uint32_t>(keys);
    curve.values = key_values(in, sampler.output, rotation, cubic, what);
    return curve;
}

void import_clip(importer &in, size_t index) {
    const tinygltf::Animation &animation = in.model.animations[index];
    asset_clip &clip = in.out->clips[index];
    clip.name = name_of(in, "animations", index);
    std::vector<sqt_channel> channels;
    size_t without_node = 0, morphs = 0;
    float duration = 0;
    for (size_t i = 0; i < animation.channels.size(); i++) {
        const tinygltf::AnimationChannel &source = animation.channels[i];
        if (static_cast<size_t>(source.sampler) >= animation.samplers.size()) {
            fail("animation %zu: channel %zu: there is no sampler %d", index, i, source.sampler);
        }
        if (source.target_node < 0) {
            without_node++;
            continue;
        }
        if (static_cast<size_t>(source.target_node) >= in.model.nodes.size()) {
            fail("animation %zu: channel %zu: there is no node %d", index, i, source.target_node);
        }
        const tinygltf::AnimationSampler &sampler = animation.samplers[static_cast<size_t>(source.sampler)];
        const std::string what = text("animation %zu: sampler %d", index, source.sampler);
        const float *const times = key_times(in, sampler.input, what);
        duration = std::max(duration, times[in.accessors[static_cast<size_t>(sampler.input)].count - 1]);

        sqt_channel channel = {};
        if (!target_of(&channel.target, source.target_path)) {
            if (source.target_path != "weights") {
                fail("animation %zu: channel %zu: path \"%.40s\" is unknown", index, i, source.target_path.c_str());
            }
            morphs++;
            continue;
        }
        channel.joint = in.out->nodes[source.target_node].joint;
        channel.curve = import_curve(in, sampler, channel.target, what);
        channels.push_back(channel);
        if (!in.model.nodes[static_cast<size_t>(source.target_node)].matrix.empty()) {
            asset_warn(in.out, "animation %zu: channel %zu: drives node %d, which has a matrix", index, i,
                       source.target_node);
        }
    }
    if (without_node > 0)
        asset_warn(in.out, "animation %zu: %zu channels without a node, ignored", index, without_node);
    if (morphs > 0) asset_warn(in.out, "animation %zu: %zu channels of morph weights, ignored", index, morphs);

    sqt_channel *const kept = allocate<sqt_channel>(in, channels.size());
    std::copy(channels.begin(), channels.end(), kept);
    // Of two channels with one target the later in the file stays the later.
    sqt_fault fault = {"channels", 0, 0};
    require(sqt_channel_sort(kept, static_cast<uint32_t>(channels.size())), fault, text("animation %zu", index));
    clip.clip.timeline = {duration, SQT_LOOP_CLAMP};
    clip.clip.rig_hash = in.out->skeleton.rig_hash;
    clip.clip.channels = kept;
    clip.clip.channel_count = static_cast<uint32_t>(channels.size());
    require(sqt_channel_clip_validate(&clip.clip, &in.out->skeleton, &fault), fault, text("animation %zu", index));
}

void import_clips(importer &in) {
    const size_t count = in.model.animations.size();
    in.out->clips = allocate<asset_clip>(in, count);
    in.out->clip_count = static_cast<uint32_t>(count);
    for (size_t i = 0; i < count; i++) import_clip(in, i);
}

// --------------------------------------------------------------------------------------------------------------- skins

const sqt_mat4 *import_inverse_binds(importer &in, const tinygltf::Skin &source, const std::string &what) {
    const int index = source.inverseBindMatrices;
    const gltf_accessor &accessor = find_accessor(in, index, 4, 4, plain_f32, what + ": inverseBindMatrices");
    const size_t count = source.joints.size();
    if (accessor.count < count) {
        fail("%s: %" PRIu64 " inverse bind matrices for %zu joints", what.c_str(), accessor.count, count);
    }
    const std::vector<double> values = decode(in, index, what + ": inverseBindMatrices");
    sqt_mat4 *const matrices = allocate<sqt_mat4>(in, count);
    bool repaired = false;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < 16; i++) matrices[k].m[i] = static_cast<float>(values[16 * k + i]);
        for (size_t column = 0; column < 4; column++) {
            float &last = matrices[k].m[4 * column + 3];
            const float right = column == 3 ? 1.0f : 0.0f;
            if (!(std::fabs(last - right) <= 1e-5f)) {
                fail("%s: the last row of inverse bind matrix %zu is not 0, 0, 0, 1", what.c_str(), k);
            }
            repaired = repaired || last != right;
            last = right;
        }
        sqt_snap(matrices[k].m, 16);
    }
    if (repaired)
        asset_warn(in.out, "%s: last rows of inverse bind matrices were not exactly 0, 0, 0, 1", what.c_str());
    return matrices;
}

void import_skin(importer &in, size_t index) {
    const tinygltf::Skin &source = in.model.skins[index];
    asset_skin &skin = in.out->skins[index];
    const std::string what = text("skin %zu", index);
    const size_t count = source.joints.size();
    if (count == 0) fail("%s: has no joints", what.c_str());
    if (count > SQT_MAX_JOINTS)
        fail("%s: has %zu joints; at most %u are supported", what.c_str(), count, SQT_MAX_JOINTS);
    if (source.skeleton >= 0 && static_cast<size_t>(source.skeleton) >= in.model.nodes.size()) {
        fail("%s: there is no node %d for its skeleton", what.c_str(), source.skeleton);
    }
    uint32_t *const nodes = allocate<uint32_t>(in, count);
    uint16_t *const joints = allocate<uint16_t>(in, count);
    for (size_t k = 0; k < count; k++) {
        const int node = source.joints[k];
        if (static_cast<size_t>(node) >= in.model.nodes.size()) {
            fail("%s: there is no node %d for joint %zu", what.c_str(), node, k);
        }
        nodes[k] = static_cast<uint32_t>(node);
        joints[k] = in.out->nodes[node].joint;
    }
    skin.name = name_of(in, "skins", index);
    skin.nodes = nodes;
    skin.has_inverse_bind = source.inverseBindMatrices >= 0;
    const sqt_mat4 *const inverse_bind = skin.has_inverse_bind ? import_inverse_binds(in, source, what) : nullptr;
    sqt_fault fault = {};
    require(sqt_skin_init(&skin.skin, &in.out->skeleton, joints, static_cast<uint32_t>(count), inverse_bind, &fault),
            fault, what);
}

void import_skins(importer &in) {
    const size_t count = in.model.skins.size();
    in.out->skins = allocate<asset_skin>(in, count);
    in.out->skin_count = static_cast<uint32_t>(count);
    for (size_t i = 0; i < count; i++) import_skin(in, i);
}

// -------------------------------------------------------------------------------------------------------------- meshes

/// An attribute of a primitive: -1 where it has none.
int attribute_of(const tinygltf::Primitive &primitive, const std::string &name) {
    const auto found = primitive.attributes.find(name);
    return found == primitive.attributes.end() ? -1 : found->second;
}

void require_count(const gltf_accessor &accessor, uint64_t vertex_count, const std::string &use) {
    if (accessor.count != vertex_count) {
        fail("%s: %" PRIu64 " elements for %" PRIu64 " vertices", use.c_str(), accessor.count, vertex_count);
    }
}

/// Positions, normals or tangents; absent where the file has none.
sqt_attribute import_vectors(importer &in, const tinygltf::Primitive &primitive, const char *name, uint32_t components,
                             unsigned quantized_formats, uint64_t vertex_count, const std::string &what) {
    sqt_attribute attribute = {};
    const int index = attribute_of(primitive, name);
    if (index < 0) return attribute;
    const std::string use = what + ": " + name;
    const unsigned formats = plain_f32 | (in.quantized ? quantized_formats : 0u);
    require_count(find_accessor(in, index, components, 1, formats, use), vertex_count, use);
    const auto known = in.attributes.find(index);
    attribute.data =
        known != in.attributes.end() ? known->second : (in.attributes[index] = copy_floats(in, decode(in, index, use)));
    attribute.format = SQT_FORMAT_F32;
    return attribute;
}

uint32_t count_joint_sets(const tinygltf::Primitive &primitive, const std::string &what) {
    uint32_t sets = 0, joints = 0, weights = 0;
    while (attribute_of(primitive, text("JOINTS_%" PRIu32, sets)) >= 0) sets++;
    for (const auto &[name, index] : primitive.attributes) {
        joints += name.compare(0, 7, "JOINTS_") == 0;
        weights += name.compare(0, 8, "WEIGHTS_") == 0;
    }
    if (joints != sets) fail("%s: its JOINTS_n are not numbered from 0", what.c_str());
    if (weights != sets) { fail("%s: %" PRIu32 " WEIGHTS_n for %" PRIu32 " JOINTS_n", what.c_str(), weights, sets); }
    if (4 * sets > SQT_MAX_INFLUENCES) fail("%s: more than %u influences a vertex", what.c_str(), SQT_MAX_INFLUENCES);
    return sets;
}

/// One joint set into its place: influence i of a vertex is component i % 4 of set i / 4.
void import_joint_set(importer &in, uint16_t *joints, float *weights, const sqt_mesh &mesh, int joints_index,
                      int weights_index, uint32_t set, const std::string &what) {
    const std::string joints_use = text("%s: JOINTS_%" PRIu32, what.c_str(), set);
    const std::string weights_use = text("%s: WEIGHTS_%" PRIu32, what.c_str(), set);
    const size_t vertices = mesh.vertex_count;
    require_count(find_accessor(in, joints_index, 4, 1, plain_u8 | plain_u16, joints_use), vertices, joints_use);
    require_count(find_accessor(in, weights_index, 4, 1, plain_f32 | unorm8 | unorm16, weights_use), vertices,
                  weights_use);
    const std::vector<double> set_joints = decode(in, joints_index, joints_use);
    const std::vector<double> set_weights = decode(in, weights_index, weights_use);
    for (size_t i = 0; i < 4 * vertices; i++) {
        const size_t vertex = i / 4, place = vertex * mesh.influence_count + 4 * set + i % 4;
        const auto joint = static_cast<uint32_t>(set_joints[i]);
        if (set_weights[i] < 0) fail("%s: vertex %zu: weight %g", weights_use.c_str(), vertex, set_weights[i]);
        if (joint >= mesh.palette_count && set_weights[i] != 0) {
            fail("%s: vertex %zu: joint %" PRIu32 ", but the skin has %" PRIu32, joints_use.c_str(), vertex, joint,
                 mesh.palette_count);
        }
        joints[place] = joint < mesh.palette_count ? static_cast<uint16_t>(joint) : uint16_t(0);
        weights[place] = static_cast<float>(set_weights[i]);
    }
}

/// All joint sets of a primitive. Primitives often share them, each drawing its part of the vertices.
void import_influences(importer &in, sqt_mesh &mesh, const tinygltf::Primitive &primitive, uint32_t sets,
                       const std::string &what) {
    std::vector<int> name = {static_cast<int>(mesh.palette_count)};
    for (uint32_t set = 0; set < sets; set++) {
        name.push_back(attribute_of(primitive, text("JOINTS_%" PRIu32, set)));
        name.push_back(attribute_of(primitive, text("WEIGHTS_%" PRIu32, set)));
    }
    mesh.influence_count = 4 * sets;
    auto known = in.influences.find(name);
    if (known == in.influences.end()) {
        const size_t count = size_t(mesh.vertex_count) * mesh.influence_count;
        uint16_t *const joints = allocate<uint16_t>(in, count);
        float *const weights = allocate<float>(in, count);
        for (uint32_t set = 0; set < sets; set++) {
            import_joint_set(in, joints, weights, mesh, name[2 * set + 1], name[2 * set + 2], set, what);
        }
        sqt_snap(weights, count);
        known = in.influences.emplace(name, std::make_pair(joints, weights)).first;
    } else {
        const gltf_accessor &joints = in.accessors[static_cast<size_t>(name[1])];
        require_count(joints, mesh.vertex_count, what + ": JOINTS_0");
    }
    mesh.joints = {known->second.first, 0, SQT_FORMAT_U16};
    mesh.weights = {known->second.second, 0, SQT_FORMAT_F32};
}

/// The vertices in drawing order: the primitive's indices, or all vertices one after the other.
std::vector<uint32_t> drawn_vertices(importer &in, const json &source, uint32_t vertex_count, const std::string &what) {
    std::vector<uint32_t> drawn;
    const auto member = source.find("indices");
    if (member == source.end()) {
        spend(in, vertex_count, sizeof(uint32_t));
        drawn.resize(vertex_count);
        for (uint32_t i = 0; i < vertex_count; i++) drawn[i] = i;
        return drawn;
    }
    const int index = member->get<int>();
    const std::string use = what + ": indices";
    find_accessor(in, index, 1, 1, plain_u8 | plain_u16 | plain_u32, use);
    const std::vector<double> values = decode(in, index, use);
    drawn.reserve(values.size());
    for (size_t i = 0; i < values.size(); i++) {
        if (values[i] >= vertex_count) {
            fail("%s: index %zu is %.0f, but there are %" PRIu32 " vertices", use.c_str(), i, values[i], vertex_count);
        }
        drawn.push_back(static_cast<uint32_t>(values[i]));
    }
    return drawn;
}

void import_triangles(importer &in, asset_prim &prim, const json &source, int mode, const std::string &what) {
    const std::vector<uint32_t> drawn = drawn_vertices(in, source, prim.geometry.vertex_count, what);
    std::vector<uint32_t> triangles;
    const size_t count = drawn.size();
    if (mode == TINYGLTF_MODE_TRIANGLES) {
        if (count % 3 != 0) asset_warn(in.out, "%s: the last triangle is not complete", what.c_str());
        triangles.assign(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(count - count % 3));
    } else if (mode == TINYGLTF_MODE_TRIANGLE_STRIP) {
        for (size_t i = 2; i < count; i++) { // every other triangle of a strip turns the other way
            triangles.insert(triangles.end(), {drawn[i - 2], drawn[i - 1 + i % 2], drawn[i - i % 2]});
        }
    } else if (mode == TINYGLTF_MODE_TRIANGLE_FAN) {
        for (size_t i = 2; i < count; i++) triangles.insert(triangles.end(), {drawn[i - 1], drawn[i], drawn[0]});
    } else if (mode > TINYGLTF_MODE_TRIANGLE_FAN) {
        fail("%s: mode %d is unknown", what.c_str(), mode);
    }
    uint32_t *const indices = allocate<uint32_t>(in, triangles.size());
    std::copy(triangles.begin(), triangles.end(), indices);
    prim.indices = indices;
    prim.index_count = static_cast<uint32_t>(triangles.size());
}

void import_geometry(importer &in, asset_prim &prim, const tinygltf::Primitive &primitive, const std::string &what) {
    sqt_mesh &mesh = prim.geometry;
    const int positions = attribute_of(primitive, "POSITION");
    if (positions < 0) fail("%s: has no POSITION", what.c_str());
    const uint64_t vertices = find_accessor(in, positions, 3, 1, ~0u, what + ": POSITION").count;
    if (vertices > std::numeric_limits<uint32_t>::max() / 3) fail("%s: too many vertices", what.c_str());
    mesh.vertex_count = static_cast<uint32_t>(vertices);
    mesh.palette_count = in.out->skins[prim.skin].skin.joint_count;
    const unsigned snorms = snorm8 | snorm16;
    const unsigned any = snorms | unorm8 | unorm16 | plain_i8 | plain_i16 | plain_u8 | plain_u16;
    mesh.positions = import_vectors(in, primitive, "POSITION", 3, any, vertices, what);
    mesh.normals = import_vectors(in, primitive, "NORMAL", 3, snorms, vertices, what);
    mesh.tangents = import_vectors(in, primitive, "TANGENT", 4, snorms, vertices, what);
    import_influences(in, mesh, primitive, prim.joint_set_count, what);
    sqt_fault fault = {};
    require(sqt_mesh_validate(&mesh, &fault), fault, what);
}

/// Nodes may share a mesh and a skin; then they share the geometry.
void import_prim(importer &in, asset_prim &prim, const std::string &what) {
    const auto name =
        std::make_tuple(static_cast<int>(prim.mesh), static_cast<int>(prim.primitive), static_cast<int>(prim.skin));
    const auto known = in.prims.find(name);
    if (known != in.prims.end()) {
        const uint32_t node = prim.node;
        prim = in.out->prims[known->second];
        prim.node = node;
        return;
    }
    const tinygltf::Primitive &primitive = in.model.meshes[prim.mesh].primitives[prim.primitive];
    const json &source = in.document["meshes"][prim.mesh]["primitives"][prim.primitive];
    prim.joint_set_count = count_joint_sets(primitive, what);
    prim.morph_target_count = source.value("targets", 0u);
    prim.mesh_name = name_of(in, "meshes", prim.mesh);
    import_geometry(in, prim, primitive, what);
    import_triangles(in, prim, source, primitive.mode, what);
    in.prims[name] = static_cast<uint32_t>(&prim - in.out->prims);
    if (prim.morph_target_count > 0) {
        asset_warn(in.out, "%s: %" PRIu32 " morph targets, ignored", what.c_str(), prim.morph_target_count);
    }
}

void check_meshes(const importer &in) {
    for (size_t m = 0; m < in.model.meshes.size(); m++) {
        const std::vector<tinygltf::Primitive> &primitives = in.model.meshes[m].primitives;
        for (size_t p = 0; p < primitives.size(); p++) {
            for (const auto &[name, index] : primitives[p].attributes) {
                if (static_cast<size_t>(index) >= in.accessors.size()) {
                    fail("mesh %zu: primitive %zu: there is no accessor %d for %.40s", m, p, index, name.c_str());
                }
            }
        }
    }
}

bool is_skinned(const tinygltf::Primitive &primitive) { return attribute_of(primitive, "JOINTS_0") >= 0; }

/// The nodes that carry a skinned mesh; warns of meshes that do not move with a skin.
std::vector<size_t> find_skinned_nodes(const importer &in) {
    std::vector<size_t> found;
    size_t rigid = 0;
    for (size_t i = 0; i < in.model.nodes.size(); i++) {
        const tinygltf::Node &node = in.model.nodes[i];
        if (node.mesh >= 0 && static_cast<size_t>(node.mesh) >= in.model.meshes.size()) {
            fail("node %zu: there is no mesh %d", i, node.mesh);
        }
        if (node.skin >= 0 && static_cast<size_t>(node.skin) >= in.model.skins.size()) {
            fail("node %zu: there is no skin %d", i, node.skin);
        }
        if (node.mesh < 0) continue;
        if (node.skin < 0) {
            rigid++;
        } else {
            found.push_back(i);
        }
    }
    if (rigid > 0) asset_warn(in.out, "%zu nodes with a mesh and no skin: those meshes are not loaded", rigid);
    return found;
}

void import_meshes(importer &in) {
    check_meshes(in);
    const std::vector<size_t> nodes = find_skinned_nodes(in);
    size_t count = 0;
    for (const size_t node : nodes) {
        for (const auto &primitive : in.model.meshes[static_cast<size_t>(in.model.nodes[node].mesh)].primitives) {
            count += is_skinned(primitive);
        }
    }
    in.out->prims = allocate<asset_prim>(in, count);
    for (const size_t node : nodes) {
        const auto mesh = static_cast<uint32_t>(in.model.nodes[node].mesh);
        const std::vector<tinygltf::Primitive> &primitives = in.model.meshes[mesh].primitives;
        for (size_t p = 0; p < primitives.size(); p++) {
            const std::string what = text("mesh %" PRIu32 ": primitive %zu", mesh, p);
            if (!is_skinned(primitives[p])) {
                asset_warn(in.out, "%s: on node %zu with a skin, but without JOINTS_0: not loaded", what.c_str(), node);
                continue;
            }
            asset_prim &prim = in.out->prims[in.out->prim_count];
            prim.node = static_cast<uint32_t>(node);
            prim.mesh = mesh;
            prim.primitive = static_cast<uint32_t>(p);
            prim.skin = static_cast<uint32_t>(in.model.nodes[node].skin);
            import_prim(in, prim, what);
            in.out->prim_count++;
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------- all

void import_bytes(importer &in, gltf_span file, const std::string &name) {
    in.budget = least_budget + budget_per_byte * file.size;
    in.out->file = copy_string(in, name);
    gltf_span source, binary;
    if (const char *const wrong = gltf_split(file, &source, &binary)) fail("%s", wrong);
    parse(in, source);
    load_buffers(in, binary);
    check_before_tinygltf(in);
    parse_with_tinygltf(in);
    load_accessors(in);
    import_skeleton(in);
    import_clips(in);
    import_skins(in);
    import_meshes(in);
}

/// No exception leaves here: it becomes `error`, and the asset is freed.
template <typename F> bool guarded(asset *a, const std::string &subject, char *error, size_t error_bytes, F work) {
    std::string line;
    try {
        work();
        return true;
    } catch (const std::bad_alloc &) { line = "out of memory"; } catch (const std::exception &wrong) {
        line = wrong.what();
    } catch (...) { line = "failed"; }
    asset_free(a);
    if (error && error_bytes > 0) {
        std::snprintf(error, error_bytes, "%s: %s", subject.c_str(), line.c_str());
        asset_one_line(error);
    }
    return false;
}

} // namespace

bool gltf_import(asset *a, const char *path, char *error, size_t error_bytes) {
    *a = {};
    return guarded(a, path, error, error_bytes, [&] {
        importer in;
        in.out = a;
        const std::filesystem::path where(path);
        in.folder = where.parent_path().string();
        in.has_folder = true;
        const std::vector<unsigned char> bytes = read_file(where);
        import_bytes(in, {bytes.data(), bytes.size()}, where.filename().string());
    });
}

bool gltf_import_memory(asset *a, const void *data, size_t bytes, const char *folder, char *error, size_t error_bytes) {
    *a = {};
    return guarded(a, "memory", error, error_bytes, [&] {
        importer in;
        in.out = a;
        in.has_folder = folder != nullptr;
        if (folder) in.folder = folder;
        import_bytes(in, {static_cast<const unsigned char *>(data), bytes}, "memory");
    });
}
