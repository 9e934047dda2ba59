import Client
import Domain
import Foundation
import Server
import Sync
import Testing

@Suite("client: a guest becomes a person")
struct ClientUpgradeTests {
  @Test(
    "with a code where registration needs one; what the server says of itself tells that it does")
  func code() throws {
    let server = try TestServer {
      $0.guestsMax = 1
      $0.registration = .byCode
    }
    let address = try ServerAddress(server.url)
    let door = try Client(server: address, token: nil, streams: .none)
    defer { door.close() }
    let about = try door.about().wait()
    #expect(about.takesGuests)
    #expect(!about.registrationIsOpen)
    let token = try door.beginAsGuest(device: "0123456789abcdef").wait().token
    let guest = try Client(server: address, token: token)
    defer { guest.close() }
    #expect(try guest.about().wait() == about)
    for wrong in [nil, "0000-0000-0000-0000"] {
      #expect {
        try guest.upgrade(username: "lima", password: "correct horse", code: wrong).wait()
      } throws: { error in
        guard case .refused(let refusal)? = error as? ClientError else { return false }
        return refusal.field == "code"
      }
    }
    let code = try OperatorCommands.invite(dataFolder: server.folder, days: 1)
    let answer = try guest.upgrade(username: "lima", password: "correct horse", code: code).wait()
    #expect(answer.username == "lima")
    #expect(!(try door.login(username: "lima", password: "correct horse").wait().token.isEmpty))
  }
}
