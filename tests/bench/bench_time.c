#if defined(_WIN32)
#include <windows.h>
#else
#define _POSIX_C_SOURCE 200809L // clock_gettime under -std=c11
#include <time.h>
#endif

#include "bench_time.h"

#include <stdlib.h>

#if defined(_WIN32)
double bench_seconds(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}
#else
double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// The value at a share of the sorted values, between neighbours where it falls between them.
static double quantile(const double *sorted, uint32_t count, double share) {
    const double at = share * (count - 1);
    const uint32_t low = (uint32_t)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

bench_stat bench_stat_of(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, by_value);
    const bench_stat stat = {.median = quantile(values, count, 0.5),
                             .min = values[0],
                             .spread = quantile(values, count, 0.75) - quantile(values, count, 0.25),
                             .repetitions = count};
    return stat;
}
