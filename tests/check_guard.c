#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "check_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

check_guard check_guard_make(size_t capacity_bytes) {
    const size_t page = page_bytes();
    const size_t bytes = capacity_bytes == 0 ? page : (capacity_bytes + page - 1) / page * page;
    unsigned char *const all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    const check_guard guard = {all + page, bytes};
    assert_int_equal(mprotect(guard.pages, bytes, PROT_READ | PROT_WRITE), 0);
    return guard;
}

void check_guard_free(check_guard *guard) {
    const size_t page = page_bytes();
    assert_int_equal(munmap(guard->pages - page, guard->bytes + 2 * page), 0);
    guard->pages = NULL;
    guard->bytes = 0;
}

void *check_guard_take(check_guard *guard, size_t bytes) {
    assert_true(bytes <= guard->bytes);
    memset(guard->pages, CHECK_CANARY, guard->bytes);
    return guard->pages + (guard->bytes - bytes);
}

void check_guard_assert_before(const check_guard *guard, size_t bytes) {
    assert_true(bytes <= guard->bytes);
    for (size_t i = 0; i < guard->bytes - bytes; ++i) {
        if (guard->pages[i] != CHECK_CANARY) {
            fail_msg("%zu bytes before the buffer were written", guard->bytes - bytes - i);
        }
    }
}

void check_guard_forbid(check_guard *guard, bool forbidden) {
    assert_int_equal(mprotect(guard->pages, guard->bytes, forbidden ? PROT_NONE : PROT_READ | PROT_WRITE), 0);
}
