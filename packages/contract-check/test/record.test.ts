import { createSecretKey } from 'node:crypto';
import { createOutbound } from '@waiver-service/outbound';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { startBookingSystem } from '@waiver-service/simulator';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseRecording, readRecording, recordRead } from '../src/index.ts';
import { PersonalWords } from '../src/record/personal-words.ts';
import { Scrubber } from '../src/record/scrub.ts';

const words = () => new PersonalWords(createSecretKey(Buffer.alloc(32, 7)));
const scrubber = () =>
  new Scrubber(words(), { statuses: new Set(['CONFIRMED', 'PAID']), own: ['fields-of-a-key'] });
const scrubbed = (body: unknown) => scrubber().bodies([body])[0];
const year = new Date().getUTCFullYear();

describe('a word', () => {
  test('is replaced by one of the same shape, and always by the same', () => {
    const replaced = words().replaced('Zoë Bäcker-O’Neil <zoe.b+1@example.com>, +43 512 0042');
    expect(replaced).toMatch(
      /^[A-Z][a-z]É?é? [A-Z]é[a-z]{4}-[A-Z]’[A-Z][a-z]{3} <[a-z]{3}\.[a-z]\+\d@[a-z]{7}\.[a-z]{3}>/i,
    );
    expect(replaced).toMatch(/, \+\d\d \d{3} 0\d{3}$/);
    expect(words().replaced('Zoë')).toBe(replaced.slice(0, 3));
    expect(words().replaced('山田 Иван')).toMatch(/^(木|ø)+ (Ж|ж|ø|Ø)+$/u);
    const uuid = '5f1a5a6e-0b1c-4d53-9c58-2a6f6f6f5501';
    expect(words().replaced(uuid)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(words().replacedNumber(105_698_735)).toBe(Number(words().replaced('105698735')));
    expect(String(words().replacedNumber(105_698_735))).toMatch(/^[1-9]\d{8}$/);
  });

  test('is another one for each, so that ids which differ in a digit still do', () => {
    const ids = Array.from({ length: 6 }, (_, index) => `a8b9a${index + 1}`);
    for (let seed = 0; seed < 50; seed += 1) {
      const each = new PersonalWords(createSecretKey(Buffer.alloc(32, seed)));
      expect(new Set(ids.map((id) => each.replaced(id))).size).toBe(ids.length);
    }
  });

  test('of one digit is another one for each of the nine', () => {
    const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
    const given = words();
    expect(new Set(numbers.map((number) => given.replacedNumber(number))).size).toBe(9);
  });

  test('never keeps a character in its place', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,20}$|^[1-9]\d{0,12}$/), (word) => {
        const replaced = words().replaced(word);
        expect(replaced).toHaveLength(word.length);
        expect([...replaced].every((character, index) => character !== word[index])).toBe(true);
      }),
    );
  });
});

