#include "CVFSLayer.h"

#include <string.h>

// Files.

static int file_close(sqlite3_file *file) {
  return file_below(file)->pMethods->xClose(file_below(file));
}
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return file_below(file)->pMethods->xRead(file_below(file), bytes, count, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return file_below(file)->pMethods->xWrite(file_below(file), bytes, count, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return file_below(file)->pMethods->xTruncate(file_below(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
  return file_below(file)->pMethods->xSync(file_below(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return file_below(file)->pMethods->xFileSize(file_below(file), size);
}
static int file_lock(sqlite3_file *file, int level) {
  return file_below(file)->pMethods->xLock(file_below(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
  return file_below(file)->pMethods->xUnlock(file_below(file), level);
}
static int file_check_lock(sqlite3_file *file, int *locked) {
  return file_below(file)->pMethods->xCheckReservedLock(file_below(file), locked);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return file_below(file)->pMethods->xFileControl(file_below(file), operation, argument);
}
static int file_sector(sqlite3_file *file) {
  return file_below(file)->pMethods->xSectorSize(file_below(file));
}
static int file_device(sqlite3_file *file) {
  return file_below(file)->pMethods->xDeviceCharacteristics(file_below(file));
}
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
  return file_below(file)->pMethods->xShmMap(file_below(file), page, size, extend, map);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return file_below(file)->pMethods->xShmLock(file_below(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) {
  file_below(file)->pMethods->xShmBarrier(file_below(file));
}
static int file_shm_unmap(sqlite3_file *file, int drop) {
  return file_below(file)->pMethods->xShmUnmap(file_below(file), drop);
}

static const sqlite3_io_methods passing = {
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

static sqlite3_vfs *under(sqlite3_vfs *vfs) { return ((vfs_layer *)vfs)->below; }

int vfs_layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  size_t file_bytes = (size_t)(vfs->szOsFile - under(vfs)->szOsFile);
  layered_file *mine = (layered_file *)file;
  memset(mine, 0, file_bytes);
  mine->below = (sqlite3_file *)((char *)file + file_bytes);
  mine->below->pMethods = NULL;
  int code = under(vfs)->xOpen(under(vfs), path, mine->below, flags, opened);
  if (code == SQLITE_OK) {
    mine->base.pMethods = &((vfs_layer *)vfs)->methods;
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

int vfs_layer_prepare(vfs_layer *layer, const char *name, const char *below, size_t file_bytes) {
  sqlite3_vfs *found = sqlite3_vfs_find(below);
  if (!found || found->iVersion < 2 || strlen(name) >= sizeof layer->name) return 0;
  layer->below = found;
  layer->methods = passing;
  strcpy(layer->name, name);
  layer->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)file_bytes + found->szOsFile,
      .mxPathname = found->mxPathname,
      .zName = layer->name,
      .xOpen = vfs_layer_open,
      .xDelete = layer_delete,
      .xAccess = layer_access,
      .xFullPathname = layer_full_path,
      .xRandomness = layer_randomness,
      .xSleep = layer_sleep,
      .xCurrentTime = layer_time,
      .xGetLastError = layer_last_error,
      .xCurrentTimeInt64 = layer_time_64,
  };
  return 1;
}
