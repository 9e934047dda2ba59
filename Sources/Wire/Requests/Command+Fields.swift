import Domain

// Reads the fields of each change, in the order of the specification (protocol §8). Fields are checked in this order;
// `key` comes last, for all of them.

extension Command {
  /// Reads the parameters of a change. It is never called for requests that carry secrets.
  init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .sessionClose: self = .account(.closeSession(SessionID(try params.uuid("id"))))
    case .accountKeep: self = .account(.keep)
    case .profileEdit: self = .account(.editProfile(try ProfileEdit(params)))
    case .categoryAdd: self = .addCategory(try params.category("id"), try NewCategory(params))
    case .categoryEdit: self = .editCategory(try params.category("id"), try CategoryEdit(params))
    case .categoryRemove: self = .removeCategory(try params.category("id"))
    case .categoryRestore: self = .restoreCategory(try params.category("id"))
    case .categoryArchive: self = .archiveCategory(try params.category("id"))
    case .categoryUnarchive: self = .unarchiveCategory(try params.category("id"))
    case .categoryMove: self = try .moveCategory(params)
    case .postAdd: self = try .addPost(params)
    case .postEdit, .postComplete, .postReopen, .postRemove, .postRestore, .postErase, .postTag,
      .postUntag, .postAssign, .postUnassign, .postSkip, .stepAdd, .stepEdit, .stepRemove,
      .stepMove, .stepComplete, .stepReopen, .postMove, .postMoveTo, .postCopy, .postClaim,
      .postRelease, .postTakeBack:
      self = try .changePost(method, params)
    case .importUpsert: self = .importPost(try params.address(), try ImportedPost(params))
    case .postClaimNext: self = .claimNext(try params.category(), milliseconds: try params.lease())
    case .tagAdd, .tagEdit, .tagRemove:
      self = .changeTag(
        try params.category(), TagID(try params.uuid("id")), try TagChange(method, params))
    case .groupAdd: self = .addGroup(try params.group(), name: try params.name())
    case .groupEdit: self = .editGroup(try params.group(), name: try params.name())
    case .groupRemove: self = .removeGroup(try params.group())
    case .groupRestore: self = .restoreGroup(try params.group())
    case .invitationSend: self = try .sendInvitation(params)
    case .invitationAccept: self = .acceptInvitation(try params.invitation())
    case .invitationDecline: self = .declineInvitation(try params.invitation())
    case .invitationRevoke:
      self = .revokeInvitation(try params.invitation(), try params.stream("stream", "cg"))
    case .invitationMakeCode: self = try .makeCode(params)
    case .invitationRedeem:
      self = .redeemCode(
        CodeInHand(text: try params.secret("code", bytes: 1...Limits.codeBytesMax)))
    case .linkMake: self = .link(try .make(params))
    case .linkRevoke: self = .link(try .revoke(params))
    case .personBlock: self = .blockPerson(username: try params.username())
    case .personUnblock: self = .unblockPerson(UserID(try params.uuid("user")))
    case .postPlan, .reminderAdd, .reminderRemove, .postSnooze, .postDay, .postNote, .postWatch:
      self = .changePersonal(try params.address(), try PersonalChange(method, params))
    case .settingsEdit: self = .editSettings(try SettingsEdit(params))
    case .memberLeave: self = try .leave(params)
    case .memberRemove:
      self = .removeMember(try params.stream("stream", "cg"), UserID(try params.uuid("user")))
    case .memberSetRole:
      self = .setRole(
        try params.stream("stream", "cg"), UserID(try params.uuid("user")), try params.role())
    case .notificationRead:
      self = .markRead(
        try params.stream("stream", "cgu"), seq: try params.int("seq", 0...JSONNumber.integerMax))
    case .filterSave: self = .saveFilter(try Filter(params))
    case .filterRemove: self = .removeFilter(FilterID(try params.uuid("id")))
    case .batch: self = try .batch(params)
    case .undo: self = .undo(try UndoTarget(params))
    default:
      preconditionFailure("\(method.rawValue) is no change, or carries secrets")
    }
  }

  private static func moveCategory(_ params: Params) throws(Refusal) -> Command {
    .moveCategory(
      try params.category("id"),
      before: try params.has("before") ? params.category("before") : nil)
  }

  private static func leave(_ params: Params) throws(Refusal) -> Command {
    .leave(
      try params.stream("stream", "cg"),
      successor: try params.has("successor") ? UserID(params.uuid("successor")) : nil)
  }

  private static func addPost(_ params: Params) throws(Refusal) -> Command {
    .addPost(try params.address(), try NewPost(params))
  }

  /// Reads the address of the post, the change's own fields and the version.
  private static func changePost(
    _ method: Method, _ params: Params
  ) throws(Refusal) -> Command {
    let address = try params.address()
    let change =
      if let one = try PostChange(occurrenceOf: method, params) { one } else {
        try PostChange(method, params)
      }
    let version = try change == .erase ? nil : params.ifVersion()
    return .changePost(address, change, ifVersion: version)
  }

  /// Reads a batch. Each command is judged as if it came alone, and an error names its place.
  private static func batch(_ params: Params) throws(Refusal) -> Command {
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
    guard let method = Method(rawValue: try it.string("method")), method.facts.standsInBatch
    else {
      throw it.invalid("method", "must be one that a batch takes")
    }
    guard it.has("params") else { return try Command(method, it.inner(nil)) }
    let params = try it.value("params")
    guard params.kind == .object else { throw it.invalid("params", "must be an object") }
    return try Command(method, it.inner(params))
  }

  private static func makeCode(_ params: Params) throws(Refusal) -> Command {
    let id = try params.invitation()
    let stream = try params.stream("stream", "cg")
    let role = try params.role()
    let uses = try params.has("uses") ? params.int("uses", 1...Int64(Limits.codeUsesMax)) : 1
    let days =
      try params.has("days")
      ? params.int("days", 1...Int64(Limits.codeDaysMax)) : Int64(Limits.codeDays)
    return .makeCode(id, stream, NewCode(role: role, uses: Int(uses), days: Int(days)))
  }

  private static func sendInvitation(_ params: Params) throws(Refusal) -> Command {
    .sendInvitation(
      try params.invitation(), try params.stream("stream", "cg"),
      username: try params.username(), try params.role())
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
  fileprivate init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .postEdit: self = .edit(try PostEdit(params))
    case .postComplete: self = try params.isForAll() ? .completeForAll : .complete
    case .postReopen: self = .reopen
    case .postRemove: self = .remove
    case .postRestore: self = .restore
    case .postErase: self = .erase
    case .stepAdd, .stepEdit, .stepRemove, .stepMove, .stepComplete, .stepReopen:
      self = .step(StepID(try params.uuid("step")), try StepChange(method, params))
    case .postTag: self = .tag(TagID(try params.uuid("tag")))
    case .postAssign: self = .assign(UserID(try params.uuid("user")))
    case .postUnassign: self = .unassign(UserID(try params.uuid("user")))
    case .postUntag: self = .untag(TagID(try params.uuid("tag")))
    case .postMove: self = try .move(params)
    case .postMoveTo: self = .moveTo(try params.category("to"))
    case .postCopy:
      let (copy, list) = (PostID(try params.uuid("copy")), try params.category("to"))
      let range = -Int64(Limits.copyDaysMax)...Int64(Limits.copyDaysMax)
      let days = try params.has("days") ? Int(params.int("days", range)) : 0
      self = .copy(as: copy, to: list, days: days)
    case .postClaim: self = .claim(milliseconds: try params.lease())
    case .postRelease: self = .release
    case .postTakeBack: self = .takeBack(event: try params.int("event", 1...JSONNumber.integerMax))
    default: preconditionFailure("\(method.rawValue) changes no post")
    }
  }
}

