/** A booking as FareHarbor serves it; additional fields are served unchanged. */
export interface FareHarborBooking {
  readonly uuid: string;
  readonly status: string;
  readonly rebooked_from?: string | null;
  readonly rebooked_to?: string | null;
  readonly note: string | null;
  readonly customers: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** A booking for two, with details that are easy to misread: offsets without a colon, a name in a custom field. */
export function fareHarborBooking(changes: Partial<FareHarborBooking> = {}): FareHarborBooking {
  const rate = { pk: 311, customer_type: { pk: 21, singular: 'Adult', plural: 'Adults' } };
  return {
    pk: 88120431,
    uuid: '5f0e3a9c-6a53-4f6f-9a55-0c6d1c3b7e10',
    display_id: '#88120431',
    status: 'booked',
    rebooked_from: null,
    rebooked_to: null,
    availability: {
      pk: 7001,
      start_at: '2027-06-12T09:30:00+0200',
      end_at: '2027-06-12T13:00:00+0200',
      item: { pk: 42, name: 'Canyoning half day' },
    },
    contact: {
      name: 'Zoë Bäcker',
      phone: '0512 123456',
      normalized_phone: '+43512123456',
      email: 'zoe@example.com',
    },
    customers: [
      {
        pk: 900001,
        checkin_status: null,
        customer_type_rate: rate,
        custom_field_values: [
          {
            custom_field: { pk: 55, type: 'short', name: 'Full name' },
            name: 'Full name',
            value: 'Zoë Bäcker',
            display_value: 'Zoë Bäcker',
          },
        ],
      },
      { pk: 900002, checkin_status: null, customer_type_rate: rate, custom_field_values: [] },
    ],
    customer_count: 2,
    note: 'Arrives by train.',
    company: { shortname: 'tyrolrafting', name: 'Tyrol Rafting' },
    affiliate_company: null,
    order: null,
    external_id: '',
    ...changes,
  };
}
