import Domain

extension Language {
  static let spanishSpelling = Spelling(
    letters: ["á": "a", "é": "e", "í": "i", "ñ": "n", "ó": "o", "ú": "u"])

  /// "Mar" is Tuesday, March and the sea: a day before a time and in a rule, a month behind a number. "Mañana" is also the
  /// morning.
  package static let spanish = Language(
    weekdays: spanishSpelling.table([
      "lunes": .monday, "lun": .monday, "martes": .tuesday, "miércoles": .wednesday,
      "mié": .wednesday, "jueves": .thursday, "jue": .thursday, "viernes": .friday,
      "vie": .friday, "sábado": .saturday, "sáb": .saturday, "domingo": .sunday, "dom": .sunday,
    ]),
    weakWeekdays: ["mar": .tuesday], isWeakReadInRules: true,
    eachWeekday: spanishSpelling.table(["sábados": .saturday, "domingos": .sunday]),
    beforeEachWeekday: ["los"],
    months: [
      "enero": 1, "ene": 1, "febrero": 2, "feb": 2, "marzo": 3, "mar": 3, "abril": 4, "abr": 4,
      "mayo": 5, "may": 5, "junio": 6, "jun": 6, "julio": 7, "jul": 7, "agosto": 8, "ago": 8,
      "septiembre": 9, "setiembre": 9, "sept": 9, "sep": 9, "octubre": 10, "oct": 10,
      "noviembre": 11, "nov": 11, "diciembre": 12, "dic": 12,
    ],
    ofDate: ["de", "del"], dateSeparators: ["/", "-"],
    days: spanishSpelling.table(["hoy": 0, "mañana": 1, "pasado mañana": 2]),
    units: spanishSpelling.table([
      "día": .day, "días": .day, "semana": .week, "semanas": .week, "mes": .month,
      "meses": .month, "año": .year, "años": .year,
    ]),
    beforeDate: ["el", "la", "para", "para el", "para la", "antes de", "antes del"],
    coming: spanishSpelling.set(["este", "próximo"]),
    comingBehind: spanishSpelling.set(["que viene", "próximo"]),
    next: spanishSpelling.set(["próximo", "próxima"]),
    nextBehind: spanishSpelling.set(["que viene", "próximo", "próxima"]),
    within: ["en", "dentro de"],
    fixed: spanishSpelling.set([
      "a la mañana", "cada mañana", "de la mañana", "en la mañana", "esta mañana", "la mañana",
      "por la mañana", "una mañana",
    ]),
    adverbs: [
      "diariamente": .day, "a diario": .day, "semanalmente": .week, "mensualmente": .month,
      "anualmente": .year,
    ],
    every: ["cada", "todos los", "todas las"],
    intervals: ["segundo": 2, "segunda": 2, "tercer": 3, "tercera": 3, "cuarto": 4, "cuarta": 4],
    workday: spanishSpelling.set([
      "día laborable", "días laborables", "día hábil", "días hábiles",
    ]),
    weekend: ["fin de semana", "fines de semana"],
    numbers: [
      "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7,
      "ocho": 8, "nueve": 9, "diez": 10, "quince": 15,
    ],
    ordinals: spanishSpelling.table([
      "primer": 1, "primero": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "quinto": 5,
      "último": -1,
    ]),
    ordinalEndings: ["º", "°"], on: ["el", "los", "en"], the: ["el"], and: ["y", "y el"],
    ofMonth: ["del mes"], ofEveryMonth: ["de cada mes"], until: ["hasta", "hasta el"],
    times: ["vez", "veces"], beforeTime: ["a la", "a las"], beforeClock: ["a", "al"],
    weakNoon: spanishSpelling.set(["mediodía"]), halves: ["am": (0, -12), "pm": (12, 0)],
    halfWords: ["am": (0, -12), "pm": (12, 0), "a.m.": (0, -12), "p.m.": (12, 0)],
    dayParts: spanishSpelling.table([
      "de la mañana": (0, 0), "de la tarde": (12, 0), "de la noche": (12, -12),
      "de la madrugada": (0, -12),
    ]),
    hourMarks: ["h", "hs"], hourWords: ["h", "hs", "hora", "horas"], isClockPointed: true,
    quarters: ["y media": 30, "y cuarto": 15, "menos cuarto": -15],
    priorities: [
      "alta": .high, "a": .high, "1": .high, "media": .medium, "m": .medium, "2": .medium,
      "baja": .low, "b": .low, "3": .low,
    ],
    beforeLength: ["durante"],
    hourUnits: ["h"])
}
