import {
  malformed,
  prepareInstalled,
  problem,
  startTestHost,
  textAt,
  tokenOf,
} from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';

const { host, system, app, close } = await prepareInstalled(
  startTestHost({ settings: { outboundTimeout: 10_000 } }),
);
afterAll(close);
/** Of a pool with nothing installed. */
const walkIns = await host.makePool('walk-ins');

const waivers = '/v1/pools/rafting/waivers';
const one = (id: string) => `${waivers}/${encodeURIComponent(id)}`;
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
let count = 0;
const newId = () => {
  count += 1;
  return `W-${count}`;
};
const sign = (change: Record<string, unknown> = {}) =>
  app('POST', waivers, { id: newId(), answers: { name: 'Ann' }, ...change });

describe('accepting a waiver', () => {
  it('stores all fields and returns the location', async () => {
    const answer = await app('POST', waivers, {
      id: 'a/b #1 é',
      bookingId: 'BK-1',
      bookingGuestId: 'G-1',
      activities: ['raft-inn'],
      lastVisit: '2027-06-12T09:30:00+02:00',
      currentPage: 'page-2',
      answers: { name: 'Ann', dateOfBirth: '1990-02-28', own: { deep: [1, null] } },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/pools/rafting/waivers/a%2Fb%20%231%20%C3%A9');
    const record = {
      id: 'a/b #1 é',
      pool: 'rafting',
      bookingSystem: 'standard',
      bookingId: 'BK-1',
      bookingGuestId: 'G-1',
      activities: ['raft-inn'],
      lastVisit: '2027-06-12T07:30:00.000Z',
      currentPage: 'page-2',
      answers: { name: 'Ann', dateOfBirth: '1990-02-28', own: { deep: [1, null] } },
      validUntil: null,
      reuseOf: null,
      deleted: false,
      createdAt: dateTime,
      updatedAt: dateTime,
      version: 1,
    };
    expect(answer.body).toEqual(record);
    const read = await app('GET', answer.headers.get('location') ?? '');
    expect(read).toMatchObject({
      status: 200,
      body: {
        ...record,
        deliveries: [expect.objectContaining({ kind: 'guest-update', bookingId: 'BK-1', version: 1 })],
      },
    });
  });

  it('generates an id if none is given, and accepts a walk-in', async () => {
    const { status, body } = await walkIns('POST', '/v1/pools/walk-ins/waivers', {
      answers: { name: 'Ann' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      pool: 'walk-ins',
      bookingSystem: null,
      bookingId: null,
      bookingGuestId: null,
      activities: [],
      lastVisit: textAt(body, 'createdAt'),
      currentPage: null,
      answers: { name: 'Ann' },
      validUntil: null,
      reuseOf: null,
      deleted: false,
      createdAt: dateTime,
      updatedAt: textAt(body, 'createdAt'),
      version: 1,
    });
  });

  it('said twice is stored once; other content is a 409', async () => {
    const id = newId();
    expect(await sign({ id, answers: { name: 'Ann', email: null } })).toMatchObject({ status: 201 });
    expect(await sign({ id })).toMatchObject({ status: 200, body: { id, version: 1 } });
    expect(await sign({ id, answers: { name: 'Bo' } })).toMatchObject(problem(409, 'waiver_exists'));
  });

  it('409 for a taken id says nothing about the pool that has it', async () => {
    const id = newId();
    await sign({ id });
    const own = await sign({ id, answers: { name: 'Other' } });
    const other = await walkIns('POST', '/v1/pools/walk-ins/waivers', { id, answers: { name: 'Ann' } });
    expect(other.status).toBe(409);
    expect(other.body).toEqual(own.body);
    expect(await walkIns('GET', `/v1/pools/walk-ins/waivers/${id}`)).toMatchObject(
      problem(404, 'waiver_not_found'),
    );
  });

  it('does not wait for a booking system that hangs', async () => {
    system.faults.always('read', { kind: 'hang' });
    system.faults.always('guest-update', { kind: 'hang' });
    const startedAt = performance.now();
    expect(await sign({ bookingId: 'BK-1001' })).toMatchObject({ status: 201 });
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    system.faults.clear();
  });

  it('stores a booking id without an installed booking system, linked to none', async () => {
    const { status, body } = await walkIns('POST', '/v1/pools/walk-ins/waivers', {
      bookingId: 'BK-1',
      answers: { name: 'Ann' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ bookingSystem: null, bookingId: 'BK-1' });
  });

  it('takes a booking system that there is, installed or not, and no other', async () => {
    expect(await sign({ bookingId: 'BK-1', bookingSystem: 'standard-query' })).toMatchObject({
      status: 201,
      body: { bookingSystem: 'standard-query' },
    });
    expect(await sign({ bookingId: 'BK-1', bookingSystem: 'nope' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'bookingSystem', message: expect.stringContaining('standard-query') }] },
    });
  });

  it('requires the booking system if several are installed and none is the default', async () => {
    const caller = await host.makePool('several');
    await host.connect('standard', system, 'several');
    await host.connect('standard-query', system, 'several');
    await host.admin('PUT', '/v1/admin/pools/several', { name: 'several', defaultBookingSystem: null });
    const body = { bookingId: 'BK-1', answers: { name: 'Ann' } };
    const path = '/v1/pools/several/waivers';
    expect(await caller('POST', path, body)).toMatchObject(problem(409, 'booking_system_ambiguous'));
    expect(await caller('POST', path, { ...body, bookingSystem: 'standard-query' })).toMatchObject({
      status: 201,
    });
    expect(await caller('POST', path, { answers: { name: 'Walk-in' } })).toMatchObject({ status: 201 });
  });

  it.each([
    ['id', { id: '' }, 'id'],
    ['an unknown field', { surname: 'x' }, 'surname'],
    ['bookingId too long', { bookingId: 'b'.repeat(257) }, 'bookingId'],
    ['bookingId of another type', { bookingId: 5 }, 'bookingId'],
    ['bookingGuestId too long', { bookingGuestId: 'g'.repeat(257) }, 'bookingGuestId'],
    ['too many activities', { activities: Array(201).fill('a') }, 'activities'],
    ['an activity too long', { activities: ['a'.repeat(257)] }, 'activities[0]'],
    ['an empty activity', { activities: [''] }, 'activities[0]'],
    ['lastVisit without a zone', { lastVisit: '2027-06-12T09:30:00' }, 'lastVisit'],
    ['lastVisit beyond the year 9999', { lastVisit: '9999-12-31T23:59:59-12:00' }, 'lastVisit'],
    ['currentPage too long', { currentPage: 'p'.repeat(201) }, 'currentPage'],
    ['currentPage empty', { currentPage: '' }, 'currentPage'],
    ['an answer named like a field', { answers: { name: 'Ann', deleted: true } }, 'answers.deleted'],
    ['an answer with half a surrogate', { answers: { name: 'Ann', own: '\ud800' } }, 'answers.own'],
  ])('refuses %s, and names it', async (_, change, path) => {
    const { status, body } = await sign(change);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'malformed', errors: [{ path }] });
  });

  it.each([
    ['id of 256 bytes', { id: 'é'.repeat(128) }],
    ['bookingId of 256 bytes', { bookingId: 'b'.repeat(256) }],
    ['bookingGuestId of 256 bytes', { bookingGuestId: 'g'.repeat(256) }],
    ['200 activities', { activities: Array(200).fill('a'.repeat(160)) }],
    ['currentPage of 200', { currentPage: 'p'.repeat(200) }],
    [
      'nulls',
      { bookingSystem: null, bookingId: null, bookingGuestId: null, currentPage: null, lastVisit: null },
    ],
  ])('takes %s', async (_, change) => {
    expect(await sign(change)).toMatchObject({ status: 201 });
  });
});

