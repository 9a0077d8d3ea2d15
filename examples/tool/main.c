// sqt: reads skeletal animation from glTF files, evaluates and plays it with the library.
#include <stdio.h>
#include <string.h>

#include "tool.h"
#include "tool_render.h"

static const struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage; ///< lines for the help text
} subcommands[] = {
    {"info", tool_info,
     "  sqt info [FILE] [--json] [--seams]\n"
     "      What a file holds, and a warning for anything odd in it. With --seams: which clips may follow\n"
     "      which without a blend, by the positions and velocities of the joints.\n"},
    {"eval", tool_eval,
     "  sqt eval [FILE] [--clip NAME|INDEX] [--time S]... [--skin] [--normals cofactor|plain]\n"
     "           [--isa scalar|sse|avx2|avx512|neon|wasm]\n"
     "      Local and global transforms, skin matrices and skinned vertices as one JSON document.\n"},
    {"play", tool_play,
     "  sqt play [FILE] [--clip NAME|INDEX]... [--isa SET]\n"
     "      Samples two clips, blends them, and takes the result through to skinned vertices;\n"
     "      prints the mesh's bounds at a few times, and how long each stage took.\n"},
#if defined(TOOL_HAS_RENDER)
    {"render", tool_render,
     "  sqt render [FILE] [--clip NAME|INDEX] [--frames N] [--view front|side|three-quarter]\n"
     "             [--demo layers|transitions|locomotion] [--skeleton] -o OUT.png\n"
     "      A contact sheet of the clip, or of an example, at N equally spaced instants, as PNG.\n"},
#endif
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static int print_usage(void) {
    puts("usage:");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++) fputs(subcommands[i].usage, stdout);
    puts("FILE is a .glb or .gltf file; without it, a character that is built in.");
    return tool_flush();
}

static int print_version(void) {
    printf("sqt %d.%d.%d\n", SQT_VERSION_MAJOR, SQT_VERSION_MINOR, SQT_VERSION_PATCH);
    return tool_flush();
}

static int refuse_subcommand(const char *why, const char *name) {
    char names[256] = "";
    for (int i = 0; i < SUBCOMMAND_COUNT; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s", subcommands[i].name);
    }
    return tool_refuse("%s%s; there are%s (sqt help explains them)", why, name, names);
}

int main(int argc, char **argv) {
    if (argc < 2) return refuse_subcommand("a subcommand is needed", "");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) return subcommands[i].run(argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0) return print_usage();
    if (strcmp(argv[1], "--version") == 0) return print_version();
    return refuse_subcommand("there is no subcommand ", argv[1]);
}
