#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wsload.h"

struct options options = {
    .host = "127.0.0.1", .port = 9001, .path = "/", .label = "",
    .connections = 100, .publishers = 1, .window = 1, .size = 64, .burst = 128, .spread = 1,
    .seconds = 5, .warmup = 1, .drain = 5, .connect_timeout = 60,
};

enum kind { TEXT, NUMBER, REAL, SWITCH, SEND, EXPECT, LINES, MATCH, PROCESSES };

// A name of one letter is a short option.
static const struct row {
  const char *name;
  enum kind kind;
  void *value;
  int roles;  // of SEND and EXPECT
} rows[] = {
    {"c", NUMBER, &options.connections, 0},
    {"P", NUMBER, &options.publishers, 0},
    {"w", NUMBER, &options.window, 0},
    {"s", NUMBER, &options.size, 0},
    {"t", REAL, &options.seconds, 0},
    {"host", TEXT, &options.host, 0},
    {"port", NUMBER, &options.port, 0},
    {"path", TEXT, &options.path, 0},
    {"pub-path", TEXT, &options.publisher_path, 0},
    {"host-header", TEXT, &options.host_header, 0},
    {"protocol", TEXT, &options.protocol, 0},
    {"header", TEXT, &options.header, 0},
    {"warmup", REAL, &options.warmup, 0},
    {"msg", TEXT, &options.message, 0},
    {"spread", NUMBER, &options.spread, 0},
    {"match", MATCH, NULL, 0},
    {"accept", TEXT, &options.accepted, 0},
    {"send", SEND, NULL, ROLE_ANY},
    {"expect", EXPECT, NULL, ROLE_ANY},
    {"sub-send", SEND, NULL, ROLE_SUBSCRIBER},
    {"sub-expect", EXPECT, NULL, ROLE_SUBSCRIBER},
    {"pub-send", SEND, NULL, ROLE_PUBLISHER},
    {"pub-expect", EXPECT, NULL, ROLE_PUBLISHER},
    {"send-lines", LINES, NULL, ROLE_ANY},
    {"rate", REAL, &options.rate, 0},
    {"pub-ack", SWITCH, &options.is_acknowledged, 0},
    {"loose", SWITCH, &options.is_loose, 0},
    {"binary", SWITCH, &options.is_binary, 0},
    {"stream", SWITCH, &options.is_stream, 0},
    {"tls", SWITCH, &options.is_tls, 0},
    {"deflate", SWITCH, &options.is_deflate, 0},
    {"pid", PROCESSES, NULL, 0},
    {"burst", NUMBER, &options.burst, 0},
    {"sources", NUMBER, &options.sources, 0},
    {"label", TEXT, &options.label, 0},
    {"drain", REAL, &options.drain, 0},
    {"connect-timeout", REAL, &options.connect_timeout, 0},
    {"no-ping", SWITCH, &options.is_without_ping, 0},
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST_LONG = 256 };

static void usage(void) {
  fputs(
      "wsload MODE [options]      MODE: echo | fanout | idle\n"
      "  --host IP --port N --path P --pub-path P --host-header H --protocol SUBPROTOCOL --header 'K: V'\n"
      "  -c N       connections (fanout: subscribers)      -P N   publishers (fanout)\n"
      "  -w N       messages in flight per connection (echo) or per publisher (fanout)\n"
      "  -s BYTES   message size                            -t S   measured seconds    --warmup S\n"
      "  --msg TEMPLATE   message; fields {m} {c} {s} {r} {uuid} {pad}; escapes \\r \\n \\xHH\n"
      "  --spread N       {r} is one of N numbers (default 1)\n"
      "  --match exact|marker|any   echo: what a reply must be (default exact)\n"
      "  --accept TEXT    only messages containing TEXT are looked at\n"
      "  --send T / --expect T          prelude of every connection, in order (also --sub-send, --sub-expect,\n"
      "                                 --pub-send, --pub-expect for one role)\n"
      "  --send-lines FILE              prelude: connection n sends line n of the file (its own sign-in)\n"
      "  --rate R   fanout: each publisher sends R/s instead of a closed loop\n"
      "  --pub-ack  fanout: the closed loop runs on the publisher's own marker coming back; latency is the ack's\n"
      "  --loose    fanout: the server rewrites messages, check markers only (default: the text around {m} too)\n"
      "  --binary   binary messages      --stream  markers may straddle messages (NATS)\n"
      "  --tls      wss                  --deflate offer permessage-deflate without context takeover\n"
      "  --pid N[,N] server processes to sample   --burst N connects in progress   --sources N 127.0.0.x sources\n"
      "  --label TEXT   --drain S   --connect-timeout S   --no-ping (idle: skip the liveness ping)\n",
      stderr);
  exit(2);
}

