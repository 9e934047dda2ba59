#define _GNU_SOURCE
#include "template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "wsload.h"

enum kind { MARKER, CONNECTION, SEQUENCE, UUID, SPREAD, PAD, KINDS };
static const struct {
  const char *name;
  int bytes;
} kinds[KINDS] = {
    [MARKER] = {"{m}", MARKER_BYTES}, [CONNECTION] = {"{c}", 10}, [SEQUENCE] = {"{s}", 10},
    [UUID] = {"{uuid}", 36},          [SPREAD] = {"{r}", 10},     [PAD] = {"{pad}", 0},
};

enum { FIELDS_MAX = 16 };
static struct {
  enum kind kind;
  int offset;
} fields[FIELDS_MAX];
static int field_count;

int message_bytes, marker_offset;
static char *message;  // made once; for each message the fields are written anew
static uint64_t run;

// Laying out

static int kind_at(const char *text, const char *end) {
  for (int kind = 0; kind < KINDS; kind++) {
    size_t length = strlen(kinds[kind].name);
    if ((size_t)(end - text) >= length && !memcmp(text, kinds[kind].name, length)) return kind;
  }
  return KINDS;
}

// Writes the pieces between the fields, if there is where, and notes the fields; the number of bytes.
static int laid_out(const char *text, const char *end, int pad_bytes, int *pads, char *out) {
  int offset = 0;
  field_count = *pads = 0;
  while (text < end) {
    int kind = kind_at(text, end);
    if (kind == KINDS) {
      if (out) out[offset] = *text;
      offset++, text++;
      continue;
    }
    text += strlen(kinds[kind].name);
    if (kind == PAD) {
      ++*pads;
      for (int i = 0; out && i < pad_bytes; i++) out[offset + i] = (char)('a' + i % 26);
      offset += pad_bytes;
      continue;
    }
    if (field_count == FIELDS_MAX) die("too many fields in --msg");
    fields[field_count].kind = kind, fields[field_count++].offset = offset;
    offset += kinds[kind].bytes;
  }
  return offset;
}

void template_prepare(void) {
  int length, pads;
  char *text = unescaped(options.message, &length);
  int fixed_bytes = laid_out(text, text + length, 0, &pads, NULL);
  int pad_bytes = pads ? options.size - fixed_bytes : 0;
  if (pad_bytes < 0) die("--size %d is too small, the template needs %d", options.size, fixed_bytes);
  if (pads > 1) die("one {pad} at most");
  message_bytes = fixed_bytes + pad_bytes;
  message = resized(NULL, (size_t)message_bytes + 1);
  laid_out(text, text + length, pad_bytes, &pads, message);
  free(text);
  run = (uint64_t)random_32() << 32 | random_32();
  for (int i = 0; i < field_count; i++) {
    if (fields[i].kind != MARKER) continue;
    marker_offset = fields[i].offset;
    return;
  }
  if (options.mode == MODE_FANOUT || options.match != MATCH_ANY) die("--msg needs {m}");
}

// Filling in

static inline void put_hex(char *out, uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; i--, value >>= 4) out[i] = "0123456789abcdef"[value & 15];
}

static void put_decimal(char *out, uint32_t number) {
  char digits[16];
  snprintf(digits, sizeof digits, "%010u", 1000000000u + number);
  memcpy(out, digits, 10);
}

static void put_marker(char *out, uint64_t time, uint32_t connection, uint32_t sequence) {
  memcpy(out, "wl~", 3);
  put_hex(out + 3, time, 16);
  out[19] = '~';
  put_hex(out + 20, connection, 8);
  out[28] = '~';
  put_hex(out + 29, sequence, 8);
  out[37] = '~';
}

static void put_uuid(char *out, uint32_t connection, uint32_t sequence) {
  put_hex(out, run >> 32, 8);
  out[8] = '-';
  put_hex(out + 9, run >> 16, 4);
  memcpy(out + 13, "-4", 2);
  put_hex(out + 15, run, 3);
  memcpy(out + 18, "-8", 2);
  put_hex(out + 20, connection >> 16, 3);
  out[23] = '-';
  put_hex(out + 24, connection, 4);
  put_hex(out + 28, sequence, 8);
}

// Fibonacci hashing: every number of the spread comes about as often, and neighbours are far apart.
static uint32_t spread(uint32_t connection, uint32_t sequence) {
  uint64_t key = (uint64_t)connection << 32 | sequence;
  return (uint32_t)((key * 0x9e3779b97f4a7c15u >> 20) % options.spread);
}

const char *rendered(uint64_t time, uint32_t connection, uint32_t sequence) {
  for (int i = 0; i < field_count; i++) {
    char *out = message + fields[i].offset;
    switch (fields[i].kind) {
    case MARKER: put_marker(out, time, connection, sequence); break;
    case CONNECTION: put_decimal(out, connection); break;
    case SEQUENCE: put_decimal(out, sequence); break;
    case UUID: put_uuid(out, connection, sequence); break;
    case SPREAD: put_decimal(out, spread(connection, sequence)); break;
    case PAD:
    case KINDS: break;
    }
  }
  return message;
}

// Reading back

static int hex_read(const char *text, int digits, uint64_t *value) {
  uint64_t read = 0;
  for (int i = 0; i < digits; i++) {
    int it = text[i];
    int digit = it >= '0' && it <= '9' ? it - '0' : it >= 'a' && it <= 'f' ? it - 'a' + 10 : -1;
    if (digit < 0) return 0;
    read = read << 4 | (uint64_t)digit;
  }
  *value = read;
  return 1;
}

int marker_read(const char *text, struct marker *marker) {
  uint64_t connection, sequence;
  if (memcmp(text, "wl~", 3) || text[19] != '~' || text[28] != '~' || text[37] != '~') return 0;
  if (!hex_read(text + 3, 16, &marker->time) || !hex_read(text + 20, 8, &connection) ||
      !hex_read(text + 29, 8, &sequence))
    return 0;
  marker->connection = (uint32_t)connection;
  marker->sequence = (uint32_t)sequence;
  return 1;
}