describe('changing a waiver', () => {
  it('stores each step as a later version of the same waiver', async () => {
    const { body: first } = await sign({
      currentPage: 'page-1',
      answers: { name: 'Ann', email: 'a@example.com', x: 1 },
    });
    const id = textAt(first, 'id');
    const second = await app('PATCH', one(id), {
      currentPage: 'page-2',
      answers: { howHeard: 'a friend', x: null },
    });
    expect(second).toMatchObject({ status: 200, body: { id, version: 2, currentPage: 'page-2' } });
    const third = await app('PATCH', one(id), { currentPage: null, answers: { name: 'Ann B.' } });
    expect(third).toMatchObject({ status: 200, body: { id, version: 3, currentPage: null } });
    expect(third.body).toHaveProperty('answers', {
      name: 'Ann B.',
      email: 'a@example.com',
      howHeard: 'a friend',
    });
    const times = [first, second.body, third.body].map((body) => textAt(body, 'updatedAt'));
    expect(times).toEqual([...new Set(times)].sort());
  });

  it.each([
    ['id', { id: 'other' }, 'id'],
    ['the name by null', { answers: { name: null } }, 'answers.name'],
    ['an unknown field', { deleted: true }, 'deleted'],
    ['an answer named like a field', { answers: { updatedAt: null } }, 'answers.updatedAt'],
    ['an unknown booking system', { bookingSystem: 'nope' }, 'bookingSystem'],
    ['activities by null', { activities: null }, 'activities'],
  ])('refuses %s', async (_, change, path) => {
    const { body } = await sign();
    expect(await app('PATCH', one(textAt(body, 'id')), change)).toMatchObject(malformed(path));
  });

  it('does not let answers add up to more than 200', async () => {
    const { body } = await sign();
    const id = textAt(body, 'id');
    const answers = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`own${from + index}`, 1]));
    expect(await app('PATCH', one(id), { answers: answers(0, 199) })).toMatchObject({ status: 200 });
    expect(await app('PATCH', one(id), { answers: answers(199, 200) })).toMatchObject(malformed('answers'));
    expect(await app('PATCH', one(id), { answers: { own5: 2, own6: null } })).toMatchObject({ status: 200 });
  });

  it('does not let answers add up to more than 256 KiB: the record stays as it was', async () => {
    const texts = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 'x'.repeat(9_000)]));
    const { body } = await sign({ answers: { name: 'Ann', ...texts(20, 'own') } });
    const path = one(textAt(body, 'id'));
    expect(await app('PATCH', path, { answers: texts(12, 'more') })).toMatchObject({
      status: 413,
      body: { success: false, code: 'waiver_too_large', message: expect.stringContaining('256 KiB') },
    });
    expect(await app('GET', path)).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await app('PATCH', path, { answers: { own0: null } })).toMatchObject({ status: 200 });
  });

  it('attaches a booking of the only booking system, and moves to another booking', async () => {
    const { body } = await sign();
    const id = textAt(body, 'id');
    expect(await app('PATCH', one(id), { bookingId: 'BK-1' })).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard', bookingId: 'BK-1', version: 2 },
    });
    const moved = await app('PATCH', one(id), { bookingId: 'BK-2' });
    expect(moved).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard', bookingId: 'BK-2', version: 4 },
    });
    const { body: read } = await app('GET', one(id));
    expect(read).toMatchObject({
      deliveries: expect.arrayContaining([
        expect.objectContaining({ bookingId: 'BK-1', version: 3 }),
        expect.objectContaining({ bookingId: 'BK-2', version: 4 }),
      ]),
    });
  });

  it('keeps the booking system that the record has', async () => {
    const { body } = await sign({ bookingId: 'BK-1', bookingSystem: 'standard-query' });
    expect(await app('PATCH', one(textAt(body, 'id')), { bookingId: 'BK-2' })).toMatchObject({
      status: 200,
      body: { bookingSystem: 'standard-query', bookingId: 'BK-2' },
    });
  });

  it('detaches from a booking by null', async () => {
    const { body } = await sign({ bookingId: 'BK-1', bookingGuestId: 'G-1' });
    expect(
      await app('PATCH', one(textAt(body, 'id')), {
        bookingSystem: null,
        bookingId: null,
        bookingGuestId: null,
      }),
    ).toMatchObject({ status: 200, body: { bookingSystem: null, bookingId: null, bookingGuestId: null } });
  });

  it('404 for an unknown waiver', async () => {
    expect(await app('PATCH', one('none'), {})).toMatchObject(problem(404, 'waiver_not_found'));
    expect(await app('POST', `${one('none')}/void`)).toMatchObject(problem(404, 'waiver_not_found'));
    expect(await app('GET', one('none'))).toMatchObject(problem(404, 'waiver_not_found'));
  });
});

