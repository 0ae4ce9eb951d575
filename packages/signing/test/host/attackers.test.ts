import { sealEnvelope } from '@waiver-service/forms/envelope';
import { makeLink, prepareCheckIn, problem, publishForm, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSigningHost } from '../setup/signing-host.ts';

const checkIn = await prepareCheckIn(startSigningHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const child = '2014-05-06';
const session = '/check-in/api/session';
const signings = '/check-in/api/signings';

describe('a token that opens nothing', () => {
  it.each([null, 'wrong', `wsg_${'x'.repeat(43)}`])('%s', async (token) => {
    const stranger = checkIn.host.as(token);
    expect(await stranger('GET', session)).toMatchObject(problem(401, 'link_unknown'));
    expect(await stranger('POST', signings, 'not even JSON')).toMatchObject(problem(401, 'link_unknown'));
  });

  it('is a link that was withdrawn', async () => {
    const made = await checkIn.app('POST', '/v1/pools/rafting/check-in-links', { desk: true });
    const guest = checkIn.host.as(textAt(made.body, 'url').split('/').at(-1) ?? '');
    expect((await guest('GET', session)).status).toBe(200);
    const path = `/v1/pools/rafting/check-in-links/${textAt(made.body, 'id')}`;
    expect((await checkIn.app('DELETE', path)).status).toBe(204);
    expect(await guest('POST', signings, checkIn.signing([adult]))).toMatchObject(
      problem(401, 'link_revoked'),
    );
  });

  it('is a link that has expired', async () => {
    const expiresAt = new Date(Date.now() + 5_000).toISOString();
    const guest = checkIn.host.as(await makeLink(checkIn.app, 'rafting', { desk: true, expiresAt }));
    await expect.poll(() => guest('GET', session)).toMatchObject(problem(401, 'link_expired'));
  });

  it('is an access token of the pool, and a link is none', async () => {
    const { body } = await checkIn.host.admin('POST', '/v1/admin/pools/rafting/access-tokens');
    expect(await checkIn.host.as(textAt(body, 'token'))('GET', session)).toMatchObject(
      problem(401, 'link_unknown'),
    );
    const guest = await checkIn.guest({ desk: true });
    expect((await guest('GET', '/v1/pools/rafting/waivers')).status).toBe(401);
    expect((await guest('GET', '/v1/admin/me')).status).toBe(401);
  });
});

describe('a guest with a link', () => {
  it('signs for no guest of another booking, and on a link to a guest for no other adult', async () => {
    const booking = await checkIn.guest({ bookingId: 'BK-1001' });
    await booking('GET', session);
    const forged = checkIn.signing([adult], { bookingGuestIds: ['G-99'] });
    expect(await booking('POST', signings, forged)).toMatchObject(problem(403, 'guest_not_of_link'));
    const personal = await checkIn.guest({ bookingId: 'BK-1001', bookingGuestId: 'G-1' });
    const other = checkIn.signing([adult], { bookingGuestIds: ['G-2'] });
    expect(await personal('POST', signings, other)).toMatchObject(problem(403, 'guest_not_of_link'));
    const desk = await checkIn.guest({ desk: true });
    expect(await desk('POST', signings, other)).toMatchObject(problem(403, 'guest_not_of_link'));
    const withChild = checkIn.signing([adult, child], { bookingGuestIds: ['G-1', 'G-2'] });
    expect((await personal('POST', signings, withChild)).status).toBe(201);
  });

  it('signs no form that was never published, nor one of another pool', async () => {
    await checkIn.host.makePool('climbing');
    const theirs = await publishForm(checkIn.host, 'climbing');
    const guest = await checkIn.guest({ desk: true });
    const never = checkIn.signing([adult], { version: 7 });
    expect(await guest('POST', signings, never)).toMatchObject(problem(400, 'malformed'));
    const foreign = checkIn.signing([adult], { form: theirs.form });
    expect(await guest('POST', signings, foreign)).toMatchObject(problem(400, 'malformed'));
  });

  it.each([
    ['5 MB of strokes', () => 5 * 1024 * 1024, 413, 'body_too_large'],
    ['more points than a signature has', () => 0, 400, 'malformed'],
  ])('is refused %s', async (_what, bytes, status, code) => {
    const guest = await checkIn.guest({ desk: true });
    const signing = checkIn.signing([adult]);
    const strokes = [Array.from({ length: 6_000 }, (_, index) => [index % 300, 10, index])];
    const acts = signing.acts.map((act) =>
      act.act === 'sign' && act.method === 'draw' ? { ...act, strokes } : act,
    );
    const body = { ...signing, acts, padding: 'x'.repeat(bytes()) };
    const answer = await guest('POST', signings, body);
    expect([answer.status, answer.body.code]).toEqual([status, expect.stringContaining(code.slice(0, 4))]);
  });

  it('reads no health answer of anyone, and neither does a viewer', async () => {
    const guest = await checkIn.guest({ desk: true });
    const signing = checkIn.signing([adult]);
    const [first] = signing.guests;
    const guests = [{ answers: { ...first?.answers, condition: true, conditionDetails: 'planted asthma' } }];
    const signed = await guest('POST', signings, { ...signing, guests });
    expect(signed.status).toBe(201);
    const id = textAt(signed.body, 'waivers', 0, 'id');
    const { body } = await checkIn.host.admin('POST', '/v1/admin/credentials', {
      name: 'Guide',
      role: 'viewer',
    });
    const viewer = checkIn.host.as(textAt(body, 'token'));
    for (const path of [`/v1/pools/rafting/waivers/${id}`, '/v1/pools/rafting/waivers?limit=100']) {
      expect((await checkIn.app('GET', path)).text).not.toContain('planted');
    }
    expect(await viewer('GET', `/v1/pools/rafting/waivers/${id}/evidence`)).toMatchObject(
      problem(403, 'forbidden'),
    );
    const path = `/v1/pools/rafting/waivers/${id}`;
    const flags = ['Talk before the start'];
    expect((await checkIn.host.admin('GET', path)).body.signing).toMatchObject({ formVersion: 1, flags });
    expect((await viewer('GET', path)).body.signing).toMatchObject({ formVersion: 1, flags: null });
    const { text } = await checkIn.host.admin('GET', `/v1/admin/deliveries?waiverId=${id}`);
    expect(text).not.toContain('planted');
    expect(checkIn.host.lines.join('')).not.toContain('planted');
  });
});

it('the token of a link is in no line of the log', async () => {
  const token = await makeLink(checkIn.app, 'rafting', { desk: true });
  await checkIn.host.as(null)('GET', `/check-in/${token}`);
  await checkIn.host.as(token)('GET', session);
  expect(checkIn.host.lines.join('')).not.toContain(token.slice(8));
});

it('a link is made by an access token with the scope, and by an operator of the pool only', async () => {
  const links = '/v1/pools/rafting/check-in-links';
  const { body } = await checkIn.host.admin('POST', '/v1/admin/pools/rafting/access-tokens', {
    scopes: ['waivers:write'],
  });
  const without = checkIn.host.as(textAt(body, 'token'));
  expect(await without('POST', links, { desk: true })).toMatchObject(problem(403, 'scope_missing'));
  const neither = await checkIn.app('POST', links, {});
  expect(neither).toMatchObject(problem(400, 'malformed'));
  const past = await checkIn.app('POST', links, { desk: true, expiresAt: '2020-01-01T00:00:00Z' });
  expect(past).toMatchObject(problem(400, 'malformed'));
});

describe('a flood', () => {
  const readsOf = (id: string) =>
    checkIn.system.received.filter(({ method, path }) => method === 'GET' && path.includes(id)).length;

  it('of openings asks the booking system once a minute, and for one that fails, too', async () => {
    const before = readsOf('BK-1002');
    const guest = await checkIn.guest({ bookingId: 'BK-1002' });
    const statuses = new Set<number>();
    for (let round = 0; round < 4; round += 1)
      for (const { status } of await Promise.all(Array.from({ length: 10 }, () => guest('GET', session))))
        statuses.add(status);
    expect([[...statuses], readsOf('BK-1002') - before]).toEqual([[200], 1]);
    const lost = await checkIn.guest({ bookingId: 'BK-nowhere' });
    for (let round = 0; round < 4; round += 1)
      expect(await lost('GET', session)).toMatchObject(problem(404, 'booking_not_found'));
    expect(readsOf('BK-nowhere')).toBe(1);
  });

  it('of openings is counted by the time between them, also where the host’s clock is a day behind', async () => {
    const { now } = Date;
    let aheadMs = -25 * 3_600_000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    onTestFinished(() => clock.mockRestore());
    const behind = await prepareCheckIn(startSigningHost());
    onTestFinished(() => behind.close());
    const reads = () => behind.system.received.filter(({ path }) => path.includes('BK-1002')).length;
    const guest = await behind.guest({ bookingId: 'BK-1002' });
    await guest('GET', session);
    await guest('GET', session);
    const before = reads();
    aheadMs += 120_000;
    await guest('GET', session);
    expect(reads() - before).toBe(1);
  });

  it('of signings for a booking that is not stored asks its booking system once a minute, too', async () => {
    const times = Array.from({ length: 8 });
    const guest = await checkIn.guest({ bookingId: 'BK-lost-1' });
    const signed = times.map(() => guest('POST', signings, checkIn.signing([adult])));
    for (const answer of signed) expect((await answer).status).toBe(201);
    for (const _ of times) await guest('POST', signings, checkIn.signing([adult]));
    expect(readsOf('BK-lost-1')).toBe(1);

    const token = await makeLink(checkIn.app, 'rafting', { bookingId: 'BK-lost-2' });
    const { sealing } = (await (await checkIn.guest({ desk: true }))('GET', session)).body;
    for (const _ of times) {
      const late = JSON.stringify({ token, signing: checkIn.signing([adult]) });
      const envelope = await sealEnvelope(sealing, late);
      const answer = await checkIn.host.as(null)('POST', `/check-in/api/sealed-signings/${sealing.id}`, {
        envelope,
      });
      expect(answer.status).toBe(202);
    }
    expect(readsOf('BK-lost-2')).toBe(1);
  });

  it('by a link does not make a booking system that is down be asked again and again', async () => {
    const booking = checkIn.system.bookings.get('BK-1001');
    if (booking === undefined) throw new Error('there is no BK-1001');
    checkIn.system.bookings.add({ ...booking, id: 'BK-down' });
    checkIn.system.faults.always('read', { kind: 'status', status: 503 });
    onTestFinished(() => checkIn.system.faults.clear());
    const guest = await checkIn.guest({ bookingId: 'BK-down' });
    const since = performance.now();
    for (let opening = 0; opening < 20; opening += 1) {
      expect((await guest('GET', session)).status).toBe(200);
      await guest('POST', signings, checkIn.signing([adult]));
      // The background queue looks for work often.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // The opening's, the queue's first, and the queue's next after ten seconds.
    const retries = Math.floor((performance.now() - since) / 10_000);
    expect(readsOf('BK-down')).toBeLessThanOrEqual(2 + retries);
  });

  it('by a link that was withdrawn counts as a stranger’s', async () => {
    const made = await checkIn.app('POST', '/v1/pools/rafting/check-in-links', { desk: true });
    const guest = checkIn.host.as(textAt(made.body, 'url').split('/').at(-1) ?? '');
    await checkIn.app('DELETE', `/v1/pools/rafting/check-in-links/${textAt(made.body, 'id')}`);
    const codes = new Map<string | undefined, number>();
    for (let count = 0; count < 70; count += 1) {
      const { code } = (await guest('GET', session)).body;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ link_revoked: 60, too_many_failures: 10 });
  });
});

it('drafts by a booking’s link hide no guest who signs, however many there are', async () => {
  const guest = await checkIn.guest({ bookingId: 'BK-1002' });
  const { guests: listed } = (await guest('GET', session)).body;
  const [{ bookingGuestId }] = listed;
  const family = checkIn.signing(Array.from({ length: 21 }, () => child));
  const { form, version, language, guests, signer } = family;
  const page = { form, version, language, guests, signer, page: checkIn.form.content.pages[0]?.id };
  for (let sent = 0; sent < 50; sent += 1) {
    const draft = await guest('PUT', `${signings}/${crypto.randomUUID()}/page`, page);
    expect(draft.status).toBe(204);
  }
  const sign = () => guest('POST', signings, checkIn.signing([adult], { bookingGuestIds: [bookingGuestId] }));
  expect((await sign()).status).toBe(201);
  expect(await sign()).toMatchObject(problem(409, 'already_signed'));
  const { body } = await guest('GET', session);
  expect(body.booking.signed).toBe(1);
  expect(body.guests).toContainEqual(expect.objectContaining({ bookingGuestId, signed: true }));
});

it.each(['page', 'signing'])('a %s counts for each of its guests', async (kind) => {
  const guest = await checkIn.guest({ desk: true });
  const { form, version, language, guests, signer } = checkIn.signing(
    Array.from({ length: 21 }, () => child),
  );
  const page = { form, version, language, guests, signer, page: checkIn.form.content.pages[0]?.id };
  const send = () =>
    kind === 'page'
      ? guest('PUT', `${signings}/${crypto.randomUUID()}/page`, page)
      : guest('POST', signings, { ...checkIn.signing([adult]), guests });
  // 2,000 guests' pages and 400 guests' signings a minute.
  const max = Math.floor((kind === 'page' ? 2_000 : 400) / 21);
  const answers = [];
  for (let sent = 0; sent < max + 1; sent += 1) answers.push(await send());
  expect(answers.at(-1)).toMatchObject({
    status: 429,
    body: { code: expect.stringMatching(/^too_many_(by_link|from_address)$/) },
  });
});
