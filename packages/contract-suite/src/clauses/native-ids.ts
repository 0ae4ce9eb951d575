import { isDeepStrictEqual } from 'node:util';
import { isBookingSystemError } from '@waiver-service/core';
import { isJsonObject } from '@waiver-service/plugin-kit';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { readsNative, writesNative } from '../conditions.ts';
import { isEncoded } from '../expectations.ts';
import { contractWaiver, visibleIds } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest } from '../kit/partner.ts';
import {
  type Address,
  exchanging,
  expectOutcome,
  inScenario,
  type Scenario,
  scenariosOf,
} from '../native/exchanging.ts';
import type { NativeExchange } from '../native/native-scenarios.ts';

const section = 'plugin interface';

/** The texts and numbers of a value, as texts. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A value with some of its texts, and the numbers that are the same, replaced at every depth. */
function replacing(value: unknown, replacements: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string' || typeof value === 'number') return replacements.get(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => replacing(item, replacements));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replacing(inner, replacements)]),
  );
}

const partsOf = ({ segments, query }: Address) => [...segments, ...query.map(([, value]) => value)];

const templateOf = ({ method, segments, query }: Address, text: string) =>
  JSON.stringify([method, segments.map((segment) => segment === text), query.map(([name]) => name)]);

/** The values that a plugin was given, or got in an answer, and that became a whole part of an address. */
function idsOf(scenario: Scenario, account: object): string[] {
  const known = new Set(textsIn([account, scenario.waiver]));
  const ids = new Set<string>();
  for (const { address, answer } of scenario.steps) {
    for (const part of partsOf(address)) if (part !== '' && known.has(part)) ids.add(part);
    for (const text of textsIn(answer.body)) known.add(text);
  }
  return [...ids];
}

const rawSegments = ({ path }: PartnerRequest) => path.split('/');

/** Whether a request has the address, each part of it as it was or with the id replaced. */
function hasAddress(kit: ClauseKit, request: PartnerRequest, address: Address, id: string, other: string) {
  const variants = (part: string) => (part === id ? [id, other] : [part]);
  const segments = rawSegments(request);
  const query = kit.queryOf(request).toSorted();
  const expected = address.query.toSorted();
  return (
    request.method === address.method &&
    segments.length === address.segments.length &&
    address.segments.every((part, place) =>
      variants(part).some((text) => isEncoded(segments[place] ?? '', text)),
    ) &&
    query.length === expected.length &&
    expected.every(([name, value], place) => {
      const [actualName, actual = ''] = query[place] ?? [];
      return actualName === name && variants(value).includes(actual);
    })
  );
}

const unexpected = { status: 500, body: {} };

/** Makes a call with one id replaced wherever it occurs, and returns the first request to none of the addresses. */
async function strayRequest(
  kit: ClauseKit,
  scenario: Scenario,
  id: string,
  other: string,
): Promise<{ readonly stray: PartnerRequest | undefined; readonly isUsed: boolean }> {
  const replacements = new Map([[id, other]]);
  const open = scenario.steps.map(({ address, answer }) => ({
    address,
    answer: { ...answer, body: replacing(answer.body, replacements) },
  }));
  let stray: PartnerRequest | undefined;
  let isUsed = false;
  kit.partner.willAnswerAll((request) => {
    const place = open.findIndex(({ address }) => hasAddress(kit, request, address, id, other));
    if (place === -1) {
      stray ??= request;
      return unexpected;
    }
    const [step] = open.splice(place, 1);
    if (step !== undefined && partsOf(step.address).includes(id)) isUsed = true;
    return step?.answer ?? unexpected;
  });
  const waiver = Object.assign({}, scenario.waiver, replacing(scenario.waiver, replacements));
  const account = Object.assign({}, replacing(kit.account, replacements));
  // An id that the plugin or one of its schemas refuses is in no request.
  await Promise.resolve()
    .then(() => scenario.call({ waiver, account }))
    .catch((error: unknown) => {
      if (!isBookingSystemError(error)) throw error;
    });
  return { stray, isUsed };
}

