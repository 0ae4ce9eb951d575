import { mailLanguages } from '@waiver-service/api';
import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };

/** The words of one language: the texts that a pool may replace, and the fixed text around them. */
export type InvitationWords = typeof en;

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
