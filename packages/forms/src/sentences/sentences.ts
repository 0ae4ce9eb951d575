/** Sentences for guests, in one language, with `{n}` as a placeholder for a number. */
export interface Sentences {
  readonly required: string;
  /** The answer has a form that the page never produces. */
  readonly unsuitable: string;
  readonly tooLong: string;
  readonly tooShort: string;
  readonly tooSmall: string;
  readonly tooLarge: string;
  readonly tooFewChoices: string;
  readonly tooManyChoices: string;
  readonly notAnOption: string;
  readonly email: string;
  readonly phone: string;
  readonly date: string;
  readonly birthDate: string;
  readonly number: string;
  readonly photo: string;
  readonly consent: string;
  readonly initials: string;
  readonly sign: string;
  readonly typedName: string;
  readonly drawing: string;
  readonly method: string;
  readonly tooYoung: string;
  readonly tooOld: string;
  readonly noAdults: string;
  readonly noMinors: string;
  readonly needsGuardian: string;
  readonly signsAlone: string;
  readonly tooManyMinors: string;
  readonly guardianName: string;
  readonly guardianRelationship: string;
  readonly guardianBirthDate: string;
  readonly guardianOfAge: string;
  readonly guardianTooYoung: string;
  readonly language: string;
}

/** A sentence with its number filled in. */
export const sentenceWith = (sentence: string, n: number): string => sentence.replace('{n}', String(n));

const loaders = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  cs: () => import('./cs.ts'),
  ar: () => import('./ar.ts'),
} as const satisfies Readonly<Record<string, () => Promise<{ readonly sentences: Sentences }>>>;

const isLoaded = (language: string): language is keyof typeof loaders => Object.hasOwn(loaders, language);

/** Loads the sentences for a language tag: `de` for `de-AT`; English if there are none. */
export async function loadSentences(language: string): Promise<Sentences> {
  const [base = ''] = language.split('-');
  return (await loaders[isLoaded(base) ? base : 'en']()).sentences;
}

/** Loads the sentences of every language, so that {@link loadSentences} need not read a file while a request waits. */
export async function preloadSentences(): Promise<void> {
  await Promise.all(Object.values(loaders).map((load) => load()));
}
