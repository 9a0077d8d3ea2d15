// How libFuzzer changes glTF inputs in fuzz_gltf_json: the JSON text token by token and block by block, so that it stays
// JSON, and the binary chunk byte by byte. (Text that is changed at random is hardly ever JSON any more, and what follows
// from it neither; fuzz_gltf does that.)
#include <stdio.h>
#include <string.h>

#include "fuzz_gltf.h"
#include "fuzz_input.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most_bytes, unsigned int seed);

/// An input as it changes.
typedef struct text {
    uint8_t *data;
    size_t bytes, most_bytes;
    size_t end; ///< of the JSON text: a zero, or that of the input
    uint32_t random;
} text;

/// A part of the text: a number, a word or a string with its quotes, or a whole object or array.
typedef struct part {
    size_t begin, end;
} part;

static uint32_t next_random(text *t) {
    t->random = t->random * 1664525u + 1013904223u;
    return t->random >> 8;
}

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static bool is_word(uint8_t c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.';
}

enum { NUMBER, WORD, STRING };

static int kind_of(const text *t, part p) {
    const uint8_t first = t->data[p.begin];
    return first == '"' ? STRING : first == '-' || is_digit(first) ? NUMBER : WORD;
}

static size_t string_end(const text *t, size_t at) {
    for (++at; at < t->end && t->data[at] != '"'; ++at) at += t->data[at] == '\\';
    return at < t->end ? at + 1 : t->end;
}

/// A token somewhere. It is looked for from the start, because only there a quote is known to open a string.
static bool any_token(text *t, part *found) {
    const size_t from = t->end ? next_random(t) % t->end : 0;
    for (size_t at = 0; at < t->end;) {
        size_t next = at + 1;
        const bool is_token = t->data[at] == '"' || is_word(t->data[at]);
        if (t->data[at] == '"') {
            next = string_end(t, at);
        } else if (is_token) {
            while (next < t->end && is_word(t->data[next])) ++next;
        }
        if (is_token && next > from) {
            *found = (part){at, next};
            return true;
        }
        at = next;
    }
    return false;
}

/// Puts other bytes in place of a part; nothing where there is no room.
static void replace(text *t, part old, const void *by, size_t by_bytes) {
    const size_t rest = t->bytes - old.end;
    if (old.begin + by_bytes + rest > t->most_bytes) return;
    memmove(t->data + old.begin + by_bytes, t->data + old.end, rest);
    memcpy(t->data + old.begin, by, by_bytes);
    t->bytes = old.begin + by_bytes + rest;
    t->end = t->end + by_bytes - (old.end - old.begin);
}

static void change_number(text *t, part old) {
    static const char *const numbers[] = {
        "0",     "1",    "2",     "3",          "4",     "-1",    "4294967296", "18446744073709551615",
        "1e15",  "0.5",  "1e38",  "5120",       "5121",  "5122",  "5123",       "5125",
        "5126",  "1e39", "65535", "2147483648", "-0.0",  "1e-40", "252",        "16",
        "65536", "12",   "64",    "7",          "-1e15", "0.7071"};
    const uint32_t choice = next_random(t) % 4;
    if (choice == 0 || old.end - old.begin > 9) {
        const char *const by = numbers[next_random(t) % (sizeof numbers / sizeof *numbers)];
        replace(t, old, by, strlen(by));
        return;
    }
    unsigned value = 0;
    for (size_t i = old.begin; i < old.end && is_digit(t->data[i]); ++i) value = 10 * value + t->data[i] - '0';
    const unsigned changed = choice == 1 ? value + 1 : choice == 2 && value > 0 ? value - 1 : next_random(t) % 16;
    char by[16];
    replace(t, old, by, (size_t)snprintf(by, sizeof by, "%u", changed));
}

/// A copy of another token of the same kind.
static void copy_token(text *t, part old) {
    part other;
    if (!any_token(t, &other) || kind_of(t, old) != kind_of(t, other)) return;
    uint8_t copy[64];
    const size_t bytes = other.end - other.begin;
    if (bytes > sizeof copy) return;
    memcpy(copy, t->data + other.begin, bytes);
    replace(t, old, copy, bytes);
}

