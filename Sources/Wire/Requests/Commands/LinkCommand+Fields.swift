import Domain

// The fields of the changes of links, both ways.

extension LinkMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .make: .link(try .make(params))
    case .revoke: .link(try .revoke(params))
    }
  }
}

extension LinkCommand {
  static func make(_ params: Params) throws(Refusal) -> LinkCommand {
    let (category, id) = try params.link()
    let days =
      try params.has("days")
      ? params.int("days", 1...Int64(Limits.linkDaysMax)) : Int64(Limits.linkDays)
    return .make(id, category, NewLink(days: Int(days)))
  }

  static func revoke(_ params: Params) throws(Refusal) -> LinkCommand {
    let (category, id) = try params.link()
    return .revoke(id, category)
  }

  func add(to fields: inout SortedFields) {
    fields.add("category", category.uuid)
    switch self {
    case .make(let id, _, let new):
      fields.add("id", id.uuid)
      fields.add("days", new.days)
    case .revoke(let id, _): fields.add("id", id.uuid)
    }
  }
}

extension Params {
  fileprivate func link() throws(Refusal) -> (CategoryID, LinkID) {
    (CategoryID(try uuid("category")), LinkID(try uuid("id")))
  }
}
