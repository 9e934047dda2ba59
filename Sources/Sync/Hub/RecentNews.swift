// What was published while a reader was reading. A reader's answer may be older than news that this
// loop has already seen and, with nobody watching, dropped; these few numbers close that gap. They
// are kept only while such a reading is outstanding.

internal import Domain

/// The newest number and the ended memberships of every stream with news since the oldest mark.
struct RecentNews: Sendable {
  private struct Note: Sendable {
    var head: Int64
    var ended: [UserID: [Int64]] = [:]
    /// The count of publications when it was last touched.
    var count: Int
  }

  private var notes: [StreamID: Note] = [:]
  /// Outstanding marks, oldest first: the count of publications at their beginning.
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
      return
    }
    // Sweeping costs as much as there are notes, so it waits until as many more were made.
    guard oldest.count > swept, count - swept > notes.count else { return }
    swept = oldest.count
    notes = notes.filter { $0.value.count > oldest.count }
  }

  mutating func note<Frame>(_ item: StreamNews<Frame>) {
    guard !marks.isEmpty else { return }
    count += 1
    var note = notes[item.stream] ?? Note(head: 0, count: count)
    note.count = count
    note.head = max(note.head, item.chunks.last?.through ?? 0)
    for edge in item.ended { note.ended[edge.user, default: []].append(edge.seq) }
    notes[item.stream] = note
  }

  /// 0 without news.
  func head(of stream: StreamID) -> Int64 { notes[stream]?.head ?? 0 }

  /// In order.
  func ends(of user: UserID, in stream: StreamID) -> [Int64] { notes[stream]?.ended[user] ?? [] }
}
