import type { Signing } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { type CheckInHost, makeLink, prepareCheckIn, type TestHost, textAt } from '@waiver-service/testing';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startKioskHost } from '../setup/kiosk-host.ts';

const checkIn = await prepareCheckIn(startKioskHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const dayMs = 86_400_000;
const lateSignings = '/v1/admin/pools/rafting/late-signings';

afterEach(() => checkIn.system.faults.clear());

async function query(text: string): Promise<void> {
  const database = new Client({ connectionString: checkIn.host.databaseUrl });
  await database.connect();
  await database.query(text);
  await database.end();
}

/** As a day after the last time that a booking was read. */
const forgetBookings = () => query('delete from cached_booking');

/** As a year after the links were made and the form was published; later versions stay as they are. */
const ageLinksAndForms = () =>
  query(`update check_in_link set created_at = now() - interval '1 year';
alter table form_version disable trigger keep_form_version;
update form_version set published_at = now() - interval '1 year' where version = ${checkIn.form.version};
alter table form_version enable trigger keep_form_version`);

interface Device {
  readonly token: string;
  readonly sealing: SealingKey;
  /**
   * Sends what waited, as the page does.
   * @param clockAheadMs - null: the page has never compared the clocks
   */
  send(
    signing: unknown,
    token?: string,
    clockAheadMs?: number | null,
  ): ReturnType<CheckInHost<TestHost>['app']>;
}

/** A device on which a link was opened. */
async function openLink(place: object): Promise<Device> {
  const token = await makeLink(checkIn.app, 'rafting', place);
  const { body } = await checkIn.host.as(token)('GET', '/check-in/api/session');
  const sealing: SealingKey = body.sealing;
  return {
    token,
    sealing,
    async send(signing, by = token, clockAheadMs = 0) {
      const compared = clockAheadMs === null ? {} : { clockAheadMs };
      const envelope = await sealEnvelope(sealing, JSON.stringify({ token: by, signing, ...compared }));
      return checkIn.host.as(null)('POST', `/check-in/api/sealed-signings/${sealing.id}`, { envelope });
    },
  };
}

const listed = async () => {
  const { body } = await checkIn.host.admin('GET', `${lateSignings}?limit=100`);
  const items: { id: string; reason: string; names: string[]; signedAt: string | null }[] = body.items;
  return items;
};
const waiverOf = (signing: Signing, guest = 1) =>
  checkIn.app('GET', `/v1/pools/rafting/waivers/${signing.id}-${guest}`);

describe('a signing that waited on a device', () => {
  it('is stored as a usual one, once, however often it is sent', async () => {
    const device = await openLink({ bookingId: 'BK-1001' });
    const signing = checkIn.signing([adult], { bookingGuestIds: ['G-1'] });
    const [first, ...others] = [
      await device.send(signing),
      await device.send(signing),
      await checkIn.host.as(device.token)('POST', '/check-in/api/signings', signing),
    ];
    expect([first?.status, ...others.map(({ status }) => status)]).toEqual([201, 200, 200]);
    expect((await waiverOf(signing)).body).toMatchObject({ bookingId: 'BK-1001', bookingGuestId: 'G-1' });
    expect(await listed()).toEqual([]);
  });

  it('is stored with what a keyboard left in it, as pages of earlier versions send it', async () => {
    const device = await openLink({ desk: true });
    const signing = checkIn.signing([adult]);
    const [guest] = signing.guests;
    const typed = { ...signing, guests: [{ answers: { ...guest?.answers, name: 'Zoë \ud83d\u0000' } }] };
    expect((await device.send(typed)).status).toBe(201);
    expect((await device.send(typed)).status).toBe(200);
    expect((await waiverOf(signing)).body.answers.name).toBe('Zoë \ufffd');
  });

  it('is stored in the version that was published when it was signed', async () => {
    const device = await openLink({ desk: true });
    const signing = checkIn.signing([adult]);
    const path = `/v1/admin/pools/rafting/forms/${checkIn.form.form}`;
    const pages = checkIn.form.content.pages.map((page) => ({
      ...page,
      title: { en: 'Changed', de: 'Geändert' },
    }));
    await checkIn.host.admin('PUT', `${path}/draft`, { ...checkIn.form.content, pages });
    expect((await checkIn.host.admin('POST', `${path}/publish`)).status).toBe(201);
    const now = await checkIn.host.as(device.token)('POST', '/check-in/api/signings', signing);
    expect([now.status, now.body.code]).toEqual([409, 'form_changed']);
    expect((await device.send(signing)).status).toBe(201);
    const read = await checkIn.host.admin('GET', `/v1/pools/rafting/waivers/${signing.id}-1`);
    expect(read.body).toMatchObject({ signing: { formVersion: checkIn.form.version } });
  });

  it('stands on the day when it was signed, also after a correction; not if that is long ago', async () => {
    const device = await openLink({ desk: true });
    await ageLinksAndForms();
    const sign = async (signedAt: string) => {
      const signing = checkIn.signing([adult], { times: { openedAt: signedAt, signedAt } });
      expect((await device.send(signing)).status).toBe(201);
      return `${signing.id}-1`;
    };
    const signedAt = new Date(Date.now() - 2 * dayMs).toISOString();
    const id = await sign(signedAt);
    const path = `/v1/pools/rafting/waivers/${id}`;
    await checkIn.app('PATCH', path, { answers: { name: 'Corrected' } });
    expect((await checkIn.app('GET', path)).body).toMatchObject({
      lastVisit: signedAt,
      answers: { name: 'Corrected' },
    });
    const date = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date(signedAt));
    const day = await checkIn.host.admin('GET', `/v1/admin/pools/rafting/days/${date}`);
    expect(day.body.walkIns).toMatchObject([{ waiverId: id, signedAt }]);
    const wrongId = await sign(new Date(Date.now() - 31 * dayMs).toISOString());
    const wrong = await checkIn.app('GET', `/v1/pools/rafting/waivers/${wrongId}`);
    expect(Date.parse(wrong.body.createdAt) - Date.parse(wrong.body.lastVisit)).toBeLessThan(dayMs);
  });

  it('is good if its link has expired since', async () => {
    const expiresAt = new Date(Date.now() + 5_000).toISOString();
    const device = await openLink({ desk: true, expiresAt });
    const times = { openedAt: new Date().toISOString(), signedAt: new Date().toISOString() };
    const signing = checkIn.signing([adult], { times });
    await expect
      .poll(async () => (await checkIn.host.as(device.token)('GET', '/check-in/api/session')).status)
      .toBe(401);
    expect((await device.send(signing)).status).toBe(201);
    const after = { ...times, signedAt: new Date(Date.now() - 10).toISOString() };
    expect((await device.send(checkIn.signing([adult], { times: after }))).status).toBe(202);
    const [late] = await listed();
    expect(late?.reason).toBe('link_expired');
    await checkIn.host.admin('DELETE', `${lateSignings}/${late?.id}`);
  });
});

