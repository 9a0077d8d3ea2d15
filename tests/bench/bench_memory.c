#include "bench_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

typedef struct bench_block {
    struct bench_block *next;
} bench_block;

void *bench_alloc(bench_pool *pool, size_t count, size_t size) {
    const size_t overhead = sizeof(bench_block) + ALIGNMENT;
    if (size && count > (SIZE_MAX - overhead) / size) abort();
    bench_block *const block = malloc(count * size + overhead);
    if (!block) {
        fprintf(stderr, "sqt_bench: no memory for %zu times %zu bytes\n", count, size);
        exit(1);
    }
    memset(block, 0, count * size + overhead);
    block->next = pool->blocks;
    pool->blocks = block;
    const uintptr_t start = (uintptr_t)(block + 1);
    return (char *)(block + 1) + (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
}

int bench_can_alloc(size_t bytes) {
    void *const probe = malloc(bytes);
    free(probe);
    return probe != NULL;
}

void bench_free(bench_pool *pool) {
    for (bench_block *block = pool->blocks; block;) {
        bench_block *const next = block->next;
        free(block);
        block = next;
    }
    pool->blocks = NULL;
}

static volatile uint64_t kept;

void bench_keep(uint64_t value) { kept = value; }

uint32_t bench_random_u32(bench_random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * 0x2545F4914F6CDD1Dull) >> 32);
}

double bench_random_in(bench_random *random, double low, double high) {
    return low + (high - low) * (bench_random_u32(random) / 4294967295.0);
}
