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

/// Categories as streams, ascending and each once.
struct CategoriesShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [CategoryID] {
    var categories: [CategoryID] = []
    for element in try params.elements(name) {
      guard categories.count < Limits.searchStreamsMax else {
        throw params.tooLarge(name, max: Limits.searchStreamsMax)
      }
      guard case .category(let category) = try params.stream(name, value: element, "c") else {
        continue
      }
      categories.append(category)
    }
    guard !categories.isEmpty else { throw params.invalid(name, "is empty") }
    return categories
  }

  func write(_ value: [CategoryID], to writer: inout JSONWriter) {
    writer.beginArray()
    for category in value { writer.stream(.category(category)) }
    writer.endArray()
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