describe('the clock of the device on which a signing waited', () => {
  /** A signing of a given time, as a device says whose clock is that far off. */
  const signedOn = (aheadMs: number, at: number) => {
    const time = new Date(at + aheadMs).toISOString();
    return checkIn.signing([adult], { times: { openedAt: time, signedAt: time } });
  };
  const readOf = async ({ id }: Signing) =>
    (await checkIn.host.admin('GET', `/v1/pools/rafting/waivers/${id}-1`)).body;
  const sealedOf = async ({ id }: Signing) =>
    (await checkIn.host.admin('GET', `/v1/admin/pools/rafting/waivers/${id}-1/signing`)).body;

  it.each([
    ['a day ahead', dayMs],
    ['a day behind', -dayMs],
    ['a year behind', -365 * dayMs],
    ['right', 0],
  ])('%s changes no date, and what it said stays in the record', async (_what, aheadMs) => {
    const device = await openLink({ desk: true });
    await ageLinksAndForms();
    const at = Date.now() - 2 * dayMs;
    const signing = signedOn(aheadMs, at);
    expect((await device.send(signing, device.token, aheadMs)).status).toBe(201);
    const signedAt = new Date(at).toISOString();
    const read = await readOf(signing);
    expect(read.lastVisit).toBe(signedAt);
    const date = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(at);
    const day = await checkIn.host.admin('GET', `/v1/admin/pools/rafting/days/${date}`);
    expect(JSON.stringify(day.body.walkIns)).toContain(`${signing.id}-1`);
    expect((await sealedOf(signing)).signedAt).toBe(signing.times.signedAt);
  });

  it.each([
    ['ahead', dayMs],
    ['behind', -dayMs],
  ])('a day %s makes no link expire, nor lets one live longer', async (_what, aheadMs) => {
    const expiresAt = Date.now() - dayMs / 2;
    const device = await openLink({ desk: true });
    await ageLinksAndForms();
    await query(`update check_in_link set expires_at = '${new Date(expiresAt).toISOString()}'
where id = (select id from check_in_link order by id desc limit 1)`);
    const send = async (at: number) =>
      (await device.send(signedOn(aheadMs, at), device.token, aheadMs)).status;
    expect([await send(expiresAt - 60_000), await send(expiresAt + 60_000)]).toEqual([201, 202]);
    const [late] = await listed();
    expect(late).toMatchObject({
      reason: 'link_expired',
      signedAt: new Date(expiresAt + 60_000).toISOString(),
    });
    const accepted = await checkIn.host.admin('POST', `${lateSignings}/${late?.id}/accept`, {});
    expect(accepted.status).toBe(201);
    const read = await checkIn.host.admin('GET', `/v1/pools/rafting/waivers/${accepted.body.id}-1`);
    expect(read.body.lastVisit).toBe(new Date(expiresAt + 60_000).toISOString());
  });

  it.each([
    ['before its link was made', 0, -2 * dayMs],
    ['before all time', 8e15, -2 * dayMs],
    ['after its arrival', 0, dayMs],
    ['after its arrival, long ago by its own clock', -8e15, -2 * dayMs],
  ])('has no say %s', async (_what, aheadMs, fromNowMs) => {
    await ageLinksAndForms();
    const from = Date.now();
    const device = await openLink({ desk: true });
    const signing = signedOn(0, from + fromNowMs);
    expect((await device.send(signing, device.token, aheadMs)).status).toBe(201);
    const { lastVisit } = await readOf(signing);
    expect(Date.parse(lastVisit)).toBeGreaterThanOrEqual(from);
    expect(Date.parse(lastVisit)).toBeLessThanOrEqual(Date.now());
  });
});

