import type { RefusalCode } from '../host/calls.ts';
import type { Words } from '../text/words.ts';

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

/** Whether a retry may help. */
export const isPassing = (code: TroubleCode): boolean =>
  ['offline', 'offline_at_start', 'unavailable', 'too_many_requests', 'failed'].includes(code);
