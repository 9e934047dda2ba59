// A histogram of latencies with 64 buckets for each power of two: a quantile is right to within 1.6 %.
#pragma once
#include <stdint.h>

void latency_add(uint64_t nanoseconds);
// 0 when there is none.
double latency_us(double quantile);
double latency_max_us(void);
