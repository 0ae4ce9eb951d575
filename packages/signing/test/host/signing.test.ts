import { createServer } from 'node:http';
import { verifyEvidence } from '@waiver-service/evidence';
import { signed } from '@waiver-service/forms/testing';
import { octoBooking, type SimulatedOcto, startOcto } from '@waiver-service/plugin-octo/simulator';
import {
  adminToken,
  embeddedFile,
  listenLocally,
  makeLink,
  malformed,
  prepareCheckIn,
  publishForm,
  type TestCaller,
  textAt,
  until,
} from '@waiver-service/testing';
import { Client } from 'pg';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSigningHost } from '../setup/signing-host.ts';

const checkIn = await prepareCheckIn(startSigningHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const child = '2014-05-06';
const booking = { bookingId: 'BK-1001' };
const signings = '/check-in/api/signings';
const waiver = (id: string) => `/v1/pools/rafting/waivers/${id}`;

describe('the page of a link', () => {
  it('shows its booking, and of the guests first name and initial', async () => {
    const guest = await checkIn.guest(booking);
    const { status, body, text } = await guest('GET', '/check-in/api/session');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      pool: { name: 'rafting' },
      link: { kind: 'booking' },
      booking: { reference: 'BK-1001', pax: 3, signed: 0 },
      day: { timeZone: 'Europe/Berlin' },
      form: { form: checkIn.form.form, version: 1 },
    });
    expect(body.guests[0]).toEqual({ bookingGuestId: 'G-1', label: 'Zoë B.', signed: false });
    expect(text).not.toContain('@example.com');
    expect(text).not.toContain('Bäcker');
  });

  it('is pre-filled on a link to a guest, and shows no other', async () => {
    const guest = await checkIn.guest({ ...booking, bookingGuestId: 'G-1' });
    const { body } = await guest('GET', '/check-in/api/session');
    expect(body.guests).toEqual([
      expect.objectContaining({ label: 'Zoë B.', prefill: expect.objectContaining({ name: 'Zoë Bäcker' }) }),
    ]);
  });

  it('is for a walk-in at the desk', async () => {
    const guest = await checkIn.guest({ desk: true });
    const { body } = await guest('GET', '/check-in/api/session');
    expect(body).toMatchObject({ booking: null, guests: [], link: { kind: 'desk' } });
  });
});

