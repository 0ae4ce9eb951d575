import type en from './en.json';
import { pickLanguage } from './languages.ts';

/** The page's words. The form's texts come with the form. */
export type Words = typeof en;

const loaders = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
  cs: () => import('./cs.json'),
  ar: () => import('./ar.json'),
} satisfies Record<string, () => Promise<{ readonly default: Words }>>;
type PageLanguage = keyof typeof loaders;

export const pageLanguages: readonly [PageLanguage, ...PageLanguage[]] = ['en', 'de', 'es', 'fr', 'cs', 'ar'];

/** The page's words in the first wanted language that has them, otherwise in English. */
export const loadWords = async (wanted: readonly string[]): Promise<Words> =>
  (await loaders[pickLanguage(wanted, pageLanguages)]()).default;
