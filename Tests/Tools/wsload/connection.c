#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frames.h"
#include "handshake.h"
#include "messages.h"
#include "options.h"
#include "tls.h"

enum { EVENTS_MAX = 512, ANSWER_BYTES_MAX = 16384, CONNECTIONS_PER_SOURCE = 20000 };

struct connection *connections;
struct census census;
static int poller;
static uint8_t buffer[1 << 18];

static void raise_descriptor_limit(void) {
  rlim_t needed = (rlim_t)census.total + 200;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= needed) return;
  limit.rlim_cur = needed;
  if (limit.rlim_max < needed) limit.rlim_max = needed;
  if (setrlimit(RLIMIT_NOFILE, &limit)) die("cannot raise ulimit -n to %d", (int)needed);
}

void connections_prepare(void) {
  census.total = options_total();
  raise_descriptor_limit();
  connections = zeroed((size_t)census.total, sizeof *connections);
  poller = epoll_create1(EPOLL_CLOEXEC);
}

// Output

static void want_output(struct connection *it, int wants) {
  if (it->wants_output == wants) return;
  it->wants_output = (uint8_t)wants;
  struct epoll_event event = {.events = EPOLLIN | (wants ? EPOLLOUT : 0), .data.ptr = it};
  epoll_ctl(poller, EPOLL_CTL_MOD, it->socket, &event);
}

void connection_append(struct connection *it, const uint8_t *bytes, uint32_t count) {
  struct block *output = &it->output;
  if (output->count + count > output->capacity && it->written) {
    memmove(output->bytes, output->bytes + it->written, output->count - it->written);
    output->count -= it->written;
    it->written = 0;
  }
  reserve(output, output->count + count);
  memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
}

void connection_flush(struct connection *it) {
  while (it->written < it->output.count) {
    const uint8_t *rest = it->output.bytes + it->written;
    size_t count = it->output.count - it->written;
    ssize_t sent = it->tls ? tls_write(it->tls, rest, count) : send(it->socket, rest, count, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EAGAIN) want_output(it, 1);
      else connection_drop(it, "write failed");
      return;
    }
    it->written += (uint32_t)sent;
  }
  it->written = it->output.count = 0;
  want_output(it, 0);
}

void connection_ready(struct connection *it) {
  it->state = STATE_READY;
  census.in_progress--, census.ready++;
}

void connection_drop(struct connection *it, const char *why) {
  if (it->state == STATE_CLOSED) return;
  if (census.closed < 5) fprintf(stderr, "wsload: connection %u: %s\n", it->number, why);
  census.closed++;
  if (it->state < STATE_READY) census.in_progress--;
  else census.ready--;
  it->state = STATE_CLOSED;
  close(it->socket);
}

// Opening

// More connections than one address has ports for are spread over 127.0.0.x.
static void bind_to_source(const struct connection *it) {
  if (census.total <= CONNECTIONS_PER_SOURCE && options.sources <= 1) return;
  uint32_t source =
      options.sources > 1 ? it->number % (uint32_t)options.sources : it->number / CONNECTIONS_PER_SOURCE;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + source)};
  int on = 1;
  setsockopt(it->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  if (bind(it->socket, (struct sockaddr *)&address, sizeof address)) die("bind: %s", strerror(errno));
}

