#include "CRecordingVFS.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct recording {
  sqlite3_vfs vfs;  // first: SQLite hands it back to us
  sqlite3_vfs *system;
  char name[64];
  recording_entry *entries;
  size_t count, capacity;
  char **paths;
  int32_t path_count;
  // The order to fail.
  int32_t fail_kinds, fail_skip, fail_times, fail_code, fail_half, failed;
  char fail_suffix[32];
};

typedef struct {
  sqlite3_file base;  // first: SQLite hands it back to us
  recording *recording;
  int32_t file;
  sqlite3_file *system;  // behind this struct, in the same block
} recorded_file;

static void *grown(void *block, size_t bytes) {
  void *grown = realloc(block, bytes);
  if (!grown) abort();
  return grown;
}

static int32_t path_index(recording *it, const char *path) {
  for (int32_t i = 0; i < it->path_count; i++)
    if (strcmp(it->paths[i], path) == 0) return i;
  it->paths = grown(it->paths, (size_t)(it->path_count + 1) * sizeof *it->paths);
  it->paths[it->path_count] = grown(NULL, strlen(path) + 1);
  strcpy(it->paths[it->path_count], path);
  return it->path_count++;
}

static void record(recording *it, int32_t kind, int32_t file, int64_t offset, const void *bytes,
                   size_t count, int32_t synced) {
  if (it->count == it->capacity) {
    it->capacity = it->capacity ? it->capacity * 2 : 1024;
    it->entries = grown(it->entries, it->capacity * sizeof *it->entries);
  }
  uint8_t *copy = NULL;
  if (count) memcpy(copy = grown(NULL, count), bytes, count);
  it->entries[it->count++] = (recording_entry){kind, synced, file, offset, copy, count};
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

// The code to answer instead of doing it, or SQLITE_OK.
static int failure(recording *it, int32_t kind, int32_t file) {
  if (!(it->fail_kinds & kind) || !ends_with(it->paths[file], it->fail_suffix)) return SQLITE_OK;
  if (it->fail_skip > 0) {
    it->fail_skip--;
    return SQLITE_OK;
  }
  if (it->failed >= it->fail_times) return SQLITE_OK;
  it->failed++;
  return it->fail_code;
}

// Files.

static recorded_file *self(sqlite3_file *file) { return (recorded_file *)file; }
static sqlite3_file *below(sqlite3_file *file) { return self(file)->system; }

static int file_close(sqlite3_file *file) { return below(file)->pMethods->xClose(below(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return below(file)->pMethods->xRead(below(file), bytes, count, offset);
}

static int write_below(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (count == 0) return SQLITE_OK;
  int code = below(file)->pMethods->xWrite(below(file), bytes, count, offset);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_WRITE, self(file)->file, offset, bytes, (size_t)count, 0);
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  recording *it = self(file)->recording;
  int fail = failure(it, RECORDING_WRITE, self(file)->file);
  if (fail == SQLITE_OK) return write_below(file, bytes, count, offset);
  int code = write_below(file, bytes, it->fail_half < count ? it->fail_half : count, offset);
  return code == SQLITE_OK ? fail : code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = failure(self(file)->recording, RECORDING_TRUNCATE, self(file)->file);
  if (code == SQLITE_OK) code = below(file)->pMethods->xTruncate(below(file), size);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_TRUNCATE, self(file)->file, size, NULL, 0, 0);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = failure(self(file)->recording, RECORDING_SYNC, self(file)->file);
  if (code != SQLITE_OK) {
    record(self(file)->recording, RECORDING_SYNC_FAILED, self(file)->file, 0, NULL, 0, 0);
    return code;
  }
  code = below(file)->pMethods->xSync(below(file), flags);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_SYNC, self(file)->file, 0, NULL, 0, 0);
  return code;
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
static int file_sector(sqlite3_file *file) { return below(file)->pMethods->xSectorSize(below(file)); }
static int file_device(sqlite3_file *file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
  return below(file)->pMethods->xShmMap(below(file), page, size, extend, map);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { below(file)->pMethods->xShmBarrier(below(file)); }
static int file_shm_unmap(sqlite3_file *file, int drop) {
  return below(file)->pMethods->xShmUnmap(below(file), drop);
}

// Version 2: without memory-mapped reads and writes, which would pass by.
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

static sqlite3_vfs *system_of(sqlite3_vfs *vfs) { return ((recording *)vfs)->system; }

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  recording *it = (recording *)vfs;
  recorded_file *mine = self(file);
  memset(mine, 0, sizeof *mine);
  mine->recording = it;
  mine->system = (sqlite3_file *)(mine + 1);
  mine->file = path_index(it, path ? path : "");
  int there = 1;
  if (path) {
    int code = it->system->xAccess(it->system, path, SQLITE_ACCESS_EXISTS, &there);
    if (code != SQLITE_OK) return code;
  }
  int code = there ? SQLITE_OK : failure(it, RECORDING_CREATE, mine->file);
  if (code == SQLITE_OK) code = it->system->xOpen(it->system, path, mine->system, flags, opened);
  if (code != SQLITE_OK) return code;
  mine->base.pMethods = &file_methods;
  if (!there) record(it, RECORDING_CREATE, mine->file, 0, NULL, 0, 0);
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  recording *it = (recording *)vfs;
  int32_t file = path_index(it, path);
  int code = failure(it, RECORDING_DELETE, file);
  if (code == SQLITE_OK) code = it->system->xDelete(it->system, path, sync);
  if (code == SQLITE_OK) record(it, RECORDING_DELETE, file, 0, NULL, 0, sync);
  return code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  return system_of(vfs)->xAccess(system_of(vfs), path, flags, answer);
}
static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int count, char *full) {
  return system_of(vfs)->xFullPathname(system_of(vfs), path, count, full);
}
static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return system_of(vfs)->xRandomness(system_of(vfs), count, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return system_of(vfs)->xSleep(system_of(vfs), microseconds);
}
static int vfs_time(sqlite3_vfs *vfs, double *now) {
  return system_of(vfs)->xCurrentTime(system_of(vfs), now);
}
static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return system_of(vfs)->xGetLastError(system_of(vfs), count, text);
}
static int vfs_time_64(sqlite3_vfs *vfs, sqlite3_int64 *now) {
  return system_of(vfs)->xCurrentTimeInt64(system_of(vfs), now);
}

