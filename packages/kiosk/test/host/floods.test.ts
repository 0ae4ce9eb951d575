import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sealEnvelope } from '@waiver-service/forms/envelope';
import { inForm, makeLink, prepareCheckIn, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeKiosk, startKioskHost } from '../setup/kiosk-host.ts';

const checkIn = await prepareCheckIn(startKioskHost({ settings: { trustProxy: 1 } }));
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const session = '/check-in/api/session';
const signings = '/check-in/api/signings';
const maxSigningBytes = 4 * 1024 * 1024;

/** Begins requests with a large body, of which one byte arrives. */
async function trickle(method: string, path: string, token: string, count = 8): Promise<void> {
  const { hostname, port } = new URL(checkIn.host.url);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let each = 0; each < count; each += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${maxSigningBytes}\r\n\r\n{`,
    );
  }
}

describe('bodies that promise 4 MiB and bring one byte', () => {
  it('shut out nobody: not by a link, nor at a kiosk, nor those that waited on a device, nor the waiver app', async () => {
    const token = await makeLink(checkIn.app, 'rafting', { desk: true });
    const tablet = await makeKiosk(checkIn.host);
    const guest = checkIn.host.as(token);
    const { sealing } = (await guest('GET', session)).body;
    const sealed = `/check-in/api/sealed-signings/${sealing.id}`;
    const access = await checkIn.host.admin('POST', '/v1/admin/pools/rafting/access-tokens');
    await trickle('POST', signings, token);
    await trickle('POST', sealed, 'none');
    await trickle('POST', '/check-in/api/kiosk/signings', tablet.token);
    await trickle('POST', '/v1/pools/rafting/waivers', textAt(access.body, 'token'), 20);

    expect((await guest('POST', signings, checkIn.signing([adult]))).status).toBe(201);
    const other = await checkIn.guest({ desk: true });
    expect((await other('POST', signings, checkIn.signing([adult]))).status).toBe(201);
    const late = JSON.stringify({ token, signing: checkIn.signing([adult]) });
    const envelope = await sealEnvelope(sealing, late);
    expect((await checkIn.host.as(null)('POST', sealed, { envelope })).status).toBe(201);
    const atKiosk = await tablet.kiosk('POST', '/check-in/api/kiosk/signings', {
      signing: checkIn.signing([adult]),
    });
    expect(atKiosk.status).toBe(201);
    expect(
      (await checkIn.app('POST', '/v1/pools/rafting/waivers', { answers: { name: 'Ann' } })).status,
    ).toBe(201);
  });
});

describe('guests behind one address', () => {
  const guests = inForm({ short: 60, long: 200 });
  it(`${guests} with one link open it, finish a page and sign`, async () => {
    const guest = await checkIn.guest({ desk: true });
    const statuses = new Map<string, number>();
    const count = (step: string, status: number) =>
      statuses.set(`${step} ${status}`, (statuses.get(`${step} ${status}`) ?? 0) + 1);
    async function checkInOne(): Promise<void> {
      count('open', (await guest('GET', session)).status);
      const signing = checkIn.signing([adult]);
      const { form, version, language, guests, signer } = signing;
      const page = { form, version, language, guests, signer, page: checkIn.form.content.pages[0]?.id };
      count('page', (await guest('PUT', `${signings}/${signing.id}/page`, page)).status);
      count('sign', (await guest('POST', signings, signing)).status);
    }
    let begun = 0;
    const next = async (): Promise<void> => {
      if (begun === guests) return;
      begun += 1;
      await checkInOne();
      await next();
    };
    await Promise.all(Array.from({ length: 20 }, next));
    expect(Object.fromEntries(statuses)).toEqual({
      'open 200': guests,
      'page 204': guests,
      'sign 201': guests,
    });
  });

  it('a flood is told when to come again', async () => {
    const flooding = await checkIn.guest({ desk: true });
    const codes = new Map<string, number>();
    for (let round = 0; round < 25; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => flooding('POST', signings, { id: 'not even a signing' })),
      );
      for (const { status, body, headers } of answers) {
        codes.set(`${status} ${body.code}`, (codes.get(`${status} ${body.code}`) ?? 0) + 1);
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    // The link and the address have the same budget; which one is used up first depends on what was signed before.
    const refusals = [...codes.keys()].filter((code) => code !== '400 malformed');
    expect(refusals.length).toBeGreaterThan(0);
    for (const code of refusals) expect(code).toMatch(/^429 too_many_(by_link|from_address)$/);
    expect(codes.get('400 malformed')).toBeLessThanOrEqual(400);
  });
});

it('strangers from many addresses have the budget of one link in a pool', async () => {
  const link = await makeLink(checkIn.app, 'rafting', { desk: true });
  const { sealing } = (await checkIn.host.as(link)('GET', session)).body;
  const from = (address: string, path: string, body: object, token: string | null = null) =>
    checkIn.host.call('POST', path, body, { token, headers: { 'x-forwarded-for': address } });
  const made = JSON.stringify({ token: 'wsg_made-up', signing: checkIn.signing([adult]) });
  const envelope = await sealEnvelope(sealing, made);
  const refused: string[] = [];
  // The budget of 400 a minute fills up while a busy machine answers.
  for (let sent = 0; refused.length === 0 && sent < 4_000; sent += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        from(`192.0.2.${(sent + place) % 250}`, `/check-in/api/sealed-signings/${sealing.id}`, { envelope }),
      ),
    );
    refused.push(...answers.flatMap(({ status, body }) => (status === 429 ? textAt(body, 'code') : [])));
  }
  expect(new Set(refused)).toEqual(new Set(['too_many_by_link']));
  const signed = await from('198.51.100.1', signings, checkIn.signing([adult]), link);
  expect(signed.status).toBe(201);
});
