#include "asset.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Stands before each block that asset_alloc gives; the union keeps what follows aligned for any type.
typedef union allocation {
    union allocation *next;
    max_align_t alignment;
} allocation;

void *asset_alloc(asset *a, size_t count, size_t size) {
    const size_t header = sizeof(allocation);
    if (size != 0 && count > (SIZE_MAX - header) / size) return NULL;
    allocation *const block = calloc(1, header + count * size);
    if (!block) return NULL;
    block->next = a->memory;
    a->memory = block;
    return block + 1;
}

const char *asset_copy_string(asset *a, const char *string) {
    if (!string) return NULL;
    const size_t bytes = strlen(string) + 1;
    char *const copy = asset_alloc(a, bytes, 1);
    return copy ? memcpy(copy, string, bytes) : NULL;
}

void asset_one_line(char *text) {
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F) *text = '?';
    }
}

void asset_warn(asset *a, const char *format, ...) {
    if (!a->warnings) a->warnings = asset_alloc(a, ASSET_MAX_WARNINGS, sizeof *a->warnings);
    if (!a->warnings || a->warning_count == ASSET_MAX_WARNINGS) return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    asset_one_line(line);
    char *const copy = asset_alloc(a, strlen(line) + 1, 1);
    if (!copy) return;
    strcpy(copy, line);
    a->warnings[a->warning_count++] = copy;
}

void asset_free(asset *a) {
    allocation *block = a->memory;
    while (block) {
        allocation *const next = block->next;
        free(block);
        block = next;
    }
    memset(a, 0, sizeof *a);
}