char *unescaped(const char *text, int *length) {
  char *out = resized(NULL, strlen(text) + 1);
  int count = 0;
  for (; *text; text++) {
    if (*text != '\\' || !text[1]) {
      out[count++] = *text;
      continue;
    }
    text++;
    if (*text == 'x' && text[1] && text[2]) {
      char digits[3] = {text[1], text[2], 0};
      out[count++] = (char)strtol(digits, NULL, 16);
      text += 2;
    } else {
      out[count++] = *text == 'r' ? '\r' : *text == 'n' ? '\n' : *text == 't' ? '\t' : *text == '0' ? 0 : *text;
    }
  }
  out[count] = 0;
  *length = count;
  return out;
}

static struct step *new_step(int is_sent, int roles) {
  if (options.step_count == STEPS_MAX) die("too many prelude steps");
  struct step *it = &options.steps[options.step_count++];
  *it = (struct step){.is_sent = is_sent, .roles = roles};
  return it;
}

static void read_lines(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t capacity = 0;
  ssize_t count;
  if (!file) die("%s: %s", path, strerror(errno));
  while ((count = getline(&line, &capacity, file)) > 0) {
    if (line[count - 1] == '\n') line[count - 1] = 0;
    options.lines = resized(options.lines, (options.line_count + 1) * sizeof *options.lines);
    options.lines[options.line_count++] = strdup(line);
  }
  fclose(file);
  free(line);
  if (!options.line_count) die("%s is empty", path);
}

static void read_processes(char *list) {
  for (char *it = strtok(list, ","); it && options.process_count < PROCESSES_MAX; it = strtok(NULL, ","))
    options.processes[options.process_count++] = atoi(it);
}

static void take(const struct row *row, char *argument) {
  struct step *step;
  switch (row->kind) {
  case TEXT: *(const char **)row->value = argument; break;
  case NUMBER: *(int *)row->value = atoi(argument); break;
  case REAL: *(double *)row->value = atof(argument); break;
  case SWITCH: *(int *)row->value = 1; break;
  case SEND:
  case EXPECT:
    step = new_step(row->kind == SEND, row->roles);
    step->text = unescaped(argument, &step->length);
    break;
  case LINES:
    read_lines(argument);
    new_step(1, row->roles);
    break;
  case MATCH:
    options.match =
        !strcmp(argument, "exact") ? MATCH_EXACT : !strcmp(argument, "marker") ? MATCH_MARKER : MATCH_ANY;
    break;
  case PROCESSES: read_processes(argument); break;
  }
}

static const struct row *row_of(int code) {
  if (code >= FIRST_LONG) return &rows[code - FIRST_LONG];
  for (int i = 0; i < ROWS; i++)
    if (rows[i].name[0] == code && !rows[i].name[1]) return &rows[i];
  return NULL;
}

static void read_rows(int count, char **arguments) {
  struct option long_options[ROWS + 1] = {0};
  for (int i = 0, n = 0; i < ROWS; i++)
    if (rows[i].name[1])
      long_options[n++] = (struct option){rows[i].name, rows[i].kind != SWITCH, NULL, FIRST_LONG + i};
  optind = 2;
  for (int code; (code = getopt_long(count, arguments, "c:P:w:s:t:", long_options, NULL)) != -1;) {
    const struct row *row = row_of(code);
    if (!row) usage();
    take(row, optarg);
  }
}

void options_read(int count, char **arguments) {
  if (count < 2) usage();
  static const char *const modes[] = {"echo", "fanout", "idle"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(arguments[1], modes[i])) options.mode_name = modes[i], options.mode = (enum mode)i;
  if (!options.mode_name) usage();
  read_rows(count, arguments);
  if (!options.spread) die("--spread must be 1 or more");
  if (options.connections < 1 || options.window < 1 || options.publishers < 1 ||
      options.publishers > PUBLISHERS_MAX)
    die("bad number");
  if (!options.message)
    options.message = options.mode == MODE_FANOUT
                          ? "{\"type\":\"item.created\",\"m\":\"{m}\",\"title\":\"{pad}\"}"
                          : "{m}{pad}";
  if (!options.host_header) {
    static char header[64];
    snprintf(header, sizeof header, "%s:%d", options.host, options.port);
    options.host_header = header;
  }
}

int options_total(void) {
  return options.connections + (options.mode == MODE_FANOUT ? options.publishers : 0);
}
