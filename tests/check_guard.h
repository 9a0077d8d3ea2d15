// Memory that ends where a page begins that nobody may touch: one byte too far ends the test.
#ifndef CHECK_GUARD_H
#define CHECK_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { CHECK_CANARY = 0xA5 };

/// Whole pages between two that may not be touched.
typedef struct check_guard {
    unsigned char *pages;
    size_t bytes; ///< of the pages that may be touched
} check_guard;

/// Fails the test if there is no memory. capacity_bytes is rounded up to pages, at least one.
check_guard check_guard_make(size_t capacity_bytes);
void check_guard_free(check_guard *guard);

/// The last `bytes` bytes, filled with CHECK_CANARY, as is all before them. Aligned to 4 where `bytes` is a multiple
/// of 4.
void *check_guard_take(check_guard *guard, size_t bytes);

/// Fails unless all before the last `bytes` bytes is still CHECK_CANARY.
void check_guard_assert_before(const check_guard *guard, size_t bytes);

/// Makes every access to the pages end the test, or allows them again.
void check_guard_forbid(check_guard *guard, bool forbidden);

#endif
