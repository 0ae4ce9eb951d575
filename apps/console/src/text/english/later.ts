import { count } from '../formats.ts';

/** Kiosk texts, loaded only with the pages that use them. */
export const kioskTexts = {
  pin: 'PIN',
  waitingAt: (waiting: number, name: string) =>
    waiting === 1
      ? `1 signing waits at the kiosk ${name}, since`
      : `${count(waiting)} signings wait at the kiosk ${name}, since`,
} as const;

/** Texts about signings that arrived late. */
export const lateTexts = {
  reasons: {
    already_signed: 'Someone has signed for this guest',
    booking_cancelled: 'Booking cancelled',
    booking_not_found: 'No such booking',
    booking_unavailable: 'The booking could not be read: store it once its booking system answers',
    form_changed: 'An old version of the form',
    guest_not_of_link: 'Guest no longer in the booking',
    kiosk_revoked: 'From a revoked kiosk',
    kiosk_unknown: 'From an unknown kiosk',
    link_expired: 'Link had expired',
    link_revoked: 'Link was revoked',
    link_unknown: 'Unknown link',
    malformed: 'Not readable',
    no_form: 'The form no longer exists',
    signing_exists: 'Another signing has its id',
    signing_invalid: 'Incomplete',
    waiver_voided: 'Withdrawn meanwhile',
  },
  accept: 'Store',
  booking: 'Booking',
} as const;

/** Texts of the waivers whose guest or booking is gone, loaded only with their page. */
export const unmatchedTexts = {
  reasons: { guest_gone: 'Guest no longer in the booking', booking_gone: 'Booking no longer exists' },
} as const;

/** Texts of pausing, resuming and testing a destination, loaded only with their page. */
export const destinationActionTexts = {
  pauseOf: (name: string) => `Pause ${name}`,
  testOf: (name: string) => `Test ${name}`,
  testFailed: (name: string, why: string) => `${name} did not accept a sample guest record: ${why}`,
} as const;
