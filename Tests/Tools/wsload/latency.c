#include "latency.h"

// A value of up to 7 bits has a bucket of its own; of a longer one, row e is the number of bits that are cut off, and
// it counts at 64 e + the 7 bits that stay. These begin with 1, so a row lies behind the one before.
enum { BITS = 6, BUCKETS = 64 << BITS };
static uint64_t buckets[BUCKETS], count, max;

void latency_add(uint64_t nanoseconds) {
  count++;
  if (nanoseconds > max) max = nanoseconds;
  int row = nanoseconds < 1u << BITS ? 0 : 63 - __builtin_clzll(nanoseconds) - BITS;
  buckets[((uint64_t)row << BITS) + (nanoseconds >> row)]++;
}

static double value_us(uint64_t bucket) {
  uint64_t row = bucket >> BITS ? (bucket >> BITS) - 1 : 0;
  return (double)((bucket - (row << BITS)) << row) / 1000.0;
}

double latency_us(double quantile) {
  uint64_t wanted = (uint64_t)(quantile * (double)count), seen = 0;
  if (!count) return 0;
  for (uint64_t i = 0; i < BUCKETS; i++) {
    seen += buckets[i];
    if (buckets[i] && (seen > wanted || seen == count)) return value_us(i);
  }
  return latency_max_us();
}

double latency_max_us(void) { return (double)max / 1000.0; }
