#include "CRecordingVFS.h"

#include <CVFSLayer.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct recording {
  vfs_layer layer;  // first: SQLite hands it back to us
  // Whoever began it, and every open file: a file's methods are in here, up to its close.
  atomic_int holders;
  recording_entry *entries;
  size_t count, capacity;
  char **paths;
  int32_t path_count;
  // The order to fail.
  int32_t fail_kinds, fail_skip, fail_times, fail_code, fail_half, failed;
  char fail_suffix[32];
};

typedef struct {
  layered_file file;  // first: the layer expects it there
  recording *recording;
  int32_t path;
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

static void release(recording *it) {
  if (atomic_fetch_sub(&it->holders, 1) > 1) return;
  for (size_t i = 0; i < it->count; i++) free((void *)it->entries[i].bytes);
  for (int32_t i = 0; i < it->path_count; i++) free(it->paths[i]);
  free(it->entries);
  free(it->paths);
  free(it);
}

// Files.

static recorded_file *self(sqlite3_file *file) { return (recorded_file *)file; }

static int write_below(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (count == 0) return SQLITE_OK;
  int code = file_below(file)->pMethods->xWrite(file_below(file), bytes, count, offset);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_WRITE, self(file)->path, offset, bytes, (size_t)count, 0);
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  recording *it = self(file)->recording;
  int fail = failure(it, RECORDING_WRITE, self(file)->path);
  if (fail == SQLITE_OK) return write_below(file, bytes, count, offset);
  int code = write_below(file, bytes, it->fail_half < count ? it->fail_half : count, offset);
  return code == SQLITE_OK ? fail : code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = failure(self(file)->recording, RECORDING_TRUNCATE, self(file)->path);
  if (code == SQLITE_OK) code = file_below(file)->pMethods->xTruncate(file_below(file), size);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_TRUNCATE, self(file)->path, size, NULL, 0, 0);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = failure(self(file)->recording, RECORDING_SYNC, self(file)->path);
  if (code != SQLITE_OK) {
    record(self(file)->recording, RECORDING_SYNC_FAILED, self(file)->path, 0, NULL, 0, 0);
    return code;
  }
  code = file_below(file)->pMethods->xSync(file_below(file), flags);
  if (code == SQLITE_OK)
    record(self(file)->recording, RECORDING_SYNC, self(file)->path, 0, NULL, 0, 0);
  return code;
}

static int file_close(sqlite3_file *file) {
  int code = file_below(file)->pMethods->xClose(file_below(file));
  release(self(file)->recording);
  return code;
}

// The layer.

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  recording *it = (recording *)vfs;
  sqlite3_vfs *below = it->layer.below;
  int32_t index = path_index(it, path ? path : "");
  file->pMethods = NULL;
  int there = 1;
  if (path) {
    int code = below->xAccess(below, path, SQLITE_ACCESS_EXISTS, &there);
    if (code != SQLITE_OK) return code;
  }
  int code = there ? SQLITE_OK : failure(it, RECORDING_CREATE, index);
  if (code == SQLITE_OK) code = vfs_layer_open(vfs, path, file, flags, opened);
  if (code != SQLITE_OK) return code;
  atomic_fetch_add(&it->holders, 1);
  self(file)->recording = it;
  self(file)->path = index;
  if (!there) record(it, RECORDING_CREATE, index, 0, NULL, 0, 0);
  return SQLITE_OK;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  recording *it = (recording *)vfs;
  int32_t file = path_index(it, path);
  int code = failure(it, RECORDING_DELETE, file);
  if (code == SQLITE_OK) code = it->layer.below->xDelete(it->layer.below, path, sync);
  if (code == SQLITE_OK) record(it, RECORDING_DELETE, file, 0, NULL, 0, sync);
  return code;
}

recording *recording_begin(const char *name) {
  recording *it = grown(NULL, sizeof *it);
  memset(it, 0, sizeof *it);
  atomic_init(&it->holders, 1);
  if (vfs_layer_prepare(&it->layer, name, NULL, sizeof(recorded_file))) {
    it->layer.vfs.xOpen = layer_open;
    it->layer.vfs.xDelete = layer_delete;
    it->layer.methods.xClose = file_close;
    it->layer.methods.xWrite = file_write;
    it->layer.methods.xTruncate = file_truncate;
    it->layer.methods.xSync = file_sync;
    if (sqlite3_vfs_register(&it->layer.vfs, 0) == SQLITE_OK) return it;
  }
  free(it);
  return NULL;
}

void recording_end(recording *it) {
  if (sqlite3_vfs_unregister(&it->layer.vfs) != SQLITE_OK) abort();
  release(it);
}

const char *recording_name(const recording *it) { return it->layer.name; }
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
