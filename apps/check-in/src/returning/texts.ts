import { type TroubleCode, troubleText } from '../screens/trouble.ts';
import type { Words } from '../text/english.ts';
import { pickLanguage } from '../text/languages.ts';
import { pageLanguages } from '../text/words.ts';
import { arabic } from './text/arabic.ts';
import { czech } from './text/czech.ts';
import { english, type ReturningTexts } from './text/english.ts';
import { french } from './text/french.ts';
import { german } from './text/german.ts';
import { spanish } from './text/spanish.ts';

const all = { en: english, de: german, es: spanish, fr: french, cs: czech, ar: arabic };

/** The words for returning guests, in English if the language has none. */
export const returningTexts = (language: string): ReturningTexts =>
  all[pickLanguage([language], pageLanguages)];

/** Why a call failed; unlike signings, these calls do not wait on the device. */
export const failureText = (texts: ReturningTexts, words: Words, code: TroubleCode): string =>
  code === 'offline' ? texts.offline : troubleText(words, code).text;
