// Writes down every statement that SQLite runs in this process, with the values bound to it, so that a C
// program can run exactly the same ones (Tests/Tools/sqlite-floor/sqlite_twin.c): nothing has to be kept in
// step by hand when a schema or a statement changes.
//
// It hears of connections by sqlite3_auto_extension and of statements by sqlite3_trace_v2, and takes the
// values out of sqlite3_expanded_sql. What is not SQL (checkpoints, sqlite3_db_config) is not heard.
//
// The file: a magic of 8 bytes, then records, numbers little-endian.
//   'S' u32 length, text                     the next statement, counted from 0
//   'R' u32 statement, u8 count, values      it ran: each value 'n', 'i' i64, 't' or 'b' u32 length, bytes
//   'M'                                      the caller's mark: what follows is measured
//
// One thread at a time.
#pragma once
#include <stdint.h>

// Begins a file; every connection opened from now on writes to it. 0, or -1 when that cannot be done.
int statements_record(const char *path);
// Nothing when no file was begun.
void statements_mark(void);
// Ends the file; 0, or -1 when not everything was written or a statement could not be understood.
int statements_end(void);
