import { explainRead } from '@waiver-service/integration/testing';
import { createOutbound } from '@waiver-service/outbound';
import { accountKey, prepareInstalled, startTestHost, tokenOf } from '@waiver-service/testing';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

interface Step {
  readonly step: string;
  readonly state: string;
  readonly message: string;
  readonly advice?: string;
  readonly startedMs?: number;
}

const { host, system, app, close } = await prepareInstalled(
  startTestHost({ settings: { outboundTimeout: 5_000 } }),
);
afterEach(() => system.faults.clear());
afterAll(close);
const booking = '/v1/pools/rafting/bookings/BK-1001';
const installation = '/v1/admin/pools/rafting/installations/standard';

async function testSteps(bookingId = 'BK-1001'): Promise<readonly Step[]> {
  const { body } = await host.admin('POST', `${installation}/test`, { bookingId });
  return body.steps;
}
const namesOf = (steps: readonly Step[]) => steps.map(({ step, state }) => `${step} ${state}`);
const failedIn = (steps: readonly Step[]) => steps.filter(({ state }) => state === 'failed');

describe('the test of an installation, step by step', () => {
  test('reports each step, its result, and how long it took', async () => {
    const { body } = await host.admin('POST', `${installation}/test`, { bookingId: 'BK-1001' });
    expect(namesOf(body.steps)).toEqual([
      'resolve done',
      'address done',
      'connect done',
      'request done',
      'parse done',
      'form done',
      'normalize done',
      'warnings done',
    ]);
    const request = body.steps.find(({ step }: Step) => step === 'request');
    expect(request).toMatchObject({
      durationMs: expect.any(Number),
      message: expect.stringMatching(/^GET was answered 200/),
      exchange: {
        method: 'GET',
        url: `${system.url}/bookings/BK-1001?pool=rafting`,
        status: 200,
        answer: { isWhole: true },
      },
    });
    expect(request.exchange.requestHeaders).toContainEqual({ name: 'api-key', value: '«redacted»' });
    expect(JSON.parse(request.exchange.answer.text)).toMatchObject({ id: 'BK-1001' });
    expect(JSON.stringify(body)).not.toContain(accountKey);
    const starts = body.steps.flatMap(({ startedMs }: Step) => startedMs ?? []);
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
  });

  test.each([
    ['401', { kind: 'status', status: 401 }, 'request', /key/],
    ['429', { kind: 'status', status: 429 }, 'request', /Wait/],
    ['500', { kind: 'status', status: 500 }, 'request', /Try again/],
    ['a page', { kind: 'html' }, 'parse', /log-in page/],
    ['silence', { kind: 'hang' }, 'request', /firewall/],
  ] as const)('of %s fails at its step, and says what to do', async (_, fault, step, advice) => {
    system.faults.always('read', fault);
    const steps = await testSteps();
    expect(failedIn(steps)).toMatchObject([{ step, advice: expect.stringMatching(advice) }]);
    const after = steps.slice(steps.findIndex(({ state }) => state === 'failed') + 1);
    expect(after.filter((one) => one.step !== 'parse').every(({ state }) => state === 'skipped')).toBe(true);
    expect(steps.at(-1)?.step).toBe('warnings');
  });

  test('of a booking that is not there fails at the request', async () => {
    expect(failedIn(await testSteps('none'))).toMatchObject([
      {
        step: 'request',
        message: expect.stringMatching(/none/),
        advice: expect.stringMatching(/back office/),
      },
    ]);
  });

  test.each([
    [{ id: 'BK-1001', hello: 'there' }, 'form', /neither bookedSessions/],
    [{ id: 'BK-1001', status: 'ok', pax: 1, guests: [], bookedSessions: [{}] }, 'normalize', /startsAt/],
  ])('of an answer that is no booking names the step', async (answer, step, message) => {
    system.faults.always('read', { kind: 'status', status: 200, body: JSON.stringify(answer) });
    const steps = await testSteps();
    expect(failedIn(steps)).toMatchObject([
      { step, message: expect.stringMatching(message), advice: expect.any(String) },
    ]);
  });

  test('fails at the address if that is missing, and at the installation if there is none', async () => {
    await host.makePool('unready');
    const path = '/v1/admin/pools/unready/installations/standard-query';
    const missing = await host.admin('POST', `${path}/test`, { bookingId: 'B-1' });
    expect(failedIn(missing.body.steps)).toMatchObject([
      { step: 'resolve', advice: expect.stringMatching(/install key/) },
    ]);
    await host.admin('PUT', path, { accountId: 1, apiKey: 'k' });
    const unset = await host.admin('POST', `${path}/test`, { bookingId: 'B-1' });
    expect(namesOf(unset.body.steps)).toEqual([
      'resolve done',
      'address failed',
      'request skipped',
      'parse skipped',
      'form skipped',
      'normalize skipped',
      'warnings skipped',
    ]);
  });
});

describe('a booking with how it was read', () => {
  test('is only for operators: neither for a waiver app nor for a viewer', async () => {
    expect(await app('GET', `${booking}?explain=true`)).toMatchObject({ status: 403 });
    const viewer = host.as(tokenOf('viewer'));
    expect(await viewer('GET', `${booking}?explain=true`)).toMatchObject({ status: 403 });
    const plain = await viewer('GET', booking);
    expect(plain).toMatchObject({ status: 200, body: { redacted: true } });
    expect(plain.body).not.toHaveProperty('explanation');
    expect((await app('GET', booking)).body).not.toHaveProperty('explanation');
    expect(await host.admin('GET', `${booking}?explain=maybe`)).toMatchObject({ status: 400 });
  });

  test('has the answer as it came', async () => {
    const { body } = await host.admin('GET', `${booking}?explain=true`);
    const request = body.explanation.steps.find(({ step }: Step) => step === 'request');
    expect(JSON.parse(request.exchange.answer.text)).toMatchObject({ id: 'BK-1001' });
    expect(body.explanation.aliases).toEqual([]);
  });

  test('tells of a stale one how reading failed', async () => {
    await host.admin('GET', booking);
    system.faults.always('read', { kind: 'status', status: 503 });
    const { status, body } = await host.admin('GET', `${booking}?explain=true`);
    expect({ status, stale: body.stale }).toEqual({ status: 200, stale: true });
    expect(failedIn(body.explanation.steps)).toMatchObject([{ step: 'request' }]);
  });

  test('makes a new request each time, also while others read it', async () => {
    const before = system.received.length;
    await Promise.all([
      host.admin('GET', `${booking}?explain=true`),
      host.admin('GET', `${booking}?explain=true`),
    ]);
    expect(system.received.length - before).toBe(2);
  });
});

test('an error that is thrown leaves no connections open', async () => {
  const outbound = createOutbound({ allow: [], timeoutMs: 1_000 });
  const trace = outbound.openTrace();
  const close = vi.spyOn(trace, 'close');
  const reading = explainRead({
    sources: { sourceFor: () => Promise.reject(new Error('no database')), requireConfigured() {} },
    outbound: { openTrace: () => trace },
    setup: {
      pool: 'rafting',
      prefillProperties: [],
      bookingSystems: [],
      pendingBookingSystems: [],
      defaultBookingSystem: null,
      timeZone: 'Etc/UTC',
      versionOf: () => undefined,
    },
    bookingSystem: undefined,
    signal: new AbortController().signal,
    read: () => expect.unreachable(),
  });
  await expect(reading).rejects.toThrow('no database');
  expect(close).toHaveBeenCalledOnce();
  await outbound.close();
});
