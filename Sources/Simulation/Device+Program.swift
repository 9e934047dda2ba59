// A device on which a program runs. The program acts as a bot by a token that the bot's owner has made. It has no
// person and no password: it begins with one of the tokens that there are. When that ends it waits for another. The
// checkers of members' devices check it too.

import Domain
import Sync
import Wire

extension Device {
  /// Begins with a token that is good or, while people act, sometimes with one that is not any more.
  func beginAsProgram() {
    guard isProgram, token == nil else { return }
    let all = world.truth.tokens
    let good = all.filter { isGood($0) }
    let picked = world.isCalm || world.random.happens(850) ? good : all
    guard let it = world.random.pick(picked), let token = it.token else { return }
    begin(by: SimCodes.book.token(token.id, it.user), it)
  }

  private func isGood(_ session: SessionRecord) -> Bool {
    world.truth.accounts[session.user]?.sessions.contains(session.id) == true
      && session.token?.isOver(at: world.moment.wall) == false
  }

  /// Counts that the token is good for nothing any more.
  func lostToken() { world.count(.p9TokenEnded) }

  /// The streams of which it has to have everything: those that its token shows.
  var streamsToHave: [StreamID] {
    world.truth.streams(of: person.id).filter { record?.token?.isFor($0) ?? true }
  }
}

extension Truth {
  /// The tokens that were ever made, by bot.
  var tokens: [SessionRecord] {
    accounts.keys.sorted().flatMap { accounts[$0]?.tokens ?? [] }
  }

  /// Returns the bots that a person owns.
  func bots(of owner: UserID) -> [UserID] {
    accounts.keys.sorted().filter { accounts[$0]?.owner == owner }
  }
}
