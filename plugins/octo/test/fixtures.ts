import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;

/** The uuid of every fixture. */
export const bookingId = '8812aaaa-6a41-4c0e-9d3b-77a1c5e0aaf0';
/** The uuid of a fixture's unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-6a41-4c0e-9d3b-77a1c5e0aa0${place}`;

const file = 'two-adults-with-names';
const twoAdults = JSON.parse(readFileSync(new URL(`../fixtures/${file}.json`, import.meta.url), 'utf8'));
const { contact: booker, availability, product } = twoAdults;
const nobody = {
  ...twoAdults.unitItems[0].contact,
  ...{ fullName: null, firstName: null, lastName: null, emailAddress: null, phoneNumber: null },
};

/** A unit item of an adult, by position from 1, whose contact is nobody. */
const adult = (place: number, changes: object = {}) => ({
  ...{ ...twoAdults.unitItems[0], uuid: unitItemId(place), supplierReference: `KAY-${place}` },
  ...{ contact: nobody, ...changes },
});
/** Two adults whose contacts are nobody. */
const changed = (changes: object) => ({ ...twoAdults, unitItems: [adult(1), adult(2)], ...changes });
const at = (changes: Body) =>
  changed({
    availabilityId: changes.id ?? twoAdults.availabilityId,
    availability: { ...availability, ...changes },
  });
const onTheDay = {
  ...{ id: '2027-06-12', utcCutoffAt: '2027-06-12T22:00:00Z' },
  ...{ vacancies: null, capacity: null, maxUnits: null },
};
const midnightToMidnight = {
  localDateTimeStart: '2027-06-12T00:00:00+01:00',
  localDateTimeEnd: '2027-06-13T00:00:00+01:00',
};
const { unit } = twoAdults.unitItems[0];
const emptyTexts = { emailAddress: '', phoneNumber: '' };

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, Body>> = JSON.parse(
  JSON.stringify({
    'every-contact-is-the-bookers': changed({
      unitItems: [
        adult(1, { contact: booker }),
        adult(2, { contact: { ...booker, locales: [] } }),
        adult(3, { contact: { ...booker, fullName: 'Eilidh Sinclair', firstName: 'Eilidh' } }),
      ],
    }),
    'three-unit-items-with-one-uuid': changed({
      unitItems: [1, 2, 3].map((place) => adult(place, { uuid: unitItemId(1) })),
    }),
    'unit-item-on-hold-in-a-confirmed-booking': changed({
      unitItems: [adult(1), adult(2, { status: 'ON_HOLD' })],
    }),
    'cancelled-unit-item': changed({ unitItems: [adult(1), adult(2, { status: 'CANCELLED' })] }),
    'family-of-four': changed({
      unitItems: [
        adult(1, {
          unitId: 'family',
          unit: {
            ...{ ...unit, id: 'family', internalName: 'Family', type: 'FAMILY' },
            restrictions: { ...unit.restrictions, minAge: 0, paxCount: 4 },
          },
        }),
        adult(2),
      ],
    }),
    'empty-texts': changed({
      contact: { ...booker, firstName: '', lastName: '', ...emptyTexts, locales: [], country: null },
      notes: '',
      unitItems: [adult(1, { contact: { ...nobody, fullName: '', ...emptyTexts } })],
    }),
    'all-day': at({ ...onTheDay, ...midnightToMidnight, allDay: true }),
    'start-time-from-midnight-to-midnight': at({
      ...{ ...onTheDay, ...midnightToMidnight },
      openingHours: [{ from: '08:00', to: '17:00' }],
    }),
    'opening-hours': {
      ...at({
        ...onTheDay,
        localDateTimeStart: '2027-06-12T10:00:00+01:00',
        localDateTimeEnd: '2027-06-12T18:00:00+01:00',
        openingHours: [{ from: '10:00', to: '18:00' }],
      }),
      product: { ...product, availabilityType: 'OPENING_HOURS' },
    },
    'open-dated': changed({ availabilityId: null, availability: null }),
    'times-without-an-offset': at({
      localDateTimeStart: '2027-06-12T09:00:00',
      localDateTimeEnd: '2027-06-12T12:30:00',
    }),
    'on-hold-without-a-contact': changed({
      ...{ status: 'ON_HOLD', utcExpiresAt: '2027-05-02T10:45:00Z', utcConfirmedAt: null },
      ...{ contact: nobody, notes: null, unitItems: [adult(1, { status: 'ON_HOLD' })] },
    }),
    'not-cancellable': changed({ cancellable: false }),
    'waivers-per-unit': changed({
      product: {
        ...product,
        waiverPer: 'UNIT',
        waivers: [
          {
            id: 'wv-1',
            fields: [
              { id: 'f-name', internalName: 'Full Name', required: true, inputType: 'text' },
              { id: 'f-born', internalName: 'Date of Birth', required: true, inputType: 'date' },
              { id: 'f-sign', internalName: 'Signature', required: false, inputType: 'signature' },
            ],
          },
        ],
      },
      unitItems: [adult(1, { waiversComplete: true }), adult(2, { waiversComplete: false })],
      waiversComplete: false,
    }),
  }),
);

/** The fixtures, each named after the case it covers. */
export const fixtureNames: readonly string[] = [file, ...Object.keys(variants)];

/** Reads a fixture, with some fields changed. */
export const fixture = (name: string, changes: object = {}): Body => ({
  ...(name === file ? twoAdults : variants[name]),
  ...changes,
});
