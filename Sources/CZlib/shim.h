// zlib for the module Deflate. Its initializers are macros with the version and the size of the
// structure in them, which Swift does not see.
#pragma once
#include <zlib.h>

static inline int whattodo_deflate_init(z_streamp stream, int level, int window_bits, int memory) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory, Z_DEFAULT_STRATEGY);
}

static inline int whattodo_inflate_init(z_streamp stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
