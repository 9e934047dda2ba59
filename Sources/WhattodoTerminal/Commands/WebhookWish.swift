import Domain

/// The webhook that a person wants for a bot: `https://chat.example.org/hook #builds slack team chat`.
struct WebhookWish: Equatable {
  /// The address as it was typed. Whether it is one is said when the wish is planned, with the reason.
  let address: String
  /// The lists that it is about; empty for all places that the bot is in.
  let lists: [Reference]
  let form: Webhook.Form
  /// The name by which the owner knows it. Nil for that of the host.
  let name: String?

  /// Reads the words behind the bot. Nil when they are no such wish.
  init?(_ words: inout Words) {
    guard let address = words.next() else { return nil }
    var lists: [Reference] = []
    while let list = words.reference() { lists.append(list) }
    let form = Webhook.Form.allCases.first { words.skip($0.rawValue) }
    guard lists.count <= Limits.tokenListsMax else { return nil }
    self.address = address
    self.lists = lists
    self.form = form ?? .events
    name = words.rest()
  }
}
