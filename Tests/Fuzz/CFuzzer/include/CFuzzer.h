#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"): calls `one` with
/// each input until it is told to stop; the program's arguments are libFuzzer's.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *bytes, size_t count));

#endif