describe('signing', () => {
  it('stores a waiver for the guest and tells the booking system', async () => {
    const guest = await checkIn.guest(booking);
    await guest('GET', '/check-in/api/session');
    const signing = checkIn.signing([adult], { bookingGuestIds: ['G-1'] });
    const { status, body } = await guest('POST', signings, signing);
    expect([status, body]).toEqual([
      201,
      {
        id: signing.id,
        receivedAt: expect.any(String),
        waivers: [{ id: `${signing.id}-1`, bookingGuestId: 'G-1' }],
        copy: { url: expect.stringContaining('/copies/wsd_') },
      },
    ]);
    const { body: record } = await checkIn.app('GET', waiver(textAt(body, 'waivers', 0, 'id')));
    expect(record).toMatchObject({
      bookingSystem: 'standard',
      bookingId: 'BK-1001',
      bookingGuestId: 'G-1',
      currentPage: null,
      answers: { name: 'Zoë Bäcker', minor: false, dateOfBirth: adult },
      version: 1,
    });
    expect(record.answers).not.toHaveProperty('condition');
    await expect.poll(() => [...checkIn.system.waivers.keys()]).toContain(`${signing.id}-1`);
  });

  it('is answered as the first time when it is sent again, and refused with other content', async () => {
    const guest = await checkIn.guest({ desk: true });
    const signing = checkIn.signing([adult]);
    const first = await guest('POST', signings, signing);
    const again = await guest('POST', signings, signing);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await guest('POST', signings, { ...signing, language: 'de' });
    expect([other.status, other.body.code]).toEqual([409, 'signing_exists']);
  });

  it('makes a waiver for each of a family, and counts no guardian who does not take part', async () => {
    const guest = await checkIn.guest({ desk: true });
    const family = await guest('POST', signings, checkIn.signing([adult, child, child]));
    expect(family.body.waivers).toHaveLength(3);
    const { body: record } = await checkIn.app('GET', waiver(textAt(family.body, 'waivers', 1, 'id')));
    expect(record.answers).toMatchObject({ minor: true, guardianName: 'Zoë Bäcker' });
  });

  it('shows operators who did what and when, and what the sealed record proves', async () => {
    const guest = await checkIn.guest({ desk: true });
    const signing = checkIn.signing([adult, child]);
    await guest('POST', signings, signing);
    const path = `/v1/admin/pools/rafting/waivers/${signing.id}-2/signing`;
    const { body } = await until(async () => {
      const answer = await checkIn.host.admin('GET', path);
      return answer.body.seal.number === null ? undefined : answer;
    }, 'a sealed record');
    expect(body).toMatchObject({
      linkKind: 'desk',
      signedAt: '2026-06-30T08:00:00Z',
      signer: { name: 'Zoë Bäcker', takesPart: true },
      guests: [{ name: 'Zoë Bäcker' }, { name: 'Zoë Bäcker' }],
      seal: {
        leaf: expect.stringMatching(/^[\da-f]{64}$/),
        keyFingerprint: expect.stringMatching(/^[\da-f]{64}$/),
        sealedAt: expect.stringMatching(/Z$/),
        isStamped: false,
      },
    });
    const acts: { item: string; act: string; method?: string; text: string; guest: number | null }[] =
      body.acts;
    expect(acts.length).toBe(signing.acts.length);
    expect(acts).toContainEqual(expect.objectContaining({ act: 'initial', text: 'What can happen' }));
    expect(acts).toContainEqual(expect.objectContaining({ act: 'sign', method: 'draw', guest: null }));
    expect(acts.every(({ text }) => text.length > 0 && text.length <= 200)).toBe(true);
    const findings: { status: string; sentence: string }[] = body.seal.findings;
    expect(findings.map(({ status }) => status)).toEqual(expect.arrayContaining(['proven', 'not-proven']));
    expect(findings.some(({ status }) => status === 'changed')).toBe(false);
  });

  it('gives the operator a PDF by Accept, with the evidence in it, and a page otherwise', async () => {
    const guest = await checkIn.guest({ desk: true });
    const { body } = await guest('POST', signings, checkIn.signing([adult, child]));
    const path = waiver(textAt(body, 'waivers', 0, 'id'));
    const read = (accept: string) =>
      fetch(`${checkIn.host.url}${path}/document`, {
        headers: { accept, authorization: `Bearer ${adminToken}` },
      });
    const sealed = async () => (await checkIn.app('GET', `${path}/evidence`)).text;
    await expect.poll(sealed).toContain('"signed":');

    const answer = await read('application/pdf');
    const header = (name: string) => answer.headers.get(name);
    expect([answer.status, header('content-type'), header('vary')]).toEqual([
      ...[200, 'application/pdf', expect.stringContaining('accept')],
    ]);
    expect(header('content-disposition')).toBe(`inline; filename="signing-${textAt(body, 'id')}.pdf"`);
    const evidence = embeddedFile(Buffer.from(await answer.arrayBuffer()));
    expect(evidence).toBe(await sealed());
    const findings = verifyEvidence(evidence);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(({ status }) => status === 'changed')).toEqual([]);

    const asked = ['*/*', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'application/pdf;q=0.1, text/html'];
    for (const accept of [...asked, 'image/png'])
      expect((await read(accept)).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  // Not ahead: ids made here never go back in time, so those of all later tests in this process would be of another day.
  it('is proven by the database’s clock, where its host’s is a day behind', async () => {
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: before - 25 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const guest = await checkIn.guest({ desk: true });
    const { body } = await guest('POST', signings, checkIn.signing([adult]));
    const receivedAt = Date.parse(textAt(body, 'receivedAt'));
    expect(receivedAt - before).toBeGreaterThan(-60_000);
    expect(receivedAt - before).toBeLessThan(60_000);

    const path = waiver(textAt(body, 'waivers', 0, 'id'));
    expect((await checkIn.app('POST', `${path}/void`)).status).toBe(200);
    const findings = async () => verifyEvidence((await checkIn.app('GET', `${path}/evidence`)).text);
    const sentences = async () => (await findings()).map(({ sentence }) => sentence).join('\n');
    await expect.poll(sentences, { timeout: 10_000 }).toMatch(/^The void .* is number/m);
    expect((await findings()).filter(({ status }) => status === 'changed')).toEqual([]);
    expect(await sentences()).not.toContain('Was it backdated?');
  });

  it('says everything that is missing, in the language of the form', async () => {
    const guest = await checkIn.guest({ desk: true });
    const signing = checkIn.signing([adult], { language: 'de', acts: [] });
    const { status, body } = await guest('POST', signings, signing);
    expect([status, body.code]).toEqual([400, 'signing_invalid']);
    expect(body.problems.length).toBeGreaterThan(2);
    expect(body.problems[0]).toMatchObject({ message: expect.any(String), field: expect.any(String) });
  });
});

describe('the signed document at a booking system that takes it', () => {
  const kayaks = '/v1/pools/kayaks/waivers';
  const installation = '/v1/admin/pools/kayaks/installations/octo';
  const bookings = ['a', 'b', 'c'].map((end) => ({ ...octoBooking, uuid: `${octoBooking.uuid}${end}` }));
  const fields = [{ id: 'f-name', internalName: 'Full name', required: true, inputType: 'text' }];
  const product = { id: 'kayak', waiverPer: 'BOOKING' as const, waivers: [{ id: 'wv', fields }] };
  let system: SimulatedOcto;
  let app: TestCaller;

  beforeAll(async () => {
    const { host } = checkIn;
    system = await startOcto({ apiKey: 'octo-key', bookings, products: [product] });
    app = await host.makePool('kayaks', { timeZone: 'Europe/Lisbon' });
    await host.admin('PUT', '/v1/admin/booking-systems/octo', {
      ...{ baseUrl: system.url, settings: { waivers: true } },
    });
    await host.admin('PUT', installation, { accountId: 'kayaks', apiKey: 'octo-key' });
    await host.admin('PATCH', installation, { shareProperties: ['name'] });
  });
  afterAll(() => system?.close());

  const delivered = (id: string) =>
    until(async () => {
      const { body } = await app('GET', `${kayaks}/${id}`);
      return body.deliveries?.[0]?.state === 'delivered' ? body.deliveries[0] : undefined;
    }, `the delivery of ${id}`);

  /** A guest signs, with answers on health. @returns the delivery */
  async function sign(bookingId: string, { form, version, content } = checkIn.form) {
    const guest = checkIn.host.as(await makeLink(app, 'kayaks', { bookingId }));
    const filled = signed(content, [adult], { pick: (count) => count - 1 });
    const [{ answers } = { answers: {} }] = filled.guests;
    const guests = [{ answers: { ...answers, conditionDetails: 'epilepsy since 2019' } }];
    const signing = { ...filled, id: crypto.randomUUID(), form, version, guests };
    const { status, body, text } = await guest('POST', signings, signing);
    expect(status, text).toBe(201);
    return delivered(textAt(body, 'waivers', 0, 'id'));
  }

  it('arrives without answers on health once an operator allows it, and is kept nowhere on its way', async () => {
    const { host } = checkIn;
    const form = await publishForm(host, 'kayaks');
    const [before = '', after = '', ofApp = ''] = bookings.map(({ uuid }) => uuid);
    await sign(before, form);
    expect(system.waiverFile(before)).toBeUndefined();

    const allowed = await host.admin('PATCH', installation, { shareDocument: true });
    expect(allowed.body).toMatchObject({ shareProperties: ['name'], shareDocument: true });
    const { id } = await sign(after, form);
    const pdf = system.waiverFile(after) ?? expect.fail('no document arrived');
    const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
    expect(text).toContain('Zoë Bäcker');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Answers on health are not in this copy');
    expect(text).not.toMatch(/epilepsy since|Do you have a condition|What should your guide/);
    const delivery = await host.admin('GET', `/v1/admin/deliveries/${id}`);
    expect(delivery.body).toMatchObject({ state: 'delivered' });
    expect(delivery.text).not.toMatch(/JVBERi0|waiverFile/);

    const stored = { id: 'W-octo', bookingId: ofApp, answers: { name: 'Ada' } };
    expect((await app('POST', kayaks, stored)).status).toBe(201);
    expect(await delivered('W-octo')).not.toHaveProperty('warnings');
    expect(system.waiverFile(ofApp)).toBeUndefined();
  });

  it('is not sent where the booking system takes none', async () => {
    const standard = '/v1/admin/pools/rafting/installations/standard';
    expect(await checkIn.host.admin('PATCH', standard, { shareDocument: true })).toMatchObject(
      malformed('shareDocument'),
    );
  });
});

it('a stamp that fails waits and says why; guests sign all the same', async () => {
  const questions: { readonly type: string | undefined; readonly bytes: number }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      questions.push({ type: request.headers['content-type'], bytes: Buffer.concat(parts).length });
      response.setHeader('content-type', 'application/timestamp-reply').end('this is no stamp');
    });
  });
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const first = await prepareCheckIn(startSigningHost());
  onTestFinished(() => first.close());
  const guest = await first.guest({ desk: true });
  expect((await guest('POST', signings, first.signing([adult]))).status).toBe(201);
  const client = new Client({ connectionString: first.host.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const rows = async (text: string) => (await client.query(text)).rows;
  await expect.poll(() => rows('select sequence::integer from evidence_chain')).toEqual([{ sequence: 1 }]);

  // Looks for a root when it starts.
  const stamping = await startSigningHost({
    database: first.host,
    timestampUrl: `http://127.0.0.1:${port}/stamp`,
  });
  onTestFinished(() => stamping.close());
  await expect
    .poll(() => rows('select attempts, token from evidence_root'))
    .toEqual([{ attempts: 1, token: null }]);
  expect(questions[0]).toEqual({ type: 'application/timestamp-query', bytes: expect.any(Number) });
  const [root] = await rows('select failure from evidence_root');
  expect(root?.failure).not.toBe('');
});
