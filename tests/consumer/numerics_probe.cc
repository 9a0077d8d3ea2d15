// The same program as C++, through the same headers.
#include "numerics_probe.c"
