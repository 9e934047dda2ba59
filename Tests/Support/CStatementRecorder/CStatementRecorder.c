#include "CStatementRecorder.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENTS_MAX = 1024, PARAMETERS_MAX = 64 };

static FILE *file;
static int broken, muted;
static char *known[STATEMENTS_MAX];
static uint32_t known_count;

static void put(const void *bytes, size_t count) {
  if (!muted && fwrite(bytes, 1, count, file) != count) broken = 1;
}

static void put_kind(char kind) { put(&kind, 1); }

static void put_count(uint32_t count) { put(&count, sizeof count); }

static uint32_t index_of(const char *sql) {
  for (uint32_t i = 0; i < known_count; i++)
    if (strcmp(known[i], sql) == 0) return i;
  if (known_count == STATEMENTS_MAX) return broken = 1, 0;
  known[known_count] = strdup(sql);
  put_kind('S');
  put_count((uint32_t)strlen(sql));
  put(sql, strlen(sql));
  return known_count++;
}

static int digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

// Each writes one value that begins at `at` and answers what follows it.

static const char *put_text(const char *at) {
  char *text = malloc(strlen(at) + 1);
  uint32_t count = 0;
  if (!text) abort();
  for (at++; *at && !(*at == '\'' && at[1] != '\''); at++) {
    if (*at == '\'') at++;
    text[count++] = *at;
  }
  put_kind('t');
  put_count(count);
  put(text, count);
  free(text);
  return at + 1;
}

static const char *put_blob(const char *at) {
  const char *end = strchr(at + 2, '\'');
  if (!end) return broken = 1, at + strlen(at);
  put_kind('b');
  put_count((uint32_t)(end - at - 2) / 2);
  for (at += 2; at < end; at += 2) put_kind((char)(digit(at[0]) << 4 | digit(at[1])));
  return end + 1;
}

static const char *put_value(const char *at) {
  if (strncmp(at, "NULL", 4) == 0) return put_kind('n'), at + 4;
  if (*at == '\'') return put_text(at);
  if (*at == 'x') return put_blob(at);
  if (strncmp(at, "zeroblob(", 9) == 0) {
    // Only empty ones are bound (Statement.swift).
    if (strncmp(at, "zeroblob(0)", 11) != 0) broken = 1;
    return put_kind('b'), put_count(0), at + 11;
  }
  char *end;
  int64_t number = strtoll(at, &end, 10);
  if (end == at || *end == '.' || *end == 'e') broken = 1;
  put_kind('i');
  put(&number, sizeof number);
  return end;
}

// Parameters are ?1, ?2 … in any order, each possibly several times; their values are written in the order of
// the numbers. A number that the text leaves out is bound to nothing.
static void put_values(const char *sql, const char *expanded, int count) {
  const char *values[PARAMETERS_MAX] = {0};
  muted = 1;
  while (*sql && !broken) {
    if (*sql != '?') {
      if (*sql++ != *expanded++) broken = 1;
      continue;
    }
    char *end;
    long number = strtol(sql + 1, &end, 10);
    sql = end;
    if (number < 1 || number > count) broken = 1;
    else values[number - 1] = expanded;
    expanded = put_value(expanded);
  }
  muted = 0;
  for (int i = 0; i < count && !broken; i++)
    if (values[i]) put_value(values[i]);
    else put_kind('n');
}

static int ran(unsigned kind, void *context, void *statement, void *sql) {
  (void)kind, (void)context;
  if (!file || strncmp(sql, "--", 2) == 0) return 0;
  uint32_t index = index_of(sqlite3_sql(statement));
  int count = sqlite3_bind_parameter_count(statement);
  uint8_t values = (uint8_t)count;
  put_kind('R');
  put_count(index);
  put(&values, 1);
  if (count == 0) return 0;
  if (count > PARAMETERS_MAX) return broken = 1, 0;
  char *expanded = sqlite3_expanded_sql(statement);
  if (expanded) put_values(sqlite3_sql(statement), expanded, count);
  else broken = 1;
  sqlite3_free(expanded);
  return 0;
}

static int opened(sqlite3 *database, char **error, const void *routines) {
  (void)error, (void)routines;
  return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, ran, NULL);
}

int statements_record(const char *path) {
  file = fopen(path, "wb");
  if (!file) return -1;
  broken = 0;
  known_count = 0;
  put("WTDOSQL1", 8);
  return sqlite3_auto_extension((void (*)(void))opened) == SQLITE_OK ? 0 : -1;
}

void statements_mark(void) {
  if (file) put_kind('M');
}

int statements_end(void) {
  sqlite3_cancel_auto_extension((void (*)(void))opened);
  while (known_count > 0) free(known[--known_count]);
  if (fclose(file) != 0) broken = 1;
  file = NULL;
  return broken ? -1 : 0;
}
