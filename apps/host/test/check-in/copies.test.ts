import { verifyEvidence } from '@waiver-service/evidence';
import { loggableUrl } from '@waiver-service/http';
import { embeddedFile, textAt, until } from '@waiver-service/testing';
import { decodedMail, startMailServer } from '@waiver-service/testing/mail';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CheckInHost, startCheckInHost } from '../harness/test-host.ts';

const adult = '1990-02-28';
const child = '2014-05-06';
const signings = '/check-in/api/signings';
const waiver = (id: string) => `/v1/pools/rafting/waivers/${id}`;
const html = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

let server: Awaited<ReturnType<typeof startMailServer>>;
let checkIn: CheckInHost;
/** An address at which the mail server is busy, and how often it said so. */
let refusing: string | undefined;
let refusals = 0;

beforeAll(async () => {
  server = await startMailServer({
    onRcptTo({ address }, _session, done) {
      const isRefused = address === refusing;
      if (isRefused) refusals += 1;
      done(isRefused ? Object.assign(new Error('4.2.1 try again later'), { responseCode: 451 }) : null);
    },
  });
  checkIn = await startCheckInHost({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    ALERT_FROM: 'waivers@operator.example',
    RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s,1s,1s,1s,1s',
  });
  await checkIn.host.admin('PUT', '/v1/admin/pools/rafting', {
    name: 'Rafting on the Isar',
    timeZone: 'Europe/Berlin',
  });
});
afterAll(async () => {
  await checkIn?.close();
  await server?.close();
});
beforeEach(() => {
  server.mails.length = 0;
  refusing = undefined;
  refusals = 0;
});

type Born = readonly string[];
type Change = Parameters<CheckInHost['signing']>[1];

/** A signing whose signer gives an address. */
function signingOf(born: Born, email: string | undefined, change?: Change) {
  const signing = checkIn.signing(born, change);
  const given = ({ email: _, ...answers }: Readonly<Record<string, unknown>>) =>
    email === undefined ? answers : { ...answers, email };
  return {
    ...signing,
    guests: signing.guests.map((guest) => ({ ...guest, answers: given(guest.answers) })),
    signer: { ...signing.signer, answers: given(signing.signer.answers) },
  };
}

async function sign(born: Born = [adult], change?: Change) {
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(born, change);
  const { status, body } = await guest('POST', signings, signing);
  expect(status).toBe(201);
  return { guest, signing, id: textAt(body, 'waivers', 0, 'id'), url: textAt(body, 'copy', 'url') };
}

const read = (url: string, accept = html) => fetch(url, { headers: { accept } });

const copyOf = async (id: string) =>
  (await checkIn.host.admin('GET', `/v1/admin/pools/rafting/waivers/${id}/signing`)).body.copy;

