// sqt_bench [--json] [--list] [--quick] [FILTER]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_case.h"
#include "bench_pose.h"
#include "bench_skin.h"

static const char usage[] =
    "usage: sqt_bench [--json] [--list] [--quick] [FILTER]\n"
    "Measures every job with every instruction set that this machine has, beside a plain cglm baseline.\n\n"
    "  --json   one object a line: job, isa, mode, asset, joints or vertices, influences, ns (the median, a unit),\n"
    "           ns_min, ns_spread (the middle half), unit, bytes and error (of a clip), against_cglm, limit (times\n"
    "           what reading and copying the same memory takes), repetitions\n"
    "  --list   the names, job/mode/size, without running anything\n"
    "  --quick  short repetitions, to see that everything runs; the figures are rough\n"
    "  FILTER   only jobs whose name holds this text: blend2, sample/slerp, crowd1000, /368\n\n"
    "Real meshes are read from the folder that the environment variable SQT_ASSETS names.\n";

// Memory alone

typedef struct copy_state {
    char *from, *to;
    size_t bytes;
} copy_state;

static void run_copy(void *state, uint32_t calls) {
    const copy_state *const s = state;
    for (uint32_t i = 0; i < calls; ++i) {
        memcpy(s->to, s->from, s->bytes);
        bench_keep((uint64_t)s->to[i % s->bytes]);
    }
}

static void run_read(void *state, uint32_t calls) {
    const copy_state *const s = state;
    for (uint32_t i = 0; i < calls; ++i) bench_keep(bench_read(s->from, s->bytes));
}

/// 1 ns a KiB is 1.024 GB/s of reading, and for memcpy as much of writing.
static void bench_bandwidth(bench *b) {
    static const struct {
        const char *name;
        size_t bytes;
    } sizes[] = {{"16KiB", (size_t)16 << 10}, {"256KiB", (size_t)256 << 10}, {"32MiB", (size_t)32 << 20}};
    static const struct {
        const char *job;
        void (*run)(void *state, uint32_t calls);
    } jobs[] = {{"memcpy", run_copy}, {"read", run_read}};
    for (int i = 0; i < 6; ++i) {
        if (!bench_wants(b, jobs[i % 2].job, sizes[i / 2].name, "KiB")) continue;
        bench_pool pool = {0};
        copy_state state = {bench_alloc(&pool, sizes[i / 2].bytes, 1), bench_alloc(&pool, sizes[i / 2].bytes, 1),
                            sizes[i / 2].bytes};
        const bench_case c = {.job = jobs[i % 2].job,
                              .mode = sizes[i / 2].name,
                              .error = -1,
                              .units = (double)state.bytes / 1024,
                              .unit = "KiB",
                              .state = &state,
                              .run_memory = jobs[i % 2].run};
        bench_measure(b, &c);
        bench_free(&pool);
    }
}

/// False where the arguments are wrong.
static bool read_arguments(bench *b, int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            b->list = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->quick = true;
        } else if (argv[i][0] == '-' || b->filter) {
            return false;
        } else {
            b->filter = argv[i];
        }
    }
    return true;
}

int main(int argc, char **argv) {
    bench b = {0};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    if (!read_arguments(&b, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    bench_bandwidth(&b);
    bench_pose(&b);
    bench_skin(&b);
    if (b.failures > 0) {
        fprintf(stderr, "sqt_bench: %u sides do not do the same work\n", (unsigned)b.failures);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
