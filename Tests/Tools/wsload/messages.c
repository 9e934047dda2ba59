#define _GNU_SOURCE
#include "messages.h"

#include <stdio.h>
#include <string.h>

#include "frames.h"
#include "latency.h"
#include "options.h"
#include "template.h"

struct counts counts;
int is_measuring, is_stopping;
uint64_t *deliveries;

void messages_prepare(void) { deliveries = zeroed((size_t)options.publishers, sizeof *deliveries); }

void messages_begin(struct connection *it) {
  if (options.mode == MODE_ECHO) it->sent_at = zeroed((size_t)options.window, sizeof *it->sent_at);
  if (options.mode == MODE_FANOUT && it->role == ROLE_SUBSCRIBER)
    it->expected = zeroed((size_t)options.publishers, sizeof *it->expected);
}

// Sending

static void queue_text(struct connection *it, const char *text, int length) {
  frame_queue(it, options.is_binary ? OPCODE_BINARY : OPCODE_TEXT, (const uint8_t *)text, (uint32_t)length);
}

void prelude_advance(struct connection *it) {
  for (; (int)it->step < options.step_count; it->step++) {
    const struct step *step = &options.steps[it->step];
    if (!(step->roles & it->role)) continue;
    if (!step->is_sent) return;
    const char *line = step->text ? NULL : options.lines[it->number % options.line_count];
    queue_text(it, line ? line : step->text, line ? (int)strlen(line) : step->length);
  }
  connection_ready(it);
}

void message_queue(struct connection *it, uint64_t time) {
  if (it->sent_at) it->sent_at[it->sent % (uint32_t)options.window] = time;
  queue_text(it, rendered(time, it->number, it->sent++), message_bytes);
}

// Judging

static void count_message(uint64_t latency) {
  if (!is_measuring) return;
  counts.messages++;
  latency_add(latency);
}

static const char *marker_in(const char *text, const char *end) {
  const char *found = memmem(text, (size_t)(end - text), "wl~", 3);
  return found && end - found >= MARKER_BYTES ? found : NULL;
}

// Fan-out: what stands around the marker in the template must stand here byte for byte, unless the server
// rewrites messages (--loose), or a cut (--stream) has left less than that.
static int is_as_sent(const char *begin, const char *text, const char *end, const struct marker *marker) {
  int behind = marker_offset + MARKER_BYTES;
  long tail = message_bytes - behind, there = end - text - MARKER_BYTES;
  if (there < tail && !options.is_stream) return 0;
  if (there < tail) tail = there;
  const char *wanted = rendered(marker->time, marker->connection, marker->sequence);
  if (!options.is_stream && text - begin < marker_offset) return 0;
  if (!options.is_stream && memcmp(text - marker_offset, wanted, (size_t)marker_offset)) return 0;
  if (!memcmp(text + MARKER_BYTES, wanted + behind, (size_t)tail)) return 1;
  if (!counts.corrupt)
    fprintf(stderr, "wsload: wrong body: %.*s\n", (int)(tail < 200 ? tail : 200), text + MARKER_BYTES);
  return 0;
}

// A publisher's own message came back.
static void acknowledged(struct connection *it, const struct marker *marker, uint64_t now) {
  if (marker->connection != it->number) return;
  counts.acknowledged++;
  it->received++;
  if (options.is_acknowledged && is_measuring) latency_add(now - marker->time);
}

static void delivered(struct connection *it, const struct marker *marker, uint64_t now) {
  uint32_t publisher = marker->connection - (uint32_t)options.connections;
  if (publisher >= (uint32_t)options.publishers) {
    counts.corrupt++;
    return;
  }
  uint32_t *expected = &it->expected[publisher];
  if (marker->sequence < *expected) {
    counts.duplicates++;
    return;
  }
  counts.gaps += marker->sequence - *expected;
  *expected = marker->sequence + 1;
  deliveries[publisher]++;
  if (!options.is_acknowledged) count_message(now - marker->time);
  else counts.messages += (uint64_t)is_measuring;
}