describe('a signing for a booking that was not read for a day', () => {
  const activities = ['canyon-half-day'];

  async function openOld(id: string) {
    const booking = checkIn.system.bookings.get('BK-1001');
    if (booking === undefined) throw new Error('there is no BK-1001');
    checkIn.system.bookings.add({ ...booking, id });
    const device = await openLink({ bookingId: id });
    await forgetBookings();
    return device;
  }
  const signingOfToday = () => checkIn.signing([adult], { version: checkIn.form.version + 1 });
  const activitiesOf = async (signing: Signing) => (await waiverOf(signing)).body.activities;

  it('is judged by the booking as its booking system has it now', async () => {
    const device = await openOld('BK-old');
    const [late, now] = [signingOfToday(), signingOfToday()];
    expect((await device.send(late)).status).toBe(201);
    await forgetBookings();
    expect((await checkIn.host.as(device.token)('POST', '/check-in/api/signings', now)).status).toBe(201);
    expect([await activitiesOf(late), await activitiesOf(now)]).toEqual([activities, activities]);
  });

  it('is stored without it while the booking system is down if its guest waits, and else kept for staff', async () => {
    const device = await openOld('BK-down');
    const [late, now] = [signingOfToday(), signingOfToday()];
    checkIn.system.faults.always('read', { kind: 'status', status: 503 });
    expect((await checkIn.host.as(device.token)('POST', '/check-in/api/signings', now)).status).toBe(201);
    expect((await device.send(late)).status).toBe(202);
    const [kept] = await listed();
    expect(kept?.reason).toBe('booking_unavailable');
    checkIn.system.faults.clear();
    const accept = () => checkIn.host.admin('POST', `${lateSignings}/${kept?.id}/accept`, {});
    expect((await accept()).status).toBe(201);
    expect(await activitiesOf(late)).toEqual(activities);
  });
});

