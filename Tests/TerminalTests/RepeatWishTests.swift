import Domain
import Sync
import Testing

@testable import WhattodoTerminal

@Suite("/repeat: how a post comes again")
struct RepeatWishTests {
  private let today = Day(number: 20_779)

  /// The words that are typed, the rule, and the words in which it is shown; nil for the same words.
  static let rows: [(String, String, String?)] = [
    ("daily", "FREQ=DAILY", nil), ("every day", "FREQ=DAILY", "daily"),
    ("weekly", "FREQ=WEEKLY", nil), ("every week", "FREQ=WEEKLY", "weekly"),
    ("every other week", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("every 3 months", "FREQ=MONTHLY;INTERVAL=3", nil),
    ("every year", "FREQ=YEARLY", "yearly"),
    ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
    ("every mon", "FREQ=WEEKLY;BYDAY=MO", nil),
    ("every Monday, Thursday and fri", "FREQ=WEEKLY;BYDAY=MO,TH,FR", "every mon, thu, fri"),
    ("every 2 weeks on mon wed", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "every 2 weeks on mon, wed"),
    ("every month on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15", nil),
    ("every 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
    (
      "every month on the 31st",
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", nil
    ),
    ("freq=monthly;bymonthday=31", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYMONTHDAY=31"),
    ("every dec 24th", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every 24 dec"),
    ("every 2 years", "FREQ=YEARLY;INTERVAL=2", nil),
    ("every month on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1", nil),
    ("every month on the first mon", "FREQ=MONTHLY;BYDAY=1MO", nil),
    (
      "every 2 months on the last friday", "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR",
      "every 2 months on the last fri"
    ),
    ("weekly on mon, wed", "FREQ=WEEKLY;BYDAY=MO,WE", "every mon, wed"),
    ("monthly on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    ("weekly until 2026-12-31", "FREQ=WEEKLY;UNTIL=20261231", nil),
    ("every day 5 times", "FREQ=DAILY;COUNT=5", "daily 5 times"),
    ("daily 1 time", "FREQ=DAILY;COUNT=1", nil),
    (
      "freq=monthly;byday=mo,tu;bysetpos=1", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
      "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1"
    ),
    ("FREQ=YEARLY;BYMONTH=3;COUNT=3", "FREQ=YEARLY;BYMONTH=3;COUNT=3", nil),
  ]

  @Test("words become a rule, and a rule words that mean it", arguments: rows)
  func both(text: String, rule: String, shown: String?) throws {
    let repetition = try #require(RepeatWish(text)?.repetition(today: today))
    #expect(repetition.rule.description == rule)
    let words = RecurrenceWords.words(repetition)
    #expect(words == shown ?? text)
    #expect(RepeatWish(words)?.repetition(today: today) == repetition)
  }

  @Test(
    "its people do it in turn, or who did it least",
    arguments: [
      ("daily rotate", Rotation.turn), ("daily rotate least", .least),
      ("every 3 days after done one by one rotate", .turn),
    ])
  func turns(text: String, rotation: Rotation) throws {
    let repetition = try #require(RepeatWish(text)?.repetition(today: today))
    #expect(repetition.rotation == rotation)
    #expect(RecurrenceWords.words(repetition) == text)
    #expect(RepeatWish("rotate") == nil && RepeatWish("least rotate") == nil)
  }

  @Test("Completions by others count when an admin says so")
  func confirmed() throws {
    for text in ["daily confirmed", "daily after done rotate confirmed"] {
      let repetition = try #require(RepeatWish(text)?.repetition(today: today))
      #expect(repetition.confirms && RecurrenceWords.words(repetition) == text)
    }
    #expect(RepeatWish("confirmed daily rotate")?.repetition(today: today) == nil)
  }

  @Test("from the day of completion, and what was missed one by one")
  func options() throws {
    let repetition = try #require(
      RepeatWish("every 3 days after done one by one")?.repetition(today: today))
    #expect(repetition.basis == .completion && repetition.missed == .kept)
    #expect(RecurrenceWords.words(repetition) == "every 3 days after done one by one")
    #expect(RepeatWish("every! 3 days one by one")?.repetition(today: today) == repetition)
    #expect(RepeatWish("off")?.isOff == true && RepeatWish("Never")?.isOff == true)
    #expect(RepeatWish("weekly")?.isOff == false)
  }

  @Test(
    "anything else is none",
    arguments: [
      "", "soon", "every", "every 0 days", "every blue moon", "weekly on the 3rd", "every 2 mon",
      "every month on the 32nd", "every month on the seventh fri", "every day 5", "5 times",
      "freq=hourly", "every year on mon", "daily daily", "every week fri", "weekly !high",
    ])
  func none(text: String) { #expect(RepeatWish(text) == nil) }

  @Test("who may not edit is told so, and not why it cannot be torn apart")
  func notAllowed() throws {
    var situation = Demo.situation()
    let wish = try #require(RepeatWish("daily rotate")?.repetition(today: today))
    let occurrence = Occurrence(number: 3, due: .day(today), start: today)
    let edit = PostEdit(due: .set(.day(today)), repeats: .set(wish.at(occurrence)))
    let ops: [Op] = [
      .post(.edited(Demo.post(1, "").id, version: 2, edit)),
      .member(.granted(Demo.author, Grants(direct: .doer))),
    ]
    _ = Demo.applied(ops, by: Demo.editor, &situation)
    #expect(throws: Problem("a doer may not change posts in #groceries")) {
      try Planner(situation: situation).plan(.field(.title(nil, 1, "x")))
    }
  }
}