describe('voiding a waiver', () => {
  it('is final; twice is no error', async () => {
    const { body } = await sign({ bookingId: 'BK-1' });
    const id = textAt(body, 'id');
    expect(await app('POST', `${one(id)}/void`)).toMatchObject({
      status: 200,
      body: { deleted: true, version: 2 },
    });
    expect(await app('POST', `${one(id)}/void`)).toMatchObject({
      status: 200,
      body: { deleted: true, version: 2 },
    });
    expect(await app('PATCH', one(id), { answers: { name: 'Bo' } })).toMatchObject(
      problem(409, 'waiver_voided'),
    );
    expect(await app('GET', one(id))).toMatchObject({ status: 200, body: { deleted: true } });
  });
});

describe('listing waivers', () => {
  it('gives each once, in the order of their last change', async () => {
    const caller = await host.makePool('listed');
    const path = '/v1/pools/listed/waivers';
    for (const id of ['l1', 'l2', 'l3', 'l4', 'l5']) {
      await caller('POST', path, { id, bookingId: id < 'l3' ? 'B-1' : 'B-2', answers: { name: id } });
    }
    await caller('PATCH', `${path}/l2`, { answers: { name: 'changed' } });
    const ids: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const { body } = await caller('GET', `${path}?limit=2${cursor}`);
      const { items, next } = JSON.parse(JSON.stringify(body));
      ids.push(...items.map((item: { id: string }) => item.id));
      if (next === null) break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    expect(ids).toEqual(['l1', 'l3', 'l4', 'l5', 'l2']);
    expect(await caller('GET', `${path}?bookingId=B-1`)).toMatchObject({
      body: { items: [{ id: 'l1' }, { id: 'l2' }], next: null },
    });
    const { body: changed } = await caller('GET', `${path}/l2`);
    const since = encodeURIComponent(textAt(changed, 'updatedAt'));
    expect(await caller('GET', `${path}?updatedSince=${since}`)).toMatchObject({
      body: { items: [{ id: 'l2' }], next: null },
    });
  });

  it.each([
    [`cursor=${'a'.repeat(4097)}`, 'cursor'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=WyJ4IiwieSJd', 'cursor'],
    ['cursor=', 'cursor'],
    ...[
      '+200000-01-01T00:00:00.000Z',
      '1899-12-31T23:59:59.999Z',
      '2200-01-01T00:00:00.000Z',
      '2026',
      '',
    ].map((time) => [`cursor=${Buffer.from(JSON.stringify([time, 'W-1'])).toString('base64url')}`, 'cursor']),
    ['updatedSince=yesterday', 'updatedSince'],
    ['updatedSince=2027-01-01T00:00:00', 'updatedSince'],
    ['updatedSince=9999-12-31T23:59:59Z', 'updatedSince'],
    [`bookingId=${'b'.repeat(257)}`, 'bookingId'],
    ['page=2', 'page'],
  ])('refuses ?%s, and names it', async (query, path) => {
    expect(await app('GET', `${waivers}?${query}`)).toMatchObject(malformed(path));
  });

  it('404 for an unknown pool', async () => {
    expect(await host.admin('GET', '/v1/pools/nowhere/waivers')).toMatchObject(problem(404, 'unknown_pool'));
  });
});

describe('searching waivers', () => {
  const search = '/v1/pools/rafting/waivers?search=';
  const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

  it('finds by name, e-mail address, booking and id, within a state', async () => {
    const ids = [newId(), newId()];
    const answers = { name: 'Jürgen Sought', email: 'Sought@Example.com' };
    await sign({ id: ids[0], answers, bookingId: 'BK-sought' });
    await sign({ id: ids[1], answers: { name: 'Sought Anna' }, currentPage: 'two' });
    for (const text of ['sought', 'SOUGHT']) expect(idsOf(await app('GET', search + text))).toEqual(ids);
    for (const text of ['sou+jur', 'sought@ex', 'BK-sought', ids[0]]) {
      expect(idsOf(await app('GET', search + text)), text).toEqual([ids[0]]);
    }
    expect(idsOf(await app('GET', `${search}sought&state=unfinished`))).toEqual([ids[1]]);
    const first = await app('GET', `${search}sought&limit=1`);
    expect(idsOf(first)).toEqual([ids[0]]);
    expect(idsOf(await app('GET', `${search}sought&limit=1&cursor=${first.body.next}`))).toEqual([ids[1]]);
    expect(await app('GET', `${search}nobody-has-this-name`)).toMatchObject({
      status: 200,
      body: { items: [], next: null },
    });
  });

  it('is refused to viewers, before anything else is said of it', async () => {
    const viewer = host.as(tokenOf('viewer'));
    for (const query of ['search=ann', 'search=', 'limit=0&search=ann', 'search=ann&search=bo']) {
      expect(await viewer('GET', `/v1/pools/rafting/waivers?${query}`), query).toMatchObject(
        problem(403, 'forbidden'),
      );
    }
    expect(await viewer('GET', '/v1/pools/rafting/waivers?state=signed&limit=1')).toMatchObject({
      status: 200,
    });
  });

  it('takes a text of at most 200 characters, no order, and keeps it out of the log', async () => {
    expect(await app('GET', search + 'x'.repeat(200))).toMatchObject({ status: 200 });
    for (const [query, path] of [
      [`search=${'x'.repeat(201)}`, 'search'],
      ['search=%20', 'search'],
      ['search=a&order=newest', 'order'],
      ['state=other', 'state'],
      ['order=none', 'order'],
      ['search=a&cursor=x', 'cursor'],
    ] as const) {
      expect(await app('GET', `/v1/pools/rafting/waivers?${query}`), query).toMatchObject(malformed(path));
    }
    await app('GET', `${search}unlogged-name`);
    expect(host.lines.join('')).not.toContain('unlogged-name');
  });
});

describe('the versions of a waiver', () => {
  const versions = (id: string) => `/v1/admin/pools/rafting/waivers/${id}/versions`;

  it('say what changed and who did it; viewers see no answers, and a person’s look is in the audit log', async () => {
    const id = newId();
    await sign({ id, answers: { name: 'Ann' } });
    await app('PATCH', one(id), { answers: { name: 'Anna', notes: 'seen by staff' } });
    await host.admin('PATCH', one(id), { currentPage: 'two' });
    const answer = await host.admin('GET', versions(id));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            version: 3,
            formerVersion: 2,
            at: dateTime,
            actor: 'admin-token',
            actorName: 'admin',
            fields: [{ field: 'currentPage', before: null, after: 'two' }],
            answers: [],
          },
          {
            version: 2,
            actor: expect.stringMatching(/^access-token:/),
            fields: [],
            answers: [
              { name: 'name', kind: 'changed', before: 'Ann', after: 'Anna' },
              { name: 'notes', kind: 'added', after: 'seen by staff' },
            ],
          },
          { version: 1, formerVersion: 0, fields: [], answers: [] },
        ],
        next: null,
      },
    });
    const viewed = await host.as(tokenOf('viewer'))('GET', versions(id));
    expect(viewed.body.items[1]).toMatchObject({ version: 2, answers: null, redacted: true });
    expect(viewed.text).not.toMatch(/Anna|staff/);
  });

  it('are 404 for a waiver that the pool does not have, and for people only', async () => {
    expect(await host.admin('GET', versions('none'))).toMatchObject(problem(404, 'waiver_not_found'));
    expect(await app('GET', versions('none'))).toMatchObject({ status: 403 });
  });
});
