import Domain
import MethodSamples
import Wire

// Writes the samples of the methods for tests in another language (../samples.py). A line of JSON is a person, with id
// and username, or a sample: its name, the lowest role that may call it, everything that happened before, and what
// happens then. The ids are those of the household. A code stands as the id of what it opens, and a password as
// `password`.

@main
struct Program {
  static func main() {
    let things = things.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
    print(#"{"things":{\#(things)}}"#)
    for person in Household.people {
      print(#"{"person":"\#(person.id)","username":"\#(person.username)"}"#)
    }
    // Registrations, recoveries and passwords are secrets of each account: samples.py leaves them to its callers.
    for sample in MethodSample.all where sample.method.row.kind == .change { print(line(sample)) }
  }

  /// The things of the household that permissions.py has in lists of its own, by their names here.
  private static let things: [(String, UUID)] = [
    ("list", Household.list.uuid), ("ownList", Household.ownList.uuid),
    ("group", Household.group.uuid), ("open", Household.open.uuid),
    ("done", Household.done.uuid), ("removed", Household.removed.uuid),
    ("own", Household.own.uuid), ("claimed", Household.claimed.uuid),
    ("daily", Household.daily.uuid), ("tag", Household.tag.uuid),
    ("invitation", Household.invitation.uuid), ("link", Household.link.uuid),
    ("sender", Household.sender.uuid), ("member", Household.member.uuid),
  ]

  private static func line(_ sample: MethodSample) -> String {
    let house = Household.doings(role: sample.least ?? .editor).map(line)
    let before = sample.before.map(line)
    let role = sample.least.map { #""\#($0.word)""# } ?? "null"
    return #"{"sample":"\#(sample)","role":\#(role),"house":[\#(house.joined(separator: ","))],"#
      + #""before":[\#(before.joined(separator: ","))],"then":\#(line(sample.sending))}"#
  }

  private static func line(_ doing: Household.Doing) -> String {
    let message = String(decoding: request(of: doing).encoded(id: .number(1)), as: UTF8.self)
    return #"{"by":"\#(doing.by)","message":\#(message)}"#
  }

  private static func request(of doing: Household.Doing) -> Request {
    guard let key = CommandKey("k") else { preconditionFailure("k is a key") }
    switch doing.command {
    case .account(.delete):
      return .deleteAccount(DeleteAccountRequest(password: "password", key: key))
    case .invitation(.redeem(let code)):
      guard case .invitation(let id, _) = code.opens else {
        preconditionFailure("a sample opens an invitation")
      }
      return .command(.invitation(.redeem(CodeInHand(text: id.description))), key: key)
    default: return .command(doing.command, key: key)
    }
  }
}
