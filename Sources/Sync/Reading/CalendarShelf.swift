// Calendars that were made (protocol §5.14). Whoever has a code asks as often as its rate lets them, and all of a
// list's codes ask for the same text: so it is made once for a state of the list and a day. A list that changes all
// the time is not made anew each time: what was made stands for newer states for a while that grows with the list.

import Domain

/// The state of a list that a calendar shows, and how long it stands for newer ones.
struct CalendarPlace: Equatable, Sendable {
  let category: CategoryID
  let epoch: Epoch
  let seq: Int64
  /// In the list's zone: a calendar tells the next times of what comes again from today on.
  let today: Day?
  /// Milliseconds of a clock that never jumps.
  let standsUntil: Int64

  /// The mark that a calendar program is given and gives back.
  var mark: String { "\(epoch).\(seq).\(today.map(\.description) ?? "")" }

  /// Whether a calendar of this place may be shown for another one: for the same state, and for a while for a newer one
  /// of the same day from which no text was erased.
  func stands(for now: CalendarPlace, erasedSeq: Int64, at milliseconds: Int64) -> Bool {
    guard epoch == now.epoch, today == now.today else { return false }
    if seq == now.seq { return true }
    return seq >= erasedSeq && seq < now.seq && milliseconds < standsUntil
  }
}

/// The calendars asked for last, one of a list, within a number of bytes.
struct CalendarShelf: Sendable {
  private let bytesMax: Int
  private(set) var bytes = 0
  /// Asked for longest ago first.
  private var kept: [(place: CalendarPlace, text: [UInt8])] = []

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Nil when there is none that stands for this place.
  mutating func calendar(
    for place: CalendarPlace, erasedSeq: Int64, at milliseconds: Int64
  ) -> (place: CalendarPlace, text: [UInt8])? {
    guard let index = kept.firstIndex(where: { $0.place.category == place.category }),
      kept[index].place.stands(for: place, erasedSeq: erasedSeq, at: milliseconds)
    else { return nil }
    let calendar = kept.remove(at: index)
    kept.append(calendar)
    return calendar
  }

  mutating func keep(_ text: [UInt8], of place: CalendarPlace) {
    if let index = kept.firstIndex(where: { $0.place.category == place.category }) {
      bytes -= kept.remove(at: index).text.count
    }
    kept.append((place, text))
    bytes += text.count
    while kept.count > 1, bytes > bytesMax || kept.count > ReadingLimits.calendarsKeptMax {
      bytes -= kept.removeFirst().text.count
    }
  }
}
