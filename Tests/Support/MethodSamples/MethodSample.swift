package import Domain

/// A command of a method that changes something in the household. Tests of rights, repeats, failing stores and sockets
/// all send it. A method has one sample (`Method.sample`), and `MethodSample.all` has further ones.
package struct MethodSample: Sendable, CustomStringConvertible {
  package let command: Command
  /// The part of the method that a further sample is about. Nil for the sample that a method must have.
  package var part: String?
  /// The lowest role that may send the command in the list or in the group, written down a second time. Nil when no
  /// role is asked for.
  package let least: Role?
  package var by = Household.sender
  /// The doings that have to come before, when the sender has their role already.
  package var before: [Household.Doing] = []
  /// Later doings, so that the same command would be refused by then, or would do something else.
  package var after: [Household.Doing] = []
  /// The stream in whose log the answer lives, written down a second time.
  package let home: StreamID

  package var method: Method { command.method }

  package var sending: Household.Doing { Household.Doing(command, by: by) }

  package var description: String { part.map { "\(method.name): \($0)" } ?? method.name }

  /// Everything that has happened when the command comes. The sender has the lowest role that may send it.
  package var past: [Household.Doing] { past(role: least ?? .editor) }

  package func past(role: Role) -> [Household.Doing] { Household.doings(role: role) + before }
}

extension MethodSample {
  /// The sample of every method that the ledger decides.
  package static let ofMethods = Method.allCases.compactMap(\.sample)

  /// The samples of methods, and further ones.
  package static let all = ofMethods + further

  /// A command in the list, from this role on.
  package static func inList(
    _ least: Role, _ command: Command, part: String? = nil, before: [Household.Doing] = [],
    after: [Household.Doing] = [Household.senderIsRemoved]
  ) -> MethodSample {
    MethodSample(
      command: command, part: part, least: least, before: before, after: after,
      home: .category(Household.list))
  }

  /// A command in the group, from this role on.
  static func inGroup(
    _ least: Role, _ command: Command, before: [Household.Doing] = [], after: [Household.Doing]
  ) -> MethodSample {
    MethodSample(
      command: command, least: least, before: before, after: after,
      home: .group(Household.group))
  }

  /// A command that a member of the list asks for themselves.
  static func personal(
    _ command: Command, before: [Household.Doing] = [], after: [Household.Doing] = []
  ) -> MethodSample {
    MethodSample(
      command: command, least: .viewer, before: before,
      after: after + [Household.senderIsRemoved], home: .user(Household.sender))
  }

  /// A command for which no role is asked for.
  static func ofOneself(
    _ command: Command, part: String? = nil, by user: UserID = Household.sender,
    home: StreamID? = nil, before: [Household.Doing] = [], after: [Household.Doing] = []
  ) -> MethodSample {
    MethodSample(
      command: command, part: part, least: nil, by: user, before: before, after: after,
      home: home ?? .user(user))
  }
}