describe('a body', () => {
  const planted = [
    ...['Zoë', 'Bäcker', 'zoe', 'baecker', 'ZOE', 'Innsbruck', 'Maria-Theresien', '6020', 'Nussallergie'],
    ...[
      '0512',
      '998877',
      '1987',
      '2019-03-04',
      'P7654321',
      'sk_live_99',
      'fields-of-a-key',
      'Fluchtname',
      '47.2692',
    ],
  ];
  const body = {
    status: 'CONFIRMED',
    id: 998877,
    code: 'ZOE-998877',
    startTime: `${year}-06-12T09:00:00+02:00`,
    timeZone: 'Europe/Vienna',
    customer: {
      name: 'Zoë Bäcker',
      email: 'zoe.baecker@zoe.example',
      phoneNumbers: [{ number: '0512 998877', type: 'mobile' }],
    },
    street: 'Maria-Theresien-Straße 18',
    city: 'Innsbruck',
    postcode: '6020',
    notes: 'Zoë has Nussallergie; status: see Fluchtname, room 82',
    participants: [
      {
        fields: [
          { label: 'First Name', value: 'Zoë' },
          { label: 'Date of Birth', value: '1987-01-02' },
          { label: 'Weight', value: 82 },
        ],
      },
      {
        birthDate: '2019-03-04',
        passport: 'P7654321',
        age: 82,
        unit: { type: 'ADULT', restrictions: { paxCount: 1 } },
      },
    ],
    quantities: [{ optionLabel: 'Adult', value: 2 }],
    custom_field_values: [{ name: 'Allergies', value: 'Nussallergie', display_value: 'Nussallergie' }],
    fields: { 'Zoë Bäcker': 'Fluchtname', zoe: 1, 'zoe@zoe.example': true, note_998877: 'Fluchtname' },
    'x-fields-of-a-key': 1,
    location: [47.2692, 11.4041],
    apiKey: 'sk_live_99',
    deep: [[[{ contact: [{ text: 'Fluchtname' }] }]]],
  };

  test('has none of the planted names, addresses, numbers and keys', () => {
    const text = JSON.stringify(scrubbed(body)).toLowerCase();
    for (const word of planted) expect(text, word).not.toContain(word.toLowerCase());
    // Nor what might be somebody's age or weight.
    const [first, second] = Object(scrubbed(body)).participants;
    expect([first.fields[2].value, second.age]).not.toContain(82);
  });

  test('keeps what a booking is read by', () => {
    expect(scrubbed(body)).toMatchObject({
      status: 'CONFIRMED',
      startTime: body.startTime,
      timeZone: 'Europe/Vienna',
      participants: [
        { fields: [{ label: 'First Name' }, { label: 'Date of Birth' }, { label: 'Weight' }] },
        { unit: { type: 'ADULT', restrictions: { paxCount: 1 } } },
      ],
      quantities: [{ optionLabel: 'Adult', value: 2 }],
      custom_field_values: [{ name: 'Allergies' }],
    });
  });

  test('has ids that still refer to one another, in bodies and in paths', () => {
    const given = scrubber();
    const [booking, product] = given
      .bodies([{ productId: 'kayak-77', uuid: 'b-9001' }, { id: 'kayak-77' }])
      .map(Object);
    expect(product.id).toBe(booking.productId);
    expect(product.id).not.toContain('kayak');
    given.addPersonal('Zoe');
    expect(given.path('products/kayak-77')).toBe(`products/${product.id}`);
    expect(given.path('companies/Zoe/bookings/')).not.toMatch(/zoe/i);
    expect(given.path('booking.json/booking/')).toBe('booking.json/booking/');
    expect(given.path('../4.0/bookings/1/guests')).toMatch(/^\.\.\/4\.0\/bookings\/[02-9]\/guests$/);
  });

  test('has short values of the account and small ids replaced by the same words as paths and queries', () => {
    const given = new Scrubber(words(), { statuses: new Set(), own: ['alps', '7', 'adult'] });
    given.addPath('organizers/alps/events/5/');
    const [body] = given
      .bodies([
        { organizer: 'alps', alps: true, event: 5, id: 42, site: 7, quantity: 5, enabled: 1, type: 'adult' },
      ])
      .map(Object);
    const [, organizer = '', , event] = given.path('organizers/alps/events/5/').split('/');
    expect([organizer, event, body.id, body.site]).not.toEqual(
      expect.arrayContaining([expect.toBeOneOf(['alps', '5', 42, 7])]),
    );
    expect(body).toMatchObject({
      organizer,
      [organizer]: true,
      event: Number(event),
      quantity: 5,
      enabled: 1,
    });
    expect(body).toMatchObject({ type: 'adult' });
    const day = `${year}-06-12`;
    expect(given.query({ organizer: 'alps', order: '42', expand: 'all', page_size: '50', day })).toEqual({
      ...{ organizer, order: String(body.id), expand: 'all', page_size: '50', day },
    });
    expect(given.fields({ site: 7, organizer: 'alps', zone: 'Europe/Vienna' })).toEqual({
      ...{ site: body.site, organizer, zone: 'Europe/Vienna' },
    });
  });

  test('of any other kind, however deep, is scrubbed, too', () => {
    expect(JSON.stringify(scrubbed(['Zoë', '<html>Zoë</html>', null, true, 5]))).not.toContain('Zoë');
    let nested: unknown = 'Zoë';
    for (let depth = 0; depth < 5_000; depth += 1) nested = [nested];
    expect(JSON.stringify(scrubbed(nested))).not.toContain('Zoë');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(scrubbed({ contact: value, value }));
        expect(JSON.parse(text)).toBeDefined();
      }),
    );
  });
});

test('a live read is recorded with its numbers, without key, booking id or names', async () => {
  const system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: 'planted-key-1',
    pathShape: 'path',
    form: 'current',
  });
  onTestFinished(() => system.close());
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000 });
  onTestFinished(() => outbound.close());
  const plugin = defineBookingSystem({
    installName: 'acme',
    displayName: 'Acme',
    contract: { authHeaderName: 'api-key', pathShape: 'path', guestId: 'none' },
  });
  const [booking] = system.bookings.all;
  const record = (bookingId: string) =>
    recordRead(
      {
        plugin,
        baseUrl: system.url,
        settings: {},
        account: { accountId: 'planted-account', apiKey: 'planted-key-1' },
        bookingId,
      },
      { outbound },
    );
  const recording = await record(booking?.id ?? '');
  expect(recording).toMatchObject({
    bookingSystem: 'acme',
    exchanges: [{ request: { method: 'GET' }, answer: { status: 200 } }],
    read: { pax: booking?.pax, guests: booking?.guests.length },
  });
  const text = JSON.stringify(recording).toLowerCase();
  const personal = [
    booking?.id,
    booking?.contact.name,
    booking?.contact.email,
    'planted-key',
    'planted-account',
  ];
  for (const word of personal) expect(text).not.toContain(String(word).toLowerCase());

  const parsed = parseRecording(JSON.stringify(recording));
  const { booking: read, warnings } = await readRecording(plugin, parsed);
  expect(parsed.expected).toEqual({ booking: read, warnings: warnings.map(({ code }) => code) });
  expect(read).toMatchObject({ id: parsed.bookingId, pax: booking?.pax });
  await expect(readRecording(plugin, { ...parsed, bookingId: 'another' })).rejects.toThrow(
    'the recording has no answer to GET bookings/another',
  );
  expect(await record('no-such-planted')).toMatchObject({ read: { error: 'booking_not_found' } });
});
