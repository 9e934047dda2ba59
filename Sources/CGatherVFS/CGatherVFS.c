#include "CGatherVFS.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 29 frames of 4 KiB pages. SQLite's own layer takes less than 128 KiB in one call (os_unix.c,
// seekAndWriteFd).
enum { GATHERED_MAX = 120 * 1024 };

struct gather_layer {
  sqlite3_vfs vfs;  // first: SQLite hands it back to us
  sqlite3_vfs *below;
  char name[32];
  int is_listed;
};

typedef struct {
  sqlite3_file base;    // first: SQLite hands it back to us
  sqlite3_file *below;  // behind this struct, in the same block
  sqlite3_int64 offset;  // of the first gathered byte
  int count;
  char *bytes;
} log_file;

static log_file *self(sqlite3_file *file) { return (log_file *)file; }
static sqlite3_file *below(sqlite3_file *file) { return self(file)->below; }

// Whatever comes of it nothing is gathered any more: whoever is told of the error knows that what was
// written since the last sync does not count.
static int write_gathered(log_file *it) {
  int count = it->count;
  it->count = 0;
  if (count == 0) return SQLITE_OK;
  return it->below->pMethods->xWrite(it->below, it->bytes, count, it->offset);
}

// Files.

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *it = self(file);
  if (it->count > 0 && (offset != it->offset + it->count || it->count + count > GATHERED_MAX)) {
    int code = write_gathered(it);
    if (code != SQLITE_OK) return code;
  }
  if (count > GATHERED_MAX) return it->below->pMethods->xWrite(it->below, bytes, count, offset);
  if (it->count == 0) it->offset = offset;
  memcpy(it->bytes + it->count, bytes, (size_t)count);
  it->count += count;
  return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = write_gathered(self(file));
  return code != SQLITE_OK ? code : below(file)->pMethods->xRead(below(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = write_gathered(self(file));
  return code != SQLITE_OK ? code : below(file)->pMethods->xTruncate(below(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = write_gathered(self(file));
  return code != SQLITE_OK ? code : below(file)->pMethods->xSync(below(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = write_gathered(self(file));
  return code != SQLITE_OK ? code : below(file)->pMethods->xFileSize(below(file), size);
}

static int file_close(sqlite3_file *file) {
  int code = write_gathered(self(file));
  int closed = below(file)->pMethods->xClose(below(file));
  free(self(file)->bytes);
  self(file)->bytes = NULL;
  return code != SQLITE_OK ? code : closed;
}

static int file_lock(sqlite3_file *file, int level) {
  return below(file)->pMethods->xLock(below(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
  return below(file)->pMethods->xUnlock(below(file), level);
}
static int file_check_lock(sqlite3_file *file, int *locked) {
  return below(file)->pMethods->xCheckReservedLock(below(file), locked);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return below(file)->pMethods->xFileControl(below(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return below(file)->pMethods->xSectorSize(below(file)); }
static int file_device(sqlite3_file *file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

// Version 1: a log has no shared memory of its own and is never mapped.
static const sqlite3_io_methods file_methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
};

// The layer.

static sqlite3_vfs *below_of(sqlite3_vfs *vfs) { return ((gather_layer *)vfs)->below; }

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *system = below_of(vfs);
  if (!(flags & SQLITE_OPEN_WAL)) return system->xOpen(system, path, file, flags, opened);
  log_file *it = self(file);
  memset(it, 0, sizeof *it);
  it->below = (sqlite3_file *)(it + 1);
  it->bytes = malloc(GATHERED_MAX);
  if (!it->bytes) return SQLITE_NOMEM;
  int code = system->xOpen(system, path, it->below, flags, opened);
  if (code == SQLITE_OK) {
    it->base.pMethods = &file_methods;
  } else {
    // What opened halfway has methods, and is closed by whoever opened it (sqlite.org/c3ref/vfs.html).
    if (it->below->pMethods) it->below->pMethods->xClose(it->below);
    free(it->bytes);
  }
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  return below_of(vfs)->xDelete(below_of(vfs), path, sync);
}
static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  return below_of(vfs)->xAccess(below_of(vfs), path, flags, answer);
}
static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int count, char *full) {
  return below_of(vfs)->xFullPathname(below_of(vfs), path, count, full);
}
static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return below_of(vfs)->xRandomness(below_of(vfs), count, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return below_of(vfs)->xSleep(below_of(vfs), microseconds);
}
static int vfs_time(sqlite3_vfs *vfs, double *now) {
  return below_of(vfs)->xCurrentTime(below_of(vfs), now);
}
static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return below_of(vfs)->xGetLastError(below_of(vfs), count, text);
}
static int vfs_time_64(sqlite3_vfs *vfs, sqlite3_int64 *now) {
  return below_of(vfs)->xCurrentTimeInt64(below_of(vfs), now);
}

gather_layer *gather_begin(const char *name) {
  if (sqlite3_initialize() != SQLITE_OK) return NULL;
  sqlite3_vfs *system = sqlite3_vfs_find(name);
  gather_layer *it = calloc(1, sizeof *it);
  if (!it || !system || system->iVersion < 2) {
    free(it);
    return NULL;
  }
  it->below = system;
  snprintf(it->name, sizeof it->name, "gather-%p", (void *)it);
  it->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(log_file) + system->szOsFile,
      .mxPathname = system->mxPathname,
      .zName = it->name,
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_path,
      .xRandomness = vfs_randomness,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_time,
      .xGetLastError = vfs_last_error,
      .xCurrentTimeInt64 = vfs_time_64,
  };
  if (sqlite3_vfs_register(&it->vfs, 0) != SQLITE_OK) {
    free(it);
    return NULL;
  }
  it->is_listed = 1;
  return it;
}

const char *gather_name(const gather_layer *it) { return it->name; }

void gather_hide(gather_layer *it) {
  if (it->is_listed) sqlite3_vfs_unregister(&it->vfs);
  it->is_listed = 0;
}

void gather_end(gather_layer *it) {
  gather_hide(it);
  free(it);
}
