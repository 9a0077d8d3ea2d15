// JSON, written into memory that grows, so that output is complete before the first byte of it is printed.
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zero is an empty text. Where memory runs out `failed` is set, and what follows is dropped.
typedef struct json_text {
    char *data;
    size_t size, capacity;
    bool failed;
} json_text;

void json_free(json_text *text);

/// Adds text as it stands: brackets, names with their colon.
void json_raw(json_text *text, const char *raw);

/// A comma, unless nothing or an opening bracket or a colon stands before: every value may begin with it.
void json_comma(json_text *text);

/// Adds a member's name, as in `"name":`.
void json_name(json_text *text, const char *name);

/// Adds a string, or null for NULL. Quotes, backslashes and control characters are escaped; bytes that are not UTF-8
/// become U+FFFD.
/// Source: RFC 8259, section 7; RFC 3629.
void json_string(json_text *text, const char *string);

/// Adds a number with nine significant digits, which are enough to read the same float back. null where it is not
/// finite.
void json_number(json_text *text, double number);
void json_integer(json_text *text, int64_t number);
void json_bool(json_text *text, bool value);

/// Adds an array of numbers.
void json_floats(json_text *text, const float *values, size_t count);

#endif
