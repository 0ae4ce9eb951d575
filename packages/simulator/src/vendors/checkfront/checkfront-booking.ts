/** One booked item; times are seconds since 1970. */
export interface CheckfrontItem {
  readonly sku: string;
  readonly name: string;
  /** Absent: an item without a time, such as goods. */
  readonly start?: number;
  readonly end?: number;
  /** How many of the thing: a boat for eight is one. */
  readonly quantity: number;
  /** Its parameters, by their ids, such as `adults`. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** `2.1` for what was added to line 2; where absent, its place in the booking. */
  readonly line?: string;
  /** That of the booking where absent. */
  readonly status?: string;
}

/** A booking as a simulated Checkfront holds it. */
export interface CheckfrontBooking {
  readonly code: string;
  readonly number: number;
  readonly status: string;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  readonly items: readonly CheckfrontItem[];
  /** Times of the booking itself, for items that have none. */
  readonly start?: number;
  readonly end?: number;
}

/** A tour for two, a day's hire of one bike for a child, and a thing that was bought. */
export function checkfrontBooking(changes: Partial<CheckfrontBooking> = {}): CheckfrontBooking {
  return {
    code: 'QRST-120627',
    number: 4021,
    status: 'PAID',
    customer: { name: 'Zoë Bäcker', email: 'zoe@example.com', phone: '+43 512 123456' },
    items: [
      {
        sku: 'canyonhalf',
        name: 'Canyoning',
        start: 1812958200,
        end: 1812970800,
        quantity: 1,
        parameters: { adults: 2, children: 0 },
      },
      {
        sku: 'bikeday',
        name: 'Bike for a day',
        start: 1813010400,
        end: 1813010400,
        quantity: 1,
        parameters: { adults: 0, children: 1 },
      },
      { sku: 'shirt', name: 'T-shirt', quantity: 3 },
    ],
    ...changes,
  };
}
