// permessage-deflate without context takeover (RFC 7692), by zlib. Built without WITH_ZLIB, only
// `compression_prepare` may be called, and it gives up.
#pragma once
#include <stdint.h>

// Once.
void compression_prepare(void);

// The payload of a compressed message, and its number of bytes; good until the next call.
const uint8_t *compressed(const uint8_t *bytes, uint32_t *count);
// The other way round; NULL when these are no such bytes.
const uint8_t *decompressed(const uint8_t *bytes, uint32_t *count);
