import { pageLanguages, pickLanguage } from '../../text/words.ts';
import type en from './en.json';

/** The words of the kiosk. The form's texts come with the form. */
export type KioskWords = typeof en;

const loaders = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
  cs: () => import('./cs.json'),
  ar: () => import('./ar.json'),
} satisfies Record<(typeof pageLanguages)[number], () => Promise<{ readonly default: KioskWords }>>;

/** The kiosk's words in the first wanted language that has them, otherwise in English. */
export const loadKioskWords = async (wanted: readonly string[]): Promise<KioskWords> =>
  (await loaders[pickLanguage(wanted, pageLanguages)]()).default;
