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
    try first.queue(.post(.add(list, post, title: Self.secret, notes: "")))
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

  private static let name = "zebra.quagga"

  /// Returns a list of an author, with a person who looks from a folder of their own, and a person whose account will
  /// end.
  private func household() throws -> (
    server: TestServer, author: Person, viewer: Person, quagga: Person, stream: String, Folder
  ) {
    let server = try TestServer { $0.graceDays = 0 }
    let author = try server.join("author")
    let (viewer, quagga) = (try server.join("viewer"), try server.join(Self.name))
    let (_, stream) = try author.addList()
    for person in [viewer, quagga] { try author.invite(person, to: stream) }
    let folder = Folder()
    try Todo.login(
      server: server.url, username: "viewer", password: "correct horse", state: folder.path,
      program: "test")
    let client = try folder.client()
    #expect(client.waitUntilLevel(milliseconds: 10_000))
    client.close()
    #expect(try kinds(folder, Self.name) == ["copies"])
    return (server, author, viewer, quagga, stream, folder)
  }

  @Test("The name of somebody who is gone leaves the copies as soon as that is told")
  func formerMember() throws {
    let it = try household()
    let client = try it.5.client()
    defer { client.close() }
    #expect(client.waitUntilLevel(milliseconds: 10_000))
    #expect(try kinds(it.5, Self.name) == ["copies"])
    try it.quagga.client.change("account.delete", ["password": "correct horse"])
    try wait(client) { try kinds(it.5, Self.name) == [] }
  }

  @Test("it does so when the copy comes whole, without the event that says it")
  func formerMemberOfSnapshot() throws {
    let it = try household()
    try it.author.client.change("member.remove", ["stream": it.stream, "user": it.viewer.id])
    try it.quagga.client.change("account.delete", ["password": "correct horse"])
    _ = try it.author.client.push("sync.events") { "\($0)".contains("person.forgotten") }
    try it.author.invite(it.viewer, to: it.stream)
    #expect(try kinds(it.5, Self.name) == ["copies"])
    let client = try it.5.client()
    defer { client.close() }
    var whole: [StreamID] = []
    let deadline = Date(timeIntervalSinceNow: 20)
    while !client.isLevel, Date() < deadline {
      for case .replaced(let stream) in client.waitForNews(milliseconds: 100) {
        whole.append(stream)
      }
    }
    #expect(whole.map { "\($0)" } == [it.stream])
    try wait(client) { try kinds(it.5, Self.name) == [] }
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

  /// Returns the kinds of a client's files that have the secret.
  private func kinds(_ folder: Folder, _ secret: String = secret) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      try Data(contentsOf: URL(filePath: folder.path + "/" + name))
        .range(of: Data(secret.utf8)) != nil
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
