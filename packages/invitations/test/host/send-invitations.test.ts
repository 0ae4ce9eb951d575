import { alertsData } from '@waiver-service/alerts/data';
import rezdy from '@waiver-service/plugin-rezdy';
import { rezdyBooking, startRezdy } from '@waiver-service/plugin-rezdy/simulator';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import type { SimulatedBooking } from '@waiver-service/simulator';
import {
  accountKey,
  malformed,
  prepareCheckIn,
  problem,
  publishForm,
  startTestHost,
  type TestHost,
  textAt,
  until,
} from '@waiver-service/testing';
import { decodedMail, serverOnPort, startMailServer } from '@waiver-service/testing/mail';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { invitationsModule } from '../../src/invitations-module.ts';
import { features } from '../setup/open-outbox.ts';

/** A host that writes to guests, through the mail server on a port. */
const startInvitingHost = (smtpPort: number): Promise<TestHost> =>
  startTestHost({
    plugins: [rezdy],
    features: [alertsData, ...features],
    modules: [
      ...signingOnTestHosts({ mail: serverOnPort(smtpPort) }),
      invitationsModule,
      withoutGuestMailOrKiosks,
    ],
  });

const invitations = '/v1/admin/pools/rafting/invitations';
const sendTo = (bookingId: string) => `/v1/admin/pools/rafting/bookings/${bookingId}/invitations`;

let refusing: string | undefined;
const server = await startMailServer({
  onRcptTo({ address }, _session, done) {
    const refusal = Object.assign(new Error(`5.1.1 <${address}>: no such user`), { responseCode: 550 });
    done(address === refusing ? refusal : null);
  },
});
const checkIn = await prepareCheckIn(startInvitingHost(server.port));
afterAll(async () => {
  await checkIn.close();
  await server.close();
});
beforeEach(() => {
  server.mails.length = 0;
  refusing = undefined;
});

/** A separate booking, so that limits of other tests do not count. */
function addBooking(
  id: string,
  guests: SimulatedBooking['guests'],
  contact: { readonly name: string; readonly email?: string } = { name: 'Ana' },
): void {
  const [first] = checkIn.system.bookings.all;
  if (first === undefined) throw new Error('there is no booking');
  checkIn.system.bookings.add({ ...first, ...{ id, pax: guests.length, guests, contact } });
}

const logOf = async (bookingId: string) =>
  (await checkIn.host.admin('GET', `${invitations}/sent?bookingId=${bookingId}`)).body.items;

const mailTo = (address: string) =>
  until(() => server.mails.find(({ to }) => to[0] === address), `a mail to ${address}`);

const linkIn = (text: string) => /\/check-in\/(wsg_[\w-]+)/.exec(text)?.[1] ?? '';

