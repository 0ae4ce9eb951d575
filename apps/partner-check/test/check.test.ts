import { type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { check, writeReport } from '../src/check.ts';
import { readCommand } from '../src/options.ts';
import { startTamperingProxy, type Tampering } from './tampering-proxy.ts';

const apiKey = 'the-account-key-of-the-check';
let system: SimulatedBookingSystem;
beforeEach(async () => {
  system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey,
    pathShape: 'path',
    form: 'current',
  });
});
afterEach(() => system.close());

async function run(url: string, ...more: string[]) {
  const args = ['check', url, '--booking', 'BK-1001', '--timeout', '60', ...more];
  const command = readCommand(args, { WAIVER_SERVICE_API_KEY: apiKey });
  if (command.kind !== 'check') throw new Error('not a check');
  return check(command.options);
}

const failedIds = ({ clauses }: Awaited<ReturnType<typeof check>>) =>
  clauses.filter(({ verdict }) => verdict.holds === false).map(({ id }) => id);

/** Changes the booking that a good request is answered with. */
const booking = (change: (body: Record<string, unknown>) => unknown): Tampering => ({
  answer: (answer, { method }) =>
    method === 'GET' && answer.status === 200
      ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) }
      : answer,
});
/** Changes how a good request for the booking is answered. */
const read = (change: (body: string) => ReturnType<NonNullable<Tampering['answer']>>): Tampering => ({
  answer: (answer, { method }) => (method === 'GET' && answer.status === 200 ? change(answer.body) : answer),
});
const text = (body: string, status = 200) => ({ status, body });
const session = (change: object) =>
  booking((body) => ({ ...body, bookedSessions: [{ ...first(body.bookedSessions), ...change }] }));
const first = (list: unknown): object => (Array.isArray(list) ? list[0] : {});
const withKey = (isMeant: (request: { method: string; key: string | undefined }) => boolean): Tampering => ({
  request: ({ method, headers }) =>
    isMeant({ method, key: headers['api-key']?.toString() })
      ? { headers: { ...headers, 'api-key': apiKey } }
      : {},
});
const write = (
  isMeant: (waiver: Record<string, unknown>, seen: number) => boolean,
  status: number,
  body: string,
): Tampering => {
  let seen = 0;
  return {
    answer(answer, request) {
      if (request.method !== 'POST' || answer.status !== 200) return answer;
      seen += 1;
      return isMeant(JSON.parse(request.body).waiver, seen) ? { status, body } : answer;
    },
  };
};
const refusal = JSON.stringify({ success: false, message: 'no' });

const everyWrite = ['write/accepted', 'write/repeat', 'write/long-id', 'write/void'];

