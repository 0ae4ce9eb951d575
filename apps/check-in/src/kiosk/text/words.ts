import { pickLanguage } from '../../text/languages.ts';
import { pageLanguages } from '../../text/words.ts';
import type { KioskWords } from './english.ts';

const loaders = {
  en: async () => (await import('./english.ts')).english,
  de: async () => (await import('./german.ts')).german,
  es: async () => (await import('./spanish.ts')).spanish,
  fr: async () => (await import('./french.ts')).french,
  cs: async () => (await import('./czech.ts')).czech,
  ar: async () => (await import('./arabic.ts')).arabic,
} satisfies Record<(typeof pageLanguages)[number], () => Promise<KioskWords>>;

/** The kiosk's words in the first wanted language that has them, otherwise in English. */
export const loadKioskWords = (wanted: readonly string[]): Promise<KioskWords> =>
  loaders[pickLanguage(wanted, pageLanguages)]();
