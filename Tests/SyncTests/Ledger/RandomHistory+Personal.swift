import Domain

extension RandomHistory {
  /// Returns a command by which a person says something of a post to themselves, or in their settings.
  mutating func nextPersonal(_ post: PostID, in category: CategoryID) -> Command {
    let day = Day(number: 1_000)
    let changes: [PersonalChange] = [
      .plan(Plan(at: .time(day, minute: 60, zone: "UTC"), minutes: 50)), .plan(nil),
      .remind(.before(minutes: 60)), .remind(.at(Timestamp(milliseconds: 9))),
      .forget(.before(minutes: 60)), .snooze(until: Timestamp(milliseconds: 99)),
      .snooze(until: nil), .day(MyDay(day: day, order: 1)), .note("n"), .note(""), .watch(true),
      .watch(false),
    ]
    var edit = SettingsEdit()
    edit.dueSoonHours = pick([.clear, .set(24)])
    edit.muted = pick([.keep, .set([]), .clear])
    edit.digest = pick([.keep, ClockTime("18:00").map { .set($0) } ?? .keep, .clear])
    let about = StreamID.category(category)
    edit.levels = pick([
      [], [], [.clear(about)], [.choose(LevelChoice(about: about, level: .none))],
    ])
    return Int.random(in: 0..<8, using: &random) == 0
      ? .account(.editSettings(edit)) : .changePersonal(category, post, pick(changes))
  }

  /// Returns a line of talk, or a change of one, mostly of one that is there.
  mutating func talk(in stream: StreamID, about post: PostID) -> Command {
    let lines = bench.objects(.line, in: stream).map { Int64($0.key.id.high) }.sorted()
    let line =
      lines.isEmpty || Int.random(in: 0..<6, using: &random) == 0
      ? Int64.random(in: 1...20, using: &random) : pick(lines)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: .line(.edit(stream, line: line, text: pick(["Yes", "No"])))
    case 1: .line(.remove(stream, line: line))
    default:
      .line(
        .say(
          stream, text: pick(["Hello", "Bye"]), post: pick([nil, nil, post]),
          answers: pick([nil, nil, line])))
    }
  }

  /// Returns a reaction to an event of the list, mostly to one that completed something.
  mutating func reaction(in category: CategoryID) -> Command {
    let completing = bench.events(of: .category(category)).filter { !$0.completions.isEmpty }
    guard !completing.isEmpty, Int.random(in: 0..<6, using: &random) > 0 else {
      let event = Int64.random(in: 1...20, using: &random)
      return .react(category, event: event, sign: "👏")
    }
    let event = pick(completing)
    return .react(
      category, event: event.seq, post: pick([nil, event.completions.last?.post]),
      sign: pick(["👏", "🎉", nil]))
  }
}
