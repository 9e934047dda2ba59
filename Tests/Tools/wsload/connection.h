// One connection to the server, from its socket to its frames' bytes; and all of them, in one epoll.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "wsload.h"

enum state { STATE_CONNECTING, STATE_TLS, STATE_UPGRADE, STATE_PRELUDE, STATE_READY, STATE_CLOSED };

struct connection {
  int socket;
  uint8_t state, role, wants_output, in_message, is_compressed;
  uint32_t number, step, sent, received, pongs;
  struct ssl_st *tls;   // NULL: plain
  struct block input;   // an incomplete frame
  struct block output;  // of which `written` bytes have gone out
  uint32_t written;
  struct block message;  // the fragments that have come, while `in_message`
  uint64_t *sent_at;     // echo: the time of each message in flight
  uint32_t *expected;    // subscriber: the next sequence of each publisher
  char tail[40];         // --stream: in which a marker may have begun
  uint32_t tail_count;
};

// Fan-out: the subscribers stand before the publishers.
extern struct connection *connections;

// How many connections are where.
extern struct census {
  int total, begun, in_progress, ready, closed;
} census;

// From the options.
void connections_prepare(void);
// Begins the next one.
void connection_open(void);
// Waits so long at most, and does what there is to do.
void connections_poll(int milliseconds);

// Nothing goes out before a flush.
void connection_append(struct connection *it, const uint8_t *bytes, uint32_t count);
void connection_flush(struct connection *it);
// The prelude is over.
void connection_ready(struct connection *it);
// Gives it up; the first few reasons are printed.
void connection_drop(struct connection *it, const char *why);
