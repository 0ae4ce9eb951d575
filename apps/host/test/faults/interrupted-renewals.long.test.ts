import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { AuthorizationGrants } from '@waiver-service/simulator';
import { report, until } from '@waiver-service/testing';
import { startTokenSystem, type TokenSystem, tokenAccount } from '@waiver-service/testing/tokens';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockTable } from '../harness/own-postgres.ts';
import { type Program, replacingStandard, startProgram } from '../harness/program.ts';

const baseUrl = 'http://waivers.example';
const installation = '/v1/admin/pools/p/installations/standard';
const outboundTimeoutMs = 3_000;
// A killed host's lease: its time for the renewal, and five seconds to record it.
const leaseMs = outboundTimeoutMs + 5_000;
const rounds = 40;

let database: { readonly url: string; drop(): Promise<void> };
let system: TokenSystem;
let grants: AuthorizationGrants;
const hosts = new Set<Program>();

async function startHost(): Promise<Program> {
  const host = await startProgram({
    DATABASE_URL: database.url,
    BASE_URL: baseUrl,
    OUTBOUND_TIMEOUT: `${outboundTimeoutMs}ms`,
    ...replacingStandard(new URL('../harness/authorized-plugin.ts', import.meta.url)),
  });
  hosts.add(host);
  return host;
}

async function kill(host: Program): Promise<void> {
  hosts.delete(host);
  host.spawned.process.kill('SIGKILL');
  await host.spawned.ended;
}

/** Visits the authorization page, and comes back to a host. */
async function authorize(host: Program): Promise<number> {
  const { body, headers } = await host.call('POST', `${installation}/authorize`);
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(String(body.url), { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? 'about:blank');
  return (await fetch(`${host.url}${back.pathname}${back.search}`, { headers: { cookie } })).status;
}

const read = (host: Program) => host.call('GET', `/v1/pools/p/bookings/${system.bookings.all[0]?.id}`);

async function listed(host: Program): Promise<Record<string, unknown>> {
  return Object((await host.done('GET', '/v1/admin/pools/p/installations')).items[0]);
}

const tokenRequests = () => system.received.filter(({ route }) => route === 'token').length;

/** Kills a host between the answer to its request for a token and the record of it. */
async function killBeforeRecord(host: Program, ask: () => Promise<unknown>): Promise<void> {
  const before = tokenRequests();
  // Long enough to lock the table while the vendor thinks.
  system.faults.next('token', { kind: 'latency', milliseconds: 1_000 });
  const asking = ask().catch(() => undefined);
  await system.untilReceived('token', before + 1);
  const lock = await lockTable(database.url, 'booking_system_session');
  await lock.untilBlocked();
  await kill(host);
  await lock.release();
  await asking;
}

/**
 * Reads by a host until the installation works or says that it needs attention, one of which it has to do once the lease
 * has run out. Until then every read has to fail, or to say that its booking is an earlier one.
 */
async function outcomeAt(host: Program): Promise<'works' | 'needs attention'> {
  return until(
    async () => {
      const { status, body } = await read(host);
      if (status === 200 && !body.stale) return 'works';
      expect([200, 502, 503, 504], JSON.stringify(body)).toContain(status);
      return (await listed(host)).status === 'needs_attention' ? 'needs attention' : undefined;
    },
    'an installation that works or needs attention',
    leaseMs + 15_000,
  );
}

beforeEach(async () => {
  database = await createTestDatabase();
  grants = new AuthorizationGrants(tokenAccount.accountId, `${baseUrl}/integration/authorize/standard`);
  system = await startTokenSystem(grants);
  const host = await startHost();
  await host.makePool('p');
  await host.done('PUT', '/v1/admin/booking-systems/standard', { baseUrl: system.url });
  await host.done('PUT', installation, tokenAccount);
});
afterEach(async () => {
  await Promise.all([...hosts].map((host) => host.stop()));
  hosts.clear();
  await system.close();
  await database.drop();
});

function first(): Program {
  const [host] = hosts;
  if (host === undefined) throw new Error('there is no host');
  return host;
}

test('a host that dies with a refresh token that is taken once: the installation needs attention, and another visit mends it', async () => {
  const killed = first();
  const other = await startHost();
  expect(await authorize(killed)).toBe(200);
  expect((await read(other)).status).toBe(200);
  system.issued.revokeAll();
  await killBeforeRecord(killed, () => read(killed));

  expect(await outcomeAt(other)).toBe('needs attention');
  const { attention } = await listed(other);
  expect(attention).toMatchObject({ reason: expect.stringMatching(/invalid_grant.*was interrupted/) });
  expect(await authorize(other)).toBe(200);
  expect((await read(other)).status).toBe(200);
});

test('a host that dies where the vendor takes the former refresh token: another one goes on', async () => {
  grants.takesFormer = true;
  const killed = first();
  const other = await startHost();
  expect(await authorize(killed)).toBe(200);
  system.issued.revokeAll();
  await killBeforeRecord(killed, () => read(killed));
  expect(await outcomeAt(other)).toBe('works');
  expect(await listed(other)).toMatchObject({ status: 'active' });
});

test('a host that dies with the first token of an installation: it still needs attention, and another visit mends it', async () => {
  const killed = first();
  const other = await startHost();
  await killBeforeRecord(killed, () => authorize(killed));
  expect(await outcomeAt(other)).toBe('needs attention');
  expect(await authorize(other)).toBe(200);
  expect((await read(other)).status).toBe(200);
});

test(
  `hosts that die at any moment of a renewal, ${rounds} times: never silence`,
  async () => {
    const outcomes: string[] = [];
    // Renewed because it is about to end, again and again.
    system.issued.lifetimeSeconds = 1;
    expect(await authorize(first())).toBe(200);
    for (let round = 0; round < rounds; round += 1) {
      const killed = first();
      const other = await startHost();
      await delay(1_000);
      const asking = read(killed).catch(() => undefined);
      await delay(Math.random() * 60);
      await kill(killed);
      await asking;
      const outcome = await outcomeAt(other);
      outcomes.push(outcome);
      if (outcome === 'needs attention') expect(await authorize(other)).toBe(200);
      expect((await read(other)).status).toBe(200);
    }
    const mended = outcomes.filter((outcome) => outcome !== 'works').length;
    report({ 'interrupted renewals': rounds, 'mended by a person': mended });
  },
  rounds * 40_000 + 60_000,
);
