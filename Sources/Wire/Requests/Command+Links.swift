import Domain

extension Command {
  static func aboutLinks(_ method: Method, _ params: Params) throws(Refusal) -> Command {
    let category = CategoryID(try params.uuid("category"))
    let id = LinkID(try params.uuid("id"))
    guard method == .linkMake else { return .revokeLink(id, category) }
    let days =
      try params.has("days")
      ? params.int("days", 1...Int64(Limits.linkDaysMax)) : Int64(Limits.linkDays)
    return .makeLink(id, category, NewLink(days: Int(days)))
  }
}
