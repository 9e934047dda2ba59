import Domain

// The parameters of the changes of an account, both ways, in the order of the specification (protocol §8).

extension AccountMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .closeSession: .account(.closeSession(try params.read(.session)))
    case .keep: .account(.keep)
    case .editProfile: .account(.editProfile(try ProfileEdit(params)))
    case .editSettings: .account(.editSettings(try SettingsEdit(params)))
    }
  }
}

extension AccountCommand {
  /// Adds the members. Those with secrets are requests of their own, made from the words that the person typed.
  func add(to fields: inout SortedFields) {
    switch self {
    case .closeSession(let id): fields.add(.session, id)
    case .editProfile(let edit): edit.add(to: &fields)
    case .editSettings(let edit): edit.add(to: &fields)
    case .keep: break
    case .register, .recover, .changePassword, .upgrade, .delete:
      preconditionFailure("\(method.name) is a request of its own")
    }
  }
}

extension ProfileEdit {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.ownName, name)
    fields.add(.place, location)
    fields.add(.ownZone, zone)
    fields.add(.invitedBy, invitedBy)
    fields.add(.locale, locale)
  }
}

extension ProfileEdit {
  init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.optional(.ownName), location: try params.optional(.place),
      zone: try params.optional(.ownZone), invitedBy: try params.optional(.invitedBy),
      locale: try params.optional(.locale))
    try params.needsOne(from: "name", self != ProfileEdit())
  }
}

extension SettingsEdit {
  init(_ params: Params) throws(Refusal) {
    self.init()
    reminders = try params.change(.defaultReminders, takesNull: true)
    dueSoonHours = try params.change(.dueSoonHours, takesNull: true)
    defaultDue = try params.change(.defaultDue, takesNull: true)
    muted = try params.change(.muted, takesNull: true)
    digest = try params.change(.digest, takesNull: true)
    levels = try params.optional(.level).map { [$0] } ?? []
    try params.needsOne(from: "reminders", self != SettingsEdit())
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.defaultReminders, change: reminders)
    fields.add(.dueSoonHours, change: dueSoonHours)
    fields.add(.defaultDue, change: defaultDue)
    fields.add(.muted, change: muted)
    fields.add(.digest, change: digest)
    precondition(levels.count <= 1, "a request changes one level; several go in a batch")
    for change in levels { fields.add(.level, change) }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<SessionID> {
  fileprivate static var session: Self { Self("id", S(), "a session of the sender") }
}

extension Parameter where S == LineShape {
  fileprivate static var ownName: Self { .name("the person's name") }

  fileprivate static var place: Self {
    Self(
      "location", S(scalars: 0...Limits.locationScalarsMax, named: "location"),
      "where the person is; empty takes it away")
  }

  fileprivate static var ownZone: Self { .zone("the zone of the person's days") }
}

extension Parameter where S == WordShape<InvitedBy> {
  fileprivate static var invitedBy: Self {
    Self("invitedBy", S(), "who may invite the person (§6)")
  }
}

extension Parameter where S == LocaleShape {
  fileprivate static var locale: Self {
    Self(
      "locale", S(),
      "the language in which clients read plain lines (`quick-add.md`); empty takes it away")
  }
}

extension Parameter where S == MemberShape<[Int]> {
  fileprivate static var defaultReminders: Self {
    Self("reminders", S(), "minutes before a post's deadline at which the person is reminded")
  }
}

extension Parameter where S == MemberShape<Int> {
  fileprivate static var dueSoonHours: Self {
    Self("dueSoonHours", S(), "so many hours before its deadline a post is due soon")
  }
}

extension Parameter where S == MemberShape<DefaultDue> {
  fileprivate static var defaultDue: Self {
    Self("defaultDue", S(), "the due that a client gives a new post when none is said")
  }
}

extension Parameter where S == MemberShape<[ReminderKind]> {
  fileprivate static var muted: Self {
    Self("muted", S(), "the kinds of reminders that are not told")
  }
}

extension Parameter where S == MemberShape<ClockTime> {
  fileprivate static var digest: Self {
    Self("digest", S(), "when the person is told of the day, in the zone of the profile")
  }
}

extension Parameter where S == MemberShape<LevelChange> {
  /// One change. Several go in a batch.
  fileprivate static var level: Self {
    Self(
      "level", S(),
      "how much the person is told of a category, a group, a person or a bot (§5.16)")
  }
}
