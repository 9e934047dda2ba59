import Domain

// Reads the fields of each change, in the order of the specification (protocol §8). Fields are checked in this order;
// `key` comes last, for all of them.

extension AccountMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .closeSession: .account(.closeSession(SessionID(try params.uuid("id"))))
    case .keep: .account(.keep)
    case .editProfile: .account(.editProfile(try ProfileEdit(params)))
    case .editSettings: .editSettings(try SettingsEdit(params))
    }
  }
}

extension CategoryMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = try params.category("id")
    return switch self {
    case .add: .addCategory(id, try NewCategory(params))
    case .edit: .editCategory(id, try CategoryEdit(params))
    case .remove: .removeCategory(id)
    case .restore: .restoreCategory(id)
    case .archive: .archiveCategory(id)
    case .unarchive: .unarchiveCategory(id)
    case .move:
      .moveCategory(id, before: try params.has("before") ? params.category("before") : nil)
    }
  }
}

// The arguments below are evaluated from left to right, so the fields are read in the order of the specification.

extension PostMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .add: .addPost(try params.address(), try NewPost(params))
    case .importUpsert: .importPost(try params.address(), try ImportedPost(params))
    case .claimNext: .claimNext(try params.category(), milliseconds: try params.lease())
    case .edit: try .changePost(params.address(), .edit(params), params)
    case .complete: try .changePost(params.address(), .complete(params), params)
    case .reopen: try .changePost(params.address(), .reopen, params)
    case .takeBack: try .changePost(params.address(), .takeBack(event: params.event()), params)
    case .skip:
      try .changePost(params.address(), .occurrence(params.occurrence(), .skip), params)
    case .remove: try .changePost(params.address(), .remove(params), params)
    case .restore: try .changePost(params.address(), .restore, params)
    case .erase: .changePost(try params.address(), .erase, ifVersion: nil)
    case .move: try .changePost(params.address(), .move(params), params)
    case .moveTo: try .changePost(params.address(), .moveTo(params.category("to")), params)
    case .copy: try .changePost(params.address(), .copy(params), params)
    case .tag: try .changePost(params.address(), .tag(TagID(params.uuid("tag"))), params)
    case .untag: try .changePost(params.address(), .untag(TagID(params.uuid("tag"))), params)
    case .assign: try .changePost(params.address(), .assign(UserID(params.uuid("user"))), params)
    case .unassign:
      try .changePost(params.address(), .unassign(UserID(params.uuid("user"))), params)
    case .claim: try .changePost(params.address(), .claim(milliseconds: params.lease()), params)
    case .release: try .changePost(params.address(), .release, params)
    }
  }
}

extension StepMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let address = try params.address()
    let step = StepID(try params.uuid("step"))
    let change: PostChange =
      switch self {
      case .add: .step(step, .add(content: try params.content()))
      case .edit: .step(step, .edit(content: try params.content()))
      case .remove: .step(step, .remove)
      case .move:
        .step(
          step, .move(before: try params.has("before") ? StepID(params.uuid("before")) : nil))
      case .complete where params.has("occurrence"):
        .occurrence(try params.occurrence(), .finish(step))
      case .complete: .step(step, .complete)
      case .reopen: .step(step, .reopen)
      }
    return try .changePost(address, change, params)
  }
}

extension Command {
  /// Makes a change of a post, with the version from the parameters.
  fileprivate static func changePost(
    _ address: PostAddress, _ change: PostChange, _ params: Params
  ) throws(Refusal) -> Command {
    .changePost(address, change, ifVersion: try params.ifVersion())
  }
}

extension TagMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changeTag(try params.category(), TagID(try params.uuid("id")), try TagChange(self, params))
  }
}

extension PersonalMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changePersonal(try params.address(), try PersonalChange(self, params))
  }
}

extension GroupMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = GroupID(try params.uuid("id"))
    return switch self {
    case .add: .addGroup(id, name: try params.name())
    case .edit: .editGroup(id, name: try params.name())
    case .remove: .removeGroup(id)
    case .restore: .restoreGroup(id)
    }
  }
}

extension InvitationMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .send:
      .sendInvitation(
        try params.invitation(), try params.stream("stream", "cg"),
        username: try params.username(), try params.role())
    case .accept: .acceptInvitation(try params.invitation())
    case .decline: .declineInvitation(try params.invitation())
    case .revoke: .revokeInvitation(try params.invitation(), try params.stream("stream", "cg"))
    case .makeCode:
      .makeCode(try params.invitation(), try params.stream("stream", "cg"), try NewCode(params))
    case .redeem:
      .redeemCode(CodeInHand(text: try params.secret("code", bytes: 1...Limits.codeBytesMax)))
    }
  }
}

