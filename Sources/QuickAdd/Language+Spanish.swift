import Domain

extension Language {
  static let spanishSpelling = Spelling(
    letters: ["á": "a", "é": "e", "í": "i", "ñ": "n", "ó": "o", "ú": "u"])

  /// The words of Spanish. "Mar" is Tuesday, March and the sea: it is a day before a time and in a rule, and a month
  /// behind a number. "Mañana" is also the morning.
  package static let spanish = Language(
    name: .spanish,
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
    weakMonths: ["abril", "mar"], ofDate: ["de", "del"], dateSeparators: ["/", "-"],
    days: spanishSpelling.table(["hoy": 0, "mañana": 1, "pasado mañana": 2]),
    units: spanishSpelling.table([
      "día": .day, "días": .day, "semana": .week, "semanas": .week, "mes": .month,
      "meses": .month, "año": .year, "años": .year,
    ]),
    beforeDate: ["el", "la", "para", "para el", "para la", "antes de", "antes del"],
    latest: spanishSpelling.set(["a más tardar", "como muy tarde"]), this: ["este"],
    coming: spanishSpelling.set(["próximo"]),
    comingBehind: spanishSpelling.set(["que viene", "próximo"]),
    next: spanishSpelling.set(["próximo", "próxima"]),
    nextBehind: spanishSpelling.set(["que viene", "próximo", "próxima"]),
    ofWeek: ["de", "de la", "de el", "la"], within: ["en", "dentro de"], isDayOfMonthBare: true,
    inMonth: ["de", "del mes de", "en"],
    fixed: spanishSpelling.set([
      "domingo de ramos", "esta mañana", "jueves santo", "la mañana", "lunes de pascua",
      "miércoles de ceniza", "sábado santo", "una mañana", "viernes negro", "viernes santo",
      "en ocho días", "en quince días", "dentro de quince días", "dentro de ocho días",
      "cada quince días", "cada 15 días", "cada ocho días", "cada 8 días", "cada dos por tres",
      "todos los quince días", "todos los 15 días", "todos los ocho días", "todos los 8 días",
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
      "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12,
      "quince": 15,
    ],
    ordinals: spanishSpelling.table([
      "primer": 1, "primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercer": 3,
      "tercera": 3, "cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5,
      "último": -1,
    ]),
    ordinalEndings: ["º", "°"], on: ["el", "los", "en"],
    the: spanishSpelling.set(["el", "día", "el día"]), and: ["y", "y el"],
    ofMonth: ["del mes"], ofEveryMonth: ["de cada mes"], until: ["hasta", "hasta el"],
    times: ["vez", "veces"],
    starting: ["a partir de", "a partir del", "desde", "desde el", "empezando el"],
    beforeDeadline: ["antes de", "para"],
    beforeTime: ["a la", "a las", "para la", "para las", "antes de la", "antes de las"],
    beforeClock: ["a", "al"], weakNoon: spanishSpelling.set(["mediodía"]),
    midnight: ["medianoche"], halves: ["am": .am, "pm": .pm],
    halfWords: ["am": .am, "pm": .pm, "a.m.": .am, "p.m.": .pm],
    dayParts: spanishSpelling.table([
      "de la mañana": .morning, "por la mañana": .morning, "en la mañana": .morning,
      "a la mañana": .morning, "de la tarde": .afternoon, "por la tarde": .afternoon,
      "en la tarde": .afternoon, "a la tarde": .afternoon, "de la noche": .night,
      "por la noche": .night, "en la noche": .night, "a la noche": .night,
      "de la madrugada": .smallHours, "de madrugada": .smallHours,
    ]),
    bareDayParts: spanishSpelling.table([
      "tarde": .afternoon, "tardes": .afternoon, "noche": .night, "noches": .night,
      "mañana": .morning,
      "mañanas": .morning,
    ]),
    todayParts: ["esta tarde": .afternoon, "esta noche": .night],
    hourMarks: ["h", "hs"], markedHourFrom: 13, clockWords: ["en punto"],
    hourWords: ["h", "hs", "hora", "horas"],
    isClockPointed: true,
    quarters: ["y media": 30, "y cuarto": 15, "menos cuarto": -15],
    spoilersBefore: spanishSpelling.set([
      "a eso de", "alrededor de", "de", "del", "desde", "desde el", "dos veces", "entre",
      "entre el", "esta", "este", "fin de", "finales de", "hace", "hacia", "hasta", "hasta el",
      "inicio de", "mediados de", "menos", "menos el", "no", "pasado", "pasada", "principios de",
      "sobre", "tres veces", "una vez", "último", "última", "~", "hacia las", "hacia la",
      "sobre las", "sobre la", "a eso de las", "a eso de la", "alrededor de las",
      "alrededor de la", "cerca de", "cerca de las", "cerca de la", "como", "casi", "otro",
    ]),
    relations: spanishSpelling.set([
      "antes", "antes de", "antes del", "después", "después de", "después del", "tras", "tras el",
      "después de las", "hasta las", "hasta la", "después de la", "antes de las", "antes de la",
    ]),
    spoilers: spanishSpelling.set([
      "antier", "anteayer", "ayer", "atrás", "fin de semana", "hora", "horas", "más tarde",
      "medianoche", "minuto", "minutos", "pasado", "pasada", "siguiente", "trimestre", "utc",
      "anterior", "y media", "y cuarto", "menos cuarto", "sí y otro no", "sí y uno no",
      "quincenalmente", "quincenal", "semanal", "mensual", "bimensual", "bimestral",
      "trimestral", "trimestralmente", "semestral", "semestralmente", "al amanecer",
      "al anochecer", "al atardecer",
    ]),
    habits: spanishSpelling.set([
      "antes de cenar", "antes de clase", "antes de comer", "antes de dormir", "antes del trabajo",
      "después de cenar", "después de clase", "después de comer", "después del trabajo",
    ]),
    occasions: spanishSpelling.set([
      "navidad", "navidades", "nochebuena", "nochevieja", "noche vieja", "fin de año", "año nuevo",
      "día de reyes", "noche de reyes", "semana santa", "pascua", "pentecostés", "san valentín",
      "todos los santos", "día de muertos", "halloween", "víspera",
    ]),
    cycles: spanishSpelling.set([
      "cumpleaños", "festivo", "festivos", "invierno", "otoño", "primavera", "quincena", "verano",
    ]),
    weekMarks: ["s", "sem"],
    exceptions: ["excepto", "excepto el", "salvo", "salvo el", "menos el", "menos los"],
    joiners: spanishSpelling.set([
      "y", "o", "u", "a", "al", "hasta", "hasta el", "pero no", "pero", "no", "menos", "menos el",
      "de", "del", "en", "entre", "sobre", "-", "–", "—", "&", "/", "+", "hasta las", "hasta la",
      "entre las", "entre la", "sobre las", "sobre la", "hacia las", "hacia la", "a eso de las",
      "a eso de la",
    ]),
    measures: spanishSpelling.set([
      "%", "€", "años", "euros", "kg", "kilos", "km", "kilómetros", "litros", "metros", "páginas",
      "personas", "puntos",
    ]),
    priorities: [
      "alta": .high, "a": .high, "1": .high, "media": .medium, "m": .medium, "2": .medium,
      "baja": .low, "b": .low, "3": .low,
    ],
    behindPriority: ["prioridad"], beforePerson: ["para", "con", "por", "a"],
    beforeList: ["en", "a", "para"], beforeTag: ["con", "para"], beforeLength: ["durante"],
    hourUnits: ["h"],
    minuteWords: ["minuto", "minutos"], lengthHours: ["hora", "horas"])
}
