// The command-line tool `sqt`: one file a subcommand, and what they share.
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "asset.h"
#include "json_text.h"

/// Exit statuses.
enum {
    TOOL_OK = 0,
    TOOL_FAILED = 1,  ///< the output could not be written, or memory ran out
    TOOL_REFUSED = 2, ///< bad arguments or a bad file: one line on stderr, nothing on stdout
};

/// A subcommand. argv[0] is its name. Returns the exit status.
int tool_info(int argc, char **argv);
int tool_eval(int argc, char **argv);
int tool_play(int argc, char **argv);

/// Prints "sqt: ..." on stderr as one line. Returns TOOL_REFUSED.
ASSET_PRINTF(1, 2) int tool_refuse(const char *format, ...);

/// The arguments of a subcommand, taken one by one.
typedef struct tool_args {
    char **next, **end;
    bool only_operands; ///< "--" was met
} tool_args;

tool_args tool_args_begin(int argc, char **argv);

/// True while there is one more argument. It is an option where it begins with "-" and has more.
bool tool_args_take(tool_args *args, const char **argument, bool *is_option);

/// The value of the option just taken, or NULL, with a message, where the arguments end.
const char *tool_args_value(tool_args *args, const char *option);

/// Takes an operand as the FILE; false, with a message, where there is one already.
bool tool_take_file(const char **file, const char *operand);

/// Loads a file, or makes the embedded character where `file` is NULL. False, with a message, on failure.
bool tool_load(asset *a, const char *file);

/// The clip that a --clip argument means: all digits are an index, else an exact name, the first match. False, with a
/// message, where there is none.
bool tool_find_clip(uint32_t *clip, const asset *a, const char *argument);

/// Limits the kernels to the set of a --isa argument; false, with a message, where it is unknown or not available.
bool tool_use_isa(const char *name);

/// Ends the output: everything that was written to stdout must have got there. Returns the exit status.
int tool_flush(void);

/// Writes a finished text and a line feed to stdout, and ends the output. Returns the exit status.
int tool_print(const json_text *text);

#endif
