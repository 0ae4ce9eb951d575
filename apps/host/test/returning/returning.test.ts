import { verifyEvidence } from '@waiver-service/evidence';
import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { type TestCaller, textAt, until } from '@waiver-service/testing';
import { startMailServer } from '@waiver-service/testing/mail';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CheckInHost, startCheckInHost } from '../harness/test-host.ts';

// It asks about health, and is valid for a year.
const [rafting] = exampleForms;
if (rafting === undefined) throw new Error('there is no example form');
const content: FormContent = { ...rafting.content, validity: { days: 365 } };

const adult = '1990-02-28';
const child = '2014-05-06';
const api = '/check-in/api';
const now = () => new Date().toISOString();

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let checkIn: CheckInHost;
let isRefusing = false;

beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(isRefusing ? Object.assign(new Error(`<${address}>: no`), { responseCode: 550 }) : null),
  });
  checkIn = await startCheckInHost(
    { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, ALERT_FROM: 'waivers@example.com' },
    content,
  );
});

afterAll(async () => {
  await checkIn?.close();
  await mailServer?.close();
});

/** Signs at the desk. @returns the ids of the waivers */
async function sign(born: readonly string[], names: readonly string[] = []): Promise<string[]> {
  const desk = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(born);
  const guests = signing.guests.map((guest, place) => {
    const answers = Object.entries(guest.answers).map(([item, answer]) => [
      item,
      answer === 'Zoë Bäcker' ? (names[place] ?? answer) : answer,
    ]);
    return { ...guest, answers: Object.fromEntries(answers) };
  });
  const { status, body } = await desk('POST', `${api}/signings`, { ...signing, guests });
  expect(status).toBe(201);
  const waivers: { id: string }[] = body.waivers;
  return waivers.map(({ id }) => id);
}

interface Confirmation {
  readonly id: string;
  readonly people: readonly { readonly waiver: string; readonly bookingGuestId?: string }[];
  readonly language?: string;
  readonly healthUnchanged?: true;
  readonly email?: string;
  readonly proof?: string;
}

const confirm = (guest: TestCaller, { language = 'en', ...confirmation }: Confirmation) =>
  guest('POST', `${api}/reuses`, {
    language,
    healthUnchanged: true,
    times: { openedAt: now(), confirmedAt: now() },
    ...confirmation,
  });

const people = async (guest: TestCaller, body: object = {}) =>
  (await guest('POST', `${api}/returning/people`, { language: 'en', ...body })).body.people;

const waiver = (id: string) => `/v1/pools/rafting/waivers/${id}`;

let booked = 0;
/** Another booking of Zoë and others, read once. @returns its id */
async function book(
  guests: readonly object[] = [{ id: 'G-1', name: 'Zoë Bäcker', email: 'ZOE@example.com ' }],
) {
  booked += 1;
  const id = `BK-again-${booked}`;
  const like = checkIn.system.bookings.get('BK-1001');
  if (like === undefined) throw new Error('there is no BK-1001');
  checkIn.system.bookings.add({ ...like, id, guests: guests.map((one) => ({ name: 'Nobody', ...one })) });
  await checkIn.app('GET', `/v1/pools/rafting/bookings/${id}`);
  return id;
}

/** Each test begins without earlier signings of this address. */
beforeEach(async () => {
  const erasures = '/v1/admin/pools/rafting/erasures';
  const { body } = await checkIn.host.admin('POST', erasures, { email: 'zoe@example.com' });
  // Until then it deletes bookings that name the address.
  const isDone = async () =>
    (await checkIn.host.admin('GET', `${erasures}/${textAt(body, 'id')}`)).body.state === 'done' || undefined;
  await until(isDone, 'the erasure');
});

