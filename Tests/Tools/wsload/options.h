// The command line (README.md in the folder above says what each mode checks).
#pragma once
#include <stdint.h>

enum mode { MODE_ECHO, MODE_FANOUT, MODE_IDLE };
enum match { MATCH_EXACT, MATCH_MARKER, MATCH_ANY };
enum role { ROLE_SUBSCRIBER = 1, ROLE_PUBLISHER = 2, ROLE_ANY = 3 };
enum { PROCESSES_MAX = 32, STEPS_MAX = 32, PUBLISHERS_MAX = 4096 };

// Of the prelude that every connection of these roles goes through.
struct step {
  int is_sent;  // or awaited
  int roles, length;
  char *text;  // NULL: the connection's line of --send-lines
};

extern struct options {
  const char *mode_name;
  enum mode mode;
  enum match match;
  const char *host, *host_header, *path, *publisher_path, *protocol, *header;
  const char *label, *message, *accepted;
  int port, connections, publishers, window, size, burst, sources;
  int is_binary, is_stream, is_tls, is_deflate, is_acknowledged, is_loose, is_without_ping;
  uint32_t spread;
  double seconds, warmup, rate, drain, connect_timeout;
  int processes[PROCESSES_MAX], process_count;
  struct step steps[STEPS_MAX];
  int step_count;
  char **lines;  // of --send-lines
  uint32_t line_count;
} options;

// Reads the command line into `options`, or ends the program.
void options_read(int count, char **arguments);

// Every connection, publishers included.
int options_total(void);

// The text with \r \n \t \0 \\ and \xHH replaced, and its length, which may count zero bytes.
char *unescaped(const char *text, int *length);
