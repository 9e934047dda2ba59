// News that were published while a reader was reading. The answer of a reader may be older than news that this loop has
// already seen and, because nobody watched, dropped. These few numbers close that gap. They are kept only while such a
// reading is outstanding.

internal import Domain

/// The newest number and the ended and begun memberships of every stream with news since the oldest mark.
struct RecentNews: Sendable {
  private struct Note: Sendable {
    let epoch: Epoch
    var head: Int64
    var ended: [UserID: [Int64]] = [:]
    /// The count of publications when the note was last changed.
    var count: Int
  }

  private var notes: [StreamID: Note] = [:]
  /// The streams that each person entered meanwhile, with the newest event that let them in.
  private var begun: [UserID: [StreamID: Int64]] = [:]
  /// The outstanding marks, oldest first, each with the count of publications at its beginning.
  private var marks: [(mark: Int, count: Int)] = []
  private var marksMade = 0
  private var count = 0
  private var swept = 0

  mutating func begin() -> Int {
    marksMade += 1
    marks.append((mark: marksMade, count: count))
    return marksMade
  }

  mutating func end(_ mark: Int) {
    marks.removeAll { $0.mark == mark }
    guard let oldest = marks.first else {
      notes.removeAll()
      begun.removeAll()
      return
    }
    // A sweep costs as much as there are notes, so it waits until as many more were made.
    guard oldest.count > swept, count - swept > notes.count else { return }
    swept = oldest.count
    notes = notes.filter { $0.value.count > oldest.count }
    for user in begun.keys { begun[user] = begun[user]?.filter { notes[$0.key] != nil } }
    begun = begun.filter { !$0.value.isEmpty }
  }

  mutating func note<Frame>(_ item: StreamNews<Frame>) {
    guard !marks.isEmpty else { return }
    count += 1
    var note = notes[item.stream] ?? Note(epoch: item.epoch, head: 0, count: count)
    note.count = count
    note.head = max(note.head, item.chunks.last?.through ?? 0)
    for edge in item.ended { note.ended[edge.user, default: []].append(edge.seq) }
    for edge in item.begun { begun[edge.user, default: [:]][item.stream] = edge.seq }
    notes[item.stream] = note
  }

  /// Returns the newest event of the stream; 0 when there were no news.
  func head(of stream: StreamID) -> Int64 { notes[stream]?.head ?? 0 }

  /// Returns the events that ended the membership, in order.
  func ends(of user: UserID, in stream: StreamID) -> [Int64] { notes[stream]?.ended[user] ?? [] }

  /// Answers whether any membership of the person ended meanwhile. Costs a look at every note.
  func hasEnded(_ user: UserID) -> Bool { notes.values.contains { $0.ended[user] != nil } }

  /// Returns the newest event that let the person in, if none that put them out followed it.
  func begun(of user: UserID, in stream: StreamID) -> Int64? {
    guard let seq = begun[user]?[stream], seq > ends(of: user, in: stream).last ?? 0 else {
      return nil
    }
    return seq
  }

  /// Returns the streams that the person entered meanwhile and still is in, in stream order.
  func begun(of user: UserID) -> [(stream: StreamID, epoch: Epoch, seq: Int64)] {
    (begun[user] ?? [:]).keys.sorted().compactMap { stream in
      guard let note = notes[stream], let seq = begun(of: user, in: stream) else { return nil }
      return (stream, note.epoch, seq)
    }
  }
}
