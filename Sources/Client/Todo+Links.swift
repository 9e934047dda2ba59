import Domain
import Sync
import Wire

// Links. A link shows a list to everybody who has its code; they need no account and change nothing. Links are for
// admins and owners of the list.
extension Todo {
  /// Makes a link and waits for it. The request is not kept: without a connection it is refused as `unconnected` or
  /// `timed_out`, and the link may have been made then (`links`). Refused as `forbidden`, `quota`.
  public func makeLink(
    to list: TodoList, days: Int = Todo.linkDays
  ) throws(TodoError) -> TodoLink {
    let id = LinkID(Identifiers.make())
    let asked = client.send(.link(.make(id, list.category, NewLink(days: days))))
    do throws(ClientError) {
      let result = try asked.wait(milliseconds: Todo.patienceMilliseconds)
      return link(id, result.code ?? "", shows: result.shows ?? "")
    } catch {
      throw TodoError(error)
    }
  }

  /// Returns the links that show the list, oldest first.
  public func links(to list: TodoList) throws(TodoError) -> [TodoLink] {
    do throws(ClientError) {
      let lines = try client.links(of: list.category).wait(milliseconds: Todo.patienceMilliseconds)
      return lines.sorted { ($0.link.made.at, $0.link.id) < ($1.link.made.at, $1.link.id) }
        .map { link($0.link.id, $0.code, shows: GuestLink.shows) }
    } catch {
      throw TodoError(error)
    }
  }

  private func link(_ id: LinkID, _ code: String, shows: String) -> TodoLink {
    TodoLink(id: id, code: code, shows: shows, calendar: client.server.calendar(link: code))
  }

  /// Ends a link. From then on it shows nothing, also to those who are looking.
  @discardableResult
  public func end(_ link: TodoLink, to list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(.link(.revoke(link.link, list.category)))
  }

  /// The days for which a link shows something, unless another number is given.
  public static let linkDays = Limits.linkDays
}

/// A link by which somebody looks at a list: `whattodo --link CODE`.
public struct TodoLink: Hashable, Sendable, Identifiable {
  let link: LinkID
  /// The code. It is a secret.
  public let code: String
  /// A sentence for the person who gives the link away: what everybody who has it sees.
  public let shows: String
  /// The address to which a calendar program subscribes, a secret too: `https://host/calendar/CODE.ics`.
  public let calendar: String

  /// A UUID in lower case.
  public var id: String { link.description }

  init(id: LinkID, code: String, shows: String, calendar: String) {
    self.calendar = calendar
    link = id
    self.code = code
    self.shows = shows
  }
}
