import Domain

// Reads the fields of each request, in the order of the specification (protocol §8), in which they are checked. A field
// that is added here also goes into `Request+Encode.swift`.

extension Hello {
  init(_ params: Params) throws(Refusal) {
    let isByLink = params.has("link")
    self.init(
      token: try isByLink ? "" : params.secret("token", bytes: 1...Hello.tokenBytesMax),
      client: try ClientName(params.object("client")),
      cursors: try params.has("cursors") ? Cursor.table(params) : [],
      streams: try StreamSelection(params),
      features: try params.has("features") ? Hello.features(params) : [],
      link: try isByLink ? params.secret("link", bytes: 1...Limits.codeBytesMax) : nil)
  }

  static let tokenBytesMax = 128
  static let featuresMax = 32

  private static func features(_ params: Params) throws(Refusal) -> [String] {
    var features: [String] = []
    for element in try params.elements("features") {
      guard let name = element.string else { throw params.invalid("features", "must be texts") }
      guard features.count < featuresMax else {
        throw params.tooLarge("features", max: featuresMax)
      }
      features.append(name)
    }
    return features
  }
}

extension ClientName {
  init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.line("name", 1...Limits.clientScalarsMax),
      version: try params.line("version", 1...Limits.clientScalarsMax))
  }
}

extension StreamSelection {
  /// Reads the member `streams`. All streams when it is not there.
  init(_ params: Params) throws(Refusal) {
    guard params.has("streams") else {
      self = .all
      return
    }
    let value = try params.value("streams")
    if value.kind == .array {
      self = .only(try params.streams("streams"))
    } else if value.string == "all" {
      self = .all
    } else if value.string == "none" {
      self = .none
    } else {
      throw params.invalid("streams", "must be all, none or a list")
    }
  }
}

extension Params {
  func streams(_ name: String) throws(Refusal) -> [StreamID] {
    var streams: [StreamID] = []
    for element in try elements(name) {
      guard streams.count < Limits.subscriptionsMax else {
        throw tooLarge(name, max: Limits.subscriptionsMax)
      }
      streams.append(try stream(name, value: element))
    }
    return streams
  }

  /// Reads the member `limit`. The greatest number when it is not there.
  func limit(_ max: Int) throws(Refusal) -> Int {
    guard has("limit") else { return max }
    return Int(try int("limit", 1...Int64(max)))
  }
}

extension Cursor {
  /// Reads `cursors` of `hello`: an object from stream to place.
  static func table(_ params: Params) throws(Refusal) -> [Cursor] {
    var cursors: [Cursor] = []
    for member in try params.members("cursors") {
      guard cursors.count < Limits.subscriptionsMax else {
        throw params.tooLarge("cursors", max: Limits.subscriptionsMax)
      }
      guard let stream = StreamID(member.name), member.value.kind == .object else {
        throw params.invalid("cursors", "must map streams to objects")
      }
      let position = try CursorPosition(Params(member.value, prefix: "cursors."))
      cursors.append(Cursor(stream: stream, position: position))
    }
    return cursors.sorted { $0.stream < $1.stream }
  }

  /// Reads `streams` of `sync.open`: a list of streams, each with a place or without.
  static func list(_ params: Params) throws(Refusal) -> [Cursor] {
    var cursors: [Cursor] = []
    for element in try params.elements("streams") {
      guard cursors.count < Limits.subscriptionsMax else {
        throw params.tooLarge("streams", max: Limits.subscriptionsMax)
      }
      guard element.kind == .object else { throw params.invalid("streams", "must be objects") }
      let place = Params(element, prefix: "streams.")
      let stream = try place.stream("stream")
      let hasPosition = place.has("epoch") || place.has("seq") || place.has("tx")
      cursors.append(
        Cursor(stream: stream, position: hasPosition ? try CursorPosition(place) : nil))
    }
    return cursors
  }
}

extension CursorPosition {
  static let epochBytesMax = 64

