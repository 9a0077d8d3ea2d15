// The probe in a process that rounds upward: it must see that the bits are others.
#include <fenv.h>

int probe_main(int argc, char **argv);

int main(int argc, char **argv) { return fesetround(FE_UPWARD) ? 2 : probe_main(argc, argv); }
