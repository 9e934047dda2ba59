// The result: one JSON object on one line, printed in two parts.
#pragma once
#include "idle.h"
#include "load.h"

// Before the first connection, and when all were ready.
void report_connecting(const struct sample *from, const struct sample *to);

// Both return the exit status: 0, or 3 when the server's answers were wrong. `base` is as above.
int report_load(const struct load *load);
int report_idle(const struct idle *idle, const struct sample *base);