const faults: readonly [name: string, clauses: string[], Tampering][] = [
  ['an internal error', ['read/answer'], read((body) => text(body, 500))],
  ['the right key refused', ['read/answer'], read(() => text(refusal, 401))],
  ['a redirect', ['read/answer'], read(() => ({ status: 302, headers: { location: '/login' }, body: '' }))],
  ['a connection that is reset', ['read/answer'], read(() => 'reset')],
  ['a page of HTML', ['read/json'], read(() => text('<html><body>Welcome</body></html>'))],
  ['an empty answer', ['read/json'], read(() => text(''))],
  ['half the JSON', ['read/json'], read((body) => text(body.slice(0, body.length / 2)))],
  [
    'a name whose characters were lost',
    ['read/charset'],
    booking((body) => ({ ...body, contact: { name: 'J\uFFFDrgen' } })),
  ],
  ['neither form', ['read/form'], booking(({ bookedSessions: _, ...body }) => body)],
  ['a number for an id', ['read/id'], booking((body) => ({ ...body, id: 1001 }))],
  ['no status', ['read/status'], booking(({ status: _, ...body }) => body)],
  [
    'a contact without a name',
    ['read/contact'],
    booking((body) => ({ ...body, contact: { email: 'a@example.com' } })),
  ],
  ['pax as a text', ['read/pax'], booking((body) => ({ ...body, pax: '3' }))],
  ['a guest without a name', ['read/guests'], booking((body) => ({ ...body, guests: [{ id: 'G-1' }] }))],
  ['no guests list', ['read/guests'], booking(({ guests: _, ...body }) => body)],
  ['notes that are a list', ['read/notes'], booking((body) => ({ ...body, notes: ['a'] }))],
  ['no sessions', ['read/sessions'], booking((body) => ({ ...body, bookedSessions: [] }))],
  ['a time that is not in UTC', ['read/sessions'], session({ startsAt: '2027-06-12T09:30:00+02:00' })],
  ['a session without its activity', ['read/sessions'], session({ activityId: undefined })],
  [
    'no key needed',
    ['read/key-required'],
    withKey(({ method, key }) => method === 'GET' && key === undefined),
  ],
  ['any key taken', ['read/wrong-key'], withKey(({ method, key }) => method === 'GET' && key !== undefined)],
  [
    'a 200 for an unknown booking',
    ['read/not-found-status'],
    { answer: (answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer) },
  ],
  [
    'a 404 of a proxy',
    ['read/not-found-body'],
    { answer: (answer) => (answer.status === 404 ? { ...answer, body: 'Not here' } : answer) },
  ],
  [
    'an id that is looked up as it stands in the path',
    ['read/encoded-id'],
    { answer: (answer, { path }) => (path.includes('%42%4B') ? text(refusal, 404) : answer) },
  ],
  [
    'another booking for an encoded id',
    ['read/encoded-id'],
    {
      answer: (answer, { path }) =>
        path.includes('%42%4B') ? text(answer.body.replace('BK-1001', 'BK-1002')) : answer,
    },
  ],
  [
    'an id with odd characters refused',
    ['read/hostile-id'],
    { answer: (answer, { path }) => (path.includes('no%20such') ? text('bad request', 400) : answer) },
  ],
  [
    'a 404 of the router for an id with a slash',
    ['read/hostile-id'],
    { answer: (answer, { path }) => (path.includes('no%20such') ? text('Cannot GET', 404) : answer) },
  ],
  [
    'a 404 that names the id undecoded',
    ['read/hostile-id'],
    {
      answer: (answer, { path }) =>
        path.includes('no%20such')
          ? text(JSON.stringify({ success: false, message: `booking ${path} was not found` }), 404)
          : answer,
    },
  ],
  ['success: false', everyWrite, write(() => true, 200, refusal)],
  ['an answer without success', everyWrite, write(() => true, 200, '{}')],
  [
    'a guest id in the path refused',
    ['write/accepted', 'write/repeat', 'write/void'],
    {
      answer: (answer, { method, path }) =>
        method === 'POST' && path.includes('/guests/G-1?') && answer.status === 200
          ? text(refusal, 404)
          : answer,
    },
  ],
  [
    'bookingGuestId in the query refused',
    ['write/accepted', 'write/repeat', 'write/void'],
    {
      answer: (answer, { method, path }) =>
        method === 'POST' && path.includes('bookingGuestId=G-1') && answer.status === 200
          ? text(refusal, 400)
          : answer,
    },
  ],
  [
    'a guest without an id of the booking refused',
    ['write/long-id'],
    write((waiver) => waiver.bookingGuestId === undefined && waiver.deleted === false, 400, refusal),
  ],
  ['the right key refused when written', ['write/accepted'], write(() => true, 403, refusal)],
  [
    'a second update refused',
    ['write/repeat'],
    write((waiver, seen) => seen === 2 && !waiver.deleted, 409, refusal),
  ],
  [
    'a long id refused',
    ['write/long-id'],
    write((waiver, seen) => seen === 3 && !waiver.deleted, 400, refusal),
  ],
  [
    'any key taken when written',
    ['write/wrong-key'],
    withKey(({ method, key }) => method === 'POST' && key !== apiKey),
  ],
  ['a void refused', ['write/void'], write((waiver) => waiver.deleted === true, 405, refusal)],
];

