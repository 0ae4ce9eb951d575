/**
 * Domains of the addresses that an agency creates for a single booking and forwards from for a limited time. They are
 * not a guest's own: mail to them ends at the agency, and two bookings of one guest have two of them.
 *
 * Sources, of November 2026: Booking.com's partner help ("Why does the guest's email address end with
 * '@guest.booking.com'?"); JTB Bókun's help on contacting Viator's travelers (`…@expmessaging.tripadvisor.com`, until
 * 30 days after the visit); OwnerRez's help on proxy addresses (Airbnb, until September 2023); bookings of Expedia and
 * of GetYourGuide (`customer-…@reply.getyourguide.com`) in public importers of reservation mails.
 */
const maskingDomains: ReadonlySet<string> = new Set([
  'guest.booking.com',
  'm.expediapartnercentral.com',
  'reply.getyourguide.com',
  'expmessaging.tripadvisor.com',
  'guest.airbnb.com',
]);

/** Whether an e-mail address is an agency's alias for a booking, not the guest's own. */
export function isMaskedEmail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).trim();
  return maskingDomains.has(domain.toLowerCase());
}
