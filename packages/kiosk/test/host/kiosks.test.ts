import { pbkdf2Sync } from 'node:crypto';
import { sealEnvelope } from '@waiver-service/forms/envelope';
import { prepareCheckIn, problem, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { makeKiosk, startKioskHost } from '../setup/kiosk-host.ts';

const checkIn = await prepareCheckIn(startKioskHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const kiosks = '/v1/admin/pools/rafting/kiosks';
const day = '/check-in/api/kiosk/day';
const signings = '/check-in/api/kiosk/signings';
const nothing = { waiting: 0, waitingSince: null };
const booking = { bookingSystem: 'standard', bookingId: 'BK-1001' };

const pair = (code: unknown) => checkIn.host.as(null)('POST', '/check-in/api/kiosk/pair', { code });

describe('a tablet', () => {
  it('becomes a kiosk by a code that works once, typed in any case', async () => {
    const { body } = await checkIn.host.admin('POST', kiosks, { name: 'River', pin: '2468' });
    expect(body).toMatchObject({ url: `${checkIn.host.url}/check-in/kiosk` });
    const { items } = (await checkIn.host.admin('GET', kiosks)).body;
    expect(items.at(-1)).toMatchObject({ name: 'River', pairedAt: null, lastSeenAt: null, returnAfterS: 60 });
    const typed = textAt(body, 'code').toLowerCase().replace('-', ' ');
    expect((await pair(typed)).status).toBe(200);
    expect(await pair(typed)).toMatchObject(problem(401, 'pairing_code_wrong'));
    expect(await pair('ABCD-EFGH')).toMatchObject(problem(401, 'pairing_code_wrong'));
  });

  it('is paired again with another code, which ends the former credential', async () => {
    const { id, kiosk } = await makeKiosk(checkIn.host);
    const { body } = await checkIn.host.admin('POST', `${kiosks}/${id}/pairing-code`);
    expect((await kiosk('PUT', day, nothing)).status).toBe(200);
    const again = await pair(body.code);
    expect((await checkIn.host.as(textAt(again.body, 'token'))('PUT', day, nothing)).status).toBe(200);
    expect(await kiosk('PUT', day, nothing)).toMatchObject(problem(401, 'kiosk_unknown'));
  });

  it('that guesses codes is held off, and a right one of another address is not', async () => {
    const guesses = await Promise.all(Array.from({ length: 130 }, (_, index) => pair(`GUESS-${index}`)));
    expect(guesses.map(({ status }) => status)).toContain(429);
    expect((await makeKiosk(checkIn.host)).token).toMatch(/^wsk_/);
  });

  it.each([
    ['a PIN with letters', { name: 'x', pin: '12a4' }],
    ['a short PIN', { name: 'x', pin: '123' }],
    ['a long PIN', { name: 'x', pin: '1'.repeat(13) }],
    ['no name', { name: ' ', pin: '2468' }],
    ['a long name', { name: 'x'.repeat(101), pin: '2468' }],
    ['a pause of a day', { name: 'x', pin: '2468', returnAfterS: 86_400 }],
  ])('is refused with %s', async (_what, body) => {
    expect((await checkIn.host.admin('POST', kiosks, body)).status).toBe(400);
  });
});

describe('a kiosk', () => {
  it('sees the day with first names and initials, and nothing else', async () => {
    const guest = await checkIn.guest({ bookingId: 'BK-1001' });
    await guest('GET', '/check-in/api/session');
    const { kiosk, token } = await makeKiosk(checkIn.host);
    const { status, body, text } = await kiosk('PUT', day, nothing);
    expect([status, body.pool, body.kiosk.name]).toEqual([200, { name: 'rafting' }, 'Desk']);
    expect(text).not.toMatch(/Bäcker|@example\.com/);
    expect(body.walkInForm).toBe(0);
    expect(body.forms).toMatchObject([{ form: checkIn.form.form }]);
    for (const [method, path] of [
      ['GET', '/check-in/api/session'],
      ['GET', '/v1/pools/rafting/waivers'],
      ['GET', '/v1/admin/me'],
      ['GET', kiosks],
    ] as const)
      expect((await checkIn.host.as(token)(method, path)).status).toBe(401);
    const { body: link } = await checkIn.app('POST', '/v1/pools/rafting/check-in-links', { desk: true });
    const linked = checkIn.host.as(textAt(link, 'url').split('/').at(-1) ?? '');
    expect(await linked('PUT', day, nothing)).toMatchObject(problem(401, 'kiosk_unknown'));
  });

  it('checks the PIN by a slow hash, which changes with it', async () => {
    const { id, kiosk } = await makeKiosk(checkIn.host);
    const verifies = async (pin: string) => {
      const { salt, iterations, hash } = (await kiosk('PUT', day, nothing)).body.kiosk.pin;
      expect(iterations).toBeGreaterThanOrEqual(600_000);
      return (
        pbkdf2Sync(pin, Buffer.from(salt, 'base64url'), iterations, 32, 'sha256').toString('base64url') ===
        hash
      );
    };
    expect(await verifies('2468')).toBe(true);
    const changed = await checkIn.host.admin('PATCH', `${kiosks}/${id}`, { pin: '13579', returnAfterS: 30 });
    expect(changed.body).toMatchObject({ name: 'Desk', returnAfterS: 30 });
    expect([await verifies('2468'), await verifies('13579')]).toEqual([false, true]);
  });

  it('signs for a booking or without one, and no guest twice', async () => {
    const { id, kiosk } = await makeKiosk(checkIn.host);
    const walkIn = checkIn.signing([adult]);
    expect((await kiosk('POST', signings, { signing: walkIn })).status).toBe(201);
    expect((await kiosk('POST', signings, { signing: walkIn })).status).toBe(200);
    const guest = checkIn.signing([adult], { bookingGuestIds: ['G-1'] });
    expect((await kiosk('POST', signings, { booking, signing: guest })).status).toBe(201);
    const waiver = await checkIn.app('GET', `/v1/pools/rafting/waivers/${guest.id}-1`);
    expect(waiver.body).toMatchObject({ bookingId: 'BK-1001', bookingGuestId: 'G-1' });
    const again = checkIn.signing([adult], { bookingGuestIds: ['G-1'] });
    expect(await kiosk('POST', signings, { booking, signing: again })).toMatchObject(
      problem(409, 'already_signed'),
    );
    const details = await checkIn.host.admin('GET', `/v1/admin/pools/rafting/waivers/${guest.id}-1/signing`);
    expect(details.body.linkKind).toBe('kiosk');
    const versions = await checkIn.host.admin(
      'GET',
      `/v1/admin/pools/rafting/waivers/${guest.id}-1/versions`,
    );
    expect(versions.body.items[0].actor).toBe(`kiosk:${id}`);
    const unknown = { bookingSystem: 'no-system', bookingId: 'BK-1001' };
    expect((await kiosk('POST', signings, { booking: unknown, signing: again })).status).toBe(400);
  });

  it('says what waits there, and is revoked at once; what waits arrives for staff', async () => {
    const { id, kiosk, token } = await makeKiosk(checkIn.host, { name: 'River bank' });
    const waitingSince = '2026-06-12T07:40:00.000Z';
    const { body } = await kiosk('PUT', day, { waiting: 2, waitingSince });
    const { items } = (await checkIn.host.admin('GET', kiosks)).body;
    expect(items.at(-1)).toMatchObject({ waiting: 2, waitingSince, lastSeenAt: expect.any(String) });
    expect((await checkIn.host.admin('DELETE', `${kiosks}/${id}`)).status).toBe(204);
    expect(await kiosk('PUT', day, nothing)).toMatchObject(problem(401, 'kiosk_revoked'));
    expect((await checkIn.host.admin('GET', kiosks)).text).not.toContain('River bank');
    const signing = checkIn.signing([adult]);
    const envelope = await sealEnvelope(body.sealing, JSON.stringify({ token, booking, signing }));
    const sent = await checkIn.host.as(null)('POST', `/check-in/api/sealed-signings/${body.sealing.id}`, {
      envelope,
    });
    expect(sent.status).toBe(202);
    const late = await checkIn.host.admin('GET', '/v1/admin/pools/rafting/late-signings');
    expect(late.body.items).toMatchObject([{ reason: 'kiosk_revoked', bookingId: 'BK-1001' }]);
  });

  it('that was paired again sends what waits under its former credential: staff store it for the chosen booking', async () => {
    const { kiosk } = await makeKiosk(checkIn.host, { name: 'Boat house' });
    const { sealing } = (await kiosk('PUT', day, nothing)).body;
    const send = async (bookingSystem: string, bookingGuestIds: string[]) => {
      const chosen = { bookingSystem, bookingId: 'BK-1001' };
      const signing = checkIn.signing([adult], { bookingGuestIds });
      const envelope = await sealEnvelope(
        sealing,
        JSON.stringify({ token: 'wsk_former', booking: chosen, signing }),
      );
      await checkIn.host.as(null)('POST', `/check-in/api/sealed-signings/${sealing.id}`, { envelope });
      const late = (await checkIn.host.admin('GET', '/v1/admin/pools/rafting/late-signings')).body.items.at(
        -1,
      );
      expect(late).toMatchObject({ reason: 'kiosk_unknown', ...chosen });
      const path = `/v1/admin/pools/rafting/late-signings/${late.id}/accept`;
      return { signing, accepted: await checkIn.host.admin('POST', path, {}) };
    };
    const { signing, accepted } = await send('standard', ['G-2']);
    expect(accepted.status).toBe(201);
    const waiver = await checkIn.app('GET', `/v1/pools/rafting/waivers/${signing.id}-1`);
    expect(waiver.body).toMatchObject({ bookingId: 'BK-1001', bookingGuestId: 'G-2' });
    // Anyone can make such an envelope up.
    expect((await send('no-system', [])).accepted).toMatchObject(problem(400, 'malformed'));
  });
});
