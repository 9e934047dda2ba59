#include "compression.h"

#include "wsload.h"

#ifdef WITH_ZLIB
#include <zlib.h>

static z_stream deflating, inflating;
static struct block small, large;

void compression_prepare(void) {
  if (deflateInit2(&deflating, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) die("deflateInit2");
  if (inflateInit2(&inflating, -15) != Z_OK) die("inflateInit2");
  reserve(&large, 1 << 16);
}

const uint8_t *compressed(const uint8_t *bytes, uint32_t *count) {
  reserve(&small, *count + *count / 8 + 256);
  deflateReset(&deflating);
  deflating.next_in = (uint8_t *)bytes, deflating.avail_in = *count;
  deflating.next_out = small.bytes, deflating.avail_out = small.capacity;
  deflate(&deflating, Z_SYNC_FLUSH);
  *count = small.capacity - deflating.avail_out - 4;  // without 00 00 ff ff: RFC 7692 §7.2.1
  return small.bytes;
}

static int inflate_piece(const uint8_t *bytes, uint32_t count) {
  inflating.next_in = (uint8_t *)bytes, inflating.avail_in = count;
  for (;;) {
    int code = inflate(&inflating, Z_SYNC_FLUSH);
    if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END) return 0;
    if (inflating.avail_out) return 1;
    large.count = large.capacity;
    reserve(&large, large.capacity + 1);
    inflating.next_out = large.bytes + large.count, inflating.avail_out = large.capacity - large.count;
  }
}

const uint8_t *decompressed(const uint8_t *bytes, uint32_t *count) {
  static const uint8_t tail[4] = {0, 0, 0xff, 0xff};
  inflateReset(&inflating);
  inflating.next_out = large.bytes, inflating.avail_out = large.capacity;
  if (!inflate_piece(bytes, *count) || !inflate_piece(tail, sizeof tail)) return NULL;
  *count = large.capacity - inflating.avail_out;
  return large.bytes;
}

#else

static _Noreturn void missing(void) { die("built without WITH_ZLIB"); }

void compression_prepare(void) { missing(); }
const uint8_t *compressed(const uint8_t *bytes, uint32_t *count) { (void)bytes, (void)count, missing(); }
const uint8_t *decompressed(const uint8_t *bytes, uint32_t *count) { (void)bytes, (void)count, missing(); }

#endif
