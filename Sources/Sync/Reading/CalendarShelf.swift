// Calendars that were made (protocol §5.14). People with a code ask as often as its rate allows, and all codes of a
// list lead to the same text. So the text is made once for a state of the list and a day. When a list changes all the
// time, its text is not made each time: a text stands for newer states for a while, which grows with the list.

import Domain

/// The state of a list that a calendar shows, and how long the calendar stands for newer states.
struct CalendarPlace: Equatable, Sendable {
  let category: CategoryID
  let epoch: Epoch
  let seq: Int64
  /// The day in the list's zone, because a calendar shows the times of a post that comes again from today on.
  let today: Day?
  /// The end of the time for which it stands for newer states, in milliseconds of a clock that never jumps.
  let standsUntil: Int64

  /// The mark that a calendar program is given and sends back.
  var mark: String { "\(epoch).\(seq).\(today.map(\.description) ?? "")" }

  /// Answers whether a calendar of this place may be shown for another one: for the same state, and for a while for a
  /// newer state of the same day from which no text was erased.
  func stands(for now: CalendarPlace, erasedSeq: Int64, at milliseconds: Int64) -> Bool {
    guard epoch == now.epoch, today == now.today else { return false }
    if seq == now.seq { return true }
    return seq >= erasedSeq && seq < now.seq && milliseconds < standsUntil
  }
}

/// The calendars that were asked for last, one for each list, within a number of bytes.
struct CalendarShelf: Sendable {
  private let bytesMax: Int
  private(set) var bytes = 0
  /// The kept calendars, those asked for longest ago first.
  private var kept: [(place: CalendarPlace, text: [UInt8])] = []

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Returns the calendar that stands for this place; nil when there is none.
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
