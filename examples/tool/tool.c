#include "tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "character.h"
#if ASSET_HAS_GLTF
#include "gltf_import.h"
#endif

int tool_refuse(const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) line[0] = '\0';
    asset_one_line(line);
    fprintf(stderr, "sqt: %s\n", line);
    return TOOL_REFUSED;
}

tool_args tool_args_begin(int argc, char **argv) { return (tool_args){argv + 1, argv + argc, false}; }

bool tool_args_take(tool_args *args, const char **argument, bool *is_option) {
    if (args->next < args->end && !args->only_operands && strcmp(*args->next, "--") == 0) {
        args->only_operands = true;
        args->next++;
    }
    if (args->next >= args->end) return false;
    *argument = *args->next++;
    *is_option = !args->only_operands && (*argument)[0] == '-' && (*argument)[1] != '\0';
    return true;
}

const char *tool_args_value(tool_args *args, const char *option) {
    if (args->next < args->end) return *args->next++;
    tool_refuse("%s needs a value", option);
    return NULL;
}

bool tool_take_file(const char **file, const char *operand) {
    if (*file) {
        tool_refuse("one file at a time: \"%s\" and \"%s\"", *file, operand);
        return false;
    }
    *file = operand;
    return true;
}

bool tool_load(asset *a, const char *file) {
    if (!file) {
        if (character_make(a)) return true;
        tool_refuse("out of memory");
        return false;
    }
#if ASSET_HAS_GLTF
    char error[768];
    if (gltf_import(a, file, error, sizeof error)) return true;
    tool_refuse("%s", error);
#else
    tool_refuse("%s: this build cannot read glTF files (it needs a C++ compiler, tinygltf and nlohmann-json)", file);
#endif
    return false;
}

bool tool_find_clip(uint32_t *clip, const asset *a, const char *argument) {
    const size_t digits = strspn(argument, "0123456789");
    if (digits > 0 && argument[digits] == '\0') {
        uint64_t index = 0;
        for (size_t i = 0; i < digits && index < a->clip_count; i++) index = 10 * index + (uint64_t)(argument[i] - '0');
        if (index < a->clip_count) {
            *clip = (uint32_t)index;
            return true;
        }
        tool_refuse("%s: there is no clip %s; it has %u", a->file, argument, (unsigned)a->clip_count);
        return false;
    }
    for (uint32_t i = 0; i < a->clip_count; i++) {
        if (a->clips[i].name && strcmp(a->clips[i].name, argument) == 0) {
            *clip = i;
            return true;
        }
    }
    tool_refuse("%s: there is no clip \"%s\"", a->file, argument);
    return false;
}

bool tool_use_isa(const char *name) {
    for (uint32_t isa = 0; isa < SQT_ISA_COUNT; isa++) {
        if (strcmp(name, sqt_isa_name(isa)) != 0) continue;
        if (sqt_isa_cap(isa) == isa) return true;
        tool_refuse("--isa %s: not available on this machine", name);
        return false;
    }
    tool_refuse("--isa %s: the sets are scalar, sse, avx2, avx512, neon, wasm", name);
    return false;
}

int tool_flush(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return TOOL_OK;
    tool_refuse("the output cannot be written");
    return TOOL_FAILED;
}

int tool_print(const json_text *text) {
    if (text->failed) {
        tool_refuse("out of memory");
        return TOOL_FAILED;
    }
    fwrite(text->data, 1, text->size, stdout);
    putchar('\n');
    return tool_flush();
}
