#include "CGatherVFS.h"

#include <CVFSLayer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 29 frames of 4 KiB pages. SQLite's own layer takes less than 128 KiB in one call (os_unix.c,
// seekAndWriteFd).
enum { GATHERED_MAX = 120 * 1024 };

struct gather_layer {
  vfs_layer layer;  // first: SQLite hands it back to us
  int is_listed;
};

typedef struct {
  layered_file file;  // first: the layer expects it there
  sqlite3_int64 offset;  // of the first gathered byte
  int count;
  char *bytes;
} log_file;

static log_file *self(sqlite3_file *file) { return (log_file *)file; }

// Whatever comes of it nothing is gathered any more: whoever is told of the error knows that what was
// written since the last sync does not count.
static int write_gathered(sqlite3_file *file) {
  log_file *it = self(file);
  int count = it->count;
  it->count = 0;
  if (count == 0) return SQLITE_OK;
  return file_below(file)->pMethods->xWrite(file_below(file), it->bytes, count, it->offset);
}

// Files.

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *it = self(file);
  if (it->count > 0 && (offset != it->offset + it->count || it->count + count > GATHERED_MAX)) {
    int code = write_gathered(file);
    if (code != SQLITE_OK) return code;
  }
  if (count > GATHERED_MAX) {
    return file_below(file)->pMethods->xWrite(file_below(file), bytes, count, offset);
  }
  if (it->count == 0) it->offset = offset;
  memcpy(it->bytes + it->count, bytes, (size_t)count);
  it->count += count;
  return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = write_gathered(file);
  if (code != SQLITE_OK) return code;
  return file_below(file)->pMethods->xRead(file_below(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = write_gathered(file);
  if (code != SQLITE_OK) return code;
  return file_below(file)->pMethods->xTruncate(file_below(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = write_gathered(file);
  if (code != SQLITE_OK) return code;
  return file_below(file)->pMethods->xSync(file_below(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = write_gathered(file);
  if (code != SQLITE_OK) return code;
  return file_below(file)->pMethods->xFileSize(file_below(file), size);
}

static int file_close(sqlite3_file *file) {
  int code = write_gathered(file);
  int closed = file_below(file)->pMethods->xClose(file_below(file));
  free(self(file)->bytes);
  self(file)->bytes = NULL;
  return code != SQLITE_OK ? code : closed;
}

// A log that is there already was left by a server that died. If a sync of it had failed, the system may hold parts of
// it in memory that are not on the disk, and say yes to every later sync (LWN, "PostgreSQL's fsync() surprise", 2018).
// Its bytes are written again: they go to the disk with the next sync, and SQLite syncs the log before it moves pages
// from it into the database. So a loss of power in between leaves either the log or the database whole. A full disk
// takes nothing: then the log stays as it is, and the server starts with it.
static int write_again(sqlite3_file *file) {
  log_file *it = self(file);
  const sqlite3_io_methods *below = file_below(file)->pMethods;
  sqlite3_int64 size = 0;
  int code = below->xFileSize(file_below(file), &size);
  for (sqlite3_int64 place = 0; code == SQLITE_OK && place < size; place += GATHERED_MAX) {
    int count = size - place < GATHERED_MAX ? (int)(size - place) : GATHERED_MAX;
    code = below->xRead(file_below(file), it->bytes, count, place);
    if (code == SQLITE_OK) code = below->xWrite(file_below(file), it->bytes, count, place);
  }
  if ((code & 0xFF) == SQLITE_FULL) return SQLITE_OK;
  if (code != SQLITE_OK || size == 0) return code;
  return below->xSync(file_below(file), SQLITE_SYNC_NORMAL);
}

// The layer.

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *below = ((vfs_layer *)vfs)->below;
  if (!(flags & SQLITE_OPEN_WAL)) return below->xOpen(below, path, file, flags, opened);
  file->pMethods = NULL;
  char *bytes = malloc(GATHERED_MAX);
  if (!bytes) return SQLITE_NOMEM;
  int code = vfs_layer_open(vfs, path, file, flags, opened);
  if (code != SQLITE_OK) {
    free(bytes);
    return code;
  }
  self(file)->bytes = bytes;
  self(file)->count = 0;
  code = write_again(file);
  if (code != SQLITE_OK) {
    file->pMethods->xClose(file);
    file->pMethods = NULL;
  }
  return code;
}

static void gather_what_is_written(vfs_layer *it) {
  it->vfs.xOpen = layer_open;
  // A log has no shared memory of its own.
  it->methods.iVersion = 1;
  it->methods.xWrite = file_write;
  it->methods.xRead = file_read;
  it->methods.xTruncate = file_truncate;
  it->methods.xSync = file_sync;
  it->methods.xFileSize = file_size;
  it->methods.xClose = file_close;
}

gather_layer *gather_begin(const char *below) {
  gather_layer *it = calloc(1, sizeof *it);
  char name[sizeof it->layer.name];
  snprintf(name, sizeof name, "gather-%p", (void *)it);
  if (it && vfs_layer_prepare(&it->layer, name, below, sizeof(log_file))) {
    gather_what_is_written(&it->layer);
    it->is_listed = sqlite3_vfs_register(&it->layer.vfs, 0) == SQLITE_OK;
    if (it->is_listed) return it;
  }
  free(it);
  return NULL;
}

const char *gather_name(const gather_layer *it) { return it->layer.name; }

void gather_hide(gather_layer *it) {
  if (it->is_listed) sqlite3_vfs_unregister(&it->layer.vfs);
  it->is_listed = 0;
}

void gather_end(gather_layer *it) {
  gather_hide(it);
  free(it);
}
