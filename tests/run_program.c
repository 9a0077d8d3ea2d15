#define _POSIX_C_SOURCE 200809L
#include "run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// The streams of the child are files, not pipes: however much it writes, nobody waits for anybody.
static char *read_stream(FILE *stream, size_t *bytes) {
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    const long end = ftell(stream);
    assert_true(end >= 0);
    rewind(stream);
    char *text = malloc((size_t)end + 1);
    assert_non_null(text);
    *bytes = fread(text, 1, (size_t)end, stream);
    assert_int_equal(*bytes, (size_t)end);
    text[end] = '\0';
    fclose(stream);
    return text;
}

run_output run_program(const char *const *arguments) {
    FILE *const out = tmpfile();
    FILE *const err = tmpfile();
    assert_non_null(out);
    assert_non_null(err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(fileno(out), 1) >= 0 && dup2(fileno(err), 2) >= 0) {
            char *writable[256]; // execvp takes pointers to characters that it does not write
            size_t count = 0;
            for (; arguments[count] && count < 255; ++count)
                memcpy(&writable[count], &arguments[count], sizeof(char *));
            writable[count] = NULL;
            execvp(writable[0], writable);
        }
        _exit(127);
    }
    int state = 0;
    while (waitpid(child, &state, 0) < 0) assert_int_equal(errno, EINTR);
    run_output output = {.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state)};
    output.out = read_stream(out, &output.out_bytes);
    output.err = read_stream(err, &output.err_bytes);
    if (output.status == 127) {
        print_error("%s could not be run\n", arguments[0]);
        fail();
    }
    return output;
}

void run_output_free(run_output *output) {
    free(output->out);
    free(output->err);
    memset(output, 0, sizeof *output);
}

char *read_whole_file(const char *path, size_t *bytes) {
    FILE *const file = fopen(path, "rb");
    if (!file) return NULL;
    size_t length;
    char *const text = read_stream(file, &length);
    if (bytes) *bytes = length;
    return text;
}

void write_whole_file(const char *path, const void *data, size_t bytes) {
    FILE *const file = fopen(path, "wb");
    if (!file) print_error("%s cannot be written\n", path);
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void make_folder(const char *path) {
    char part[1024];
    assert_true(strlen(path) < sizeof part);
    for (size_t i = 0;; ++i) {
        if (i > 0 && (path[i] == '/' || path[i] == '\0')) {
            part[i] = '\0';
            if (mkdir(part, 0777) != 0) assert_int_equal(errno, EEXIST);
        }
        part[i] = path[i];
        if (path[i] == '\0') return;
    }
}

void print_command(const char *const *arguments) {
    for (; *arguments; ++arguments) print_error("%s%s", *arguments, arguments[1] ? " " : "\n");
}