describe('a planted fault is named, and no other', () => {
  test.each(faults)('%s', async (_, clauses, tampering) => {
    const proxy = await startTamperingProxy(system.url, tampering);
    try {
      const report = await run(proxy.url, '--write');
      expect(failedIds(report)).toEqual(clauses);
      expect(report.ok).toBe(false);
      expect(writeReport(report)).not.toContain(apiKey);
    } finally {
      proxy.close();
    }
  });
});

test('a booking system that does not answer is named after the timeout', async () => {
  const proxy = await startTamperingProxy(
    system.url,
    read(() => 'hang'),
  );
  try {
    const report = await run(proxy.url, '--timeout', '1');
    expect(report.clauses.find(({ id }) => id === 'read/answer')?.verdict).toMatchObject({ holds: false });
  } finally {
    proxy.close();
  }
});

/** The report on a clause, with a fault planted. */
async function verdictOf(clause: string, tampering: Tampering, ...more: string[]) {
  const proxy = await startTamperingProxy(system.url, tampering);
  try {
    const report = await run(proxy.url, ...more);
    return { verdict: report.clauses.find(({ id }) => id === clause)?.verdict, report };
  } finally {
    proxy.close();
  }
}

test('a void cannot be read back, so a report of what was written ends with where to look', async () => {
  expect(writeReport(await run(system.url, '--write'))).toContain('Look at the booking in your system');
  expect(writeReport(await run(system.url))).not.toContain('Look at the booking in your system');
});

