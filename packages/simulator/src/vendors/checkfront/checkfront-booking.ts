/** One booked item; times are seconds since 1970. */
export interface CheckfrontItem {
  readonly sku: string;
  readonly name: string;
  /** Absent: an item without a time, such as goods. */
  readonly start?: number;
  readonly end?: number;
  readonly quantity: number;
}

/** A booking as a simulated Checkfront holds it. */
export interface CheckfrontBooking {
  readonly code: string;
  readonly number: number;
  readonly status: string;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  readonly items: readonly CheckfrontItem[];
}

/** A booking for two with a tour, a day's hire and a thing that was bought. */
export function checkfrontBooking(changes: Partial<CheckfrontBooking> = {}): CheckfrontBooking {
  return {
    code: 'QRST-120627',
    number: 4021,
    status: 'PAID',
    customer: { name: 'Zoë Bäcker', email: 'zoe@example.com', phone: '+43 512 123456' },
    items: [
      { sku: 'canyonhalf', name: 'Canyoning', start: 1812958200, end: 1812970800, quantity: 2 },
      { sku: 'bikeday', name: 'Bike for a day', start: 1813010400, end: 1813010400, quantity: 1 },
      { sku: 'shirt', name: 'T-shirt', quantity: 3 },
    ],
    ...changes,
  };
}
