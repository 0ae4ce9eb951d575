import { count } from '../formats.ts';

/** Kiosk texts, loaded only with the pages that use them. */
export const kioskTexts = {
  title: 'Kiosks',
  none: 'No kiosks',
  noneHint: 'Pair a tablet on which guests sign one after the other, even without a signal.',
  add: 'Add kiosk',
  addLead:
    'A tablet on which guests sign one after the other. It shows today’s bookings by first name and initial.',
  nameHint: 'Where it stands, such as “River bank”.',
  pin: 'PIN',
  pinHint: '4 to 12 digits. Your team types it on the tablet to see what waits there, or to end the kiosk.',
  newPinHint: '4 to 12 digits. Leave empty to keep it.',
  code: 'the pairing code',
  address: 'the address for the tablet',
  pair: 'Pair',
  pairLead: 'Open this address on the tablet and type the code there. It works once, for ten minutes.',
  pairAgain:
    'A new code, for the same tablet or another. The currently paired tablet works until the code is used.',
  changePin: 'Change',
  changed: 'Kiosk changed.',
  pause: 'Seconds without a touch',
  pauseHint: 'Then it deletes what was entered and returns to its first screen: 15 to 900.',
  unpaired: 'Not paired yet',
  waiting: (waiting: number) => `${count(waiting)} waiting`,
  waitingAt: (waiting: number, name: string) =>
    waiting === 1
      ? `1 signing waits at the kiosk ${name}, since`
      : `${count(waiting)} signings wait at the kiosk ${name}, since`,
  waitingSince: 'Oldest waits since',
  lastSeen: 'Last seen',
  revokeTitle: (name: string) => `Revoke the kiosk ${name}?`,
  revokeLead:
    'It stops working at once. Signings that wait there are listed under “Signings that need attention” when they arrive.',
  revoked: 'Kiosk revoked.',
} as const;

/** Texts about signings that arrived late. */
export const lateTexts = {
  title: 'Signings that need attention',
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
  noName: 'Without a name',
  accept: 'Store',
  acceptTitle: 'Store this signing?',
  acceptLead:
    'It waited on a guest’s device or a kiosk, and could not be stored when it arrived. It becomes a waiver for each guest, in the version of the form that was signed.',
  accepted: 'Stored as waivers.',
  booking: 'Booking',
  bookingHint: 'Leave empty to store it without a booking.',
  delete: 'Delete',
  deleteTitle: 'Delete this signing?',
  deleteLead: 'What the guests signed is permanently lost: there is no other copy.',
  deleted: 'Signing deleted.',
  signed: 'Signed',
  received: 'Arrived',
} as const;
