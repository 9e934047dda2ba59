import Domain
import Testing

@testable import Sync

@Suite("protocol §5.14: a calendar is made once") struct CalendarShelfTests {
  private static func place(
    _ list: CategoryID = 1, epoch: String = "e", at seq: Int64, day: Int = 20_000, until: Int64 = 0
  ) -> CalendarPlace {
    CalendarPlace(
      category: list, epoch: Epoch(epoch), seq: seq, today: Day(number: day), standsUntil: until)
  }

  /// Returns a shelf for one list at its 7th event, which stands until 1 000.
  private static func shelf() -> CalendarShelf {
    var shelf = CalendarShelf(bytesMax: 100)
    shelf.keep([1], of: place(at: 7, until: 1_000))
    return shelf
  }

  @Test("The state that was made is shown again, however long ago that was")
  func same() {
    var shelf = Self.shelf()
    let it = shelf.calendar(for: Self.place(at: 7), erasedSeq: 7, at: 1_000_000)
    #expect(it?.text == [1] && it?.place.mark == Self.place(at: 7).mark)
  }

  @Test("A newer state has the calendar of before for a while, with the mark of before")
  func newer() {
    var shelf = Self.shelf()
    let it = shelf.calendar(for: Self.place(at: 9), erasedSeq: 0, at: 999)
    #expect(it?.place.mark == Self.place(at: 7).mark)
    #expect(shelf.calendar(for: Self.place(at: 9), erasedSeq: 0, at: 1_000) == nil)
  }

  @Test("A calendar from before an erasure, another day or another epoch is not shown")
  func others() {
    var shelf = Self.shelf()
    #expect(shelf.calendar(for: Self.place(at: 9), erasedSeq: 8, at: 0) == nil)
    #expect(shelf.calendar(for: Self.place(at: 7, day: 20_001), erasedSeq: 0, at: 0) == nil)
    #expect(shelf.calendar(for: Self.place(epoch: "f", at: 7), erasedSeq: 0, at: 0) == nil)
    #expect(shelf.calendar(for: Self.place(2, at: 7), erasedSeq: 0, at: 0) == nil)
    #expect(shelf.calendar(for: Self.place(at: 6), erasedSeq: 0, at: 0) == nil)
  }

  @Test("One calendar of a list is kept, and of all lists as many as have room")
  func room() {
    var shelf = CalendarShelf(bytesMax: 100)
    for list in [1, 2, 3] as [CategoryID] {
      for seq in 1...2 {
        shelf.keep(
          [UInt8](repeating: 0, count: 40), of: Self.place(list, at: Int64(seq))
        )
      }
    }
    #expect(shelf.bytes == 80)
    #expect(shelf.calendar(for: Self.place(1, at: 2), erasedSeq: 0, at: 0) == nil)
    #expect(shelf.calendar(for: Self.place(2, at: 2), erasedSeq: 0, at: 0) != nil)
    // Asked for last, it stays.
    shelf.keep([UInt8](repeating: 0, count: 40), of: Self.place(4, at: 1))
    #expect(shelf.calendar(for: Self.place(2, at: 2), erasedSeq: 0, at: 0) != nil)
    #expect(shelf.calendar(for: Self.place(3, at: 2), erasedSeq: 0, at: 0) == nil)
    // Larger than all the room, it is kept alone.
    shelf.keep([UInt8](repeating: 0, count: 400), of: Self.place(5, at: 1))
    #expect(shelf.bytes == 400)
  }
}