static void take_marker(struct connection *it, const char *begin, const char *text, const char *end, uint64_t now) {
  struct marker marker;
  if (!marker_read(text, &marker) || !(options.is_loose || is_as_sent(begin, text, end, &marker))) counts.corrupt++;
  else if (it->role == ROLE_PUBLISHER) acknowledged(it, &marker, now);
  else delivered(it, &marker, now);
}

// The bytes behind those that were kept of the message before, together.
static const char *joined(const struct connection *it, const char *text, uint32_t *count) {
  static struct block block;
  reserve(&block, it->tail_count + *count);
  memcpy(block.bytes, it->tail, it->tail_count);
  memcpy(block.bytes + it->tail_count, text, *count);
  *count += it->tail_count;
  return (const char *)block.bytes;
}

static void take_fanout(struct connection *it, const char *text, uint32_t count, uint64_t now) {
  if (it->tail_count) text = joined(it, text, &count);
  const char *end = text + count, *rest = text, *marker;
  while ((marker = marker_in(rest, end))) {
    take_marker(it, text, marker, end, now);
    rest = marker + MARKER_BYTES;
  }
  if (!options.is_stream) return;
  if (end - rest >= MARKER_BYTES) rest = end - MARKER_BYTES + 1;
  it->tail_count = (uint32_t)(end - rest);
  memcpy(it->tail, rest, it->tail_count);
}

static int is_exact(const struct connection *it, const char *text, uint32_t count, uint64_t sent_at) {
  const char *wanted = rendered(sent_at, it->number, it->received);
  if ((int)count == message_bytes && !memcmp(text, wanted, count)) return 1;
  if (!counts.corrupt)
    fprintf(stderr, "wsload: connection %u: wrong echo: %.*s\n", it->number, count > 200 ? 200 : (int)count, text);
  return 0;
}

// Echo: the reply must be the next one of this connection.
static void take_echo(struct connection *it, const char *text, uint32_t count, uint64_t now) {
  if (it->received == it->sent) {
    counts.corrupt++;
    return;
  }
  uint64_t sent_at = it->sent_at[it->received % (uint32_t)options.window];
  int is_right = 1;
  if (options.match == MATCH_EXACT) {
    is_right = is_exact(it, text, count, sent_at);
  } else if (options.match == MATCH_MARKER) {
    struct marker marker;
    const char *found = marker_in(text, text + count);
    if (!found || !marker_read(found, &marker) || marker.connection != it->number) return;  // somebody else's news
    is_right = marker.sequence == it->received && marker.time == sent_at;
  }
  if (!is_right) {
    counts.corrupt++;
    return;
  }
  it->received++;
  count_message(now - sent_at);
  if (!is_stopping) message_queue(it, now);
}

void message_arrived(struct connection *it, const uint8_t *bytes, uint32_t count, uint64_t now) {
  const char *text = (const char *)bytes;
  if (it->state == STATE_PRELUDE) {
    const struct step *step = &options.steps[it->step];
    if (!memmem(text, count, step->text, (size_t)step->length)) return;
    it->step++;
    prelude_advance(it);
    return;
  }
  if (is_measuring) counts.frames++, counts.bytes += count;
  if (options.mode == MODE_IDLE) return;
  if (options.accepted && !memmem(text, count, options.accepted, strlen(options.accepted))) return;
  if (options.mode == MODE_FANOUT) take_fanout(it, text, count, now);
  else take_echo(it, text, count, now);
}

void count_wire(uint32_t count, int is_compressed) {
  if (is_measuring) counts.compressed += (uint64_t)is_compressed, counts.wire_bytes += count;
}

uint64_t messages_missing(void) {
  uint64_t missing = 0;
  if (options.mode == MODE_ECHO) {
    for (int i = 0; i < census.total; i++) missing += connections[i].sent - connections[i].received;
    return missing;
  }
  for (int i = 0; i < options.publishers; i++) {
    const struct connection *it = &connections[options.connections + i];
    missing += it->sent * (uint64_t)options.connections - deliveries[i];
    if (options.is_acknowledged) missing += it->sent - it->received;
  }
  return missing;
}
