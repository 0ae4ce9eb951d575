/** A sentence with its number filled in. */
export const sentenceWith = (sentence: string, n: number): string => sentence.replace('{n}', String(n));

const loaders = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  cs: () => import('./cs.json', { with: { type: 'json' } }),
  ar: () => import('./ar.json', { with: { type: 'json' } }),
} as const;

/** Sentences for guests, in one language, with `{n}` as a placeholder for a number. */
export type Sentences = Awaited<ReturnType<(typeof loaders)['en']>>['default'];

const isLoaded = (language: string): language is keyof typeof loaders => Object.hasOwn(loaders, language);

/** Loads the sentences for a language tag: `de` for `de-AT`; English if there are none. */
export async function loadSentences(language: string): Promise<Sentences> {
  const [base = ''] = language.split('-');
  return (await loaders[isLoaded(base) ? base : 'en']()).default;
}

/** Loads the sentences of every language, so that {@link loadSentences} need not read a file while a request waits. */
export async function preloadSentences(): Promise<void> {
  await Promise.all(Object.values(loaders).map((load) => load()));
}
