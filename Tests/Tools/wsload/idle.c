#include "idle.h"

#include "frames.h"
#include "options.h"

static void hold(double seconds) {
  uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
  while (now_ns() < end) connections_poll(50);
}

static int answered(void) {
  int count = 0;
  for (int i = 0; i < census.total; i++) count += connections[i].pongs > 0;
  return count;
}

static int ping_each(void) {
  for (int i = 0; i < census.total; i++) connections[i].pongs = 0;
  for (int i = 0; i < census.total; i++) {
    if (connections[i].state != STATE_READY) continue;
    frame_queue(&connections[i], OPCODE_PING, (const uint8_t *)"hi", 2);
    connection_flush(&connections[i]);
    if (i % 64 == 0) connections_poll(0);
  }
  uint64_t end = now_ns() + (uint64_t)(options.drain * 1e9);
  int count;
  do {
    connections_poll(20);
    count = answered();
  } while (count < census.ready && now_ns() < end);
  return count;
}

struct idle idle_run(void) {
  struct idle it = {0};
  hold(1);
  it.begin = sample_now(1);
  hold(options.seconds);
  it.end = sample_now(1);
  if (!options.is_without_ping) it.answered = ping_each();
  it.pinged = sample_now(1);
  return it;
}
