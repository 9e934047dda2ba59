// What every part of wsload needs: giving up, memory, the clock, random numbers.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Prints the sentence and ends the program with exit 2: it could not do its work.
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);

void *resized(void *memory, size_t bytes);
void *zeroed(size_t count, size_t bytes);

// Bytes that become more.
struct block {
  uint8_t *bytes;
  uint32_t count, capacity;
};
// Room for so many bytes; those that are there stay.
void reserve(struct block *it, uint32_t capacity);

// Of the monotonic clock.
uint64_t now_ns(void);

// Not for secrets.
uint32_t random_32(void);
