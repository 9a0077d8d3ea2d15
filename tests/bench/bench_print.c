#include "bench_print.h"

#include <stdio.h>

static void print_json(const bench_case *c, const bench_row *row) {
    printf("{\"job\":\"%s\",\"isa\":\"%s\",\"mode\":\"%s\"", c->job, row->isa, c->mode);
    if (c->asset) printf(",\"asset\":\"%s\"", c->asset);
    if (c->joints) printf(",\"joints\":%u", (unsigned)c->joints);
    if (c->vertices) printf(",\"vertices\":%u", (unsigned)c->vertices);
    if (c->influences > 0) printf(",\"influences\":%.3g", c->influences);
    printf(",\"ns\":%.5g,\"ns_min\":%.5g,\"ns_spread\":%.3g,\"unit\":\"%s\"", row->ns.median, row->ns.min,
           row->ns.spread, c->unit);
    if (c->bytes > 0) printf(",\"bytes\":%.0f", c->bytes);
    if (c->error >= 0) printf(",\"error\":%.3g", c->error);
    if (row->against > 0) printf(",\"against_cglm\":%.4g", row->against);
    if (row->limit > 0) printf(",\"limit\":%.4g", row->limit);
    printf(",\"repetitions\":%u}\n", (unsigned)row->ns.repetitions);
}

static void print_header(void) {
    printf("ns a unit: median, least and spread (the middle half) over the repetitions. cglm: how many times faster\n"
           "than the plain baseline. limit: how many times the time that memory alone takes (isa \"memory\").\n"
           "error: of a clip, the largest distance in model space from the motion that it was made from.\n\n");
    printf("%-11s %-43s %8s %5s %-11s %9s %9s %8s %-6s %6s %6s %9s %8s\n", "job", "mode", "size", "infl", "isa", "ns",
           "least", "spread", "unit", "cglm", "limit", "bytes", "error");
}

static void print_optional(const char *format, int width, double value, bool known) {
    if (known) {
        printf(format, width, value);
    } else {
        printf(" %*s", width, "");
    }
}

static void print_table(const bench_case *c, const bench_row *row) {
    char mode[64];
    snprintf(mode, sizeof mode, "%s%s%s", c->mode, c->asset ? " " : "", c->asset ? c->asset : "");
    printf("%-11s %-43s", c->job, mode);
    print_optional(" %*.0f", 8, c->joints ? c->joints : c->vertices, c->joints || c->vertices);
    print_optional(" %*.2f", 5, c->influences, c->influences > 0);
    printf(" %-11s %9.4g %9.4g %8.2g %-6s", row->isa, row->ns.median, row->ns.min, row->ns.spread, c->unit);
    print_optional(" %*.2f", 6, row->against, row->against > 0);
    print_optional(" %*.2f", 6, row->limit, row->limit > 0);
    print_optional(" %*.0f", 9, c->bytes, c->bytes > 0);
    print_optional(" %*.1e", 8, c->error, c->error >= 0);
    printf("\n");
}

void bench_print_row(bench *b, const bench_case *c, const bench_row *row) {
    if (b->json) {
        print_json(c, row);
    } else {
        if (!b->header_printed) print_header();
        print_table(c, row);
    }
    b->header_printed = true;
    fflush(stdout);
}
