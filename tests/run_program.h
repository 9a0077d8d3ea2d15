// Running a program from a test and keeping all that it says.
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/// What a program left behind.
typedef struct run_output {
    int status; ///< exit status; 128 + signal where a signal ended it
    char *out;  ///< standard output, with a zero byte behind it
    char *err;  ///< standard error, likewise
    size_t out_bytes, err_bytes;
} run_output;

/// Runs a program to its end, with an empty standard input. Fails the test if it cannot be started.
///
/// @param arguments ended by NULL; the first is the program, looked for in PATH unless it has a slash.
run_output run_program(const char *const *arguments);

void run_output_free(run_output *output);

/// A whole file with a zero byte behind it, to be freed; NULL where it cannot be read. `bytes` may be NULL.
char *read_whole_file(const char *path, size_t *bytes);

/// Writes a whole file. Fails the test if it cannot.
void write_whole_file(const char *path, const void *data, size_t bytes);

/// Makes a folder if it is not there, and all above it. Fails the test if it cannot.
void make_folder(const char *path);

/// Prints the arguments as one would type them.
void print_command(const char *const *arguments);

#endif
