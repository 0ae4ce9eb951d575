import type { Words } from './english.ts';
import { pickLanguage } from './languages.ts';

const loaders = {
  en: async () => (await import('./english.ts')).english,
  de: async () => (await import('./german.ts')).german,
  es: async () => (await import('./spanish.ts')).spanish,
  fr: async () => (await import('./french.ts')).french,
  cs: async () => (await import('./czech.ts')).czech,
  ar: async () => (await import('./arabic.ts')).arabic,
} satisfies Record<string, () => Promise<Words>>;
type PageLanguage = keyof typeof loaders;

export const pageLanguages: readonly [PageLanguage, ...PageLanguage[]] = ['en', 'de', 'es', 'fr', 'cs', 'ar'];

/** The page's words in the first wanted language that has them, otherwise in English. */
export const loadWords = (wanted: readonly string[]): Promise<Words> =>
  loaders[pickLanguage(wanted, pageLanguages)]();