recording *recording_begin(const char *name) {
  recording *it = grown(NULL, sizeof *it);
  memset(it, 0, sizeof *it);
  it->system = sqlite3_vfs_find(NULL);
  if (!it->system || strlen(name) >= sizeof it->name) {
    free(it);
    return NULL;
  }
  strcpy(it->name, name);
  it->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(recorded_file) + it->system->szOsFile,
      .mxPathname = it->system->mxPathname,
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
  return it;
}

void recording_end(recording *it) {
  if (sqlite3_vfs_unregister(&it->vfs) != SQLITE_OK) abort();
  for (size_t i = 0; i < it->count; i++) free((void *)it->entries[i].bytes);
  for (int32_t i = 0; i < it->path_count; i++) free(it->paths[i]);
  free(it->entries);
  free(it->paths);
  free(it);
}

const char *recording_name(const recording *it) { return it->name; }
size_t recording_count(const recording *it) { return it->count; }
recording_entry recording_at(const recording *it, size_t index) { return it->entries[index]; }
const char *recording_path(const recording *it, int32_t file) { return it->paths[file]; }

void recording_mark(recording *it, int64_t value) {
  record(it, RECORDING_MARK, 0, value, NULL, 0, 0);
}

void recording_fail(recording *it, int32_t kinds, const char *suffix, int32_t skip, int32_t times,
                    int32_t code, int32_t half) {
  if (strlen(suffix) >= sizeof it->fail_suffix) abort();
  strcpy(it->fail_suffix, suffix);
  it->fail_kinds = kinds;
  it->fail_skip = skip;
  it->fail_times = times;
  it->fail_code = code;
  it->fail_half = half;
  it->failed = 0;
}

int32_t recording_failed(const recording *it) { return it->failed; }
