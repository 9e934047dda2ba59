import Domain

/// The webhook that a person wants for a bot: `https://chat.example.org/hook #builds slack team chat`.
struct WebhookWish: Equatable {
  let address: WebhookAddress
  /// The lists that it is about; empty for all places that the bot is in.
  let lists: [Reference]
  let form: Webhook.Form
  /// The name by which the owner knows it.
  let name: String

  /// Reads the words behind the bot. Nil when they are no such wish.
  init?(_ words: inout Words) {
    guard let address = words.next().flatMap(WebhookAddress.init(ofText:)) else { return nil }
    var lists: [Reference] = []
    while let list = words.reference() { lists.append(list) }
    var form = Webhook.Form.events
    for other in Webhook.Form.allCases where words.skip(other.rawValue) {
      form = other
      break
    }
    guard lists.count <= Limits.tokenListsMax else { return nil }
    self.address = address
    self.lists = lists
    self.form = form
    // The address may be longer than a name.
    name = words.rest() ?? String(address.host.prefix(Limits.nameScalarsMax))
  }
}