  init(_ params: Params) throws(Refusal) {
    let epoch = try params.secret("epoch", bytes: 1...CursorPosition.epochBytesMax)
    let seq = try params.int("seq", 0...JSONNumber.integerMax)
    let transaction = seq == 0 ? nil : TransactionID(try params.uuid("tx"))
    self.init(epoch: Epoch(epoch), seq: seq, transaction: transaction)
  }
}

extension RegisterRequest {
  static let codeBytesMax = 64

  init(_ params: Params) throws(Refusal) {
    let id = UserID(try params.uuid("id"))
    let username = try params.username()
    self.init(
      id: id, username: username,
      name: try params.has("name") ? params.line("name", 1...Limits.nameScalarsMax) : username,
      zone: try params.has("zone") ? params.zone() : "UTC",
      password: try params.secret("password", bytes: Limits.passwordBytes),
      code: try params.has("code") ? params.code() : nil,
      kind: try params.has("kind")
        ? params.word("kind", of: UserKind.allCases.map(\.rawValue), UserKind.init(rawValue:))
        : .person)
  }
}

extension LoginRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      username: try params.username(),
      password: try params.secret("password", bytes: 0...Limits.passwordBytes.upperBound),
      client: try params.clientName(),
      device: try params.has("device") ? params.device() : nil)
  }
}

extension PairRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      code: try params.code(),
      client: try params.clientName(),
      device: try params.has("device") ? params.device() : nil)
  }
}

extension GuestRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      id: UserID(try params.uuid("id")),
      name: try params.has("name")
        ? params.line("name", 1...Limits.nameScalarsMax) : GuestRequest.name,
      zone: try params.has("zone") ? params.zone() : "UTC",
      device: try params.device(),
      client: try params.clientName())
  }
}

extension UpgradeRequest {
  init(_ params: Params) throws(Refusal) {
    let username = try params.username()
    self.init(
      username: username,
      name: try params.has("name") ? params.line("name", 1...Limits.nameScalarsMax) : username,
      password: try params.secret("password", bytes: Limits.passwordBytes),
      code: try params.has("code") ? params.code() : nil,
      key: try params.key())
  }
}

extension RecoverRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      username: try params.username(),
      code: try params.code(),
      password: try params.secret("password", bytes: Limits.passwordBytes),
      key: try params.key())
  }
}

extension DeleteAccountRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      password: try params.has("password")
        ? params.secret("password", bytes: 0...Limits.passwordBytes.upperBound) : nil,
      key: try params.key())
  }
}

extension ChangePasswordRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      old: try params.secret("old", bytes: 0...Limits.passwordBytes.upperBound),
      new: try params.secret("new", bytes: Limits.passwordBytes), key: try params.key())
  }
}

extension PostsQuery {
  init(_ params: Params) throws(Refusal) {
    self.init(
      category: CategoryID(try params.uuid("category")),
      show: try params.word(
        "show", of: PostFilter.allCases.map(\.rawValue), PostFilter.init(rawValue:)),
      before: try params.has("before")
        ? Int(params.int("before", 1...JSONNumber.integerMax)) : nil,
      limit: try params.limit(Limits.listPageMax))
  }
}

extension Query {
  static let notificationsMax = Limits.notificationsPageMax

  /// Reads `category.list`: two questions, told apart by `show`.
  static func categories(_ params: Params) throws(Refusal) -> Query {
    let isMine = try params.word("show", of: ["removed", "mine"]) { word -> Bool? in
      switch word {
      case "removed": false
      case "mine": true
      default: nil
      }
    }
    return isMine ? .badges(try BadgesQuery(params)) : .removedCategories
  }
}

// Reads parameters that several ways of signing in share.
extension Params {
  fileprivate func clientName() throws(Refusal) -> ClientName? {
    try has("client") ? ClientName(object("client")) : nil
  }

  fileprivate func device() throws(Refusal) -> String {
    try secret("device", bytes: 16...Hello.tokenBytesMax)
  }

  fileprivate func code() throws(Refusal) -> String {
    try secret("code", bytes: 1...RegisterRequest.codeBytesMax)
  }
}
