import Domain

// The parameters of the changes of saved filters, both ways.

extension FilterMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .save: .filter(.save(try Filter(params)))
    case .remove: .filter(.remove(try params.read(.filter)))
    }
  }
}

extension FilterCommand {
  func add(to fields: inout SortedFields) {
    switch self {
    case .save(let filter): filter.add(to: &fields)
    case .remove(let id): fields.add(.filter, id)
    }
  }
}

extension Filter {
  fileprivate init(_ params: Params) throws(Refusal) {
    let id = try params.read(.savedFilter)
    let name = try params.read(.filterName)
    let criteria = try params.read(.where, or: PostWhere())
    let days = try params.optional(.dueDays)
    if days != nil, criteria.due != nil {
      throw params.invalid("days", "and where.due cannot both be there")
    }
    let categories = try params.optional(.categories)
    self.init(
      id: id, name: name, criteria, days: days, in: categories,
      sort: try params.sort(of: criteria, in: categories))
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.savedFilter, id)
    fields.add(.filterName, name)
    fields.add(.where, criteria == PostWhere() ? nil : criteria)
    fields.add(.dueDays, days)
    fields.add(.categories, categories)
    fields.add(.sort, sort == .created ? nil : sort)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<FilterID> {
  fileprivate static var filter: Self { Self("id", S(), "the filter") }

  fileprivate static var savedFilter: Self {
    Self("id", S(), "the id of a new filter, or of the one that is replaced")
  }
}

extension Parameter where S == LineShape {
  fileprivate static var filterName: Self {
    Self("name", S(scalars: 1...Limits.filterScalarsMax), "its name")
  }
}

extension Parameter where S == DayWindowShape {
  fileprivate static var dueDays: Self {
    Self(
      "days", S(),
      "due from so many days after the day on which somebody looks, until so many; both count")
  }
}

struct DayWindowShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> DayWindow {
    let it = try params.object(name)
    try it.refuseOthers(than: ["from", "until"])
    guard it.has("from") || it.has("until") else {
      throw it.invalid("from", "or until must be there")
    }
    let range = -Int64(Limits.filterDaysMax)...Int64(Limits.filterDaysMax)
    let from = try it.has("from") ? Int(it.int("from", range)) : nil
    let until = try it.has("until") ? Int(it.int("until", range)) : nil
    if let from, let until, until < from {
      throw it.invalid("until", "must not be before from")
    }
    return DayWindow(from: from, until: until)
  }

  func write(_ value: DayWindow, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("from", ifPresent: value.from)
    writer.member("until", ifPresent: value.until)
    writer.endObject()
  }

  var schema: String { Schema.common("dayWindow") }
  var example: String { #"{"from":0,"until":7}"# }
}