describe('a guest with a link of their own', () => {
  it('confirms what they signed before: a waiver with its answers, its end and a sealed record', async () => {
    const [earlier = ''] = await sign([adult]);
    const bookingId = await book();
    const guest = await checkIn.guest({ bookingId, bookingGuestId: 'G-1' });
    expect((await guest('GET', `${api}/session`)).body.returning).toBe('known');
    const [person, ...others] = await people(guest);
    expect(others).toEqual([]);
    expect(person).toMatchObject({ waiver: earlier, name: 'Zoë Bäcker', isMinor: false, isSigner: true });
    expect(person.questions.health).toContain('health answers');
    expect(JSON.stringify(person)).not.toContain('condition');
    const text = await guest('POST', `${api}/returning/text`, { waiver: earlier });
    expect([text.status, JSON.stringify(text.body).includes('What can happen')]).toEqual([200, true]);
    expect(text.text).not.toContain('Zoë');

    const id = crypto.randomUUID();
    const body = {
      id,
      people: [{ waiver: earlier, bookingGuestId: 'G-1' }],
      times: { openedAt: now(), confirmedAt: now(), translatedAt: '2027-06-11T08:00:00.000Z' },
    };
    const unanswered = await guest('POST', `${api}/reuses`, { ...body, language: 'en' });
    expect([unanswered.status, unanswered.body.errors[0].path]).toEqual([400, 'healthUnchanged']);
    const sent = { ...body, language: 'en', healthUnchanged: true };
    const first = await guest('POST', `${api}/reuses`, sent);
    expect(first).toMatchObject({
      status: 201,
      body: { id, waivers: [{ id: `${id}-1`, bookingGuestId: 'G-1' }] },
    });
    expect(await guest('POST', `${api}/reuses`, sent)).toMatchObject({ status: 200, body: first.body });
    const other = await guest('POST', `${api}/reuses`, { ...sent, language: 'de' });
    expect([other.status, other.body.code]).toEqual([409, 'signing_exists']);

    const [{ body: former }, { body: record }] = await Promise.all([
      checkIn.app('GET', waiver(earlier)),
      checkIn.app('GET', waiver(`${id}-1`)),
    ]);
    expect(record).toMatchObject({
      bookingId,
      bookingGuestId: 'G-1',
      currentPage: null,
      answers: former.answers,
      validUntil: former.validUntil,
      reuseOf: earlier,
      version: 1,
    });
    expect((await checkIn.app('GET', `/v1/pools/rafting/bookings/${bookingId}`)).body.waivers.signed).toBe(1);
    await expect.poll(() => [...checkIn.system.waivers.keys()]).toContain(`${id}-1`);

    const again = await confirm(guest, { id: crypto.randomUUID(), people: body.people });
    expect([again.status, again.body.code]).toEqual([409, 'already_signed']);
    const evidence = await until(async () => {
      const { text: file } = await checkIn.app('GET', `${waiver(`${id}-1`)}/evidence`);
      return JSON.parse(file).chain.length > 0 ? file : undefined;
    }, 'a sealed confirmation');
    const findings = verifyEvidence(evidence);
    expect(findings.filter(({ status }) => status === 'changed')).toEqual([]);
    expect(findings.map(({ sentence }) => sentence).join('\n')).toMatch(
      /The reuse .* is number \d+ in the chain/,
    );
    const document = await checkIn.app('GET', `${waiver(`${id}-1`)}/document`);
    expect(document.text).toContain('Confirmed again');
    expect(document.text).toContain('zoe@example.com');
    expect(document.text).toContain('What can happen');
    const details = await checkIn.host.admin('GET', `/v1/admin/pools/rafting/waivers/${id}-1/signing`);
    expect(details.body.reuse.translatedAt).toBe('2027-06-11T08:00:00.000Z');
    expect(document.text).toContain('Translated page');
    expect(details.body).toMatchObject({
      reuse: { proof: 'link', email: 'ZOE@example.com', question: expect.stringContaining('still right') },
      translatedAt: null,
      signer: { name: 'Zoë Bäcker', takesPart: true },
    });
    const copy = await checkIn.host.call('GET', new URL(textAt(first.body, 'copy', 'url')).pathname);
    expect(copy.text).toContain('Confirmed again');
    expect(copy.text).toContain('What can happen');
    expect(copy.text).not.toContain('<path');
    expect(copy.text).not.toContain(adult);
  });

  it('is not offered what others of the same address have signed', async () => {
    await sign([adult]);
    const bookingId = await book([
      { id: 'G-1', name: 'Bo Ek', email: 'zoe@example.com' },
      { id: 'G-2', name: 'Backer, Zoe', email: 'zoe@example.com' },
    ]);
    const bo = await checkIn.guest({ bookingId, bookingGuestId: 'G-1' });
    expect(await people(bo)).toEqual([]);
    const zoe = await checkIn.guest({ bookingId, bookingGuestId: 'G-2' });
    const [person] = await people(zoe);
    expect(person.name).toBe('Zoë Bäcker');
    const foreign = { id: crypto.randomUUID(), people: [{ waiver: person.waiver, bookingGuestId: 'G-1' }] };
    expect(await confirm(zoe, foreign)).toMatchObject({ status: 403, body: { code: 'guest_not_of_link' } });
    expect(await confirm(bo, foreign)).toMatchObject({ status: 409, body: { code: 'sign_again' } });
  });
});

