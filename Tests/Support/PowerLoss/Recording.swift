import CRecordingVFS
import CSQLite
import Synchronization

/// The recording layer as the tests use it; one thread at a time.
package final class Recording {
  private let it: OpaquePointer

  private static let count = Atomic(0)

  package init() {
    let number = Recording.count.add(1, ordering: .relaxed).newValue
    guard let it = recording_begin("recording-\(number)") else {
      fatalError("SQLite took no layer")
    }
    self.it = it
  }

  deinit { recording_end(it) }

  package var vfs: String { String(cString: recording_name(it)) }

  /// Notes that so much has been acknowledged.
  package func mark(_ acknowledged: Int) { recording_mark(it, Int64(acknowledged)) }

  /// See `recording_fail`.
  package func fail(
    _ kinds: Set<Change.Kind>, ofFilesEndingIn suffix: String = "", after skip: Int = 0,
    times: Int = .max, with code: Int32, writing half: Int = 0
  ) {
    let mask = kinds.reduce(Int32(0)) { $0 | $1.rawValue }
    recording_fail(
      it, mask, suffix, Int32(skip), Int32(clamping: times), code, Int32(half))
  }

  package func stopFailing() { fail([], with: SQLITE_OK) }

  package var failures: Int { Int(recording_failed(it)) }

  package var changes: [Change] {
    (0..<recording_count(it)).map { index in
      let entry = recording_at(it, index)
      guard let kind = Change.Kind(rawValue: entry.kind) else { fatalError("an unknown entry") }
      return Change(
        kind: kind, file: kind == .mark ? "" : String(cString: recording_path(it, entry.file)),
        offset: Int(entry.offset),
        bytes: Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count)),
        folderSynced: entry.synced != 0)
    }
  }
}

/// One thing that happened to a file.
package struct Change {
  package enum Kind: Int32 {
    case create = 1
    case write = 2
    case truncate = 4
    case sync = 8
    case delete = 16
    case mark = 32
    case syncFailed = 64
  }

  package let kind: Kind
  package let file: String
  /// The place of a write, the size of a truncate, or the value of a mark.
  package let offset: Int
  package let bytes: [UInt8]
  /// Whether the folder was synced with a delete.
  package let folderSynced: Bool

  init(kind: Kind, file: String, offset: Int, bytes: [UInt8], folderSynced: Bool) {
    self.kind = kind
    self.file = file
    self.offset = offset
    self.bytes = bytes
    self.folderSynced = folderSynced
  }
}
