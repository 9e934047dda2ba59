#include "load.h"

#include "messages.h"
#include "options.h"

enum { WAIT_MILLISECONDS_MAX = 100 };

static uint64_t next_due;  // --rate: of every publisher

static uint32_t in_flight(const struct connection *it, int publisher) {
  uint64_t back = options.is_acknowledged ? it->received : deliveries[publisher] / (uint64_t)options.connections;
  return it->sent - (uint32_t)back;
}

// Messages that are due by now, each as of the time when it was; when the next one is.
static uint64_t send_due(struct connection *it, uint64_t now) {
  uint64_t due = next_due, gap = (uint64_t)(1e9 / options.rate);
  for (; due <= now; due += gap) message_queue(it, due);
  return due;
}

// Publishers: closed loop (W messages not yet delivered to all, or not yet acknowledged), or --rate. Returns how
// many milliseconds nothing will be due.
static int publish(void) {
  uint64_t now = now_ns(), due = 0;
  if (!next_due) next_due = now;
  for (int i = 0; i < options.publishers; i++) {
    struct connection *it = &connections[options.connections + i];
    if (it->state != STATE_READY) continue;
    uint32_t before = it->sent;
    if (options.rate > 0) due = send_due(it, now);
    else
      while (in_flight(it, i) < (uint32_t)options.window) message_queue(it, now);
    if (is_measuring) counts.published += it->sent - before;
    if (it->sent != before && !it->wants_output) connection_flush(it);
  }
  if (!due) return WAIT_MILLISECONDS_MAX;
  next_due = due;
  uint64_t wait = (due - now) / 1000000;
  return wait > WAIT_MILLISECONDS_MAX ? WAIT_MILLISECONDS_MAX : (int)wait;
}

static void fill_windows(void) {
  for (int i = 0; i < census.total; i++) {
    uint64_t now = now_ns();
    for (int k = 0; k < options.window; k++) message_queue(&connections[i], now);
    connection_flush(&connections[i]);
    if (i % 64 == 0) connections_poll(0);
  }
}

struct load load_run(void) {
  struct load it = {0};
  if (options.mode == MODE_ECHO) fill_windows();
  uint64_t begin = now_ns() + (uint64_t)(options.warmup * 1e9), end = 0;
  while (!census.closed) {
    uint64_t now = now_ns();
    if (!is_measuring && now >= begin) {
      it.begin = sample_now(0);
      is_measuring = 1;
      end = now_ns() + (uint64_t)(options.seconds * 1e9);
    }
    if (is_measuring && now >= end) break;
    connections_poll(options.mode == MODE_FANOUT ? publish() : 50);
  }
  it.end = sample_now(1);
  is_measuring = 0, is_stopping = 1;
  uint64_t last = now_ns() + (uint64_t)(options.drain * 1e9);
  while ((it.missing = messages_missing()) && now_ns() <= last) connections_poll(20);
  return it;
}
