import { setTimeout as wait } from 'node:timers/promises';
import { steadyNow } from '../receivers/messages.ts';
import type { OpenedPool } from '../subjects/booking-client.ts';
import { adminToken } from '../subjects/secrets.ts';
import type { Ledger } from './ledger.ts';
import type { SoakClient } from './soak-client.ts';
import { retentionDays } from './soak-world.ts';

/** The actions of people, waiver apps and programs. */
export interface Load {
  /** A guest signs in three steps (three changes), and occasionally asks to be forgotten. */
  visit(pauseMs: number): Promise<void>;
  /** A waiver app reads a booking. */
  read(): Promise<void>;
  /** A person opens the console's lists. */
  look(): Promise<void>;
  /** An access token and a credential are made, used and deleted. */
  changeKeys(): Promise<void>;
  /** Durations of requests since the last call, in milliseconds. */
  takeTimes(): { readonly accept: readonly number[]; readonly read: readonly number[] };
}

export interface LoadParts {
  readonly client: SoakClient;
  readonly ledger: Ledger;
  readonly pools: readonly OpenedPool[];
  /** The hosts that currently accept requests. */
  readonly hostUrls: () => readonly string[];
  readonly waiverRetentionMs: number;
}

/** Changes that a visit makes. */
export const changesPerVisit = 3;
const dayMs = 86_400_000;
// Enough that a booking is read again only now and then, few enough that all are stored within minutes.
const bookingCount = 20_000;
const guestsPerBooking = 6;
const visitsPerErasure = 200;

export function createLoad({ client, ledger, pools, hostUrls, waiverRetentionMs }: LoadParts): Load {
  let visits = 0;
  let reads = 0;
  let looks = 0;
  let calls = 0;
  let accept: number[] = [];
  let read: number[] = [];
  const run = Date.now().toString(36);

  function host() {
    const urls = hostUrls();
    calls += 1;
    return urls[calls % urls.length] ?? '';
  }
  const poolOf = (index: number) => pools[index % pools.length] ?? { id: '', token: '' };

  async function change(
    id: string,
    call: { readonly method: 'PATCH' | 'POST'; readonly path: string; readonly token: string },
    body: unknown,
  ): Promise<boolean> {
    const { method, path, token } = call;
    const expected = method === 'POST' ? 201 : 200;
    const answer = await client.call({ method, url: `${host()}${path}`, token, body, expected });
    if (answer === undefined) return false;
    accept.push(answer.tookMs);
    ledger.accept(id, answer.body.updatedAt ?? '', steadyNow());
    return true;
  }

  async function sign(pauseMs: number, visit: number, id: string): Promise<void> {
    const { id: pool, token } = poolOf(visit);
    const path = `/v1/pools/${pool}/waivers`;
    const lastVisit = new Date(Date.now() - retentionDays * dayMs + waiverRetentionMs);
    const booking = visit % bookingCount;
    const isStored = await change(
      id,
      { method: 'POST', path, token },
      {
        id,
        bookingId: `booking-${booking}`,
        bookingGuestId: `guest-${Math.floor(visit / bookingCount) % guestsPerBooking}`,
        activities: ['activity-1'],
        lastVisit: lastVisit.toISOString(),
        currentPage: 'page-1',
        answers: { name: `Guest ${visit}`, email: `guest.${visit}@example.com`, howHeard: 'a friend' },
      },
    );
    if (!isStored) return;
    await wait(pauseMs);
    await change(id, { method: 'PATCH', path: `${path}/${id}`, token }, { currentPage: 'page-2' });
    await wait(pauseMs);
    await change(
      id,
      { method: 'PATCH', path: `${path}/${id}`, token },
      { currentPage: null, answers: { signature: 'signed' } },
    );
  }

  async function erase(pool: string, id: string): Promise<boolean> {
    const url = `${host()}/v1/admin/pools/${pool}/erasures`;
    const body = { waiverId: id };
    return (await client.call({ method: 'POST', url, token: adminToken, body, expected: 202 })) !== undefined;
  }

  return {
    async visit(pauseMs) {
      visits += 1;
      const visit = visits;
      const id = `waiver-${run}-${visit}`;
      ledger.begin(id);
      await sign(pauseMs, visit, id);
      const isErased = visit % visitsPerErasure === 0 && (await erase(poolOf(visit).id, id));
      ledger.finish(id, isErased);
    },
    async read() {
      reads += 1;
      const { id, token } = poolOf(reads);
      const url = `${host()}/v1/pools/${id}/bookings/booking-${reads % bookingCount}`;
      const answer = await client.call({ url, token });
      if (answer !== undefined) read.push(answer.tookMs);
    },
    async look() {
      looks += 1;
      const token = adminToken;
      const { id } = poolOf(looks);
      const paths = [
        'overview?window=1h',
        'deliveries',
        'destinations',
        `deliveries?pool=${id}&state=dead`,
        'audit',
      ];
      for (const path of paths) await client.call({ url: `${host()}/v1/admin/${path}`, token });
      await client.call({ url: `${host()}/v1/pools/${id}/waivers?order=newest`, token });
      await client.call({ url: `${host()}/v1/pools/${id}/waivers?search=guest`, token });
    },
    async changeKeys() {
      const { id: pool } = poolOf(looks);
      const kinds = [
        { url: `/v1/admin/pools/${pool}/access-tokens`, body: {}, use: `/v1/pools/${pool}/waivers?limit=1` },
        {
          url: '/v1/admin/credentials',
          body: { name: 'soak', role: 'viewer' },
          use: '/v1/admin/me',
        },
      ];
      for (const { url, body, use } of kinds) {
        const created = await client.call({
          method: 'POST',
          url: `${host()}${url}`,
          token: adminToken,
          body,
          expected: 201,
        });
        if (created === undefined) continue;
        await client.call({ url: `${host()}${use}`, token: created.body.token ?? '' });
        await client.call({
          method: 'DELETE',
          url: `${host()}${url}/${created.body.id}`,
          token: adminToken,
          expected: 204,
        });
      }
    },
    takeTimes() {
      const taken = { accept, read };
      accept = [];
      read = [];
      return taken;
    },
  };
}
