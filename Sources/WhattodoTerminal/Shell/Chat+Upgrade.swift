import Client
import Screen
import Wire

// A guest becomes a person.
extension Chat {
  /// Asks for what is not given yet: the code, where registration needs one, and a password.
  func upgrade(to name: String, code: String?) {
    guard isLive else { return complain("there is no connection; nothing was changed") }
    clearRow()
    do throws(ClientError) {
      var code = code
      if code == nil, try registrationNeedsCode() {
        guard let typed = Prompt.askSecret("registration code: ") else {
          return complain("nothing was changed")
        }
        code = typed
      }
      guard let password = askNewPassword("choose a password") else {
        return complain("nothing was changed")
      }
      let request = UpgradeRequest(
        username: name, name: name, password: password, code: code, key: Identifiers.key())
      reports[client.submit(.upgrade(request))] = .upgraded
    } catch {
      complain("\(error)")
    }
  }

  private func registrationNeedsCode() throws(ClientError) -> Bool {
    try !client.about().wait(milliseconds: Chat.aboutMilliseconds).registrationIsOpen
  }

  /// The time to wait for the server's answer; the chat stands still meanwhile.
  private static let aboutMilliseconds = 5_000
}
