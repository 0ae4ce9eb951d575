/** A booked item; times are Unix seconds. */
export interface CheckfrontItem {
  readonly sku: string;
  readonly name: string;
  /** Absent for an item without a time, such as goods. */
  readonly start?: number;
  readonly end?: number;
  /** Number of units, not people: a boat for eight is one. */
  readonly quantity: number;
  /** Quantities by parameter id, such as `adults`. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** For example `2.1` for an add-on of line 2. Default: its position in the booking. */
  readonly line?: string;
  /** Default: the booking's status. */
  readonly status?: string;
}

/** A guest of API v4. */
export interface CheckfrontGuest {
  readonly uuid: string;
  /** Empty until the guest's form is filled in. */
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export interface CheckfrontBooking {
  readonly code: string;
  readonly number: number;
  readonly status: string;
  /** Unix seconds; default: long ago. */
  readonly lastModified?: number;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  readonly items: readonly CheckfrontItem[];
  /** Only in API v4. Default: none. */
  readonly guests?: readonly CheckfrontGuest[];
  /** The booking's own times, for items without any. */
  readonly start?: number;
  readonly end?: number;
}

/** A tour for two, a child's bike for a day, and T-shirts. */
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
