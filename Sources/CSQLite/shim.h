#pragma once
#include <sqlite3.h>

// sqlite3_config and sqlite3_db_config are variadic, which Swift cannot call: one wrapper for each use. All return a
// result code of SQLite.

// A connection that only reads never checkpoints, not even when it is the last to close: of the versions
// with the WAL-reset bug only those are safe where one connection writes and checkpoints
// (sqlite.org/wal.html; sqlite.org/c3ref/c_dbconfig_defensive.html).
static inline int whattodo_sqlite_no_checkpoint_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// SQLite counts what it allocates, under a lock that all connections share, and nobody here asks for the counts: 2 to 4 % of
// a create. To be called before anything else of SQLite; later it is SQLITE_MISUSE and changes nothing
// (sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus).
static inline int whattodo_sqlite_without_counts(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Macros that Swift does not see.
static const int whattodo_sqlite_ioerr_data = SQLITE_IOERR_DATA;
static const int whattodo_sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;

// No SQL, ours or injected, can write the schema table or shrink the WAL under the library.
static inline int whattodo_sqlite_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
