/** Returning guests' confirmation questions, in one language. Sealed as shown, so without names. */
interface QuestionTexts {
  /** `isGuardian`: asked of a parent or guardian, for a minor among the guests. */
  still(signedOn: string, isGuardian: boolean): string;
  health(signedOn: string): string;
}

const questions = {
  en: {
    still: (day, isGuardian) =>
      `Is what was answered and signed on ${day} for the people named here still right, and does it hold for this visit, too${isGuardian ? ', as their parent or guardian' : ''}?`,
    health: (day) => `Has anything changed about the health answers since ${day}?`,
  },
  de: {
    still: (day, isGuardian) =>
      `Stimmt noch alles, was am ${day} für die hier genannten Personen angegeben und unterschrieben wurde, und gilt es auch für diesen Besuch${isGuardian ? ', als Eltern oder Sorgeberechtigte' : ''}?`,
    health: (day) => `Hat sich an den Gesundheitsangaben seit dem ${day} etwas geändert?`,
  },
  es: {
    still: (day, isGuardian) =>
      `¿Sigue siendo correcto lo que se respondió y firmó el ${day} para las personas aquí indicadas, y vale también para esta visita${isGuardian ? ', como madre, padre o tutor' : ''}?`,
    health: (day) => `¿Ha cambiado algo en las respuestas sobre la salud desde el ${day}?`,
  },
  fr: {
    still: (day, isGuardian) =>
      `Ce qui a été répondu et signé le ${day} pour les personnes nommées ici est-il toujours exact, et vaut-il aussi pour cette visite${isGuardian ? ', en tant que parent ou tuteur' : ''} ?`,
    health: (day) => `Quelque chose a-t-il changé dans les réponses sur la santé depuis le ${day} ?`,
  },
  cs: {
    still: (day, isGuardian) =>
      `Platí stále vše, co bylo dne ${day} vyplněno a podepsáno za zde uvedené osoby, i pro tuto návštěvu${isGuardian ? ', a potvrzujete to jako rodič nebo zákonný zástupce' : ''}?`,
    health: (day) => `Změnilo se od ${day} něco v odpovědích o zdraví?`,
  },
  ar: {
    still: (day, isGuardian) =>
      `هل ما زال كل ما أُجيب عنه ووُقِّع في ${day} عن الأشخاص المذكورين هنا صحيحًا، وهل يسري على هذه الزيارة أيضًا${isGuardian ? '، بصفتك أحد الوالدين أو الوصي' : ''}؟`,
    health: (day) => `هل تغيّر شيء في الإجابات المتعلقة بالصحة منذ ${day}؟`,
  },
} as const satisfies Record<string, QuestionTexts>;

type QuestionLanguage = keyof typeof questions;

const isKnown = (language: string): language is QuestionLanguage => Object.hasOwn(questions, language);

/** The language if there are texts in it, otherwise English. */
export function textLanguage(tag: string): QuestionLanguage {
  const base = tag.toLowerCase().split(/[^a-z]/)[0] ?? '';
  return isKnown(base) ? base : 'en';
}

/** The signing that is confirmed. */
interface ConfirmedSigning {
  readonly language: string;
  readonly signedAt: Date;
  readonly timeZone: string;
  readonly asksHealth: boolean;
}

/** The questions about a signing, as the page shows them and the record contains them. */
export interface ReuseQuestions {
  readonly text: string;
  /** Instead of `text`, if a minor is among the guests. */
  readonly guardianText: string;
  /** Null: the form does not ask about health. */
  readonly health: string | null;
}

export function reuseQuestions(confirmed: ConfirmedSigning): ReuseQuestions {
  const { signedAt, timeZone } = confirmed;
  const language = textLanguage(confirmed.language);
  const { still, health } = questions[language];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(signedAt);
  return {
    text: still(day, false),
    guardianText: still(day, true),
    health: confirmed.asksHealth ? health(day) : null,
  };
}