extension PersonMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .block: .blockPerson(username: try params.username())
    case .unblock: .unblockPerson(UserID(try params.uuid("user")))
    }
  }
}

extension MemberMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let stream = try params.stream("stream", "cg")
    return switch self {
    case .leave:
      .leave(
        stream, successor: try params.has("successor") ? UserID(params.uuid("successor")) : nil)
    case .remove: .removeMember(stream, UserID(try params.uuid("user")))
    case .setRole: .setRole(stream, UserID(try params.uuid("user")), try params.role())
    }
  }
}

extension LinkMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .make: .link(try .make(params))
    case .revoke: .link(try .revoke(params))
    }
  }
}

extension FilterMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .save: .saveFilter(try Filter(params))
    case .remove: .removeFilter(FilterID(try params.uuid("id")))
    }
  }
}

extension SingleMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .batch: try .batch(params)
    case .undo: .undo(try UndoTarget(params))
    case .markRead:
      .markRead(
        try params.stream("stream", "cgu"), seq: try params.int("seq", 0...JSONNumber.integerMax))
    }
  }
}

extension Command {
  /// Reads a batch. Each command is judged as if it came alone, and an error names its place.
  fileprivate static func batch(_ params: Params) throws(Refusal) -> Command {
    var commands: [Command] = []
    for element in try params.elements("commands") {
      guard commands.count < Limits.batchCommandsMax else {
        throw params.tooLarge("commands", max: Limits.batchCommandsMax)
      }
      guard element.kind == .object else { throw params.invalid("commands", "must be objects") }
      do throws(Refusal) {
        commands.append(try part(params.inner(element)))
      } catch {
        throw .inBatch(index: commands.count, error)
      }
    }
    guard !commands.isEmpty else { throw params.invalid("commands", "is empty") }
    return .batch(commands)
  }

  private static func part(_ it: Params) throws(Refusal) -> Command {
    guard let method = Method(named: try it.string("method")), method.row.standsInBatch else {
      throw it.invalid("method", "must be one that a batch takes")
    }
    var params = it.inner(nil)
    if it.has("params") {
      let value = try it.value("params")
      guard value.kind == .object else { throw it.invalid("params", "must be an object") }
      params = it.inner(value)
    }
    guard case .command(let command) = try method.read(params) else {
      throw it.invalid("method", "must be one that a batch takes")
    }
    return command
  }
}

extension NewCode {
  fileprivate init(_ params: Params) throws(Refusal) {
    let role = try params.role()
    let uses = try params.has("uses") ? params.int("uses", 1...Int64(Limits.codeUsesMax)) : 1
    let days =
      try params.has("days")
      ? params.int("days", 1...Int64(Limits.codeDaysMax)) : Int64(Limits.codeDays)
    self.init(role: role, uses: Int(uses), days: Int(days))
  }
}

extension NewCategory {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.name(),
      group: try params.has("group") ? GroupID(params.uuid("group")) : nil,
      history: try params.has("history") ? params.history() : .all,
      zone: try params.has("zone") ? params.zone() : nil,
      color: try params.has("color") ? Color.asked(params, "color") : nil)
  }
}

extension CategoryEdit {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.has("name") ? params.name() : nil,
      history: try params.has("history") ? params.history() : nil,
      zone: try params.has("zone") ? params.zone() : nil,
      color: try params.change("color", takesNull: true))
    guard self != CategoryEdit() else {
      throw params.invalid("name", "or another field must be there")
    }
  }
}

extension NewPost {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      title: try params.title(), notes: try params.has("notes") ? params.notes("notes") : "")
    for member in PostMember.all { try member.ask(params, false, &fields) }
  }
}

extension PostChange {
  fileprivate static func edit(_ params: Params) throws(Refusal) -> PostChange {
    guard params.has("occurrence") else { return .edit(try PostEdit(params)) }
    return .occurrence(try params.occurrence(), .edit(try PostEdit(params)))
  }

  fileprivate static func complete(_ params: Params) throws(Refusal) -> PostChange {
    guard params.has("occurrence") else {
      return try params.isForAll() ? .completeForAll : .complete
    }
    let name = try params.occurrence()
    return .occurrence(name, try params.isForAll() ? .completeForAll : .complete)
  }