static void change_string(text *t, part old) {
    static const char *const strings[] = {"SCALAR",     "VEC2",        "VEC3",    "VEC4",     "MAT2",        "MAT3",
                                          "MAT4",       "LINEAR",      "STEP",    "weights",  "CUBICSPLINE", "scale",
                                          "rotation",   "translation", "TANGENT", "JOINTS_1", "WEIGHTS_1",   "sparse",
                                          "byteStride", "normalized",  "matrix",  "mode",     "indices",     "skeleton",
                                          "",           "\\u00e9",     "\\u0000"};
    char by[32];
    const char *const string = strings[next_random(t) % (sizeof strings / sizeof *strings)];
    replace(t, old, by, (size_t)snprintf(by, sizeof by, "\"%s\"", string));
}

static void change_token(text *t) {
    part old;
    if (!any_token(t, &old)) return;
    const uint32_t choice = next_random(t) % 8;
    if (kind_of(t, old) == NUMBER && choice > 0) {
        change_number(t, old);
    } else if (kind_of(t, old) == STRING && choice > 0 && old.end < t->end && t->data[old.end] == ':') {
        return; // a name that is not known any more makes most files invalid
    } else if (kind_of(t, old) == STRING && choice == 1) {
        change_string(t, old);
    } else {
        copy_token(t, old);
    }
}

/// The object, array or number that begins at a place.
static part part_at(const text *t, size_t at) {
    size_t end = at, depth = 0;
    if (is_word(t->data[at])) {
        while (end < t->end && is_word(t->data[end])) ++end;
        return (part){at, end};
    }
    do {
        const uint8_t c = t->data[end];
        if (c == '"') {
            end = string_end(t, end);
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++end;
    } while (end < t->end && depth > 0);
    return (part){at, end};
}

/// Elements of arrays, where a comma or an open bracket stands in front: doubled, or left out.
static void change_element(text *t) {
    uint8_t copy[512];
    const size_t from = t->end ? next_random(t) % t->end : 0;
    for (size_t at = from; at + 1 < t->end; ++at) {
        const bool is_first = t->data[at] == '[', opens = t->data[at + 1] == '{' || is_word(t->data[at + 1]);
        if ((!is_first && t->data[at] != ',') || !opens) continue;
        const part element = part_at(t, at + 1);
        const size_t bytes = element.end - element.begin;
        if (next_random(t) % 2) {
            const part with_comma = {is_first ? element.begin : at, element.end + is_first};
            const bool is_only = is_first && (element.end >= t->end || t->data[element.end] != ',');
            replace(t, is_only ? element : with_comma, "", 0);
        } else if (bytes < sizeof copy) {
            copy[0] = ',';
            memcpy(copy + 1, t->data + element.begin, bytes);
            replace(t, (part){element.end, element.end}, copy, bytes + 1);
        }
        return;
    }
}

// Most changes make a file invalid, and what is made of an invalid file is hardly ever valid again. So a few inputs that
// became assets with something to play are kept, and half of all changes begin with one of them.

enum { KEPT = 64, KEPT_BYTES = 4096 };

static struct {
    uint8_t data[KEPT_BYTES];
    size_t bytes;
} kept[KEPT];
static uint32_t kept_count;

static void keep(const uint8_t *data, size_t bytes) {
    if (bytes > KEPT_BYTES) return;
    const uint32_t place = kept_count++ % KEPT;
    memcpy(kept[place].data, data, bytes);
    kept[place].bytes = bytes;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most_bytes, unsigned int seed) {
    fuzz_gltf_on_asset = keep;
    text t = {data, bytes, most_bytes, 0, seed};
    if (kept_count > 0 && next_random(&t) % 2) {
        const uint32_t place = next_random(&t) % (kept_count < KEPT ? kept_count : KEPT);
        if (kept[place].bytes <= most_bytes) {
            t.bytes = kept[place].bytes;
            memcpy(data, kept[place].data, t.bytes);
        }
    }
    if (t.bytes > 4 && memcmp(data, "glTF", 4) == 0) return t.bytes; // a container of its own: no text to speak of
    const uint8_t *const zero = t.bytes ? memchr(data, 0, t.bytes) : NULL;
    t.end = zero ? (size_t)(zero - data) : t.bytes;
    const uint32_t choice = next_random(&t) % 16;
    if (choice < 5 && t.end + 1 < t.bytes) {
        const size_t begin = t.end + 1;
        return begin + LLVMFuzzerMutate(data + begin, t.bytes - begin, most_bytes - begin);
    }
    if (choice < 7) {
        change_element(&t);
    } else {
        change_token(&t);
    }
    return t.bytes;
}
