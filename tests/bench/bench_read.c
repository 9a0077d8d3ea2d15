// Compiled for the machine that builds it where the compiler can, so that reading is limited by memory alone.
#include "bench_memory.h"

#include <string.h>

enum { STEP = 16 }; // words: enough independent sums to hide their latency

uint64_t bench_read(const void *data, size_t bytes) {
    const char *at = data;
    uint64_t sums[STEP] = {0}, words[STEP];
    size_t left = bytes;
    for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        memcpy(words, at, sizeof words);
        for (int i = 0; i < STEP; ++i) sums[i] += words[i];
    }
    for (; left > 0; --left, ++at) sums[0] += (uint64_t)*at;
    uint64_t sum = 0;
    for (int i = 0; i < STEP; ++i) sum += sums[i];
    return sum;
}