extension PostChange {
  /// Reads a change that names an occurrence. Nil for other changes.
  fileprivate init?(occurrenceOf method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .postComplete where params.has("occurrence"):
      let name = try params.occurrence()
      self = .occurrence(name, try params.isForAll() ? .completeForAll : .complete)
    case .postEdit where params.has("occurrence"):
      let name = try params.occurrence()
      self = .occurrence(name, .edit(try PostEdit(params)))
    case .postRemove where params.has("occurrence"):
      self = .occurrence(try params.occurrence(), .remove)
    case .stepComplete where params.has("occurrence"):
      let step = StepID(try params.uuid("step"))
      self = .occurrence(try params.occurrence(), .finish(step))
    case .postSkip: self = .occurrence(try params.occurrence(), .skip)
    default: return nil
    }
  }
}

extension Params {
  fileprivate func occurrence() throws(Refusal) -> OccurrenceName {
    OccurrenceName(
      Int(try int("occurrence", 1...JSONNumber.integerMax)),
      due: try has("occurrenceDue") ? Due.asked(self, "occurrenceDue") : nil)
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

extension StepChange {
  fileprivate init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .stepAdd: self = .add(content: try params.content())
    case .stepEdit: self = .edit(content: try params.content())
    case .stepRemove: self = .remove
    case .stepMove:
      self = .move(before: try params.has("before") ? StepID(params.uuid("before")) : nil)
    case .stepComplete: self = .complete
    case .stepReopen: self = .reopen
    default: preconditionFailure("\(method.rawValue) changes no step")
    }
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
  fileprivate init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .tagAdd:
      let name = try params.tagName()
      let color: FieldChange<Color> = try params.change("color", takesNull: false)
      self =
        if case .set(let color) = color { .add(name: name, color: color) } else { .add(name: name) }
    case .tagEdit:
      let name = try params.has("name") ? params.tagName() : nil
      let edit = TagEdit(name: name, color: try params.change("color", takesNull: true))
      guard edit != TagEdit() else { throw params.invalid("name", "or the color must be there") }
      self = .edit(edit)
    case .tagRemove: self = .remove
    default: preconditionFailure("\(method.rawValue) changes no tag")
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

  fileprivate func group() throws(Refusal) -> GroupID { GroupID(try uuid("id")) }

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