describe('a guest who proves an address', () => {
  const email = 'Zoe@Example.com';
  const ask = (guest: TestCaller, address = email, language = 'en') =>
    guest('POST', `${api}/returning/codes`, { email: address, language });
  const exchange = (guest: TestCaller, id: string, code: string, address = email) =>
    guest('POST', `${api}/returning/proofs`, { id, email: address, code });
  const codeOf = (id: string) =>
    until(async () => {
      const mail = mailServer.mails.find(({ raw }) => raw.includes(id));
      return mail === undefined ? undefined : (/^Subject: .*?(\d{6})/m.exec(mail.raw)?.[1] ?? '');
    }, 'the mail');

  it('sees for whom they signed, and confirms for themselves and a child', async () => {
    const [parent = '', kid = ''] = await sign([adult, child]);
    const bookingId = await book([{ id: 'G-1' }, { id: 'G-2' }]);
    const guest = await checkIn.guest({ bookingId });
    expect((await guest('GET', `${api}/session`)).body.returning).toBe('code');
    expect(await people(guest)).toEqual([]);
    const asked = await ask(guest, email, 'de');
    expect([asked.status, Object.keys(asked.body)]).toEqual([202, ['id']]);
    const id = textAt(asked.body, 'id');
    const code = await codeOf(id);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await exchange(guest, id, wrong)).toMatchObject({ status: 403, body: { code: 'code_wrong' } });
    const foreign = await checkIn.guest({ desk: true });
    expect(await exchange(foreign, id, code)).toMatchObject({ body: { code: 'code_ended' } });
    const { status, body } = await exchange(guest, id, code);
    expect(status).toBe(201);
    expect(await exchange(guest, id, code)).toMatchObject({ body: { code: 'code_ended' } });

    const proof = textAt(body, 'proof');
    const found: { waiver: string; isMinor: boolean }[] = await people(guest, { email, proof });
    expect(found.map(({ waiver: one, isMinor }) => [one, isMinor])).toEqual([
      [parent, false],
      [kid, true],
    ]);
    const refused = await guest('POST', `${api}/returning/people`, {
      language: 'en',
      email: 'li@example.com',
      proof,
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'proof_ended']);
    const confirmation = {
      id: crypto.randomUUID(),
      people: [
        { waiver: kid, bookingGuestId: 'G-2' },
        { waiver: parent, bookingGuestId: 'G-1' },
      ],
    };
    const withoutProof = await confirm(guest, confirmation);
    expect([withoutProof.status, withoutProof.body.code]).toEqual([409, 'sign_again']);
    const stored = await confirm(guest, { ...confirmation, email, proof });
    expect(stored).toMatchObject({
      status: 201,
      body: { waivers: [{ bookingGuestId: 'G-1' }, { bookingGuestId: 'G-2' }] },
    });
    const { body: record } = await checkIn.app('GET', waiver(`${confirmation.id}-2`));
    expect(record).toMatchObject({ reuseOf: kid, answers: { minor: true, guardianName: 'Zoë Bäcker' } });
  });

  it('gets the same answer, and no mail, where nothing is known of the address', async () => {
    const guest = await checkIn.guest({ desk: true });
    const before = mailServer.mails.length;
    const { status, body } = await ask(guest, 'nobody@example.com');
    expect([status, Object.keys(body)]).toEqual([202, ['id']]);
    for (const last of [1, 2, 3, 4]) {
      const wrong = await exchange(guest, textAt(body, 'id'), `00000${last}`, 'nobody@example.com');
      expect([wrong.status, wrong.body.code]).toEqual([403, 'code_wrong']);
    }
    const ended = await exchange(guest, textAt(body, 'id'), '000005', 'nobody@example.com');
    expect(ended.body.code).toBe('code_ended');
    expect(mailServer.mails.length).toBe(before);
  });

  it('is in no log where the mail server refuses the address and repeats it', async () => {
    await sign([adult]);
    isRefusing = true;
    onTestFinished(() => {
      isRefusing = false;
    });
    expect((await ask(await checkIn.guest({ desk: true }))).status).toBe(202);
    const { lines } = checkIn.host;
    const line = await until(
      async () => lines.find((one) => one.includes('a code was not mailed')),
      'the log',
    );
    expect(JSON.parse(line)).toMatchObject({ pool: 'rafting', errorCode: 'not_accepted', status: 550 });
    expect(lines.join('').toLowerCase()).not.toContain(email.toLowerCase());
  });

  it('gets five attempts, and three codes in a quarter of an hour', async () => {
    await sign([adult]);
    const guest = await checkIn.guest({ desk: true });
    const address = 'zoe@example.com';
    // What other tests have asked for counts, too.
    const first = await ask(guest, address);
    const id = textAt(first.body, 'id');
    const code = await codeOf(id);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const codes: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      codes.push((await exchange(guest, id, wrong, address)).body.code);
    expect(codes).toEqual([...Array<string>(4).fill('code_wrong'), 'code_ended']);
    expect((await exchange(guest, id, code, address)).body.code).toBe('code_ended');
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await ask(guest, address)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('what is sent', () => {
  const long = `${'a'.repeat(250)}@b.cz`;
  const id = '0f6c1c0e-1b1c-4b0e-9e5e-0a7a0f9a2b11';
  const times = { openedAt: now(), confirmedAt: now() };
  const many = Array.from({ length: 22 }, (_, index) => ({ waiver: `w${index}` }));
  it.each([
    ['returning/codes', { email: 'nobody', language: 'en' }, 'email'],
    ['returning/codes', { email: long, language: 'en' }, 'email'],
    ['returning/codes', { email: 'a@b.cz', language: 'x'.repeat(41) }, 'language'],
    ['returning/proofs', { id, email: 'a@b.cz', code: '12345' }, 'code'],
    ['returning/proofs', { id: 'x', email: 'a@b.cz', code: '123456' }, 'id'],
    ['returning/people', { language: 'en', email: 'a@b.cz', proof: 'x'.repeat(101) }, 'proof'],
    ['returning/text', { waiver: 'x'.repeat(257) }, 'waiver'],
    ['reuses', { id, language: 'en', people: many, times }, 'people'],
    ['reuses', { id, language: 'en', people: [], times }, 'people'],
    ['reuses', { id, language: 'en', people: [many[0], many[0]], times }, 'people'],
    [
      'reuses',
      { id, language: 'en', people: many.slice(0, 1), times: { ...times, openedAt: '2026' } },
      'times.openedAt',
    ],
  ])('has a limit: %s %#', async (path, body, field) => {
    const guest = await checkIn.guest({ desk: true });
    const answer = await guest('POST', `${api}/${path}`, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, field]);
  });
});

// The last one: after it, this address asks for no more.
it('one IP address asks for 30 codes in a quarter of an hour, for whomever', async () => {
  const guest = await checkIn.guest({ desk: true });
  const ask = (count: number) =>
    guest('POST', `${api}/returning/codes`, { email: `guest-${count}@example.com`, language: 'en' });
  let last = await ask(0);
  for (let count = 1; count <= 30; count += 1) last = await ask(count);
  expect([last.status, last.body.code, last.headers.get('retry-after')]).toEqual([
    429,
    'too_many_codes',
    '900',
  ]);
});
