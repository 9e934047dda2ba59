import Domain
import Foundation
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("the file of an export: it has its name when it is whole")
struct ExportFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: Foundation.UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  private var path: String { folder.appending(path: "mine.jsonl").path }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func page(_ lines: String..., isLast: Bool) -> ExportPage {
    let place = ExportPlace(stream: .category(Demo.groceries), part: .events)
    return ExportPage(lines: lines.map { Array($0.utf8) }, after: isLast ? nil : place)
  }

  @Test("page by page under another name, then under its own, for its owner only")
  func whole() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let planner = Planner(situation: Demo.situation())
    let first = try planner.export(to: path)
    #expect(first.report == .export(path, lines: 0) && first.report.leftover != nil)
    let more = try planner.write(page("1", "2", isLast: false), to: path, after: 0)
    #expect(more?.map(\.report) == [.export(path, lines: 2)])
    #expect(try names() == ["mine.jsonl.part"])
    let left = more?.first?.report.leftover
    #expect(left?.hasSuffix("mine.jsonl.part has its first 2 lines") == true)
    #expect(try planner.write(page("3", isLast: true), to: path, after: 2) == nil)
    #expect(try names() == ["mine.jsonl"])
    #expect(try text(path) == "1\n2\n3\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("nothing is written over: the file, what a cut one left, or a file that came meanwhile")
  func taken() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ExportFile(path: path)
    func sentence(_ body: () throws(Problem) -> Void) -> String? {
      do throws(Problem) { try body() } catch { return error.sentence }
      return nil
    }
    try Data("x".utf8).write(to: URL(filePath: path))
    #expect(sentence(file.make)?.hasSuffix("is there already; nothing was written") == true)
    try FileManager.default.removeItem(atPath: path)
    try file.make()
    #expect(sentence(file.make)?.hasSuffix("that did not end; remove it first") == true)
    try file.append([[UInt8(ascii: "1")]])
    try Data("x".utf8).write(to: URL(filePath: path))
    #expect(sentence(file.finish)?.hasSuffix("cannot be written: File exists") == true)
    #expect(try text(path) == "x" && text(file.part) == "1\n")
  }
}
