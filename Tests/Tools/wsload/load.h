// The load of the modes echo and fanout: warm up, measure, then wait for everything that was sent.
#pragma once
#include <stdint.h>

#include "samples.h"

struct load {
  struct sample begin, end;  // of the measured window
  uint64_t missing;          // when the drain was over
};

struct load load_run(void);
