// A layer between SQLite and the system (sqlite.org/vfs.html) for tests. It passes every call on to the
// usual layer, and
//   - records what changes files, in order: created, written, cut, synced, deleted, with all bytes, so that
//     a test can make the files as a power failure at any moment may leave them;
//   - fails calls on demand.
// The -shm file is not seen here: SQLite maps it by other calls, and it never survives a power failure.
//
// A recording is used by one thread at a time.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct recording recording;

enum recording_kind {
  RECORDING_CREATE = 1,
  RECORDING_WRITE = 2,
  RECORDING_TRUNCATE = 4,
  RECORDING_SYNC = 8,
  RECORDING_DELETE = 16,
  // Set by the test: what it knows at this point.
  RECORDING_MARK = 32,
  // A sync that was made to fail: what had not been synced may never be.
  RECORDING_SYNC_FAILED = 64,
};

typedef struct {
  int32_t kind;
  // Of DELETE: the folder was synced as well.
  int32_t synced;
  // Index of the path; of MARK 0.
  int32_t file;
  // Of WRITE and TRUNCATE. Of MARK: the test's value.
  int64_t offset;
  // Of WRITE; owned by the recording.
  const uint8_t *bytes;
  size_t count;
} recording_entry;

// Registers a layer with this name; NULL when SQLite refuses.
recording *recording_begin(const char *name);
// Unregisters it; no call with it may follow. It is freed when the last file that was opened through it is closed, on
// whichever thread.
void recording_end(recording *it);

const char *recording_name(const recording *it);
size_t recording_count(const recording *it);
recording_entry recording_at(const recording *it, size_t index);
const char *recording_path(const recording *it, int32_t file);
void recording_mark(recording *it, int64_t value);

// After `skip` more calls of these kinds (added) on files whose path ends with `suffix`, the next `times`
// answer `code` instead of being carried out; a write still writes its first `half` bytes, as a full disk
// may. Takes the place of the order before.
void recording_fail(recording *it, int32_t kinds, const char *suffix, int32_t skip, int32_t times,
                    int32_t code, int32_t half);
// How many calls the present order has failed.
int32_t recording_failed(const recording *it);
