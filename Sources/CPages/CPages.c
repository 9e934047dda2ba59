#include "CPages.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { page_bytes = 4096 };
static const sqlite3_int64 file_bytes_max = (sqlite3_int64)64 << 30;

typedef struct {
  sqlite3_vfs vfs;  // first: SQLite hands it back to us
  sqlite3_vfs *below;
  char name[96];
} layer;

typedef struct {
  sqlite3_file base;  // first: SQLite hands it back to us
  int is_main;
  sqlite3_int64 size;  // of the main file: never less than it is, since nobody else writes
  sqlite3_file *below;  // behind this struct, in the same block
} paged_file;

static sqlite3_file *below(sqlite3_file *file) { return ((paged_file *)file)->below; }

// Files.

// Zeroes the gap of a b-tree page (sqlite.org/fileformat2.html §1.6); other pages stay as they are.
static void zero_gap(uint8_t *page, int is_first) {
  size_t start = is_first ? 100 : 0;
  const uint8_t *head = page + start;
  size_t head_bytes = head[0] == 2 || head[0] == 5 ? 12 : head[0] == 10 || head[0] == 13 ? 8 : 0;
  if (!head_bytes) return;
  size_t cells = (size_t)(head[3] << 8 | head[4]), content = (size_t)(head[5] << 8 | head[6]);
  size_t gap = start + head_bytes + 2 * cells;
  if (gap < content && content <= page_bytes) memset(page + gap, 0, content - gap);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  uint8_t page[page_bytes];
  paged_file *mine = (paged_file *)file;
  if (mine->is_main && count == page_bytes && offset % page_bytes == 0) {
    if (mine->size < offset + count) mine->size = offset + count;
    if (mine->size < file_bytes_max) {
      memcpy(page, bytes, page_bytes);
      zero_gap(page, offset == 0);
      bytes = page;
    }
  }
  return below(file)->pMethods->xWrite(below(file), bytes, count, offset);
}

static int file_close(sqlite3_file *file) { return below(file)->pMethods->xClose(below(file)); }
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return below(file)->pMethods->xRead(below(file), bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return below(file)->pMethods->xTruncate(below(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  return below(file)->pMethods->xSync(below(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return below(file)->pMethods->xFileSize(below(file), size);
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
static int file_sector(sqlite3_file *file) {
  return below(file)->pMethods->xSectorSize(below(file));
}
static int file_device(sqlite3_file *file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
  return below(file)->pMethods->xShmMap(below(file), page, size, extend, map);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) {
  below(file)->pMethods->xShmBarrier(below(file));
}
static int file_shm_unmap(sqlite3_file *file, int drop) {
  return below(file)->pMethods->xShmUnmap(below(file), drop);
}

// Version 2: without memory-mapped writes, which would pass by.
static const sqlite3_io_methods file_methods = {
    .iVersion = 2,
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
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// The layer.

static sqlite3_vfs *under(sqlite3_vfs *vfs) { return ((layer *)vfs)->below; }

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  paged_file *mine = (paged_file *)file;
  memset(mine, 0, sizeof *mine);
  mine->below = (sqlite3_file *)(mine + 1);
  mine->below->pMethods = NULL;
  mine->is_main = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  int code = under(vfs)->xOpen(under(vfs), path, mine->below, flags, opened);
  if (code == SQLITE_OK && mine->is_main) {
    code = mine->below->pMethods->xFileSize(mine->below, &mine->size);
  }
  if (code == SQLITE_OK) {
    mine->base.pMethods = &file_methods;
  } else if (mine->below->pMethods) {
    // What opened halfway is closed by whoever opened it (sqlite.org/c3ref/vfs.html).
    mine->below->pMethods->xClose(mine->below);
  }
  return code;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  return under(vfs)->xDelete(under(vfs), path, sync);
}
static int layer_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  return under(vfs)->xAccess(under(vfs), path, flags, answer);
}
static int layer_full_path(sqlite3_vfs *vfs, const char *path, int count, char *full) {
  return under(vfs)->xFullPathname(under(vfs), path, count, full);
}
static int layer_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return under(vfs)->xRandomness(under(vfs), count, bytes);
}
static int layer_sleep(sqlite3_vfs *vfs, int microseconds) {
  return under(vfs)->xSleep(under(vfs), microseconds);
}
static int layer_time(sqlite3_vfs *vfs, double *now) {
  return under(vfs)->xCurrentTime(under(vfs), now);
}
static int layer_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return under(vfs)->xGetLastError(under(vfs), count, text);
}
static int layer_time_64(sqlite3_vfs *vfs, sqlite3_int64 *now) {
  return under(vfs)->xCurrentTimeInt64(under(vfs), now);
}

static const char *made(const char *below, const char *name) {
  layer *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  it->below = sqlite3_vfs_find(below);
  if (!it->below) {
    free(it);
    return NULL;
  }
  strcpy(it->name, name);
  it->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(paged_file) + it->below->szOsFile,
      .mxPathname = it->below->mxPathname,
      .zName = it->name,
      .xOpen = layer_open,
      .xDelete = layer_delete,
      .xAccess = layer_access,
      .xFullPathname = layer_full_path,
      .xRandomness = layer_randomness,
      .xSleep = layer_sleep,
      .xCurrentTime = layer_time,
      .xGetLastError = layer_last_error,
      .xCurrentTimeInt64 = layer_time_64,
  };
  if (sqlite3_vfs_register(&it->vfs, 0) == SQLITE_OK) return it->name;
  free(it);
  return NULL;
}

const char *whattodo_pages_layer(const char *below) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  char name[sizeof((layer *)0)->name];
  int length = snprintf(name, sizeof name, "whattodo-%s", below ? below : "");
  if (length < 0 || (size_t)length >= sizeof name) return NULL;
  pthread_mutex_lock(&making);
  sqlite3_vfs *known = sqlite3_vfs_find(name);
  const char *found = known ? known->zName : made(below, name);
  pthread_mutex_unlock(&making);
  return found;
}
