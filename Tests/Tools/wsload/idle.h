// The mode idle: holds the connections, then pings each one.
#pragma once
#include "samples.h"

struct idle {
  struct sample begin, end, pinged;  // of the holding; after the pings
  int answered;
};

struct idle idle_run(void);
