// A measured side as a line of the table or of JSON.
#ifndef BENCH_PRINT_H
#define BENCH_PRINT_H

#include "bench_case.h"

typedef struct bench_row {
    const char *isa;
    bench_stat ns;  ///< a unit
    double against; ///< how many times faster than the plain baseline; 0: there is none
    double limit;   ///< how many times the physical limit's time; 0: not known
} bench_row;

void bench_print_row(bench *b, const bench_case *c, const bench_row *row);

#endif
