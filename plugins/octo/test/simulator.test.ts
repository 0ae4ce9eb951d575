import { describe, expect, onTestFinished, test } from 'vitest';
import { type OctoBooking, type OctoOptions, octoBooking, startOcto } from '../simulator/index.ts';
import plugin from '../src/index.ts';
import { connected } from './connected.ts';

const apiKey = 'octo-account-key';
const { uuid } = octoBooking;
const guestIds = octoBooking.unitItems.map((item) => item.uuid);
const [first = '', second = ''] = guestIds;

const allowed = { changesUnitItems: true };

async function started(options: Partial<OctoOptions> = {}, settings: object = {}, account: object = {}) {
  const system = await startOcto({ apiKey, ...options });
  onTestFinished(() => system.close());
  const held = () => {
    const booking = system.bookings.get(uuid);
    if (!booking) throw new Error('the booking is gone');
    return booking;
  };
  return { system, held, ...connected(system.url, settings, account) };
}

test('the environment decides which bookings exist', async () => {
  const { system, read } = await started({ env: 'test' }, { env: 'test' });
  expect((await read()).booking.id).toBe(uuid);
  await expect(connected(system.url, { env: 'live' }).read()).rejects.toMatchObject({
    code: 'booking_not_found',
  });
});

describe('written waivers', () => {
  test('say in the note what is shared of the guest, and reissue no ticket', async () => {
    const { system, held, push } = await started();
    const shared = { bookingGuestId: second, name: 'Tiago Reis', email: 'tiago@example.com' };
    expect(await push(shared)).toEqual({ accepted: true, warnings: [] });
    expect(held()).toEqual({
      ...octoBooking,
      notes:
        'Ring the bell twice\n[waiver w1] updated 2027-06-11 · name: Tiago Reis · email: tiago@example.com [end]',
    });
    expect(JSON.stringify(system.received.map(({ body }) => body.toString()))).not.toContain('unitItems');
    expect(await push({ ...shared, deleted: true })).toEqual({ accepted: true, warnings: [] });
    expect(held()).toEqual(octoBooking);
  });

  test('change the guest’s contact where the installation allows it, which a reissued ticket withdraws', async () => {
    const { held, push, read } = await started({}, {}, allowed);
    expect(await push({ bookingGuestId: second })).toMatchObject({ accepted: true, withdraws: undefined });
    expect(held().unitItems[1]?.contact.fullName).toBeNull();
    const pushed = await push({ bookingGuestId: second, name: 'Tiago Reis', email: 'tiago@example.com' });
    expect(pushed).toMatchObject({
      accepted: true,
      warnings: [{ code: 'waiver_partly_written', message: expect.stringContaining('tickets of 2 unit') }],
      withdraws: 'changesUnitItems',
    });
    expect(plugin.capabilities.permissions).toContain(pushed?.withdraws);
    expect(held().unitItems).toMatchObject(
      octoBooking.unitItems.map(({ uuid: id, resellerReference }) => ({ uuid: id, resellerReference })),
    );
    const { booking } = await read();
    expect(booking.guests).toMatchObject([
      { id: first },
      { id: second, name: 'Tiago Reis', email: 'tiago@example.com' },
    ]);
    expect(booking.guests[0]).not.toHaveProperty('name');
    expect(booking.notes, 'what a note says of a guest is not shown to the others').toBe(
      'Ring the bell twice',
    );
    const { warnings = [] } =
      (await push({ bookingGuestId: second, name: 'Tiago Reis', deleted: true })) ?? {};
    expect(warnings.map(({ code }) => code)).toEqual(['waiver_partly_written']);
    expect(held().notes).toBe('Ring the bell twice');
  });

  test('find their guest among unit items with the same uuid', async () => {
    const [one] = octoBooking.unitItems;
    const bookings = one ? [{ ...octoBooking, unitItems: [one, one, one] }] : [];
    const { held, push } = await started({ bookings }, {}, allowed);
    await push({ bookingGuestId: `${first}:2`, name: 'Tiago Reis' });
    expect(held().unitItems.map(({ contact }) => contact.fullName)).toEqual([null, 'Tiago Reis', null]);
  });
});

