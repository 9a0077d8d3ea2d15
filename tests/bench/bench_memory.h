// Memory for what is measured, and how fast memory itself is: the limit that big work cannot pass.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Allocations that are freed together. Zero-initialise it.
typedef struct bench_pool {
    struct bench_block *blocks;
} bench_pool;

/// Zeroed and touched memory, aligned to 64 bytes. Ends the program where none is left.
void *bench_alloc(bench_pool *pool, size_t count, size_t size);

/// True where so much memory can be had at all: ask before the largest cases.
int bench_can_alloc(size_t bytes);

void bench_free(bench_pool *pool);

/// Reads every byte and returns something that depends on them.
uint64_t bench_read(const void *data, size_t bytes);

/// Keeps a value alive that the compiler would drop.
void bench_keep(uint64_t value);

/// xorshift64*: the same numbers on every machine. Seed it with anything but 0.
typedef struct bench_random {
    uint64_t state;
} bench_random;

uint32_t bench_random_u32(bench_random *random);

/// Uniform in low..high.
double bench_random_in(bench_random *random, double low, double high);

#endif
