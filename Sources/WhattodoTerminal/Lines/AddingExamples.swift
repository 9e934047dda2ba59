/// Words that a typed line is read by, in one language, for `/help adding`. A test reads each of them
/// (`protocol/quick-add.md` has the whole grammar).
struct AddingExamples {
  let days: [String]
  let times: [String]
  let rules: [String]
  /// The beginning and the end of a rule, each with a rule.
  let spans: [String]
  /// The word for "every" with its mark.
  let fromDone: String
  let lengths: [String]
  let priorities: [String]
  /// A whole line.
  let line: String
  /// A short line, for a list that has no post yet.
  let first: String

  /// Returns the examples of a language of `Language.locales`, and those of English for any other.
  static func of(_ locale: String) -> AddingExamples {
    switch locale.lowercased().split(separator: "-").first {
    case "de": german
    case "es": spanish
    case "fr": french
    default: english
    }
  }

  private static let english = AddingExamples(
    days: [
      "today", "tomorrow", "fri", "next fri", "fri next week", "24 dec", "24.12.2026",
      "first monday of january", "in 3 days", "mon in 2 weeks", "next month",
    ],
    times: ["18:00", "6pm", "at 9", "by 6pm", "noon", "tomorrow evening at 8", "fri 18:00"],
    rules: [
      "every day", "daily", "every 2 weeks on mon and fri", "every other tue", "every weekday",
      "mondays", "every 1st and 15th", "every last fri", "every 24 dec", "every! 3 days",
    ],
    spans: ["every day until 24 dec", "every mon 5 times", "every mon starting 7 dec"],
    fromDone: "every!",
    lengths: ["90min", "2h", "1h30", "for 2 hours"],
    priorities: ["!high", "!medium", "!low", "!1"],
    line: "essay draft fri 18:00 every week !high +uni @editor #history 50m",
    first: "milk tomorrow !high")

  private static let german = AddingExamples(
    days: [
      "heute", "morgen", "übermorgen", "am Fr", "nächsten Freitag", "Freitag nächste Woche",
      "24. Dezember", "24.12.2026", "am ersten Montag im Januar", "in 3 Tagen", "Mo in 2 Wochen",
      "nächsten Monat",
    ],
    times: ["18:00", "18 Uhr", "um 9", "bis 18 Uhr", "heute Abend um 8", "Fr 18:00"],
    rules: [
      "jeden Tag", "täglich", "alle 2 Wochen am Mo und Fr", "jeden zweiten Dienstag", "werktags",
      "montags", "am 1. und 15. jedes Monats", "jeden letzten Freitag", "jeden 24. Dezember",
      "alle! 3 Tage",
    ],
    spans: ["jeden Tag bis 24.12.", "jeden Montag 5 mal", "jeden Montag ab 7.12."],
    fromDone: "alle!",
    lengths: ["90min", "2h", "1h30", "für 2 Stunden"],
    priorities: ["!hoch", "!mittel", "!niedrig", "!1"],
    line: "Aufsatz Fr 18:00 jede Woche !hoch +uni @editor #geschichte 50m",
    first: "Milch morgen !hoch")

  private static let french = AddingExamples(
    days: [
      "aujourd'hui", "demain", "après-demain", "vendredi", "vendredi prochain", "24 décembre",
      "24/12/2026", "le premier lundi de janvier", "dans 3 jours", "lundi en huit",
      "le mois prochain",
    ],
    times: ["18:00", "18h30", "à 9h", "avant 18h", "demain soir à 8h", "vendredi 18h"],
    rules: [
      "tous les jours", "chaque jour", "toutes les 2 semaines", "chaque lundi", "les lundis",
      "le dernier vendredi de chaque mois", "chaque! semaine", "tous les 24 décembre",
    ],
    spans: [
      "tous les jours jusqu'au 24 décembre", "chaque lundi 5 fois",
      "chaque lundi à partir du 7 décembre",
    ],
    fromDone: "chaque!",
    lengths: ["90min", "2h", "1h30", "pendant 2 heures"],
    priorities: ["!haute", "!moyenne", "!basse", "!1"],
    line: "brouillon vendredi 18h30 chaque semaine !haute +uni @editor #histoire 50m",
    first: "lait demain !haute")

  private static let spanish = AddingExamples(
    days: [
      "hoy", "mañana", "pasado mañana", "el viernes", "el próximo viernes", "24 de diciembre",
      "24/12/2026", "el primer lunes de enero", "en 3 días", "el próximo mes",
    ],
    times: ["18:00", "a las 9", "mañana por la tarde a las 5", "el viernes a las 18:00"],
    rules: [
      "cada día", "todos los días", "cada 2 semanas", "los lunes", "cada lunes",
      "el último viernes de cada mes", "cada! semana", "cada 24 de diciembre",
    ],
    spans: [
      "cada día hasta el 24 de diciembre", "cada lunes 5 veces",
      "cada lunes a partir del 7 de diciembre",
    ],
    fromDone: "cada!",
    lengths: ["90min", "2h", "1h30", "durante 2 horas"],
    priorities: ["!alta", "!media", "!baja", "!1"],
    line: "redacción el viernes a las 18:00 cada semana !alta +uni @editor #historia 50m",
    first: "leche mañana !alta")
}
