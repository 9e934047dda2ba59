#define _GNU_SOURCE
#include "handshake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "wsload.h"

static char key[32], accept_key[40];

// SHA-1 (RFC 3174), written here so that the minimal program needs no library.

static uint32_t rotated(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static void add_block(uint32_t hash[5], const uint8_t *block) {
  uint32_t w[80], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 80; i++) w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    uint32_t f, k;
    if (i < 20) f = (b & c) | (~b & d), k = 0x5a827999;
    else if (i < 40) f = b ^ c ^ d, k = 0x6ed9eba1;
    else if (i < 60) f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
    else f = b ^ c ^ d, k = 0xca62c1d6;
    uint32_t sum = rotated(a, 5) + f + e + k + w[i];
    e = d, d = c, c = rotated(b, 30), b = a, a = sum;
  }
  hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e;
}

static void sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]) {
  uint32_t hash[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  size_t total = ((count + 8) / 64 + 1) * 64;
  uint8_t *padded = zeroed(1, total);
  memcpy(padded, bytes, count);
  padded[count] = 0x80;
  for (int i = 0; i < 8; i++) padded[total - 1 - i] = (uint8_t)(((uint64_t)count * 8) >> (8 * i));
  for (size_t offset = 0; offset < total; offset += 64) add_block(hash, padded + offset);
  free(padded);
  for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
}

static void base64(const uint8_t *bytes, int count, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < count; i += 3) {
    uint32_t second = i + 1 < count ? bytes[i + 1] : 0, third = i + 2 < count ? bytes[i + 2] : 0;
    uint32_t value = (uint32_t)bytes[i] << 16 | second << 8 | third;
    *out++ = digits[value >> 18];
    *out++ = digits[value >> 12 & 63];
    *out++ = i + 1 < count ? digits[value >> 6 & 63] : '=';
    *out++ = i + 2 < count ? digits[value & 63] : '=';
  }
  *out = 0;
}

void handshake_prepare(void) {
  uint8_t random[16], digest[20];
  char joined[128];
  for (int i = 0; i < 16; i++) random[i] = (uint8_t)random_32();
  base64(random, 16, key);
  int length = snprintf(joined, sizeof joined, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1((const uint8_t *)joined, (size_t)length, digest);
  base64(digest, 20, accept_key);
}

int handshake_request(const char *path, char *out, size_t capacity) {
  const char *protocol = options.protocol, *header = options.header;
  int length = snprintf(
      out, capacity,
      "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
      "Sec-WebSocket-Version: 13\r\n%s%s%s%s%s%s\r\n",
      path, options.host_header, key, protocol ? "Sec-WebSocket-Protocol: " : "", protocol ? protocol : "",
      protocol ? "\r\n" : "",
      options.is_deflate ? "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                           "client_no_context_takeover\r\n"
                         : "",
      header ? header : "", header ? "\r\n" : "");
  if ((size_t)length >= capacity) die("the request of the handshake is too long");
  return length;
}

const char *handshake_fault(const char *answer) {
  if (strncmp(answer, "HTTP/1.1 101", 12)) return "no upgrade";
  const char *name = "\r\nsec-websocket-accept:", *accept = strcasestr(answer, name);
  if (!accept) return "no Sec-WebSocket-Accept";
  accept += strlen(name);
  while (*accept == ' ') accept++;
  if (strncmp(accept, accept_key, 28)) return "wrong Sec-WebSocket-Accept";
  if (!options.is_deflate) return NULL;
  if (!strcasestr(answer, "permessage-deflate")) return "permessage-deflate refused";
  if (!strcasestr(answer, "server_no_context_takeover")) return "server keeps its context: not supported here";
  return NULL;
}
