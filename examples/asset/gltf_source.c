#include "gltf_source.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const uint32_t chunk_json = 0x4E4F534Au, chunk_binary = 0x004E4942u;

static uint32_t read_u32(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/// Takes the next chunk off the front of `rest`.
static const char *next_chunk(gltf_span *rest, uint32_t *type, gltf_span *chunk) {
    if (rest->size < 8) return "a GLB chunk header is cut off";
    const uint32_t size = read_u32(rest->data);
    *type = read_u32(rest->data + 4);
    if (size > rest->size - 8) return "a GLB chunk is longer than the file";
    if (size % 4 != 0) return "the length of a GLB chunk is not a multiple of 4";
    *chunk = (gltf_span){rest->data + 8, size};
    *rest = (gltf_span){rest->data + 8 + size, rest->size - 8 - size};
    return NULL;
}

const char *gltf_split(gltf_span file, gltf_span *json, gltf_span *binary) {
    *binary = (gltf_span){NULL, 0};
    if (file.size < 4 || memcmp(file.data, "glTF", 4) != 0) {
        *json = file;
        return file.size == 0 ? "the file is empty" : NULL;
    }
    if (file.size < 12) return "the GLB header is cut off";
    if (read_u32(file.data + 4) != 2) return "the GLB version is not 2";
    const uint32_t length = read_u32(file.data + 8);
    if (length < 12 || length > file.size) return "the length in the GLB header is not that of the file";

    gltf_span rest = {file.data + 12, length - 12u};
    uint32_t type = 0;
    const char *wrong = next_chunk(&rest, &type, json);
    if (wrong) return wrong;
    if (type != chunk_json) return "the first GLB chunk is not JSON";
    while (rest.size > 0) {
        gltf_span chunk;
        wrong = next_chunk(&rest, &type, &chunk);
        if (wrong) return wrong;
        if (type == chunk_binary && !binary->data) *binary = chunk; // chunks of other types are extensions
    }
    return NULL;
}

const char *gltf_check_nesting(gltf_span json) {
    size_t depth = 0, values = 1;
    bool in_string = false;
    for (size_t i = 0; i < json.size; i++) {
        const unsigned char c = json.data[i];
        if (in_string) {
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                in_string = false;
            }
            continue;
        }
        switch (c) {
        case '"':
            in_string = true;
            break;
        case '[':
        case '{':
            if (++depth > GLTF_MAX_NESTING) return "the JSON nests deeper than 64 levels";
            values++;
            break;
        case ']':
        case '}':
            if (depth > 0) depth--;
            break;
        case ',':
            values++;
            break;
        default:
            break;
        }
        if (values > GLTF_MAX_VALUES) return "the JSON holds more than 8388608 values";
    }
    return NULL;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static const char *percent_decode(char *out, const char *in) {
    for (; *in; in++) {
        if (*in != '%') {
            *out++ = *in;
            continue;
        }
        const int high = hex_digit(in[1]);
        const int low = high < 0 ? -1 : hex_digit(in[2]);
        if (low < 0) return "has a broken percent escape";
        if (high == 0 && low == 0) return "has an escaped zero byte";
        *out++ = (char)(16 * high + low);
        in += 2;
    }
    *out = '\0';
    return NULL;
}

static bool has_parent_segment(const char *path) {
    while (path) {
        if (strncmp(path, "..", 2) == 0 && (path[2] == '\0' || path[2] == '/')) return true;
        path = strchr(path, '/');
        if (path) path++;
    }
    return false;
}

const char *gltf_path_from_uri(char *path, const char *uri) {
    const char *const wrong = percent_decode(path, uri);
    if (wrong) return wrong;
    if (path[0] == '\0') return "is empty";
    if (path[0] == '/') return "is an absolute path";
    if (strchr(path, ':')) return "has a scheme other than data:";
    if (strchr(path, '\\')) return "has a backslash";
    if (has_parent_segment(path)) return "leaves the folder of the file";
    return NULL;
}

const char *gltf_data_uri(gltf_span *base64, const char *uri, size_t uri_length) {
    static const char marker[] = ";base64";
    const size_t marker_length = sizeof marker - 1;
    const char *const comma = memchr(uri, ',', uri_length);
    if (!comma) return "is a data URI without a comma";
    const size_t head = (size_t)(comma - uri);
    if (head < marker_length || memcmp(comma - marker_length, marker, marker_length) != 0) {
        return "is a data URI that is not base64";
    }
    *base64 = (gltf_span){(const unsigned char *)comma + 1, uri_length - head - 1};
    return NULL;
}

static int base64_digit(unsigned char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

const char *gltf_decode_base64(unsigned char *bytes, size_t *size, gltf_span base64) {
    size_t length = base64.size;
    if (length % 4 == 0) {
        for (int padding = 0; padding < 2 && length > 0 && base64.data[length - 1] == '='; padding++) length--;
    }
    if (length % 4 == 1) return "has base64 that is cut off";
    uint32_t bits = 0; // the last digits; older ones are shifted out unused
    unsigned pending = 0;
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        const int digit = base64_digit(base64.data[i]);
        if (digit < 0) return "has a character that is not base64";
        bits = bits << 6 | (uint32_t)digit;
        pending += 6;
        if (pending >= 8) {
            pending -= 8;
            bytes[written++] = (unsigned char)(bits >> pending & 0xFFu);
        }
    }
    *size = written;
    return NULL;
}
