import Domain
import Sync
import Wire

// Credentials, sessions and webhooks: rows beside the log.
extension Connection {
  func write(_ change: AccountChange, _ writes: WriteStatements) throws(DatabaseError) {
    switch change {
    case .added(let account):
      try add(account, writes.addAccount)
    case .given(let bot, let owner):
      try writes.giveBot.bind(1, bot.uuid)
      try writes.giveBot.bind(2, owner.uuid)
      try runOnOne(writes.giveBot, "the account \(bot)")
    case .passwordChanged(let user, let password):
      try writes.changePassword.bind(1, user.uuid)
      try writes.changePassword.bind(2, password.phc)
      try runOnOne(writes.changePassword, "the account \(user)")
    case .upgraded(let user, let username, let password, let generation):
      try writes.upgrade.bind(1, user.uuid)
      try writes.upgrade.bind(2, password.phc)
      try writes.upgrade.bind(3, Int64(generation))
      try writes.upgrade.bind(4, username)
      try runOnOne(writes.upgrade, "the account \(user)")
    case .recovered(let user, let password, let generation):
      try writes.recover.bind(1, user.uuid)
      try writes.recover.bind(2, password.phc)
      try writes.recover.bind(3, Int64(generation))
      try runOnOne(writes.recover, "the account \(user)")
    case .ends(let user, let end): try writes.ends.write(end, of: user)
    case .ended(let user, let mark): try writes.ends.end(user, mark)
    case .forgotten(let user, let stream):
      try writes.ends.write(user, forgottenThrough: stream)
    case .gone(let user): try writes.ends.write(nil, of: user)
    case .nameLeft(let user, let place, places: _):
      try writes.untoldNames.write(user, after: place)
    case .nameTold(let user): try writes.untoldNames.delete(user)
    case .sessionOpened(let session):
      try open(session, writes.openSession)
    case .sessionUsed(let session, let time):
      try writes.useSession.bind(1, session.uuid)
      try writes.useSession.bind(2, time.milliseconds)
      try runOnOne(writes.useSession, "the session \(session)")
    case .sessionsClosed(let sessions, of: _):
      for session in sessions {
        try writes.closeSession.bind(1, session.uuid)
        try writes.closeSession.run()
      }
    case .webhookAdded(let webhook): try writes.webhooks.add(webhook)
    case .webhookMoved(let key, let progress), .webhookSet(let key, let progress):
      try writes.webhooks.move(key, to: progress)
    case .webhooksRemoved(let ids, let bot): try writes.webhooks.remove(ids, of: bot)
    case .codeSpent(let code, let user):
      try writes.spendCode.bind(1, code)
      try writes.spendCode.bind(2, user.uuid)
      try writes.spendCode.run()
    }
  }

  private func add(_ account: Account, _ add: Statement) throws(DatabaseError) {
    try add.bind(1, account.id.uuid)
    try add.bind(2, account.username)
    try add.bind(3, account.password.phc)
    try add.bind(4, Int64(account.recoveryGeneration))
    try add.bind(5, account.owner?.uuid)
    try add.run()
  }

  private func open(_ session: SessionRecord, _ add: Statement) throws(DatabaseError) {
    try add.bind(1, session.id.uuid)
    try add.bind(2, session.user.uuid)
    try add.bind(3, copying: session.tokenHash)
    try add.bind(4, copyingOrNull: session.deviceHash)
    try add.bind(5, session.client)
    try add.bind(6, session.openedAt.milliseconds)
    try add.bind(7, session.usedAt.milliseconds)
    try add.bind(8, orNull: session.token.map(TokenCodec.encode))
    try add.run()
  }

  private func runOnOne(_ statement: Statement, _ what: String) throws(DatabaseError) {
    try statement.run()
    guard database.changedRows == 1 else { throw .contradiction("\(what) does not exist") }
  }
}
