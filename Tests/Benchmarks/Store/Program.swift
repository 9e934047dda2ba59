// The store's benchmark: how fast it writes, what it writes, and databases for other benchmarks.
//
//   StoreBenchmark run FOLDER SHAPE BATCH COMMANDS           one line of JSON: the storage layer alone
//   StoreBenchmark record FOLDER SHAPE BATCH COMMANDS FILE   the statements of that run for sqlite_twin
//   StoreBenchmark on FOLDER LISTS BATCH COMMANDS FILE       the statements of creates by the first person in lists
//                                                            0 ..< LISTS of a store that is there; the folder is
//                                                            as before once its files -wal and -shm are removed
//   StoreBenchmark look FOLDER VIEW COUNT [FILE]             one view of a store that is there, so many times, by the first
//                                                            person, as a reader thread answers it; its statements
//   StoreBenchmark populate FOLDER NAME=NUMBER… FILE         people with tokens, and their lists (Population)
//
// SHAPE: what one command is.
//   create     post.add: event, post, category and key
//   complete   post.complete of another post each time: the same rows, all there before
//   served     post.add with the ledger's questions to the store (key and post) before it: all that a create
//              costs SQLite. What is measured besides the store is the ledger, so it is for `record`.
// The rows are those of the real Ledger. FOLDER must be new; its disk is what is measured.

import CStatementRecorder
import Domain
import Glibc
import Store
import Sync

@main
enum StoreBenchmark {
  static func main() throws {
    let words = CommandLine.arguments
    switch (words.dropFirst().first, words.count) {
    case ("run", 6): print(try measured(words).line)
    case ("record", 7):
      guard statements_record(words[6]) == 0 else { fail("\(words[6]) cannot be written") }
      let measure = try measured(words)
      guard statements_end() == 0 else { fail("a statement was not understood, or not written") }
      print(measure.line)
    case ("on", 7): try recordOn(words)
    case ("look", 5), ("look", 6): try look(words)
    case ("populate", 4...):
      let numbers = words[3..<words.count - 1]
      try Population(numbers).write(to: DataFolder(path: words[2]), listing: words[words.count - 1])
    default: fail("usage: see the head of Tests/Benchmarks/Store/Program.swift")
    }
  }

  private static func recordOn(_ words: [String]) throws {
    guard let lists = Int(words[3]), let batch = Int(words[4]), let commands = Int(words[5]),
      lists > 0, batch > 0, commands >= batch
    else { fail("LISTS, BATCH and COMMANDS are numbers") }
    guard statements_record(words[6]) == 0 else { fail("\(words[6]) cannot be written") }
    let folder = DataFolder(path: words[2])
    let options = SQLiteOptions(checkpointPages: .max)
    let store = try SQLiteStore(writing: folder, lock: try folder.lock(), options: options) {
      fail("\(words[2]) holds no store")
    }
    let measure = try Measure(on: store, lists: lists, batch: batch, commands: commands)
    guard statements_end() == 0 else { fail("a statement was not understood, or not written") }
    print(measure.line)
    fflush(nil)
    // Without closing, which would move the log into the file.
    _exit(0)
  }

  private static func look(_ words: [String]) throws {
    guard let kind = Views.Kind(rawValue: words[3]), let count = Int(words[4]), count > 0 else {
      fail("VIEW is today, soon, mine, month, search, badges or digest; COUNT is a number")
    }
    let isRecorded = words.count == 6
    if isRecorded, statements_record(words[5]) != 0 { fail("\(words[5]) cannot be written") }
    let store = try SQLiteStore(reading: DataFolder(path: words[2]))
    let views = try Views(kind, count: count, on: store)
    if isRecorded, statements_end() != 0 { fail("a statement was not understood, or not written") }
    print(views.line)
  }

  private static func measured(_ words: [String]) throws -> Measure {
    guard let shape = Measure.Shape(rawValue: words[3]), let batch = Int(words[4]), batch > 0,
      let commands = Int(words[5]), commands >= batch
    else { fail("SHAPE is create, complete or served; BATCH and COMMANDS are numbers") }
    let folder = DataFolder(path: words[2])
    try folder.prepare()
    return try Measure(shape, batch: batch, commands: commands, in: folder)
  }
}

func fail(_ sentence: String) -> Never {
  let line = Array("StoreBenchmark: \(sentence)\n".utf8)
  _ = write(2, line, line.count)
  exit(2)
}
