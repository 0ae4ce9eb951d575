/** Identifies a booking's guest whose signing waits on the tablet. */
export const guestKey = (
  { bookingSystem, bookingId }: { readonly bookingSystem: string; readonly bookingId: string },
  guest: string,
): string => `${bookingSystem} ${bookingId} ${guest}`;
