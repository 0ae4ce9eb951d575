/** A message to send, without the waiver that it came from. */
export interface Message {
  readonly url: string;
  readonly body: string;
}

/** The headers of every message that the baselines send: the same as a guest webhook's (contract 4.3). */
export const messageHeaders = { 'cache-control': 'no-cache', 'content-type': 'application/json' };

const at = (index: number) => new Date(1_780_000_000_000 + index).toISOString();

/** Messages of the form and size of a guest webhook's, spread over the receivers in turn. */
export function guestMessages(origins: readonly string[], count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `${origins[index % origins.length]}/webhook`,
    body: JSON.stringify({
      guest: {
        id: `waiver-${index}`,
        pool: 'bench',
        activities: ['activity-1'],
        createdAt: at(index),
        updatedAt: at(index),
        lastVisit: at(index),
        deleted: false,
        feedback: '',
        currentPage: null,
        reservationsID: `booking-${index}`,
        reservationsService: 'standard',
      },
    }),
  }));
}

/** Messages of the form and size of one booking system's Guest Updates (contract 4.2), all to one address. */
export function guestUpdateMessages(origins: readonly string[], count: number): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const bookingId = `booking-${index}`;
    const bookingGuestId = `guest-${index}`;
    return {
      url: `${origins[0]}/bookings/${bookingId}/guests/${bookingGuestId}?bookingId=${bookingId}&bookingGuestId=${bookingGuestId}`,
      body: JSON.stringify({
        waiver: {
          id: `waiver-${index}`,
          pool: 'bench',
          bookingId,
          bookingGuestId,
          lastVisit: at(index),
          deleted: false,
          updatedAt: at(index),
        },
      }),
    };
  });
}
