// A case is one job at one size; its sides are every instruction set of sqt and the baselines. All sides of a case must
// agree, and are measured in turns (round robin), so that a machine that slows down slows all of them.
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include <stdbool.h>

#include "bench_baseline.h"
#include "bench_memory.h"
#include "bench_time.h"
#include "sqt/sqt.h"

typedef struct bench {
    const char *filter; ///< part of "job/mode/size"; NULL: everything
    bool json, list, quick;
    uint32_t failures;
    bool header_printed;
} bench;

typedef struct bench_case {
    const char *job, *mode;
    const char *asset;         ///< the file that a mesh came from; NULL: made in code
    uint32_t joints, vertices; ///< the size: one of the two is 0
    double influences;         ///< average a vertex; 0: does not apply
    double bytes;              ///< of a clip; 0: does not apply
    double error;              ///< of a clip, in its length unit: bench_error.h; negative: does not apply
    double units;              ///< what a call works on: joints, vertices or KiB
    const char *unit;
    void *state;

    /// Works `calls` times; with a baseline, the way it does. sqt's side runs with the set that is capped.
    void (*run)(void *state, uint32_t calls);
    void (*run_baseline)(void *state, const bench_baseline *baseline, uint32_t calls); ///< NULL: none

    /// Reads and copies as many bytes as the job cannot do without: its physical limit. NULL: not known.
    void (*run_memory)(void *state, uint32_t calls);

    /// Back to the first call, so that every side does the same work.
    void (*rewind)(void *state);

    /// The output of the last call, in one form for sqt and the baseline.
    void (*collect)(float *out, const void *state, bool baseline);
    uint32_t output_count;
    double tolerance; ///< of the baseline against sqt, relative to the largest output
} bench_case;

/// Whether a case is to run; with --list it is printed instead.
bool bench_wants(const bench *b, const char *job, const char *mode, const char *size);

/// Compares all sides, then measures and prints them.
void bench_measure(bench *b, const bench_case *c);

#endif
