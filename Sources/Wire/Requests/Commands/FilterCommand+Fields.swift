import Domain

// The fields of the changes of saved filters, both ways.

extension FilterMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .save: .filter(.save(try Filter(params)))
    case .remove: .filter(.remove(FilterID(try params.uuid("id"))))
    }
  }
}

extension FilterCommand {
  func add(to fields: inout SortedFields) {
    switch self {
    case .save(let filter): filter.add(to: &fields)
    case .remove(let id): fields.add("id", id.uuid)
    }
  }
}