async function expectEncodedIds(kit: ClauseKit): Promise<void> {
  const tried = new Set<string>();
  for (const scenario of scenariosOf(kit)) {
    for (const id of idsOf(scenario, kit.account)) {
      // The same id at the same place of the same requests is tried once.
      const places = scenario.steps.map(({ address }) => templateOf(address, id)).join();
      if (tried.has(places)) continue;
      let wasUsed = false;
      for (const other of visibleIds) {
        const { stray, isUsed } = await strayRequest(kit, scenario, id, other);
        if (stray === undefined) {
          wasUsed ||= isUsed;
          continue;
        }
        const made = `${stray.method} ${stray.path}${stray.query === '' ? '' : `?${stray.query}`}`;
        throw new Error(
          `${scenario.name}: with ${JSON.stringify(other)} in place of the id ${JSON.stringify(id)}, the plugin made ${made}, which is none of the scenario's requests. Encode each id that becomes a part of an address`,
        );
      }
      if (wasUsed) tried.add(places);
    }
  }
}

const hasId = (value: unknown, id: string) =>
  isJsonObject(value) && Object.values(value).some((inner) => inner === id || inner === Number(id));

/** A body in which each list of bookings begins with another one, whose id begins alike, as a search may find it. */
function withAnotherFirst(body: unknown, id: string): unknown {
  if (Array.isArray(body)) {
    const found: unknown = body.find((entry) => hasId(entry, id));
    return found === undefined ? body : [replacing(found, new Map([[id, `${id}0`]])), ...body];
  }
  if (!isJsonObject(body) || hasId(body, id)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, inner]) => [name, withAnotherFirst(inner, id)]));
}

/** The exchanges with another booking in their answers; undefined if no answer is a list of bookings. */
function amongOthers(exchanges: readonly NativeExchange[], id: string): NativeExchange[] | undefined {
  const changed = exchanges.map(({ request, answer }) => ({
    request,
    answer: { ...answer, body: withAnotherFirst(answer.body, id) },
  }));
  const isSame = changed.every(({ answer }, place) =>
    isDeepStrictEqual(answer.body, exchanges[place]?.answer.body),
  );
  return isSame ? undefined : changed;
}

async function expectOwnBooking(kit: ClauseKit): Promise<void> {
  const { bodies, readRequest, guestUpdates = [], bookingId: known } = kit.native;
  const another = (name: string) => `${name}, with another booking before it in the answer`;
  for (const { name, bookingId = known, body, further = [], expected } of bodies) {
    const exchanges = amongOthers([{ request: readRequest, answer: { body } }, ...further], bookingId);
    if (exchanges === undefined) continue;
    await inScenario(another(name), async () => {
      const { booking } = await exchanging(kit, exchanges, () => kit.read(bookingId), bookingId);
      expect(booking).toEqual(expected.booking);
    });
  }
  for (const { name, waiver: changes, exchanges, expected } of writesNative(kit.plugin) ? guestUpdates : []) {
    const waiver = contractWaiver({ bookingId: known, ...changes });
    const changed = amongOthers(exchanges, waiver.bookingId);
    if (changed === undefined) continue;
    const pushing = () => expectOutcome(kit.push(waiver), expected);
    await inScenario(another(name), () => exchanging(kit, changed, pushing, waiver.bookingId));
  }
}

/** Ids in a vendor's own addresses and lists. */
export const nativeIdClauses: readonly Clause[] = [
  {
    id: 'native/id-encoding',
    section,
    title:
      'every value of account, waiver or answer that becomes part of an address arrives unchanged, whatever its characters',
    appliesTo: readsNative,
    run: expectEncodedIds,
  },
  {
    id: 'native/search',
    section,
    title:
      'of several bookings in an answer, the one that was asked for is read or written, wherever it stands',
    appliesTo: readsNative,
    run: expectOwnBooking,
  },
];
