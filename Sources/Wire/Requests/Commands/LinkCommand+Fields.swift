import Domain

// The parameters of the changes of links, both ways.

extension LinkMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let category = try params.read(.linkCategory)
    let id = try params.read(self == .make ? .newLink : .link)
    return switch self {
    case .make:
      .link(.make(id, category, NewLink(days: try params.read(.linkDays, or: Limits.linkDays))))
    case .revoke: .link(.revoke(id, category))
    }
  }
}

extension LinkCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.linkCategory, category)
    switch self {
    case .make(let id, _, let new):
      fields.add(.link, id)
      fields.add(.linkDays, new.days)
    case .revoke(let id, _): fields.add(.link, id)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<CategoryID> {
  fileprivate static var linkCategory: Self {
    Self("category", S(), "the category that the link shows")
  }
}

extension Parameter where S == IDShape<LinkID> {
  fileprivate static var newLink: Self { Self("id", S(), "the id of the new link") }
  fileprivate static var link: Self { Self("id", S(), "the link") }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var linkDays: Self {
    .days(1...Limits.linkDaysMax, "for how many days it is good")
  }
}
