import Domain

// Reads fields that several changes have.

extension Params {
  func category(_ name: String = "category") throws(Refusal) -> CategoryID {
    CategoryID(try uuid(name))
  }

  func address() throws(Refusal) -> PostAddress {
    PostAddress(category: try category(), post: PostID(try uuid("id")))
  }

  func invitation() throws(Refusal) -> InvitationID { InvitationID(try uuid("id")) }

  func name() throws(Refusal) -> String { try line("name", 1...Limits.nameScalarsMax) }

  func role() throws(Refusal) -> Role {
    try word("role", of: Role.allCases.map(\.word), Role.init(word:))
  }

  func history() throws(Refusal) -> CategoryHistory {
    try word(
      "history", of: CategoryHistory.allCases.map(\.rawValue), CategoryHistory.init(rawValue:))
  }

  func title() throws(Refusal) -> String {
    try line("title", 1...Limits.titleScalarsMax)
  }

  func content() throws(Refusal) -> String {
    try line("content", 1...Limits.stepScalarsMax)
  }

  /// Reads a text with the form of an IANA name. The server checks whether there is such a zone.
  func zone() throws(Refusal) -> String { try line("zone", 1...Params.zoneScalarsMax) }

  /// The longest name that is accepted. The longest one of the time zone database has 32.
  private static let zoneScalarsMax = 64

  func ifVersion() throws(Refusal) -> Int? {
    has("ifVersion") ? Int(try int("ifVersion", 1...JSONNumber.integerMax)) : nil
  }
}
