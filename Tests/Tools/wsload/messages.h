// What is sent and what comes back: the prelude, then messages of which each is judged.
#pragma once
#include "connection.h"

// What is counted. Of the measured window only: messages, frames, bytes, wire bytes, compressed, published.
extern struct counts {
  uint64_t messages, frames, bytes, wire_bytes, compressed, published;
  uint64_t gaps, duplicates, corrupt, acknowledged;
} counts;

// Between the ends of the measured window; from the end of the load on.
extern int is_measuring, is_stopping;

// Fan-out: deliveries of each publisher's messages, over all subscribers.
extern uint64_t *deliveries;

void messages_prepare(void);
// For what this connection will have to keep.
void messages_begin(struct connection *it);

// Goes on to the next step that waits for an answer, or to readiness.
void prelude_advance(struct connection *it);

// Queues the connection's next message, as of this time.
void message_queue(struct connection *it, uint64_t time);
void message_arrived(struct connection *it, const uint8_t *bytes, uint32_t count, uint64_t now);
// A message came with so many bytes of payload.
void count_wire(uint32_t count, int is_compressed);

// What was sent and has not come back, or not to everybody.
uint64_t messages_missing(void);
