// A clock, and what a handful of repetitions come to.
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include <stdint.h>

/// Seconds that this thread has run, so that waiting for a processor that others use too does not count (Windows:
/// seconds of a clock that never steps back, since its thread times are too coarse).
double bench_seconds(void);

/// Repetitions of one measurement, in nanoseconds.
typedef struct bench_stat {
    double median, min;
    double spread; ///< the middle half: upper minus lower quartile
    uint32_t repetitions;
} bench_stat;

/// Sorts the values. count is 1 or more.
bench_stat bench_stat_of(double *values, uint32_t count);

#endif
