// The step by which bots have webhooks (Domain/Decide/Webhooks.swift).
//
// webhook.body      the webhook as JSON, without what changes (Wire/Codec/WebhookCodec.swift).
// webhook.progress  how far it has come, as JSON. It is written after each delivery, so it is short.

import Domain
import Wire

extension Schema {
  static let webhooks =
    """
    CREATE TABLE webhook(
      bot BLOB NOT NULL,
      id BLOB NOT NULL,
      added_at INTEGER NOT NULL,
      body TEXT NOT NULL,
      progress TEXT NOT NULL,
      PRIMARY KEY(bot, id)
    ) STRICT, WITHOUT ROWID;
    """
}

/// The statements that read webhooks.
struct WebhookReads {
  let ofBot, all: Statement

  init(_ database: Database) throws(DatabaseError) {
    let columns = "SELECT id, bot, body, progress FROM webhook"
    ofBot = try database.prepare("\(columns) WHERE bot = ?1 ORDER BY added_at, id")
    all = try database.prepare("\(columns) ORDER BY bot, added_at, id")
  }
}

/// The statements that write webhooks.
struct WebhookWrites {
  private let add, move, remove: Statement

  init(_ database: Database) throws(DatabaseError) {
    add = try database.prepare(
      "INSERT INTO webhook(bot, id, added_at, body, progress) VALUES(?1, ?2, ?3, ?4, ?5)")
    move = try database.prepare("UPDATE webhook SET progress = ?3 WHERE bot = ?1 AND id = ?2")
    remove = try database.prepare("DELETE FROM webhook WHERE bot = ?1 AND id = ?2")
  }

  func add(_ webhook: Webhook) throws(DatabaseError) {
    try add.bind(1, webhook.bot.uuid)
    try add.bind(2, webhook.id.uuid)
    try add.bind(3, webhook.addedAt.milliseconds)
    try add.bind(4, WebhookCodec.encode(webhook))
    try add.bind(5, WebhookCodec.encode(webhook.progress))
    try add.run()
  }

  func move(_ key: WebhookKey, to progress: WebhookProgress) throws(DatabaseError) {
    try move.bind(1, key.bot.uuid)
    try move.bind(2, key.id.uuid)
    try move.bind(3, WebhookCodec.encode(progress))
    try move.run()
  }

  func remove(_ ids: [WebhookID], of bot: UserID) throws(DatabaseError) {
    for id in ids {
      try remove.bind(1, bot.uuid)
      try remove.bind(2, id.uuid)
      try remove.run()
    }
  }
}

extension Webhook {
  init(row: Statement) throws(DatabaseError) {
    let (id, bot) = (WebhookID(try row.uuid(0)), UserID(try row.uuid(1)))
    do throws(WireError) {
      self = try WebhookCodec.decode(id, of: bot, row.text(2), progress: row.text(3))
    } catch {
      throw row.damaged(2, "is no webhook: \(error)")
    }
  }
}