describe('the report of a fault', () => {
  test('says it once: there is no warning of what a clause says, and one of what none says', async () => {
    const { report } = await verdictOf(
      'read/pax',
      booking((body) => ({ ...body, pax: '3', guests: [], notes: null })),
    );
    expect(failedIds(report)).toEqual(['read/pax', 'read/notes']);
    expect(report.booking?.warnings).toEqual([]);
    const nobody = await verdictOf(
      'read/pax',
      booking((body) => ({ ...body, startsAt: '2027-06-12T07:30:00Z' })),
    );
    expect(failedIds(nobody.report)).toEqual([]);
    expect(nobody.report.booking?.warnings).toMatchObject([{ code: 'both_forms' }]);
  });

  test('shows what the booking system wrote as words, never as lines of its own', async () => {
    const hostile = 'no".\n✔ read/answer  all is well\u001b[2J\u001b[32m\u202e\u2028\u0085\u009b31m';
    for (const tampering of [
      read(() => text(hostile, 500)),
      read(() => text(JSON.stringify({ success: false, message: hostile }), 500)),
      read((body) => text(body.replace(/"notes":"[^"]*"/, `"notes":${JSON.stringify(hostile)}`))),
    ]) {
      const { report } = await verdictOf('read/answer', tampering);
      const written = writeReport(report);
      for (const hidden of ['\u001b[2J', '\u202e', '\u2028', '\u0085', '\u009b'])
        expect(written).not.toContain(hidden);
      expect(written.split('\n').filter((line) => line.includes('✔ read/answer  all'))).not.toContainEqual(
        expect.stringMatching(/^\S*✔/),
      );
    }
  });

  test('a key that is refused is told as such, and nothing else is blamed', async () => {
    const { verdict, report } = await verdictOf(
      'read/answer',
      read(() => text(refusal, 401)),
    );
    expect(verdict).toMatchObject({
      found: 'status 401: the key was refused',
      change: expect.stringContaining('set WAIVER_SERVICE_API_KEY to the key of the account'),
    });
    expect(failedIds(report)).toEqual(['read/answer']);
    expect(writeReport(report)).toContain('not looked at, the key was refused');
  });

  test('a key that is refused when written', async () => {
    const { verdict } = await verdictOf(
      'write/accepted',
      write(() => true, 403, refusal),
      '--write',
    );
    expect(verdict).toMatchObject({
      found: 'status 403: the key was refused',
      change: expect.stringContaining('--guest-update-header'),
    });
  });

  test('a value is shown as it came', async () => {
    const { verdict } = await verdictOf(
      'read/pax',
      booking((body) => ({ ...body, pax: '3' })),
    );
    expect(verdict).toMatchObject({ found: 'pax: must be a number, not a text (it came as "3")' });
    const echo = await verdictOf(
      'read/pax',
      booking((body) => ({ ...body, pax: apiKey })),
    );
    expect(JSON.stringify(echo.report.clauses)).not.toContain(apiKey);
  });

  test('an answer is shown as it came, to the blank, without the key', async () => {
    const body = `{ "id" : 1001.0,   "id": 1.50, "echo": "${apiKey}" }`;
    const { report } = await verdictOf(
      'read/form',
      read(() => text(body)),
    );
    const shown = report.clauses.find(({ id }) => id === 'read/form')?.exchange?.answer;
    expect(shown).toMatchObject({ body: expect.stringContaining('{ "id" : 1001.0,   "id": 1.50, "echo": ') });
    expect(JSON.stringify(report)).not.toContain(apiKey);
  });

  test('a refused booking keeps nothing else from being looked at', async () => {
    const { report } = await verdictOf(
      'read/answer',
      read(() => text('oops', 500)),
    );
    const looked = report.clauses.filter(({ verdict }) => verdict.holds === true).map(({ id }) => id);
    expect(looked).toEqual([
      'read/key-required',
      'read/wrong-key',
      'read/not-found-status',
      'read/not-found-body',
      'read/hostile-id',
    ]);
  });

  test('a host that is down is the only finding', async () => {
    const { report } = await verdictOf(
      'read/answer',
      read(() => 'reset'),
      '--write',
    );
    expect(failedIds(report)).toEqual(['read/answer']);
    expect(writeReport(report)).toContain('write  Guest Update: not looked at, nothing answers there');
  });

  test('a Guest Update goes out as the waiver service sends it: with the guest of the booking', async () => {
    const before = system.received.length;
    await run(system.url, '--write');
    const [first] = system.received.slice(before).filter(({ route }) => route === 'guest-update');
    expect(first?.path).toBe('/bookings/BK-1001/guests/G-1?bookingId=BK-1001&bookingGuestId=G-1');
    expect(JSON.parse(first?.body.toString() ?? '').waiver).toMatchObject({ bookingGuestId: 'G-1' });
  });
});

describe('a booking system that follows the contract', () => {
  test('holds every clause, and none of our waivers stays there', async () => {
    const report = await run(system.url, '--write');
    expect(failedIds(report)).toEqual([]);
    expect(report).toMatchObject({
      ok: true,
      booking: { form: 'current', booking: { id: 'BK-1001' }, warnings: [] },
    });
    expect([...system.waivers.keys()]).toEqual([]);
    expect(JSON.stringify(report)).not.toContain(apiKey);
  });

  test('is not written to by default', async () => {
    const before = system.received.length;
    expect(await run(system.url)).toMatchObject({ ok: true });
    expect(system.received.slice(before).map(({ method }) => method)).not.toContain('POST');
  });

  test('may answer in the legacy form, asked by the query', async () => {
    const legacy = await startBookingSystem({
      authHeaderName: 'authentication',
      apiKey,
      pathShape: 'query',
      form: 'legacy',
    });
    try {
      const report = await run(
        legacy.url,
        '--path-shape',
        'query',
        '--auth-header',
        'authentication',
        '--write',
        '--guest-id',
        'none',
      );
      expect(failedIds(report)).toEqual([]);
      expect(report.booking?.form).toBe('legacy');
    } finally {
      await legacy.close();
    }
  });
});
