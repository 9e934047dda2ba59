// The message that is sent, and the marker in it that is read back.
//
// A template (--msg) may contain
//   {m}     38-byte marker  wl~<ts ns, 16 hex>~<connection, 8 hex>~<sequence, 8 hex>~
//   {c} {s} connection and sequence as 10-digit decimals (1000000000 + n: valid JSON numbers)
//   {r}     as {c}, but n is below --spread and jumps about with connection and sequence
//   {uuid}  a 36-character UUID unique to run, connection and sequence
//   {pad}   filler that brings the message to --size bytes
// and the escapes \r \n \t \0 \\ \xHH. All fields have a fixed width, so every message has one length.
#pragma once
#include <stdint.h>

enum { MARKER_BYTES = 38 };

struct marker {
  uint64_t time;
  uint32_t connection, sequence;
};

// The length of every message, and where its first marker lies.
extern int message_bytes, marker_offset;

// From the options.
void template_prepare(void);

// The message with these numbers; `message_bytes` bytes, good until the next call.
const char *rendered(uint64_t time, uint32_t connection, uint32_t sequence);

// Whether a marker stands in these MARKER_BYTES bytes.
int marker_read(const char *text, struct marker *marker);
