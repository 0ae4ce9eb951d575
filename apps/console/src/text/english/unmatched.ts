/** Texts of the waivers whose guest or booking is gone, loaded only with their page. */
export const unmatchedTexts = {
  title: 'Waivers to attach',
  reasons: { guest_gone: 'Guest no longer in the booking', booking_gone: 'Booking no longer exists' },
  booking: 'Booking',
  guest: 'Previous guest',
  since: 'Since',
  attach: 'Attach',
  attachTo: (guest: string) => `Attach to ${guest}`,
  attachTitle: (waiver: string, guest: string, booking: string) =>
    `Attach the waiver of ${waiver} to ${guest} in ${booking}`,
  attachLead: 'The guest counts as signed, and the booking system is updated.',
  attached: 'Waiver attached. The booking system will be updated.',
  dismiss: 'Dismiss',
  dismissTitle: (waiver: string) => `Dismiss the waiver of ${waiver}`,
  dismissLead: 'It stays as it is, and is listed here again only when its guest or booking changes.',
  dismissed: 'Dismissed until its guest or booking changes.',
} as const;
