// Completion in shells: `whattodo completion SHELL` prints a script, which asks `whattodo complete -- WORD…` for the
// words that may stand at the end of a line. The words go to the shell as an array, one a line, and no shell evaluates
// them.

/// A shell whose completion is known.
enum ShellName: String, CaseIterable {
  case bash
  case fish
  case zsh

  /// The script. One line in the shell's start-up file runs it, which the script's first line shows.
  var script: String {
    switch self {
    case .bash:
      #"""
      # In ~/.bashrc: source <(whattodo completion bash)
      _whattodo() {
        COMPREPLY=()
        local word
        while IFS= read -r word; do
          COMPREPLY+=("$word")
        done < <(whattodo complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -o default -F _whattodo whattodo
      """#
    case .fish:
      #"""
      # In ~/.config/fish/completions/whattodo.fish: whattodo completion fish | source
      function _whattodo
        set -l words (commandline -opc)[2..] (commandline -ct)
        set -l found (whattodo complete -- $words 2>/dev/null)
        if set -q found[1]
          printf '%s\n' $found
        else
          __fish_complete_path (commandline -ct)
        end
      end
      complete -c whattodo -f -a '(_whattodo)'
      """#
    case .zsh:
      #"""
      # In ~/.zshrc, after compinit: source <(whattodo completion zsh)
      _whattodo() {
        local -a found
        found=(${(f)"$(whattodo complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
        if (( $#found )); then compadd -a found; else _files; fi
      }
      compdef _whattodo whattodo
      """#
    }
  }
}

enum ShellCompletion {
  /// Returns the words that may stand in place of the last one, in order. `words` are those behind the program's name.
  /// The last may begin with a quote, which the shell keeps.
  static func candidates(_ words: [String]) -> [String] {
    let last = words.last ?? ""
    let begun = last.hasPrefix("'") || last.hasPrefix("\"") ? String(last.dropFirst()) : last
    guard let said = said(words.dropLast()) else { return [] }
    return all(behind: said, begun).filter { $0.hasPrefix(begun) }.sorted()
  }

  /// Returns the words without options and their values; nil when the next word is the value of one.
  private static func said(_ words: ArraySlice<String>) -> [String]? {
    var (said, rest) = ([String](), words)
    while let word = rest.popFirst() {
      if Options.withValue.contains(word) {
        guard rest.popFirst() != nil else { return nil }
      } else if !word.hasPrefix("-") {
        said.append(word)
      }
    }
    return said
  }

  private static func all(behind words: [String], _ begun: String) -> [String] {
    if begun.hasPrefix("-") { return Options.names }
    switch words.first {
    case nil: return Options.tasks
    case "do"?:
      let scripts = CommandTable.entries.filter { !CommandTable.onlyInChat.contains($0.name) }
      return words.count == 1 ? scripts.map(\.name) : []
    case "completion"?: return words.count == 1 ? ShellName.allCases.map(\.rawValue) : []
    default: return []
    }
  }
}
