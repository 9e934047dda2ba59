import Domain
import Sync

/// Codes without a secret, because nobody here tries to guess them.
enum SimCodes {
  static let book = CodeBook(
    text: { "\($1.uuid) \($0)" }, place: { UUID($0.prefix(36)) },
    isCode: { $0 == "\($2.uuid) \($1)" }, linkText: { "\($1) \($0)" },
    isLink: { $0 == "\($2) \($1)" },
    mark: { "name \(Digest.of(Array($0.utf8)))" }, token: { "token \($0) of \($1)" },
    tokenHash: { Digest.of(Array($0.utf8)) })

  /// Returns the recovery code, which sets another password when the old one is forgotten.
  static func recovery(_ user: UserID, _ generation: Int) -> String {
    "recovery \(generation) of \(user.uuid)"
  }
}

extension Workload {
  /// Makes a code that lets a few people in.
  func makeCode(_ shared: [StreamID], _ world: Simulation) -> Command? {
    world.random.pick(shared).map {
      let role = world.random.pick(Workload.roles) ?? .editor
      let new = NewCode(role: role, uses: 1 + world.random.below(3), days: 1)
      return .invitation(.makeCode(InvitationID(world.random.uuid()), $0, new))
    }
  }

  /// Redeems one of the newest codes: one that was made, or that somebody asked for and did not get.
  func redeem(_ world: Simulation) -> Command? {
    world.random.pick(Array(codes.suffix(8))).map {
      .invitation(.redeem(CodeInHand(text: SimCodes.book.text($0.0, $0.1))))
    }
  }
}
