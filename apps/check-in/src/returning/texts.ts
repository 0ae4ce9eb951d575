import { pageLanguages, pickLanguage, type TroubleCode, troubleText, type Words } from '../text/words.ts';
import ar from './text/ar.json';
import cs from './text/cs.json';
import de from './text/de.json';
import en from './text/en.json';
import es from './text/es.json';
import fr from './text/fr.json';

type ReturningTexts = typeof en;

const all: Readonly<Record<(typeof pageLanguages)[number], ReturningTexts>> = { en, de, es, fr, cs, ar };

/** The words for returning guests, in English if the language has none. */
export const returningTexts = (language: string): ReturningTexts =>
  all[pickLanguage([language], pageLanguages)];

/** Why a call failed; unlike signings, these calls do not wait on the device. */
export const failureText = (texts: ReturningTexts, words: Words, code: TroubleCode): string =>
  code === 'offline' ? texts.offline : troubleText(words, code).text;
