import Domain

// The fields of the changes of an account, both ways, in the order of the specification (protocol §8).

extension AccountMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .closeSession: .account(.closeSession(SessionID(try params.uuid("id"))))
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
    case .closeSession(let id): fields.add("id", id.uuid)
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
    fields.add("name", name)
    fields.add("location", location)
    fields.add("zone", zone)
    fields.add("invitedBy", invitedBy?.rawValue)
    fields.add("locale", locale)
  }
}

extension ProfileEdit {
  init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.has("name") ? params.name() : nil,
      location: try params.has("location")
        ? params.line("location", 0...Limits.locationScalarsMax) : nil,
      zone: try params.has("zone") ? params.zone() : nil,
      invitedBy: try params.has("invitedBy")
        ? params.word(
          "invitedBy", of: InvitedBy.allCases.map(\.rawValue), InvitedBy.init(rawValue:)) : nil,
      locale: try params.has("locale") ? params.locale() : nil)
    guard self != ProfileEdit() else {
      throw params.invalid("name", "or another field must be there")
    }
  }
}