describe('one that cannot become waivers is kept for staff', () => {
  const keptFor = async (sent: ReturnType<Device['send']>) => {
    expect((await sent).status).toBe(202);
    return (await listed()).at(-1);
  };

  it('of a guest who has signed meanwhile; staff attach it to another', async () => {
    const device = await openLink({ bookingId: 'BK-1001' });
    const signing = checkIn.signing([adult], { bookingGuestIds: ['G-1'] });
    const late = await keptFor(device.send(signing));
    expect(late).toMatchObject({
      reason: 'already_signed',
      bookingId: 'BK-1001',
      names: [expect.any(String)],
    });
    // The answer was lost on the way: nothing is listed twice.
    expect((await device.send(signing)).status).toBe(202);
    expect((await listed()).filter(({ id }) => id === late?.id).length).toBe(1);
    const accept = (bookingGuestIds: string[]) =>
      checkIn.host.admin('POST', `${lateSignings}/${late?.id}/accept`, { bookingGuestIds });
    // One guest of the booking for two people would count as one who has signed.
    const twice = await accept(['G-2', 'G-2']);
    expect([twice.status, twice.body.errors]).toMatchObject([400, [{ path: 'bookingGuestIds' }]]);
    expect((await accept(['G-2'])).status).toBe(201);
    expect((await waiverOf(signing)).body).toMatchObject({ bookingGuestId: 'G-2' });
    expect((await device.send(signing)).status).toBe(200);
    expect((await listed()).map(({ id }) => id)).not.toContain(late?.id);
  });

  it('by a link that was withdrawn; staff store it without a booking', async () => {
    const { body } = await checkIn.app('POST', '/v1/pools/rafting/check-in-links', { desk: true });
    const token = textAt(body, 'url').split('/').at(-1) ?? '';
    const device = await openLink({ desk: true });
    await checkIn.app('DELETE', `/v1/pools/rafting/check-in-links/${textAt(body, 'id')}`);
    const signing = checkIn.signing([adult]);
    const late = await keptFor(device.send(signing, token));
    expect(late?.reason).toBe('link_revoked');
    expect((await checkIn.host.admin('POST', `${lateSignings}/${late?.id}/accept`, {})).status).toBe(201);
    expect((await waiverOf(signing)).body).toMatchObject({ bookingId: null });
    // What is no signing, too, has the room of strangers.
    const junk = await keptFor(device.send({ id: 'x' }, token));
    expect(junk?.reason).toBe('link_revoked');
    expect((await checkIn.host.admin('DELETE', `${lateSignings}/${junk?.id}`)).status).toBe(204);
  });

  it.each([
    ['by no link that is known', 'link_unknown', (): unknown => checkIn.signing([adult]), 'wsg_made-up'],
    ['that is no signing', 'malformed', () => ({ id: 'x' }), undefined],
    ['that lacks a signature', 'signing_invalid', () => checkIn.signing([adult], { acts: [] }), undefined],
    [
      'for a guest of another booking',
      'guest_not_of_link',
      () => checkIn.signing([adult], { bookingGuestIds: ['G-9'] }),
      undefined,
    ],
  ])('%s: %s', async (_what, reason, make, token) => {
    const device = await openLink({ desk: true });
    const late = await keptFor(device.send(make(), token));
    expect(late?.reason).toBe(reason);
    const accepted = await checkIn.host.admin('POST', `${lateSignings}/${late?.id}/accept`, {});
    expect(accepted.status).toBe({ malformed: 409, signing_invalid: 400 }[reason] ?? 201);
    if (accepted.status !== 201)
      expect((await checkIn.host.admin('DELETE', `${lateSignings}/${late?.id}`)).status).toBe(204);
    expect(await listed()).toEqual([]);
  });
});

describe('what is no envelope of the pool', () => {
  const post = (key: string, body: unknown) =>
    checkIn.host.as(null)('POST', `/check-in/api/sealed-signings/${key}`, body);

  it('is refused, and stays on the device', async () => {
    const { sealing } = await openLink({ desk: true });
    const unknown = await post('no-key', 'not even JSON');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'sealing_key_not_found']);
    const damaged = await post(sealing.id, { envelope: 'AQAB' });
    expect([damaged.status, damaged.body.code]).toEqual([422, 'envelope_damaged']);
    expect((await post(sealing.id, { envelope: '*' })).status).toBe(400);
    const large = await post(sealing.id, { envelope: 'A'.repeat(6 * 1024 * 1024) });
    expect(large.status).toBe(413);
  });
});
