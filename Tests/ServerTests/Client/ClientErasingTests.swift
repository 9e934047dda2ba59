import Domain
import Foundation
import Sync
import Testing

@testable import Client

@Suite("protocol §5.6: erasing, a client's files")
struct ClientErasingTests {
  private static let secret = "my pin 4711"

  @Test("the text leaves copies and queue as soon as its event comes, while the client runs on")
  func files() throws {
    let server = try TestServer()
    let folder = Folder()
    try folder.signIn("author", at: server)
    let (list, post) = (CategoryID(Identifiers.make()), PostID(Identifiers.make()))
    let first = try folder.client()
    #expect(first.waitUntilLevel(milliseconds: 10_000))
    try first.addCategory(list, name: "groceries").wait()
    try first.queue(.addPost(list, post, title: Self.secret, notes: ""))
    try settle(first)
    first.close()
    let client = try folder.client()
    defer { client.close() }
    #expect(client.waitUntilLevel(milliseconds: 10_000))
    try client.queue(.editPost(list, post, PostEdit(notes: Self.secret), ifVersion: nil))
    try settle(client)
    #expect(try kinds(folder) == ["copies", "outbox"])

    try client.erasePost(in: list, post).wait()
    try wait(client) { try kinds(folder) == [] }
    #expect(client.notes(of: post, in: list) == "")
    // The files are whole.
    let next = try folder.afterKill().client()
    defer { next.close() }
    #expect(next.waiting.isEmpty && next.notes(of: post, in: list) == "")
  }

  private func settle(_ client: Client) throws {
    try wait(client) { client.waiting.isEmpty }
  }

  private func wait(_ client: Client, _ condition: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 20)
    while try !condition() {
      _ = client.waitForNews(milliseconds: 100)
      try #require(Date() < deadline, "it takes too long")
    }
  }

  /// Which of a client's files have the secret.
  private func kinds(_ folder: Folder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      try Data(contentsOf: URL(filePath: folder.path + "/" + name))
        .range(of: Data(Self.secret.utf8)) != nil
    }.map { String($0.prefix { $0 != "-" }) }.sorted()
  }
}

extension Client {
  fileprivate func notes(of id: PostID, in list: CategoryID) -> String? {
    guard case .post(let post) = streams[.category(list)]?.object(.post, id.uuid) else {
      return nil
    }
    return post.notes
  }
}
