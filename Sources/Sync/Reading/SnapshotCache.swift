// A storm of clients that come for the same list reads it once. A connection holds only the number of
// its next page; the pages are here. When they are gone they are read once more, and its snapshot begins again
// when the state is another one by then. Lists that together are larger than the cache so cost a reading for each
// page, and who pages through one of them that also changes all the time may begin again often.

package import Domain

/// A whole snapshot, framed.
package struct SnapshotPages<Frame: Sendable>: Sendable {
  let epoch: Epoch
  let seq: Int64
  let frames: [Frame]
  /// What the frames weigh.
  let bytes: Int

  package init(epoch: Epoch, seq: Int64, frames: [Frame], bytes: Int) {
    self.epoch = epoch
    self.seq = seq
    self.frames = frames
    self.bytes = bytes
  }

  func answer(_ page: Int) -> HubReadAnswer<Frame> {
    .page(
      frames[page], SnapshotPlace(epoch: epoch, seq: seq, page: page, pages: frames.count))
  }
}

/// The snapshots asked for last, within a number of bytes. The newest one is kept whatever its size.
package struct SnapshotCache<Frame: Sendable>: Sendable {
  private let bytesMax: Int
  package private(set) var bytes = 0
  /// Asked for longest ago first; short, for a snapshot of more than one page is rare.
  private var kept: [(stream: StreamID, pages: SnapshotPages<Frame>)] = []

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  package mutating func pages(of stream: StreamID, at seq: Int64) -> SnapshotPages<Frame>? {
    guard
      let index = kept.lastIndex(where: { $0.stream == stream && $0.pages.seq == seq })
    else { return nil }
    let entry = kept.remove(at: index)
    kept.append(entry)
    return entry.pages
  }

  package mutating func keep(_ pages: SnapshotPages<Frame>, of stream: StreamID) {
    kept.append((stream, pages))
    bytes += pages.bytes
    while kept.count > 1, bytes > bytesMax || kept.count > ReadingLimits.snapshotsMax {
      bytes -= kept.removeFirst().pages.bytes
    }
  }
}
