import { mailLanguages } from '@waiver-service/api';

export type MailLanguage = (typeof mailLanguages)[number];

/** The direction of a language's script. */
export const directionOf = (language: MailLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language of a tag such as `de-AT` or `de_AT`; undefined if there are no texts in it. */
export function mailLanguageOf(tag: string | undefined): MailLanguage | undefined {
  const [primary = ''] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return mailLanguages.find((language) => language === primary);
}