  fileprivate static func remove(_ params: Params) throws(Refusal) -> PostChange {
    params.has("occurrence") ? .occurrence(try params.occurrence(), .remove) : .remove
  }

  fileprivate static func copy(_ params: Params) throws(Refusal) -> PostChange {
    let (copy, list) = (PostID(try params.uuid("copy")), try params.category("to"))
    let range = -Int64(Limits.copyDaysMax)...Int64(Limits.copyDaysMax)
    let days = try params.has("days") ? Int(params.int("days", range)) : 0
    return .copy(as: copy, to: list, days: days)
  }
}

extension Params {
  fileprivate func occurrence() throws(Refusal) -> OccurrenceName {
    OccurrenceName(
      Int(try int("occurrence", 1...JSONNumber.integerMax)),
      due: try has("occurrenceDue") ? Due.asked(self, "occurrenceDue") : nil)
  }

  /// The number of the event that is meant.
  fileprivate func event() throws(Refusal) -> Int64 {
    try int("event", 1...JSONNumber.integerMax)
  }

  fileprivate func isForAll() throws(Refusal) -> Bool {
    try has("forAll") ? bool("forAll") : false
  }
}

extension PostChange {
  fileprivate static func move(_ params: Params) throws(Refusal) -> PostChange {
    let upper = try params.has("after") ? PostID(params.uuid("after")) : nil
    let lower = try params.has("before") ? PostID(params.uuid("before")) : nil
    guard upper != nil || lower != nil else {
      throw params.invalid("after", "or the before must be there")
    }
    return .move(after: upper, before: lower)
  }
}

extension PostEdit {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      title: try params.has("title") ? params.title() : nil,
      notes: try params.has("notes") ? params.notes("notes") : nil)
    for member in PostMember.all { try member.ask(params, true, &self) }
    guard self != PostEdit() else {
      throw params.invalid("title", "or another field must be there")
    }
  }
}

extension TagChange {
  fileprivate init(_ method: TagMethod, _ params: Params) throws(Refusal) {
    switch method {
    case .add:
      let name = try params.tagName()
      let color: FieldChange<Color> = try params.change("color", takesNull: false)
      self =
        if case .set(let color) = color { .add(name: name, color: color) } else { .add(name: name) }
    case .edit:
      let name = try params.has("name") ? params.tagName() : nil
      let edit = TagEdit(name: name, color: try params.change("color", takesNull: true))
      guard edit != TagEdit() else { throw params.invalid("name", "or the color must be there") }
      self = .edit(edit)
    case .remove: self = .remove
    }
  }
}

extension Params {
  fileprivate func category(_ name: String = "category") throws(Refusal) -> CategoryID {
    CategoryID(try uuid(name))
  }

  fileprivate func address() throws(Refusal) -> PostAddress {
    PostAddress(category: try category(), post: PostID(try uuid("id")))
  }

  fileprivate func invitation() throws(Refusal) -> InvitationID { InvitationID(try uuid("id")) }

  func name() throws(Refusal) -> String { try line("name", 1...Limits.nameScalarsMax) }

  fileprivate func tagName() throws(Refusal) -> String {
    try line("name", 1...Limits.tagScalarsMax)
  }

  fileprivate func role() throws(Refusal) -> Role {
    try word("role", of: Role.allCases.map(\.word), Role.init(word:))
  }

  fileprivate func history() throws(Refusal) -> CategoryHistory {
    try word(
      "history", of: CategoryHistory.allCases.map(\.rawValue), CategoryHistory.init(rawValue:))
  }

  fileprivate func title() throws(Refusal) -> String {
    try line("title", 1...Limits.titleScalarsMax)
  }

  fileprivate func content() throws(Refusal) -> String {
    try line("content", 1...Limits.stepScalarsMax)
  }

  /// Reads a text with the form of an IANA name. The server checks whether there is such a zone.
  func zone() throws(Refusal) -> String { try line("zone", 1...Params.zoneScalarsMax) }

  /// The longest name that is accepted. The longest one of the time zone database has 32.
  private static let zoneScalarsMax = 64

  fileprivate func ifVersion() throws(Refusal) -> Int? {
    has("ifVersion") ? Int(try int("ifVersion", 1...JSONNumber.integerMax)) : nil
  }
}
