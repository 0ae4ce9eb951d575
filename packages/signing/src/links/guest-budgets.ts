import { countedAddress, createRateLimit, HttpProblem, type RateLimit } from '@waiver-service/http';
import type { FastifyRequest } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import { isGuest, isKiosk } from './link-access.ts';

/** Actions of guests by a public link, as they are counted. `recognize`: codes, proofs and people of returning guests. */
export type GuestAction = 'open' | 'page' | 'sign' | 'copy' | 'recognize';

/** Who acts. */
export interface GuestSource {
  readonly pool: string;
  /** The id of the link or kiosk; null while it is unknown. */
  readonly link: string | null;
  /** The IP address. */
  readonly address: string;
}

type Counted = GuestAction | 'bytes';
type Scope = 'link' | 'address' | 'pool';

/** Limits what guests may do, by link, by IP address and by pool, in this process. */
export interface GuestBudgets {
  /**
   * Takes one action, or bytes that have arrived, from all budgets, or from none.
   * @throws HttpProblem 429 as {@link budgetProblem} describes
   */
  take(counted: Counted, source: GuestSource, amount?: number): void;
  /** The same, without taking. */
  check(counted: Counted, source: GuestSource): void;
}
export const GuestBudgets: ServiceIdentifier<GuestBudgets> = Symbol('GuestBudgets');

const MiB = 1024 ** 2;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/*
 * A school class: 200 guests behind one address, perhaps with one link, who all open the page, finish five pages, sign
 * and open their copy within ten seconds. Twice that is allowed in a minute, and 128 MiB: 600 KiB for each of the 200.
 * A pool has the room of five classes in a minute; its busiest days have 3,000 guests in all.
 */
const ofClass: Readonly<Record<Counted, number>> = {
  open: 600,
  page: 2_000,
  sign: 400,
  copy: 600,
  recognize: 600,
  bytes: 128 * MiB,
};

const times = (limits: Readonly<Record<Counted, number>>, factor: number) => ({
  open: limits.open * factor,
  page: limits.page * factor,
  sign: limits.sign * factor,
  copy: limits.copy * factor,
  recognize: limits.recognize * factor,
  bytes: limits.bytes * factor,
});

interface Budget {
  readonly scope: Scope;
  readonly windowMs: number;
  readonly max: Readonly<Record<Counted, number>>;
}

const budgets: readonly Budget[] = [
  { scope: 'link', windowMs: minuteMs, max: ofClass },
  { scope: 'address', windowMs: minuteMs, max: ofClass },
  { scope: 'pool', windowMs: minuteMs, max: times(ofClass, 5) },
  // All guests of a busy day may share the operator's Wi-Fi.
  { scope: 'address', windowMs: dayMs, max: times(ofClass, 25) },
];

const codes: Readonly<Record<Scope, readonly [code: string, whose: string]>> = {
  link: ['too_many_by_link', 'by this link'],
  address: ['too_many_from_address', 'from this address'],
  pool: ['too_many_in_pool', 'in this pool'],
};

function usedUp({ scope, waitMs }: { readonly scope: Scope; readonly waitMs: number }): HttpProblem {
  const [code, whose] = codes[scope];
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new HttpProblem(
    429,
    code,
    `Guests have sent too much ${whose}. Nothing is wrong with this request: send it again, unchanged, in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** 429: the link or the pool has had the maximum of a day stored. */
export function dayFull(outcome: 'link-day-full' | 'pool-day-full'): HttpProblem {
  const [code, whose] =
    outcome === 'link-day-full' ? ['link_day_full', 'by this link'] : ['pool_day_full', 'in this pool'];
  return new HttpProblem(
    429,
    code,
    `As much as possible in a day has been stored ${whose}: send this again later, or ask the operator for another link.`,
    // The day may end sooner, and devices need not wait for it.
    { headers: { 'retry-after': '3600' } },
  );
}

/** @param now - milliseconds of a monotonic clock */
export function createGuestBudgets(now: () => number = () => performance.now()): GuestBudgets {
  const limits = budgets.map(({ scope, windowMs, max }) => ({
    scope,
    of: {
      open: createRateLimit({ max: max.open, windowMs }, now),
      page: createRateLimit({ max: max.page, windowMs }, now),
      sign: createRateLimit({ max: max.sign, windowMs }, now),
      copy: createRateLimit({ max: max.copy, windowMs }, now),
      recognize: createRateLimit({ max: max.recognize, windowMs }, now),
      bytes: createRateLimit({ max: max.bytes, windowMs }, now),
    } satisfies Record<Counted, RateLimit>,
  }));

  /** The limits that apply to a source, after checking that they have room. */
  function room(counted: Counted, { pool, link, address }: GuestSource, amount: number) {
    const keys: Readonly<Record<Scope, string | null>> = {
      link,
      // An address that several pools share, such as a mobile network's, has a budget in each.
      address: JSON.stringify([pool, countedAddress(address)]),
      pool,
    };
    const taken = limits.flatMap(({ scope, of }) => {
      const key = keys[scope];
      return key === null ? [] : [{ scope, key, limit: of[counted] }];
    });
    for (const { scope, key, limit } of taken) {
      const waitMs = limit.waitMs(key, amount);
      if (waitMs > 0) throw usedUp({ scope, waitMs });
    }
    return taken;
  }

  return {
    take(counted, source, amount = 1) {
      for (const { key, limit } of room(counted, source, amount)) limit.take(key, amount);
    },
    check(counted, source) {
      room(counted, source, 1);
    },
  };
}

/**
 * Takes a page or a signing of a request once for each of its guests: each becomes a waiver with its messages. The first
 * was taken before the body arrived.
 */
export function takeOtherGuests(
  budgets: GuestBudgets,
  counted: 'page' | 'sign',
  request: Pick<FastifyRequest, 'caller' | 'ip'>,
  guests: readonly unknown[],
): void {
  budgets.take(counted, guestSourceOf(request), guests.length - 1);
}

/** The source of a request by a link or a kiosk. */
export function guestSourceOf({ caller, ip: address }: Pick<FastifyRequest, 'caller' | 'ip'>): GuestSource {
  if (isGuest(caller)) return { pool: caller.pool, link: caller.link.id, address };
  if (isKiosk(caller)) return { pool: caller.pool, link: caller.kiosk.id, address };
  throw new Error('this route is for guests');
}
