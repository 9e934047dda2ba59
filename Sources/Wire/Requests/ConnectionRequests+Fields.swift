import Domain

// The parameters of the requests about the connection itself, both ways, in the order of the specification (protocol
// §8), in which they are checked.

extension Hello {
  init(_ params: Params) throws(Refusal) {
    params.listAlternatives(["link"], ["token"])
    let link = try params.optional(.linkCode)
    self.init(
      token: try link == nil ? params.read(.token) : "", client: try params.read(.client),
      cursors: try params.optional(.cursors) ?? [], streams: try params.read(.selection, or: .all),
      features: try params.optional(.features) ?? [], link: link)
  }

  func add(to fields: inout SortedFields) {
    fields.add(.linkCode, link)
    fields.add(.token, link == nil ? token : nil)
    fields.add(.client, client)
    fields.add(.cursors, cursors)
    fields.add(.selection, streams)
    fields.add(.features, features.isEmpty ? nil : features)
  }

  static let tokenBytesMax = 128
  static let featuresMax = 32
}

// MARK: - Parameters

extension Parameter where S == SecretShape {
  fileprivate static var token: Self {
    Self("token", S(bytes: 1...Hello.tokenBytesMax), "the token of the session (`account.login`)")
  }

  fileprivate static var linkCode: Self {
    Self(
      "link", S(bytes: 1...Limits.codeBytesMax),
      "the code of a link (`link.make`), instead of `token`")
  }
}

extension Parameter where S == ClientShape {
  static var client: Self { Self("client", S(), "the program, as the person's sessions show it") }
}

extension Parameter where S == CursorTableShape {
  fileprivate static var cursors: Self { Self("cursors", S(), "how far the client's copies go") }
}

extension Parameter where S == SelectionShape {
  fileprivate static var selection: Self { Self("streams", S(), "the streams that are wanted") }
}

extension Parameter where S == FeaturesShape {
  fileprivate static var features: Self {
    Self("features", S(), "the names of additions that the client knows: `objects` (§5.4)")
  }
}

extension Parameter where S == CursorListShape {
  static var opened: Self {
    Self("streams", S(), "the streams, each with the cursor of the client's copy if there is one")
  }
}

extension Parameter where S == StreamsShape {
  static var closed: Self { Self("streams", S(), "the streams of which nothing more is wanted") }
}
