#include "json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_free(json_text *text) {
    free(text->data);
    *text = (json_text){0};
}

static void append(json_text *text, const char *bytes, size_t count) {
    if (text->failed) return;
    if (count > text->capacity - text->size) {
        size_t capacity = text->capacity ? text->capacity : 4096;
        while (capacity - text->size < count && capacity <= SIZE_MAX / 2) capacity *= 2;
        char *const data = capacity - text->size < count ? NULL : realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, bytes, count);
    text->size += count;
}

void json_raw(json_text *text, const char *raw) { append(text, raw, strlen(raw)); }

void json_comma(json_text *text) {
    const char last = text->size > 0 ? text->data[text->size - 1] : '[';
    if (last != '[' && last != '{' && last != ':') append(text, ",", 1);
}

void json_name(json_text *text, const char *name) {
    json_string(text, name);
    append(text, ":", 1);
}

/// Length of the UTF-8 sequence at `s`; 0 where there is none (stray bytes, overlong forms, surrogates).
static size_t sequence_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    const size_t length = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                          : s[0] >= 0xE0 && s[0] <= 0xEF ? 3
                          : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                         : 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0; // a terminating zero ends here too
    }
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)) return 0;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) return 0;
    return length;
}

void json_string(json_text *text, const char *string) {
    json_comma(text);
    if (!string) {
        append(text, "null", 4);
        return;
    }
    append(text, "\"", 1);
    const unsigned char *s = (const unsigned char *)string;
    while (*s) {
        const size_t length = sequence_length(s);
        if (length == 0) {
            append(text, "\xEF\xBF\xBD", 3);
            s++;
        } else if (*s == '"' || *s == '\\') {
            const char escaped[2] = {'\\', (char)*s++};
            append(text, escaped, 2);
        } else if (*s < 0x20 || *s == 0x7F) {
            char escaped[8];
            append(text, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*s++));
        } else {
            append(text, (const char *)s, length);
            s += length;
        }
    }
    append(text, "\"", 1);
}

void json_number(json_text *text, double number) {
    json_comma(text);
    char digits[32];
    // Adding 0 turns -0 into 0.
    const int length = isfinite(number) ? snprintf(digits, sizeof digits, "%.9g", number + 0.0)
                                        : snprintf(digits, sizeof digits, "null");
    append(text, digits, (size_t)length);
}

void json_integer(json_text *text, int64_t number) {
    json_comma(text);
    char digits[32];
    append(text, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, number));
}

void json_bool(json_text *text, bool value) {
    json_comma(text);
    json_raw(text, value ? "true" : "false");
}

void json_floats(json_text *text, const float *values, size_t count) {
    json_comma(text);
    append(text, "[", 1);
    for (size_t i = 0; i < count; i++) json_number(text, values[i]);
    append(text, "]", 1);
}