describe('the copy of what was signed', () => {
  it('is a lasting link in the answer, to a page and as PDF with the evidence', async () => {
    const { guest, signing, id, url } = await sign();
    expect(url).toMatch(new RegExp(`^${checkIn.host.url}/copies/wsd_[\\w-]{43}$`));
    const page = await read(url);
    const header = (name: string) => page.headers.get(name);
    expect([page.status, header('content-type'), header('referrer-policy'), header('cache-control')]).toEqual(
      [200, 'text/html; charset=utf-8', 'no-referrer', 'no-store'],
    );
    expect(header('x-robots-tag')).toContain('noindex');
    expect(header('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain('Zoë Bäcker');
    expect(text).toContain('Rafting on the Isar');
    expect(text).toContain('<path d="M10 50L120 20');
    // The operator's time beside UTC.
    expect(text).toMatch(/10:00:00.*\(2026-06-30 08:00:00 UTC\)/);

    await expect
      .poll(async () => (await checkIn.app('GET', `${waiver(id)}/evidence`)).text)
      .toContain('"signed":');
    const pdf = await read(url, 'application/pdf');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const findings = verifyEvidence(embeddedFile(Buffer.from(await pdf.arrayBuffer())));
    expect(findings.filter(({ status }) => status === 'changed')).toEqual([]);

    const again = await guest('POST', signings, signing);
    expect([again.status, textAt(again.body, 'copy', 'url')]).toEqual([200, url]);
    expect(loggableUrl(new URL(url).pathname)).toBe('/copies/[redacted]');
  });

  it('counts who opens it, but not who only asks for its headers', async () => {
    const { id, url } = await sign();
    expect(await copyOf(id)).toEqual({ openings: 0, lastOpenedAt: null, endedAt: null });
    await read(url);
    await read(url);
    await fetch(url, { method: 'HEAD' });
    expect(await copyOf(id)).toEqual({ openings: 2, lastOpenedAt: expect.any(String), endedAt: null });
  });

  it('ends when staff end it, for good', async () => {
    const { guest, signing, id, url } = await sign([adult], { language: 'de' });
    const end = () => checkIn.app('DELETE', `${waiver(id)}/copy`);
    expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
    const page = await read(url);
    expect(page.status).toBe(410);
    const text = await page.text();
    expect(text).toContain('lang="de"');
    expect(text).toContain('Rafting on the Isar hat sie zurückgezogen');
    const program = await read(url, 'application/pdf');
    expect([program.status, textAt(await program.json(), 'code')]).toEqual([410, 'copy_ended']);
    expect(await copyOf(id)).toMatchObject({ openings: 0, endedAt: expect.any(String) });
    expect((await guest('POST', signings, signing)).status).toBe(200);
    expect((await read(url)).status).toBe(410);
    expect((await checkIn.app('GET', `${waiver(id)}/document`)).status).toBe(200);
  });

  it('is made for a signing of an earlier version once it is sent again, unless it was ended', async () => {
    const database = new Client({ connectionString: checkIn.host.databaseUrl });
    await database.connect();
    const forget = (id: string) => database.query('delete from signing_copy where signing = $1', [id]);
    const [one, other] = [await sign(), await sign()];
    await forget(one.signing.id);
    await forget(other.signing.id);
    await database.end();
    expect(await copyOf(one.id)).toBeNull();
    expect((await read(one.url)).status).toBe(404);
    const again = await one.guest('POST', signings, one.signing);
    expect([again.status, textAt(again.body, 'copy', 'url')]).toEqual([200, one.url]);
    expect((await read(one.url)).status).toBe(200);
    expect((await checkIn.app('DELETE', `${waiver(other.id)}/copy`)).status).toBe(204);
    expect((await other.guest('POST', signings, other.signing)).status).toBe(200);
    expect((await read(other.url)).status).toBe(410);
  });

  it('is ended only for waivers that were signed here', async () => {
    await checkIn.app('POST', '/v1/pools/rafting/waivers', { id: 'W-by-app', answers: { name: 'Ada' } });
    const byApp = await checkIn.app('DELETE', `${waiver('W-by-app')}/copy`);
    expect([byApp.status, byApp.body.code]).toEqual([404, 'no_evidence']);
    const unknown = await checkIn.app('DELETE', `${waiver('W-nobody')}/copy`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'waiver_not_found']);
  });

  it('never was at another address', async () => {
    const { url } = await sign();
    for (const wrong of [`${url}x`, url.replace('wsd_', 'wsg_'), `${checkIn.host.url}/copies/x`]) {
      const answer = await read(wrong, '*/*');
      expect([answer.status, textAt(await answer.json(), 'code')]).toEqual([404, 'copy_not_found']);
    }
    const page = await fetch(`${url}x`, { headers: { accept: html, 'accept-language': 'fr-CH, de;q=0.5' } });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Votre copie')]);
  });

  it('shows what is left while guests are erased one after the other, and ends with the last', async () => {
    const { signing, url } = await sign([adult, child]);
    const erase = (guest: number) =>
      checkIn.host.admin('POST', '/v1/admin/pools/rafting/erasures', { waiverId: `${signing.id}-${guest}` });
    await erase(2);
    await expect.poll(async () => (await read(url)).text()).toContain('erased');
    expect((await read(url)).status).toBe(200);
    await erase(1);
    expect((await read(url)).status).toBe(410);
    await expect.poll(async () => (await read(url, '*/*')).status).toBe(410);
  });

  it('ends when the retention removes the record', async () => {
    const { signing, url } = await sign();
    const database = new Client({ connectionString: checkIn.host.databaseUrl });
    await database.connect();
    await database.query('delete from waiver where id = $1', [`${signing.id}-1`]);
    await database.end();
    expect((await read(url)).status).toBe(410);
  });
});

describe('the link by mail', () => {
  const mailsTo = (address: string) => server.mails.filter(({ to }) => to[0] === address);

  it('is sent once to the address that the signer gave, without a file', async () => {
    const guest = await checkIn.guest({ desk: true });
    const signing = signingOf([adult, child], 'ann@example.com', { language: 'en' });
    const { body } = await guest('POST', signings, signing);
    await guest('POST', signings, signing);
    await until(() => mailsTo('ann@example.com')[0], 'the mail');
    const [{ raw } = expect.fail('no mail'), ...others] = mailsTo('ann@example.com');
    expect(others).toEqual([]);
    const mail = decodedMail(raw);
    const url = textAt(body, 'copy', 'url');
    expect(mail.headers.subject).toBe('Your copy of what you signed: Rafting on the Isar');
    expect(mail.text).toContain(url);
    expect(mail.html).toContain(`href="${url}"`);
    expect(raw).not.toMatch(/attachment|Zoë/i);
    expect((await read(url)).status).toBe(200);
  });

  it('is not sent to one who unsubscribed, nor more than five times a day to an address', async () => {
    const guest = await checkIn.guest({ desk: true });
    const urls: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { body } = await guest('POST', signings, signingOf([adult], 'many@example.com'));
      urls.push(textAt(body, 'copy', 'url'));
    }
    await guest('POST', signings, signingOf([adult], 'once@example.com'));
    const first = await until(() => mailsTo('once@example.com')[0], 'the mail of a later signing');
    expect(mailsTo('many@example.com')).toHaveLength(5);
    expect(new Set(urls).size).toBe(7);
    const unsubscribe = /https?:\S+\/unsubscribe\/\S+/.exec(decodedMail(first.raw).text)?.[0] ?? '';
    expect((await fetch(unsubscribe, { method: 'POST' })).status).toBe(200);
    await guest('POST', signings, signingOf([adult], 'Once@example.com'));
    await guest('POST', signings, signingOf([adult], 'last@example.com'));
    await until(() => mailsTo('last@example.com')[0], 'the mail of the last signing');
    expect(server.mails.filter(({ to }) => /once@/i.test(to[0] ?? ''))).toHaveLength(1);
  });

  it.each(['voided', 'erased', 'ended'] as const)('is not sent once the signing is %s', async (how) => {
    const address = `${how}@example.com`;
    refusing = address;
    const guest = await checkIn.guest({ desk: true });
    const signing = signingOf([adult], address);
    await guest('POST', signings, signing);
    await until(() => (refusals > 0 ? true : undefined), 'a first attempt');
    const id = `${signing.id}-1`;
    if (how === 'voided') await checkIn.app('POST', `${waiver(id)}/void`);
    if (how === 'ended') await checkIn.app('DELETE', `${waiver(id)}/copy`);
    if (how === 'erased')
      await checkIn.host.admin('POST', '/v1/admin/pools/rafting/erasures', { waiverId: id });
    refusing = undefined;
    const database = new Client({ connectionString: checkIn.host.databaseUrl });
    await database.connect();
    const stateOf = async () => {
      const { rows } = await database.query('select state, reason from copy_mail where signing = $1', [
        signing.id,
      ]);
      return rows;
    };
    await expect
      .poll(stateOf, { timeout: 20_000 })
      .toEqual(how === 'erased' ? [] : [{ state: 'left-out', reason: 'ended' }]);
    await database.end();
    await guest('POST', signings, signingOf([adult], `after-${address}`));
    await until(() => mailsTo(`after-${address}`)[0], 'the mail of a later signing');
    expect(mailsTo(address)).toEqual([]);
  });
});
