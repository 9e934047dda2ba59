import Domain

// The parameters of the changes of what a person says to themselves of a post, both ways.

extension PersonalMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changePersonal(try params.address(), try PersonalChange(self, params))
  }
}

extension PersonalChange {
  fileprivate init(_ method: PersonalMethod, _ params: Params) throws(Refusal) {
    switch method {
    case .plan: self = .plan(try params.readOrNull(.plan))
    case .addReminder: self = .remind(try Reminder(params))
    case .removeReminder: self = .forget(try Reminder(params))
    case .snooze: self = .snooze(until: try params.readOrNull(.snoozeUntil))
    case .day: self = .day(try params.readOrNull(.myDay))
    case .note: self = .note(try params.read(.personalNote))
    case .watch: self = .watch(try params.read(.watch))
    }
  }

  func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    switch self {
    case .plan(let plan): fields.addOrNull(.plan, plan)
    case .remind(let reminder), .forget(let reminder):
      switch reminder {
      case .at(let time): fields.add(.reminderAt, time)
      case .before(let minutes): fields.add(.reminderBefore, minutes)
      }
    case .snooze(let until): fields.addOrNull(.snoozeUntil, until)
    case .day(let day): fields.addOrNull(.myDay, day)
    case .note(let note): fields.add(.personalNote, note)
    case .watch(let watch): fields.add(.watch, watch)
    }
  }
}

extension Reminder {
  /// Reads a reminder. `at` counts when both are there.
  fileprivate init(_ params: Params) throws(Refusal) {
    try params.needsOne(of: ["at"], ["before"], or: "before")
    if let time = try params.optional(.reminderAt) {
      self = .at(time)
    } else {
      self = .before(minutes: try params.read(.reminderBefore))
    }
  }
}

// MARK: - Parameters

extension Parameter where S == MemberShape<Plan> {
  fileprivate static var plan: Self {
    Self(
      "plan", S(),
      "when the sender means to work on the post, for how long, or both; null takes it away")
  }
}

extension Parameter where S == TimeShape {
  fileprivate static var reminderAt: Self {
    Self("at", S(), "the moment; it counts when `before` is there too")
  }
}

extension Parameter where S == MemberShape<Timestamp> {
  fileprivate static var snoozeUntil: Self {
    Self(
      "until", S(), "the sender is told of the post again from then on; null takes the snooze away")
  }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var reminderBefore: Self {
    Self(
      "before", S(range: 0...Int64(Limits.reminderMinutesMax)),
      "minutes before the post's deadline (§5.8); at most `reminderMinutes`")
  }
}

extension Parameter where S == MemberShape<MyDay> {
  fileprivate static var myDay: Self {
    Self(
      "day", S(),
      "the day for which the sender takes the post on, least `order` first; null takes it away")
  }
}

extension Parameter where S == LinesShape {
  fileprivate static var personalNote: Self {
    Self(
      "note", S(scalars: 0...Limits.personalNoteScalarsMax, named: "personalNote"),
      "several lines, at most `personalNoteScalars`; empty takes the note away")
  }
}

extension Parameter where S == BoolShape {
  fileprivate static var watch: Self { Self("watch", S(), "whether the sender watches the post") }
}
