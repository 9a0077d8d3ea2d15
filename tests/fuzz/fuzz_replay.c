// A plain driver for the fuzz targets, for builds without libFuzzer: runs each file, and each file of each folder, that
// it is given.
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz_input.h"

static size_t replayed;

static int complain(const char *path, const char *what) {
    fprintf(stderr, "%s: %s\n", path, what);
    return EXIT_FAILURE;
}

/// The input in a block of exactly its size, as libFuzzer gives it.
static int replay_file(const char *path, size_t bytes) {
    FILE *const file = fopen(path, "rb");
    if (!file) return complain(path, "cannot be opened");
    uint8_t *const data = malloc(bytes);
    const bool is_whole = (data || bytes == 0) && fread(data, 1, bytes, file) == bytes;
    fclose(file);
    if (is_whole) {
        LLVMFuzzerTestOneInput(data, bytes);
        ++replayed;
    }
    free(data);
    return is_whole ? EXIT_SUCCESS : complain(path, "cannot be read");
}

static int replay(const char *path);

static int replay_folder(const char *path) {
    DIR *const folder = opendir(path);
    if (!folder) return complain(path, "cannot be opened");
    int status = EXIT_SUCCESS;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        const size_t bytes = strlen(path) + strlen(entry->d_name) + 2;
        char *const name = malloc(bytes);
        if (!name) abort();
        snprintf(name, bytes, "%s/%s", path, entry->d_name);
        if (replay(name)) status = EXIT_FAILURE;
        free(name);
    }
    closedir(folder);
    return status;
}

static int replay(const char *path) {
    struct stat found;
    if (stat(path, &found)) return complain(path, "is not there");
    return S_ISDIR(found.st_mode) ? replay_folder(path) : replay_file(path, (size_t)found.st_size);
}

int main(int argc, char **argv) {
    int status = EXIT_SUCCESS;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; ++i) {
        if (replay(argv[i])) status = EXIT_FAILURE;
    }
    printf("%zu inputs\n", replayed);
    return replayed > 0 ? status : complain(argv[0], "no input was found");
}