describe('the vendor’s own waiver', () => {
  const field = (id: string, internalName: string, required: boolean, inputType = 'text') => ({
    id,
    internalName,
    required,
    inputType,
  });
  const waivers = [
    {
      id: 'wv-1',
      fields: [
        field('f-name', 'Full Name', true),
        field('f-born', 'Date of Birth', true),
        field('f-sign', 'Signature', false, 'signature'),
      ],
    },
  ];
  const kayak = (waiverPer: 'BOOKING' | 'UNIT') => [{ id: 'kayak', waiverPer, waivers }];
  const all = { name: 'Tiago Reis', dateOfBirth: '1990-05-04', signature: 'Tiago' };
  const sentBy = ({ received }: { received: readonly { method: string; body: Buffer }[] }): unknown[] =>
    received.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body.toString()));

  test('is filled in the guest’s unit item, completely', async () => {
    const { system, push, read } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
    const pushed = await push({ bookingGuestId: second, ...all });
    expect(pushed?.accepted).toBe(true);
    expect(pushed?.warnings, 'the contact and the waiver are one change').toHaveLength(1);
    expect(sentBy(system)).toMatchObject([
      {
        unitItems: [
          { uuid: first },
          {
            uuid: second,
            waiverId: 'wv-1',
            waiverFieldValues: [
              { fieldId: 'f-name', value: 'Tiago Reis' },
              { fieldId: 'f-born', value: '1990-05-04' },
            ],
          },
        ],
      },
    ]);
    const { booking } = await read();
    expect(booking.guests.map((guest) => guest.waiversComplete)).toEqual([false, true]);
    expect(booking.waiversComplete).toBe(false);
  });

  test('is filled once if it belongs to the booking', async () => {
    const { system, push, read } = await started({ products: kayak('BOOKING') }, { waivers: true }, allowed);
    // The booking's waiver needs no unit item; only the contact does.
    const { name: _name, ...others } = all;
    await push({ bookingGuestId: second, ...others });
    expect(sentBy(system)).toEqual([
      { waiverId: 'wv-1', waiverFieldValues: expect.any(Array), notes: expect.any(String) },
    ]);
    await push({ bookingGuestId: second, ...all });
    expect(sentBy(system)[1]).toMatchObject({
      waiverId: 'wv-1',
      unitItems: [{ uuid: first }, { uuid: second }],
    });
    expect((await read()).booking.waiversComplete).toBe(true);

    const later = await push({ id: 'w2', bookingGuestId: first, dateOfBirth: '1958-01-01' });
    expect(sentBy(system)[2], 'the waiver of another guest is not replaced').toEqual({
      notes: expect.any(String),
    });
    expect(later?.warnings).toMatchObject([{ message: expect.stringContaining('complete already') }]);
  });

  test('of one guest is sent once, and a system that then drops the one of another guest is told of', async () => {
    const { system, held, push } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
    await push({ id: 'w1', bookingGuestId: first, dateOfBirth: '1958-01-01', name: 'Rui Alves' });
    const tickets = held().unitItems.map(({ supplierReference }) => supplierReference);
    const again = { id: 'w1', bookingGuestId: first, dateOfBirth: '1958-01-01', name: 'Rui Alves' };
    await push(again);
    await push({ ...again, updatedAt: '2027-06-12T06:00:00.000Z' });
    expect(held().unitItems.map(({ supplierReference }) => supplierReference)).toEqual(tickets);
    expect(sentBy(system)).toHaveLength(2);
    const { warnings = [] } = (await push({ id: 'w2', bookingGuestId: second, ...all })) ?? {};
    expect(warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('own waivers of 1 unit items are complete no more'),
    );
  });

  test('is filled only with shared answers, with a warning about missing ones', async () => {
    const { system, push } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
    const partly = await push({ bookingGuestId: second, name: 'Tiago Reis' });
    expect(partly?.warnings).toContainEqual({
      code: 'waiver_partly_written',
      path: 'unitItems',
      message: expect.stringContaining('"Date of Birth"'),
    });
    const empty = await push({ bookingGuestId: first });
    expect(empty?.warnings).toMatchObject([{ message: expect.stringContaining('stays empty') }]);
    expect(
      JSON.stringify(sentBy(system)[1]),
      'nothing is shared: its own waiver is left alone',
    ).not.toContain('waiverId');
  });

  test('is read from the booking if it is included there; there is a warning if the vendor reports it as incomplete', async () => {
    const [asked] = waivers;
    const short = { id: 'wv-1', fields: asked?.fields.slice(0, 1) };
    const product = { internalName: 'Kayak tour', waiverPer: 'UNIT', waivers: [short] };
    const { system, push } = await started(
      { bookings: [{ ...octoBooking, product }], products: kayak('UNIT') },
      { waivers: true },
      allowed,
    );
    const { warnings = [] } = (await push({ bookingGuestId: second, name: 'Tiago Reis' })) ?? {};
    expect(warnings.map(({ message }) => message).join()).toContain('not complete');
    expect(system.received.map(({ route }) => route)).toEqual(['read', 'write']);
  });

  test('cannot be filled without a guest, nor withdrawn', async () => {
    const { system, held, push } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
    for (const changes of [
      all,
      { ...all, bookingGuestId: 'gone' },
      { ...all, bookingGuestId: second, deleted: true },
    ]) {
      const { warnings = [] } = (await push(changes)) ?? {};
      expect(warnings.map(({ code }) => code)).toContain('waiver_partly_written');
    }
    expect(JSON.stringify(sentBy(system))).not.toContain('waiverId');
    expect(held().notes).toBe('Ring the bell twice');
  });

  test('is not filled if the system refuses it because the booking can no longer be changed', async () => {
    const locked: OctoBooking = { ...octoBooking, cancellable: false };
    const { held, push, read } = await started(
      { bookings: [locked], products: kayak('UNIT') },
      { waivers: true },
      allowed,
    );
    const pushed = await push({ bookingGuestId: second, ...all });
    expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('not cancellable') });
    expect(pushed?.warnings.map(({ message }) => message).join()).toContain('UNPROCESSABLE_ENTITY');
    expect(held()).toEqual(locked);
    expect((await read()).booking.guests[1]?.waiversComplete).toBe(false);
    expect(await push({ bookingGuestId: second })).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('not cancellable'),
    });
  });

  test('is left alone where the installation does not allow changes of unit items, but not where it is the booking’s', async () => {
    const perUnit = await started({ products: kayak('UNIT') }, { waivers: true });
    const { warnings = [] } = (await perUnit.push({ bookingGuestId: second, ...all })) ?? {};
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('changesUnitItems')]);
    expect(sentBy(perUnit.system)).toEqual([{ notes: expect.any(String) }]);
    const perBooking = await started({ products: kayak('BOOKING') }, { waivers: true });
    await perBooking.push({ bookingGuestId: second, ...all });
    expect(sentBy(perBooking.system)).toEqual([
      { waiverId: 'wv-1', waiverFieldValues: expect.any(Array), notes: expect.any(String) },
    ]);
  });

  describe('with the signed document', () => {
    const pdf = Buffer.from('%PDF-1.7 signed');
    const signed = { bookingGuestId: second, ...all };

    test('has it in the guest’s unit item, or in the booking, and shows it to the vendor only once', async () => {
      const ofUnit = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
      const { warnings = [] } = (await ofUnit.push(signed, async () => pdf)) ?? {};
      expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('tickets of 2')]);
      expect(ofUnit.system.waiverFile(uuid, second)).toEqual(pdf);
      expect(ofUnit.system.waiverFile(uuid, first)).toBeUndefined();
      const ofBooking = await started({ products: kayak('BOOKING') }, { waivers: true });
      expect(await ofBooking.push(signed, async () => pdf)).toMatchObject({ accepted: true, warnings: [] });
      expect(ofBooking.system.waiverFile(uuid)).toEqual(pdf);
      await ofBooking.push({ ...signed, updatedAt: '2027-06-12T06:00:00.000Z' }, () =>
        expect.fail('the waiver is not sent again'),
      );
      expect(ofBooking.system.waiverFile(uuid)).toEqual(pdf);
    });

    test('is sent without it where there is none, and neither is sent where nothing of the waiver is', async () => {
      const { system, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
      const failing = () => expect.fail('the waiver is not sent');
      await push({ bookingGuestId: first }, failing);
      await push({ ...signed, deleted: true }, failing);
      expect(await push(signed, async () => undefined)).toMatchObject({ accepted: true, warnings: [] });
      expect(JSON.stringify(sentBy(system))).not.toContain('waiverFile');
      const off = await started({ products: kayak('BOOKING') });
      await off.push(signed, failing);
    });

    test('is sent without it to a system that refuses it, with a warning', async () => {
      const { system, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
      system.faults.next('write', { kind: 'status', status: 413 });
      const pushed = await push(signed, async () => pdf);
      expect(pushed).toMatchObject({
        accepted: true,
        warnings: [{ message: expect.stringContaining('without the signed document') }],
      });
      expect(system.waiverFile(uuid)).toBeUndefined();
    });

    test('is sent into the booking as it is once the document is made, also where there is none in the end', async () => {
      for (const made of [pdf, undefined]) {
        const { system, held, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
        const pushed = await push(signed, async () => {
          system.put({ ...held(), notes: 'Wheelchair!' });
          return made;
        });
        expect(pushed).toMatchObject({ accepted: true, warnings: [] });
        expect(held().notes).toMatch(/^Wheelchair!\n\[waiver w1\] updated 2027-06-11 .*\[end\]$/);
        expect(system.waiverFile(uuid)).toEqual(made);
        expect(system.received.map(({ route }) => route)).toEqual(['read', 'product', 'read', 'write']);
      }
    });

    test('removes no unit item that was added while it was made', async () => {
      const { system, held, push } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
      const added = '33333333-0b1c-4d53-9c58-2a6f6f6f5501';
      await push(signed, async () => {
        const [one] = octoBooking.unitItems;
        system.put({
          ...held(),
          unitItems: [...held().unitItems, ...(one ? [{ ...one, uuid: added }] : [])],
        });
        return pdf;
      });
      expect(held().unitItems.map((item) => item.uuid)).toEqual([first, second, added]);
      expect(system.waiverFile(uuid, second)).toEqual(pdf);
    });

    test('is not sent where the waiver was completed while it was made', async () => {
      const { system, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
      const { warnings = [] } =
        (await push(signed, async () => {
          await push({ id: 'w0', bookingGuestId: first, ...all });
          return pdf;
        })) ?? {};
      expect(warnings).toMatchObject([{ message: expect.stringContaining('complete already') }]);
      expect(sentBy(system)).toMatchObject([{ waiverId: 'wv-1' }, { notes: expect.any(String) }]);
      expect(JSON.stringify(sentBy(system)[1])).not.toContain('waiverFile');
    });

    test('is written no more into a booking that was locked while it was made', async () => {
      const { system, held, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
      const locked = { ...octoBooking, cancellable: false };
      const pushed = await push(signed, async () => {
        system.put(locked);
        return pdf;
      });
      expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('not cancellable') });
      expect(sentBy(system).map((body) => Object.keys(Object(body)))).toEqual([
        ['waiverId', 'waiverFieldValues', 'waiverFile'],
        ['waiverId', 'waiverFieldValues'],
      ]);
      expect(held()).toEqual(locked);
    });

    test('is sent again without it into the booking as it is after the refusal', async () => {
      for (const status of [400, 413, 415, 422]) {
        const { system, held, push } = await started({ products: kayak('BOOKING') }, { waivers: true });
        const refused = { kind: 'status', status } as const;
        system.faults.next('write', { kind: 'latency', milliseconds: 50, followedBy: refused });
        const pushing = push(signed, async () => pdf);
        await system.untilReceived('write', 1);
        system.put({ ...held(), notes: 'Wheelchair!' });
        expect(await pushing).toMatchObject({
          accepted: true,
          warnings: [{ message: expect.stringContaining('without the signed document') }],
        });
        expect(held().notes).toMatch(/^Wheelchair!\n\[waiver w1\] .*\[end\]$/);
      }
    });

    test('is not put at risk for a change of only a contact, and a document that is gone is told of', async () => {
      const { system, push } = await started({ products: kayak('UNIT') }, { waivers: true }, allowed);
      await push(signed, async () => pdf);
      const contact = { id: 'w2', bookingGuestId: first, email: 'rui@example.com' };
      await push(contact);
      expect(system.waiverFile(uuid, second)).toEqual(pdf);
      const { warnings = [] } = (await push({ ...contact, ...all }, async () => pdf)) ?? {};
      expect(warnings.map(({ message }) => message)).toContainEqual(
        expect.stringContaining('documents of 1 unit items are not shown any more'),
      );
    });
  });

  test('is skipped if the product has none, or the setting is off', async () => {
    const withNone = await started({ products: [{ id: 'kayak' }] }, { waivers: true });
    expect((await withNone.push({ bookingGuestId: first }))?.warnings).toEqual([]);
    const off = await started({ products: kayak('UNIT') }, {}, allowed);
    await off.push({ bookingGuestId: first, ...all });
    expect(off.system.received.map(({ route }) => route)).toEqual(['read', 'write']);
  });
});

test('a system without the capability is not asked about webhooks, and its refusal is quoted', async () => {
  const { register } = await started();
  await expect(register('https://a.example/?key=1')).rejects.toThrow(
    'octo/webhooks is not among the capabilities',
  );
  const isUsed = (settings: object) =>
    plugin.webhooks?.isUsed?.({
      settings: plugin.settingsSchema.parse(settings),
      account: { accountId: 'a', apiKey, changesUnitItems: false },
    });
  expect([{}, { webhooks: false }, { webhooks: true }].map(isUsed)).toEqual([false, false, true]);
});
