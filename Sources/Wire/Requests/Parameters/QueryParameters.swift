import Domain

// Parameters that several questions have.

extension Parameter where S == IDShape<CategoryID> {
  static var askedCategory: Self { Self("category", S(), "the category that is asked about") }
}

extension Parameter where S == LineShape {
  static var dayZone: Self {
    .zone("the zone of the days; without it that of the sender's profile")
  }
}

extension Parameter where S == DayShape {
  static var firstDay: Self { Self("from", S(), "the first day") }
  static func lastDay(_ meaning: String) -> Self { Self("to", S(), meaning) }
}

extension Parameter where S == CategoriesShape {
  static var categories: Self {
    Self("streams", S(), "the categories that are looked through; without it all of the sender's")
  }
}

/// Categories as streams, at least one.
struct CategoriesShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [CategoryID] {
    let categories = try params.list(name, atMost: Limits.searchStreamsMax) {
      element throws(Refusal) in
      CategoryID(try params.stream(name, value: element, "c").uuid)
    }
    guard !categories.isEmpty else { throw params.invalid(name, "is empty") }
    return categories
  }

  func write(_ value: [CategoryID], to writer: inout JSONWriter) {
    writer.array(value) { $1.stream(.category($0)) }
  }

  var schema: String {
    Schema.list(of: Schema.common("categoryStream"), 1...Limits.searchStreamsMax)
  }

  var example: String { #"["c:\#(Schema.exampleID)"]"# }
}

extension Params {
  /// Reads the first and the last day, at most `max` days.
  func days(to last: Parameter<DayShape>, max: Int) throws(Refusal) -> (Day, Day) {
    let from = try read(.firstDay)
    let to = try read(last)
    guard from <= to else { throw invalid("to", "must not be before from") }
    guard to.number - from.number < max else {
      throw invalid("to", "must be one of \(max) days from from on")
    }
    return (from, to)
  }
}