describe('staff send the link', () => {
  it('to each guest at their own address, and to the booker for the others', async () => {
    const { admin, as } = checkIn.host;
    const { status, body } = await admin('POST', sendTo('BK-1001'));
    expect([status, body]).toEqual([
      200,
      {
        sent: [
          { email: 'z…@example.com', guests: 2, link: 'booking' },
          { email: 'l…@example.com', guests: 1, link: 'guest' },
        ],
        leftOut: [],
      },
    ]);
    await until(() => server.mails.length === 2, 'the mails');
    const byAddress = new Map(server.mails.map((mail) => [mail.to[0], decodedMail(mail.raw)]));
    const own = byAddress.get('li@example.com');
    const session = (await as(linkIn(own?.text ?? ''))('GET', '/check-in/api/session')).body;
    expect(session).toMatchObject({ link: { kind: 'guest' }, guests: [{ bookingGuestId: 'G-2' }] });
    const group = byAddress.get('zoe@example.com');
    const ofBooking = (await as(linkIn(group?.text ?? ''))('GET', '/check-in/api/session')).body;
    expect(ofBooking).toMatchObject({ link: { kind: 'booking' }, booking: { pax: 3 } });
    expect(group?.html).toContain(linkIn(group?.text ?? ''));
    const log = await until(async () => {
      const items = await logOf('BK-1001');
      return items.every(({ state }: { state: string }) => state === 'sent') && items;
    }, 'both to be recorded');
    expect(log).toHaveLength(2);
    expect(log[0]).toMatchObject({
      bookingId: 'BK-1001',
      occasion: 'staff',
      createdBy: 'admin-token',
      reason: null,
      endedAt: expect.any(String),
    });
    expect(own?.headers['message-id']).toBe(
      `<${log.find(({ email }: { email: string }) => email === 'li@example.com').id}@operator.example>`,
    );
    // Nothing that is stored or listed has a token.
    const stored = await admin('GET', '/v1/admin/deliveries?kind=invitation');
    expect(stored.body.items.map(({ state }: { state: string }) => state)).toEqual([
      'delivered',
      'delivered',
    ]);
    expect((await admin('GET', '/v1/admin/deliveries')).body.items).toEqual([]);
    expect(checkIn.host.lines.join('')).not.toContain(linkIn(own?.text ?? 'x'));
  });

  it('with headers that say what it is, and by which one click ends it', async () => {
    const { admin } = checkIn.host;
    addBooking('BK-headers', [
      { id: 'G-1', name: 'Eve "🏄"\r\nBcc: all@example.com', email: 'eve@example.com' },
    ]);
    await admin('PUT', invitations, {
      senderName: 'Fluß & Söhne "Rafting", <Wien>',
      replyTo: 'desk@operator.example',
    });
    await admin('POST', sendTo('BK-headers'));
    const mail = await mailTo('eve@example.com');
    // Encoded: a name that looks like an address is none.
    expect(mail.raw).toMatch(/^From: =\?UTF-8\?/m);
    const { headers, text } = decodedMail(mail.raw);
    expect(headers).toMatchObject({
      from: 'Fluß & Söhne "Rafting", <Wien> <waivers@operator.example>',
      to: 'eve@example.com',
      'reply-to': 'desk@operator.example',
      'auto-submitted': 'auto-generated',
      date: expect.stringMatching(/\d{4}/),
      'list-unsubscribe': expect.stringMatching(
        /^<http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/rafting\/[\w.-]+\?language=en>$/,
      ),
      'content-type': expect.stringContaining('multipart/alternative'),
    });
    expect(headers).not.toHaveProperty('bcc');
    // Without https no mail program may unsubscribe by itself.
    expect(headers).not.toHaveProperty('list-unsubscribe-post');
    expect(text).toContain('Hello Eve "🏄" Bcc: all @ example. com,');
  });

  it('to one guest, to their own address or else to the booker’s', async () => {
    const guests = [
      { id: 'G-1', name: 'Ben', email: 'ben@example.com' },
      { id: 'G-2', name: 'Cem' },
    ];
    addBooking('BK-one', guests, { name: 'Ana', email: 'ana@example.com' });
    const { admin } = checkIn.host;
    const toGuest = async (bookingGuestId: string) =>
      (await admin('POST', sendTo('BK-one'), { bookingGuestId })).body.sent;
    expect(await toGuest('G-1')).toEqual([{ email: 'b…@example.com', guests: 1, link: 'guest' }]);
    expect(await toGuest('G-2')).toEqual([{ email: 'a…@example.com', guests: 1, link: 'booking' }]);
    expect(await admin('POST', sendTo('BK-one'), { bookingGuestId: 'G-9' })).toMatchObject(
      problem(404, 'guest_not_found'),
    );
  });

  it('not where all have signed, none has an address, or the booking is gone or cancelled', async () => {
    const { admin, as } = checkIn.host;
    addBooking('BK-signed', [{ id: 'G-1', name: 'Ben', email: 'signed@example.com' }]);
    await admin('POST', sendTo('BK-signed'));
    const mail = await mailTo('signed@example.com');
    const guest = as(linkIn(decodedMail(mail.raw).text));
    await guest('GET', '/check-in/api/session');
    const signing = checkIn.signing(['1990-02-28'], { bookingGuestIds: ['G-1'] });
    expect((await guest('POST', '/check-in/api/signings', signing)).status).toBe(201);
    expect((await admin('POST', sendTo('BK-signed'))).body).toEqual({
      sent: [],
      leftOut: [{ email: null, guests: 0, reason: 'signed' }],
    });
    addBooking('BK-none', [{ id: 'G-1', name: 'Ben' }]);
    expect((await admin('POST', sendTo('BK-none'))).body.leftOut).toEqual([
      { email: null, guests: 1, reason: 'no-address' },
    ]);
    expect(await admin('POST', sendTo('BK-nowhere'))).toMatchObject(problem(404, 'booking_not_found'));
    addBooking('BK-cancelled', [{ id: 'G-1', name: 'Ben', email: 'b@example.com' }]);
    const booking = checkIn.system.bookings.get('BK-cancelled');
    if (booking) checkIn.system.bookings.replace({ ...booking, status: 'Cancelled' });
    expect(await admin('POST', sendTo('BK-cancelled'))).toMatchObject(problem(409, 'booking_cancelled'));
  });
});

