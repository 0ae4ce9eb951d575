import { loadSentences, type Sentences } from '@waiver-service/forms';
import type { RefusalCode } from '../host/calls.ts';
import type en from './en.json';

/** Replaces each `{name}` of a text by the value of that name; a placeholder without a value stays. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** A text that differs for one, with its `{count}` filled in. */
export const fillCounted = (text: { readonly one: string; readonly other: string }, count: number): string =>
  fill(count === 1 ? text.one : text.other, { count });

const baseOf = (tag: string) => tag.toLowerCase().split(/[^a-z0-9]/)[0] ?? '';

/**
 * The best match among the offered languages.
 * @param wanted - the browser's tags, preferred first; any string, since some report `en-US@posix`
 * @param offered - tags, the default first
 */
export function pickLanguage<Tag extends string>(
  wanted: readonly string[],
  offered: readonly [Tag, ...Tag[]],
): Tag {
  for (const tag of wanted) {
    const exact = offered.find((one) => one.toLowerCase() === tag.toLowerCase());
    const found = exact ?? offered.find((one) => baseOf(one) === baseOf(tag));
    if (found !== undefined) return found;
  }
  return offered[0];
}

const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur', 'ps', 'yi', 'dv', 'ckb', 'ug'];

export const directionOf = (language: string): 'rtl' | 'ltr' =>
  rightToLeft.includes(baseOf(language)) ? 'rtl' : 'ltr';

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

/** A language's words of the page, and its sentences on what is wrong with an answer. */
export interface PageTexts {
  readonly language: string;
  readonly words: Words;
  readonly sentences: Sentences;
}

export async function loadPageTexts(language: string): Promise<PageTexts> {
  const [words, sentences] = await Promise.all([loadWords([language]), loadSentences(language)]);
  return { language, words, sentences };
}

/** Why a guest cannot continue. */
export type TroubleCode = RefusalCode | 'offline_at_start' | 'everyone_signed' | 'failed' | 'preview';

const namesOf = {
  offline: 'offline',
  offline_at_start: 'offlineAtStart',
  unavailable: 'unavailable',
  too_many_requests: 'tooManyRequests',
  too_large: 'tooLarge',
  link_unknown: 'linkUnknown',
  link_expired: 'linkExpired',
  link_revoked: 'linkRevoked',
  booking_not_found: 'bookingGone',
  booking_cancelled: 'bookingGone',
  no_form: 'noForm',
  already_signed: 'alreadySigned',
  everyone_signed: 'everyoneSigned',
  guest_not_of_link: 'guestNotOfLink',
  signing_exists: 'signingExists',
  waiver_voided: 'refused',
  form_changed: 'refused',
  signing_invalid: 'refused',
  kiosk_unknown: 'refused',
  kiosk_revoked: 'refused',
  pairing_code_wrong: 'refused',
  refused: 'refused',
  failed: 'failed',
  preview: 'preview',
} as const satisfies Record<TroubleCode, keyof Words['trouble']>;

/** A heading, and a sentence on what to do. */
export const troubleText = (words: Words, code: TroubleCode) => words.trouble[namesOf[code]];

/** Why a call for a returning guest failed; unlike signings, these calls do not wait on the device. */
export const returningTroubleText = (words: Words, code: TroubleCode): string =>
  code === 'offline' ? words.returning.offline : troubleText(words, code).text;

/** Whether a retry may help. */
export const isPassing = (code: TroubleCode): boolean =>
  ['offline', 'offline_at_start', 'unavailable', 'too_many_requests', 'failed'].includes(code);