void connection_open(void) {
  struct connection *it = &connections[census.begun];
  it->number = (uint32_t)census.begun++;
  int is_publisher = options.mode == MODE_FANOUT && (int)it->number >= options.connections;
  it->role = is_publisher ? ROLE_PUBLISHER : ROLE_SUBSCRIBER;
  it->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (it->socket < 0) die("socket: %s (raise ulimit -n)", strerror(errno));
  int on = 1;
  setsockopt(it->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  bind_to_source(it);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  inet_pton(AF_INET, options.host, &address.sin_addr);
  if (connect(it->socket, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
    die("connect: %s", strerror(errno));
  it->state = STATE_CONNECTING;
  it->wants_output = 1;
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = it};
  epoll_ctl(poller, EPOLL_CTL_ADD, it->socket, &event);
  census.in_progress++;
  messages_begin(it);
}

static void begin_upgrade(struct connection *it) {
  char request[2048];
  const char *path = it->role == ROLE_PUBLISHER && options.publisher_path ? options.publisher_path : options.path;
  int length = handshake_request(path, request, sizeof request);
  it->state = STATE_UPGRADE;
  connection_append(it, (const uint8_t *)request, (uint32_t)length);
  connection_flush(it);
}

// Input

// Takes the answer to the upgrade; the bytes used, 0 when it is incomplete.
static size_t take_answer(struct connection *it, const uint8_t *bytes, size_t count) {
  const char *end = memmem(bytes, count, "\r\n\r\n", 4);
  size_t length = end ? (size_t)(end + 4 - (const char *)bytes) : count;
  if (length > ANSWER_BYTES_MAX) connection_drop(it, "answer too long");
  if (!end || length > ANSWER_BYTES_MAX) return 0;
  char answer[ANSWER_BYTES_MAX + 1];
  memcpy(answer, bytes, length);
  answer[length] = 0;
  const char *fault = handshake_fault(answer);
  if (fault) {
    if (census.closed < 3) fprintf(stderr, "wsload: %.*s\n", 300, answer);
    connection_drop(it, fault);
    return 0;
  }
  it->state = STATE_PRELUDE;
  prelude_advance(it);
  return length;
}

static void keep_rest(struct connection *it, const uint8_t *bytes, size_t count) {
  reserve(&it->input, (uint32_t)count);
  if (count) memcpy(it->input.bytes, bytes, count);
  it->input.count = (uint32_t)count;
}

// One read; whether there may be more that no event will tell of.
static int read_once(struct connection *it) {
  uint32_t before = it->input.count;
  if (before >= sizeof buffer / 2) die("message too large for the read buffer");
  if (before) memcpy(buffer, it->input.bytes, before);
  size_t room = sizeof buffer - before;
  ssize_t got = it->tls ? tls_read(it->tls, buffer + before, room) : recv(it->socket, buffer + before, room, 0);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) {
    connection_drop(it, got ? "read failed" : "end of stream");
    return 0;
  }
  uint64_t now = now_ns();
  size_t count = before + (size_t)got, used = 0;
  if (it->state == STATE_UPGRADE) used = take_answer(it, buffer, count);
  if (it->state == STATE_PRELUDE || it->state == STATE_READY)
    used += frames_read(it, buffer + used, count - used, now);
  if (it->state == STATE_CLOSED) return 0;
  keep_rest(it, buffer + used, count - used);
  return count == sizeof buffer || (it->tls && tls_holds_input(it->tls));
}

static void read_available(struct connection *it) {
  for (int round = 0; round < 4 && read_once(it); round++) continue;
  if (it->state != STATE_CLOSED && it->written < it->output.count && !it->wants_output) connection_flush(it);
}

// Events

static void advance_tls(struct connection *it) {
  switch (tls_handshake(it->tls)) {
  case TLS_DONE: begin_upgrade(it); break;
  case TLS_WANTS_INPUT: want_output(it, 0); break;
  case TLS_WANTS_OUTPUT: want_output(it, 1); break;
  case TLS_FAILED: connection_drop(it, "TLS handshake failed"); break;
  }
}

static void finish_connecting(struct connection *it, uint32_t events) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(it->socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) {
    connection_drop(it, strerror(error));
  } else if (events & EPOLLOUT && options.is_tls) {
    it->tls = tls_begin(it->socket);
    it->state = STATE_TLS;
    advance_tls(it);
  } else if (events & EPOLLOUT) {
    begin_upgrade(it);
  }
}

static void take_events(struct connection *it, uint32_t events) {
  if (it->state == STATE_CLOSED) return;
  if (it->state == STATE_CONNECTING) return finish_connecting(it, events);
  if (it->state == STATE_TLS) return advance_tls(it);
  if (events & EPOLLOUT && it->written < it->output.count) connection_flush(it);
  else if (events & EPOLLOUT) want_output(it, 0);
  if (it->state != STATE_CLOSED && events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_available(it);
}

void connections_poll(int milliseconds) {
  struct epoll_event events[EVENTS_MAX];
  int count = epoll_wait(poller, events, EVENTS_MAX, milliseconds);
  for (int i = 0; i < count; i++) take_events(events[i].data.ptr, events[i].events);
}
