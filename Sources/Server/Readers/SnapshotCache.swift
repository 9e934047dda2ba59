// A storm of clients that come for the same list reads it once. A connection holds only the number of
// its next page; the pages are here, and when they are gone its snapshot begins again.

internal import Domain
internal import Net
internal import Sync

/// A whole snapshot, framed.
struct SnapshotPages: Sendable {
  let epoch: Epoch
  let seq: Int64
  let frames: [SharedFrame]

  var bytes: Int { frames.reduce(0) { $0 + $1.bytes.count } }

  func answer(_ page: Int) -> HubReadAnswer<SharedFrame> {
    .page(
      frames[page], SnapshotPlace(epoch: epoch, seq: seq, page: page, pages: frames.count))
  }
}

/// The snapshots asked for last, within a number of bytes. The newest one is kept whatever its size.
struct SnapshotCache: Sendable {
  private let bytesMax: Int
  private(set) var bytes = 0
  /// Asked for longest ago first; short, for a snapshot of more than one page is rare.
  private var kept: [(stream: StreamID, pages: SnapshotPages)] = []

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  mutating func pages(of stream: StreamID, at seq: Int64) -> SnapshotPages? {
    guard
      let index = kept.lastIndex(where: { $0.stream == stream && $0.pages.seq == seq })
    else { return nil }
    let entry = kept.remove(at: index)
    kept.append(entry)
    return entry.pages
  }

  mutating func keep(_ pages: SnapshotPages, of stream: StreamID) {
    kept.append((stream, pages))
    bytes += pages.bytes
    while kept.count > 1, bytes > bytesMax || kept.count > SnapshotCache.countMax {
      bytes -= kept.removeFirst().pages.bytes
    }
  }

  /// Looked through one by one.
  private static let countMax = 256
}
