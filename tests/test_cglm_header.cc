// The same test as C++.
#include "test_cglm_header.c"
