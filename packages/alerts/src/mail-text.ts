import { mailLanguages } from '@waiver-service/api';

/** Characters that show nothing, or change the direction of what follows; not those that join letters. */
const invisible = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A number such as 2.5 or 10:30, perhaps with punctuation around it. */
const number = /^[("'“„«]*\d+(?:[.,:]\d+)?[)"'”’».,;!?]*$/u;
const at = /[@＠﹫]/gu;
const dots = /([.．。｡․﹒])(?=[^\s.,;:!?)\]}"'’”»])/gu;
const colons = /([:：﹕])(?=\S)/gu;
const slashes = /([/／⁄∕\\])(?=[/／⁄∕\\])/gu;

/** One word, so that no mail program makes a link of it. */
const asWord = (word: string): string =>
  number.test(word)
    ? word
    : word.replace(at, ' @ ').replace(colons, '$1 ').replace(slashes, '$1 ').replace(dots, '$1 ');

/** A text, or as much of it as there is room for, with an ellipsis. */
export function shortened(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : text;
}

const words = (text: string): string =>
  text
    .toWellFormed()
    .replace(invisible, '')
    .replace(lineBreaks, ' ')
    .split(/\s+/u)
    .map(asWord)
    .join(' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/**
 * The text of strangers as words on one line: mail programs make links of `evil.example`, `https://…` and
 * addresses, wherever these stand. "St.Moritz" becomes "St. Moritz".
 */
export const asWords = (text: string, maxCharacters: number): string => shortened(words(text), maxCharacters);

export type MailLanguage = (typeof mailLanguages)[number];

/** The direction of a language's script. */
export const directionOf = (language: MailLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language of a tag such as `de-AT` or `de_AT`; undefined if there are no texts in it. */
export function mailLanguageOf(tag: string | undefined): MailLanguage | undefined {
  const [primary = ''] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return mailLanguages.find((language) => language === primary);
}
