#include "bench_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_print.h"

enum { REPETITIONS = 7, QUICK_REPETITIONS = 3, CHECK_CALLS = 3, MAX_SIDES = SQT_ISA_COUNT + 3 };

/// One side of a case. None of the three: memory.
typedef struct side {
    const char *name;
    const bench_baseline *baseline; ///< NULL: sqt
    bool memory;
    uint32_t isa;         ///< of sqt
    uint32_t batch_calls; ///< calls between two looks at the clock
    double ns[REPETITIONS];
} side;

bool bench_wants(const bench *b, const char *job, const char *mode, const char *size) {
    char name[160];
    snprintf(name, sizeof name, "%s/%s/%s", job, mode, size);
    const bool wanted = !b->filter || strstr(name, b->filter);
    if (wanted && b->list) printf("%s\n", name);
    return wanted && !b->list;
}

static uint32_t make_sides(side *sides, const bench_case *c) {
    uint32_t count = 0;
    for (uint32_t isa = 0; c->run && isa < SQT_ISA_COUNT; ++isa) {
        if (!sqt_isa_available(isa)) continue;
        sides[count++] = (side){.name = sqt_isa_name(isa), .isa = isa};
    }
    const bench_baseline *const baselines[] = {bench_baseline_plain(), bench_baseline_native()};
    for (int i = 0; c->run_baseline && i < 2; ++i) {
        if (baselines[i]) sides[count++] = (side){.name = baselines[i]->name, .baseline = baselines[i]};
    }
    if (c->run_memory) sides[count++] = (side){.name = "memory", .memory = true};
    return count;
}

static void run_side(const bench_case *c, const side *s, uint32_t calls) {
    if (s->memory) {
        c->run_memory(c->state, calls);
    } else if (s->baseline) {
        c->run_baseline(c->state, s->baseline, calls);
    } else {
        c->run(c->state, calls);
    }
}

/// The cap stays for the measurement that follows.
static void choose_side(const side *s) {
    if (!s->memory && !s->baseline) sqt_isa_cap(s->isa);
}

// Same work, same output

static void fail(bench *b, const bench_case *c, const side *s, const char *what, double by) {
    fprintf(stderr, "sqt_bench: %s %s %u, %s: %s (%g)\n", c->job, c->mode,
            (unsigned)(c->joints ? c->joints : c->vertices), s->name, what, by);
    ++b->failures;
}

static void compare(bench *b, const bench_case *c, const side *s, const float *expected, const float *found) {
    if (!s->baseline) {
        const size_t bytes = c->output_count * sizeof *found;
        if (memcmp(expected, found, bytes) != 0) fail(b, c, s, "its bits differ from those of the first set", 0);
        return;
    }
    double largest = 0, off = 0;
    for (uint32_t i = 0; i < c->output_count; ++i) {
        const double distance = fabs((double)found[i] - (double)expected[i]);
        largest = fmax(largest, fabs((double)expected[i]));
        if (!(distance <= off)) off = distance; // NaN stays
    }
    if (!(off <= c->tolerance * largest)) fail(b, c, s, "its output is too far from that of sqt", off);
}

static void check_sides(bench *b, const bench_case *c, const side *sides, uint32_t count) {
    if (!c->collect) return;
    bench_pool pool = {0};
    float *const expected = bench_alloc(&pool, c->output_count, sizeof *expected);
    float *const found = bench_alloc(&pool, c->output_count, sizeof *found);
    for (uint32_t i = 0; i < count; ++i) {
        if (sides[i].memory) continue;
        choose_side(sides + i);
        c->rewind(c->state);
        run_side(c, sides + i, CHECK_CALLS);
        c->collect(i == 0 ? expected : found, c->state, sides[i].baseline != NULL);
        if (i > 0) compare(b, c, sides + i, expected, found);
    }
    bench_free(&pool);
}

// Time

/// Grows the batch until it takes a share of a repetition: the warm-up.
static void warm_up(const bench_case *c, side *s, double share_seconds) {
    choose_side(s);
    for (s->batch_calls = 1;; s->batch_calls *= 2) {
        const double start = bench_seconds();
        run_side(c, s, s->batch_calls);
        if (bench_seconds() - start >= share_seconds || s->batch_calls >= 1u << 30) return;
    }
}

/// Nanoseconds a unit over at least `seconds`.
static double repeat(const bench_case *c, const side *s, double seconds) {
    choose_side(s);
    run_side(c, s, 1); // the caches belonged to another side
    double calls = 0, taken = 0;
    const double start = bench_seconds();
    do {
        run_side(c, s, s->batch_calls);
        calls += s->batch_calls;
        taken = bench_seconds() - start;
    } while (taken < seconds);
    return taken * 1e9 / (calls * c->units);
}

static double median_of(const side *sides, uint32_t count, const char *name, const bench_stat *stats) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(sides[i].name, name) == 0) return stats[i].median;
    }
    return 0;
}

static void print_sides(bench *b, const bench_case *c, side *sides, uint32_t count, uint32_t repetitions) {
    bench_stat stats[MAX_SIDES];
    for (uint32_t i = 0; i < count; ++i) stats[i] = bench_stat_of(sides[i].ns, repetitions);
    const double plain = median_of(sides, count, bench_baseline_plain()->name, stats);
    const double memory = median_of(sides, count, "memory", stats);
    for (uint32_t i = 0; i < count; ++i) {
        const bench_row row = {.isa = sides[i].name,
                               .ns = stats[i],
                               .against = sides[i].memory ? 0 : plain / stats[i].median,
                               .limit = memory > 0 ? stats[i].median / memory : 0};
        bench_print_row(b, c, &row);
    }
}

void bench_measure(bench *b, const bench_case *c) {
    side sides[MAX_SIDES];
    const uint32_t count = make_sides(sides, c);
    check_sides(b, c, sides, count);
    const uint32_t repetitions = b->quick ? QUICK_REPETITIONS : REPETITIONS;
    const double seconds = b->quick ? 0.002 : 0.05;
    for (uint32_t i = 0; i < count; ++i) warm_up(c, sides + i, seconds / 8);
    for (uint32_t r = 0; r < repetitions; ++r) {
        for (uint32_t i = 0; i < count; ++i) sides[i].ns[r] = repeat(c, sides + i, seconds);
    }
    sqt_isa_cap(SQT_ISA_BEST);
    print_sides(b, c, sides, count, repetitions);
}
