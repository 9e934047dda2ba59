/// The facts that a server tells everybody about itself (protocol §8 `server.about`).
package struct ServerAbout: Equatable, Sendable {
  package let server: ServerName
  /// Whether everybody who reaches it may register, or only people with a code.
  package let registrationIsOpen: Bool
  /// The operator's words on what happens to people's data. Nil when there are none.
  package let privacy: String?
  /// Whether a person may begin without a name and a password.
  package let takesGuests: Bool
  /// The number of days that a removed post stays in the bin. Nil: for ever.
  package let removedDays: Int?
  /// Whether people may talk.
  package let hasTalk: Bool

  package init(
    server: ServerName, registrationIsOpen: Bool, privacy: String?, takesGuests: Bool = false,
    removedDays: Int? = nil, hasTalk: Bool = true
  ) {
    self.hasTalk = hasTalk
    self.removedDays = removedDays
    self.takesGuests = takesGuests
    self.server = server
    self.registrationIsOpen = registrationIsOpen
    self.privacy = privacy
  }
}

extension ServerAbout {
  func writeFields(to writer: inout JSONWriter) {
    writer.key("server")
    writer.beginObject()
    writer.member("name", server.name)
    writer.member("version", server.version)
    writer.endObject()
    writer.member("registration", registrationIsOpen ? "open" : "code")
    writer.member("privacy", ifPresent: privacy)
    if takesGuests { writer.member("guests", true) }
    writer.member("removedDays", ifPresent: removedDays)
    if !hasTalk { writer.member("talk", false) }
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    let server = try fields.fields("server")
    self.init(
      server: ServerName(name: try server.string("name"), version: try server.string("version")),
      registrationIsOpen: try fields.string("registration") == "open",
      privacy: try fields.optionalString("privacy"),
      takesGuests: try fields.has("guests") ? fields.bool("guests") : false,
      removedDays: try fields.has("removedDays") ? fields.int("removedDays") : nil,
      hasTalk: try fields.has("talk") ? fields.bool("talk") : true)
  }
}