describe('an address that gets nothing more', () => {
  it('is one that the mail server refuses, until staff lift that', async () => {
    const { admin } = checkIn.host;
    refusing = 'refused@example.com';
    addBooking('BK-refused', [{ id: 'G-1', name: 'Ben', email: refusing }]);
    await admin('POST', sendTo('BK-refused'));
    const [item] = await until(async () => {
      const items = await logOf('BK-refused');
      return items[0]?.state === 'refused' && items;
    }, 'the refusal');
    expect(item.reason).toContain('no such user');
    expect((await admin('POST', sendTo('BK-refused'))).body.leftOut).toEqual([
      { email: 'r…@example.com', guests: 1, reason: 'refused' },
    ]);
    const { items } = (await admin('GET', `${invitations}/refusals`)).body;
    expect(items).toMatchObject([
      { email: 'refused@example.com', reason: 'refused', reply: expect.stringContaining('550') },
    ]);
    refusing = undefined;
    expect((await admin('DELETE', `${invitations}/refusals/${items[0].id}`)).status).toBe(204);
    expect((await admin('DELETE', `${invitations}/refusals/${items[0].id}`)).status).toBe(404);
    expect((await admin('POST', sendTo('BK-refused'))).body.sent).toHaveLength(1);
    await mailTo('refused@example.com');
    // The destination is well: an address that is wrong says nothing about the server.
    const destinations = (await admin('GET', '/v1/admin/destinations')).body.items;
    expect(destinations.find(({ kind }: { kind: string }) => kind === 'invitation')).toMatchObject({
      consecutiveFailures: 0,
      status: 'active',
    });
  });

  it('is one whose owner unsubscribes: a look changes nothing, a click does', async () => {
    const { admin, url } = checkIn.host;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const anonymous = (method: string, address: string) =>
      fetch(
        address,
        method === 'POST' ? { method, headers: form, body: 'List-Unsubscribe=One-Click' } : { method },
      );
    addBooking('BK-unsubscribe', [{ id: 'G-1', name: 'Ben', email: 'leave@example.com', language: 'de' }]);
    await admin('POST', sendTo('BK-unsubscribe'));
    const mail = await mailTo('leave@example.com');
    const address = decodedMail(mail.raw).headers['list-unsubscribe']?.slice(1, -1) ?? '';
    expect(address).toContain(`${url}/unsubscribe/`);
    const page = await anonymous('GET', address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await page.text()).toContain('<html lang="de" dir="ltr">');
    expect((await admin('POST', sendTo('BK-unsubscribe'))).body.sent).toHaveLength(1);
    for (const wrong of [
      `${address.replace(/\.[\w-]{10}/, '.0123456789')}`,
      address.replace('/rafting/', '/other/'),
    ])
      expect((await anonymous('POST', wrong)).status).toBe(404);
    const done = await anonymous('POST', address);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Erledigt')]);
    expect((await anonymous('POST', address)).status).toBe(200);
    const tooLong = await fetch(address, { method: 'POST', headers: form, body: 'x'.repeat(5_000) });
    expect(tooLong.status).toBe(413);
    expect((await admin('POST', sendTo('BK-unsubscribe'))).body.leftOut).toMatchObject([
      { reason: 'unsubscribed' },
    ]);
    const contentTypes = [
      'application/json',
      'text/plain',
      'application/octet-stream',
      'multipart/form-data',
      'x',
    ];
    for (const type of contentTypes) {
      const headers = { 'content-type': type };
      const answer = await fetch(address, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
      expect([type, answer.status]).toEqual([type, 200]);
    }
    expect((await fetch(address, { method: 'POST' })).status).toBe(200);
    const { items } = (await admin('GET', `${invitations}/refusals?limit=1`)).body;
    expect(items).toMatchObject([{ email: 'leave@example.com', reason: 'unsubscribed', reply: null }]);
  });
});

it('an address whose domain is not ASCII is written to by its punycode', async () => {
  const { admin } = checkIn.host;
  addBooking('BK-punycode', [{ id: 'G-1', name: 'Ben', email: 'info@käse-müller.example' }]);
  const { body } = await admin('POST', sendTo('BK-punycode'));
  expect(body.sent).toHaveLength(1);
  // The test's server shows it in Unicode.
  const mail = await mailTo('info@käse-müller.example');
  expect(decodedMail(mail.raw).headers.to).toBe('info@xn--kse-mller-v2a2y.example');
  expect(mail.raw).not.toMatch(/SMTPUTF8/);
});

describe('at an occasion', () => {
  it('a booking system that lists bookings is asked for the coming days, so that unread bookings are known', async () => {
    const { host } = checkIn;
    const startTime = new Date(Date.now() + 30 * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const [item] = rezdyBooking.items;
    const rezdy = await startRezdy({
      apiKey: accountKey,
      bookings: [{ ...rezdyBooking, items: [{ ...item, startTime, endTime: startTime }] }],
    });
    try {
      await host.makePool('sailing');
      await host.connect('rezdy', rezdy, 'sailing');
      await publishForm(host, 'sailing');
      await host.admin('PUT', '/v1/admin/pools/sailing/invitations', {
        enabled: true,
        occasions: { daysBefore: { days: 3, hour: 0 }, eveningBefore: null, morningOf: null },
        quietHours: null,
      });
      await mailTo('mele@example.com');
      const lists = rezdy.received.filter(({ path }) => path.startsWith('/v1/bookings?'));
      expect(lists.length).toBeGreaterThan(0);
      await host.admin('PUT', '/v1/admin/pools/sailing/invitations', { senderName: 'Sailing' });
      await until(
        async () =>
          (await host.admin('GET', '/v1/admin/pools/sailing/invitations/sent')).body.items[0]?.state ===
          'sent',
        'the message to be recorded',
      );
      expect(rezdy.received.filter(({ path }) => path.startsWith('/v1/bookings?'))).toHaveLength(
        lists.length,
      );
    } finally {
      await host.admin('PUT', '/v1/admin/pools/sailing/invitations', { enabled: false });
      await rezdy.close();
    }
  });
});

describe('limits', () => {
  it('fields of the settings, each crossed', async () => {
    const { admin } = checkIn.host;
    const text = 'Please sign: {link}';
    for (const [path, body] of [
      ['senderName', { senderName: '' }],
      ['senderName', { senderName: 'x'.repeat(71) }],
      ['senderName', { senderName: 'a\r\nBcc: b@example.com' }],
      ['replyTo', { replyTo: 'a@example.com, b@example.com' }],
      ['language', { language: 'xx' }],
      ['quietHours.until', { quietHours: { from: 8, until: 8 } }],
      ['quietHours.from', { quietHours: { from: 24, until: 8 } }],
      [
        'occasions.daysBefore.days',
        { occasions: { daysBefore: { days: 15, hour: 9 }, eveningBefore: null, morningOf: null } },
      ],
      [
        'occasions.eveningBefore.hour',
        { occasions: { daysBefore: null, eveningBefore: { hour: 11 }, morningOf: null } },
      ],
      [
        'occasions.morningOf.hour',
        { occasions: { daysBefore: null, eveningBefore: null, morningOf: { hour: 12 } } },
      ],
      ['texts.de.subject', { texts: { de: { subject: 'x'.repeat(151), text } } }],
      ['texts.de.subject', { texts: { de: { subject: 'a\nb', text } } }],
      ['texts.de.subject', { texts: { de: { subject: '{link}', text } } }],
      ['texts.de.text', { texts: { de: { subject: 'S', text: 'no link' } } }],
      ['texts.de.text', { texts: { de: { subject: 'S', text: '{link} {surname}' } } }],
      ['texts.de.text', { texts: { de: { subject: 'S', text: `{link}${'x'.repeat(4_000)}` } } }],
    ] as const) {
      expect(await admin('PUT', invitations, body)).toMatchObject(malformed(path));
    }
    expect((await admin('PUT', invitations, { unknown: 1 })).status).toBe(400);
    const preview = await admin('POST', `${invitations}/preview`, {
      language: 'ar',
      subject: 'مرحبا {name}',
      text: '{link}',
      group: true,
    });
    expect(preview.body).toMatchObject({
      subject: 'مرحبا Zoë Bäcker',
      html: expect.stringContaining('dir="rtl"'),
    });
  });

  it('keeps what is left out, and is off by default', async () => {
    const { admin } = checkIn.host;
    await admin('PUT', '/v1/admin/pools/other', { name: 'Other' });
    const path = '/v1/admin/pools/other/invitations';
    expect((await admin('GET', path)).body).toMatchObject({
      enabled: false,
      occasions: { daysBefore: { days: 3, hour: 10 }, eveningBefore: { hour: 18 }, morningOf: null },
      quietHours: { from: 21, until: 8 },
      texts: {},
      obstacles: ['no_form', 'no_booking_system'],
      uninvited: [],
      updatedAt: null,
    });
    await admin('PUT', path, { enabled: true, replyTo: 'a@example.com' });
    const { body } = await admin('PUT', path, { senderName: 'Other' });
    expect(body).toMatchObject({ enabled: true, replyTo: 'a@example.com', senderName: 'Other' });
    expect((await admin('GET', '/v1/admin/pools/none/invitations')).status).toBe(404);
    expect(textAt(body, 'defaultTexts', 'cs', 'subject')).toContain('{activity}');
  });
});
