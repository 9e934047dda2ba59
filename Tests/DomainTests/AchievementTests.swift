import Calendar
import Testing

@testable import Domain

@Suite("protocol §8: rows of achievement are written with the event and taken back with it")
struct AchievementTests {
  @Test("The first who finishes a race has place 1, and a person behind a corrected one moves up")
  func places() {
    var scene = Scene.race()
    scene.reach(300, by: "d")
    scene.reach(300, by: "c")
    #expect(scene.achieved(.part) == ["d": 1, "c": 2])
    #expect(scene.achieved(.amount) == ["d": 300, "c": 300])
    let finish = scene.contestRows.first { $0.kind == .part && $0.user == "c" }
    scene.reach(200, by: "d", correcting: true)
    #expect(scene.achieved(.part) == ["c": 1] && scene.achieved(.amount) == ["d": 200, "c": 300])
    let moved = scene.contestRows.first { $0.kind == .part && $0.user == "c" }
    #expect(moved?.at == finish?.at && moved?.value == 1, "it keeps its moment")
  }

  @Test("A race of one person alone gives no place")
  func alone() {
    var scene = Scene.race(["c"])
    scene.reach(300, by: "c")
    #expect(scene.achieved(.part) == ["c": 0])
    var everybody = Scene.race([])
    everybody.reach(300, by: "c")
    #expect(everybody.achieved(.part) == ["c": 0], "nobody else has begun")
    everybody.reach(10, by: "b")
    #expect(everybody.achieved(.part) == ["c": 1], "it is a race now")
  }

  @Test("A coop counts amounts, and the steps that people finish themselves")
  func coop() {
    var scene = Scene.coop()
    scene.reach(20, by: "b")
    scene.reach(50, by: "b")
    scene.must(.changeStep(1, 1, 2, .complete), by: "c")
    #expect(scene.achieved(.amount) == ["b": 50] && scene.achieved(.steps) == ["c": 1])
    scene.must(.changeStep(1, 1, 2, .reopen), by: "c")
    #expect(scene.achieved(.steps) == [:])
    scene.must(.changeStep(1, 1, 3, .complete), by: "c")
    scene.reach(270, by: "d")
    #expect(scene.achieved(.completion) == ["d": 0], "the sum has completed it")
    #expect(scene.achieved(.steps) == ["c": 1], "the completion finished the others")
  }

  @Test("A correction takes from what was added last")
  func correction() {
    var scene = Scene.coop()
    scene.reach(20, by: "b")
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 3_600_000)
    scene.reach(50, by: "b")
    let rows = scene.contestRows
    #expect(rows.map(\.value) == [20, 30])
    scene.reach(40, by: "b", correcting: true)
    #expect(scene.contestRows.map(\.value) == [20, 20])
    #expect(scene.contestRows.map(\.at) == rows.map(\.at))
    scene.reach(5, by: "b", correcting: true)
    #expect(scene.contestRows.map(\.value) == [5] && scene.contestRows.map(\.at) == [rows[0].at])
    scene.undoLast(by: "b")
    #expect(scene.contestRows.map(\.value) == [5, 35], "an undo adds again")
  }

  @Test("Amounts of one quarter of an hour are one row, with the moment of the first")
  func quarters() {
    var scene = Scene.coop()
    scene.now = Timestamp(milliseconds: 900_000 * 1_000_000)
    scene.reach(20, by: "b")
    let first = scene.contestRows
    scene.now = Timestamp(milliseconds: 900_000 * 1_000_001 - 1)
    scene.reach(50, by: "b")
    #expect(scene.contestRows.map(\.value) == [50])
    #expect(scene.contestRows.map(\.at) == first.map(\.at))
    scene.now = Timestamp(milliseconds: 900_000 * 1_000_001)
    scene.reach(60, by: "b")
    #expect(scene.contestRows.map(\.value) == [50, 10])
  }

  @Test("A restart takes back what was done in the contest")
  func restart() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    scene.reach(10, by: "d")
    var edit = PostEdit(contest: .set(.coop))
    edit.restart = true
    scene.amend(edit)
    #expect(scene.contestRows == [])
  }

  @Test("A due that is set later does not change what was late")
  func due() {
    var scene = Scene.withPlayers()
    scene.amend(PostEdit(due: .set(.day(Day("2001-01-01")!))))
    scene.must(.completePost(1, 1, ifVersion: nil), by: "c")
    let row = scene.contestRows.first
    #expect(row?.due == .day(Day("2001-01-01")!) && row?.kind == .completion)
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.restorePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.contestRows == [row])
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "c")
    #expect(scene.contestRows == [])
  }
}
