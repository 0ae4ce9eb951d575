import { mailLanguages } from '@waiver-service/api';
import { ar } from './ar.ts';
import { cs } from './cs.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { InvitationWords } from './words.ts';
export type MailLanguage = (typeof mailLanguages)[number];

const words: Readonly<Record<MailLanguage, InvitationWords>> = { en, de, es, fr, cs, ar };

export const wordsOf = (language: MailLanguage): InvitationWords => words[language];

/** The direction of a language's script. */
export const directionOf = (language: MailLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language of a tag such as `de-AT` or `de_AT`; undefined if there are no texts in it. */
export function mailLanguageOf(tag: string | undefined): MailLanguage | undefined {
  const [primary = ''] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return mailLanguages.find((language) => language === primary);
}
