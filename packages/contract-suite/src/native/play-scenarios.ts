import type { BookingSystemPlugin, ListedBookings } from '@waiver-service/core';
import { expect } from 'vitest';
import { connect } from '../connect.ts';
import { contractWaiver } from '../fixtures.ts';
import { type AddedNames, observingAuthentication } from '../kit/observing-authentication.ts';
import { accessOf } from '../kit/planted-secrets.ts';
import type { ContractSuiteOptions } from '../options.ts';
import { expectOutcome, inScenario } from './exchanging.ts';
import {
  type ChangesStep,
  type ExchangeScenarios,
  formerWebhookUrl,
  type NativeChanges,
  type NativeExchange,
  type NativeGuestUpdate,
  type NativeList,
  type NativeListed,
  type NativeScenarios,
  type NativeWebhooks,
  type PlayedScenarios,
  type SimulatedChanges,
  type SimulatedGuestUpdate,
  type SimulatedList,
  type SimulatedRequest,
  type SimulatedVendor,
  type SimulatedWebhooks,
  type StartVendor,
  webhookUrl,
} from './native-scenarios.ts';

// A plugin that loses its place would list for ever.
const maxPages = 20;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function methodOf({ method, path }: SimulatedRequest): (typeof methods)[number] {
  const known = methods.find((name) => name === method);
  if (known === undefined) throw new Error(`${method} ${path}: the suite knows only ${methods.join(', ')}`);
  return known;
}

/** The bookings of a page, as scenarios write them. */
export const listedIn = ({ bookings }: ListedBookings): NativeListed[] =>
  bookings.map(({ bookingId, fetched, problem }) => ({
    bookingId,
    ...(fetched === undefined ? {} : { booking: fetched.booking }),
    ...(problem === undefined ? {} : { isUnreadable: true }),
  }));

const mapped = <From, To>(
  [first, ...others]: readonly [From, ...From[]],
  change: (from: From) => Promise<To>,
): Promise<[To, ...To[]]> => Promise.all([change(first), ...others.map(change)]);

/** Calls a plugin over HTTP at simulated vendors, and records the exchanges. */
class Player {
  readonly failures: unknown[] = [];
  readonly #plugin: BookingSystemPlugin;
  readonly #options: ContractSuiteOptions;
  readonly #added: AddedNames = { headers: new Set(), query: new Set() };

  constructor(plugin: BookingSystemPlugin, options: ContractSuiteOptions) {
    this.#plugin = observingAuthentication(plugin, this.#added);
    this.#options = options;
  }

  async guestUpdate(scenario: SimulatedGuestUpdate, bookingId: string): Promise<NativeGuestUpdate> {
    const { name, vendor: start, waiver: changes, expected } = scenario;
    return this.#at(start, name, async (vendor) => {
      const before = structuredClone(vendor.state());
      const writes = 'after' in scenario;
      const waiver = contractWaiver({ bookingId, ...changes });
      const call = async () => {
        const { pushWaiver } = this.#plugin;
        if (!pushWaiver) throw new Error(`${this.#plugin.installName} has no pushWaiver`);
        await expectOutcome(pushWaiver(this.#contextAt(vendor, 'guest-update'), waiver), expected);
        if (!writes) expectReads(this.#requestsTo(vendor));
        if ('warnings' in expected) expectAccepted(vendor);
        expect(vendor.state(), 'what the vendor stores').toEqual(writes ? scenario.after : before);
      };
      const exchanges = await this.#recording(vendor, name, call, waiver.bookingId);
      return { name, ...(changes && { waiver: changes }), exchanges, expected };
    });
  }

  async list({ vendor: start, bookings, ...list }: SimulatedList): Promise<NativeList> {
    const { name, from, until, limit = 100 } = list;
    return this.#at(start, name, async (vendor) => {
      const page = async (cursor: string | undefined, size = limit) => {
        const listed = await this.#plugin.listBookings?.(this.#contextAt(vendor), {
          from,
          until,
          limit: size,
          cursor,
        });
        if (listed === undefined) throw new Error(`${this.#plugin.installName} has no listBookings`);
        return listed;
      };
      const pages: NativeList['pages'][number][] = [];
      let cursor: string | undefined;
      do {
        let listed: ListedBookings = { bookings: [] };
        const [first, ...others] = await this.#recording(vendor, name, async () => {
          listed = await page(cursor);
        });
        cursor = listed.next;
        if (first !== undefined) pages.push({ exchanges: [first, ...others], bookings: listedIn(listed) });
      } while (cursor !== undefined && pages.length < maxPages);
      await this.#check(name, async () => {
        expect(cursor, `the cursor after ${pages.length} pages`).toBeUndefined();
        for (const { exchanges } of pages) expectNoneTwice(exchanges);
        expect(pages.flatMap((one) => one.bookings)).toEqual(bookings);
        const { bookings: head, next } = await page(undefined);
        let rest = next === undefined ? undefined : await page(next, limit + 1);
        const all = [...head];
        while (rest !== undefined && all.length <= bookings.length) {
          all.push(...rest.bookings);
          rest = rest.next === undefined ? undefined : await page(rest.next, 1);
        }
        expect(listedIn({ bookings: all }), 'pages of other lengths').toEqual(bookings);
        expectAccepted(vendor);
      });
      const [first, ...others] = pages;
      if (first === undefined) throw new Error(`${name}: the plugin made no request`);
      return { ...list, pages: [first, ...others] };
    });
  }

  async changes({ vendor: start, steps: [first, second, ...others] }: SimulatedChanges) {
    return this.#at(start, 'changes', async (vendor) => {
      let cursor: string | undefined;
      const play = async (step: ChangesStep): Promise<NativeChanges> => {
        const exchanges = await this.#recording(vendor, `changes at ${step.now}`, async () => {
          const request = { cursor, now: new Date(step.now) };
          const changes = await this.#plugin.changesSince?.(this.#contextAt(vendor), request);
          cursor = changes?.cursor;
          expect({ bookingIds: changes?.bookingIds, hasMore: changes?.hasMore }).toEqual({
            bookingIds: step.bookingIds,
            hasMore: step.hasMore,
          });
          expectAccepted(vendor);
        });
        return { ...step, exchanges };
      };
      const played = [await play(first), await play(second)] as const;
      const rest: NativeChanges[] = [];
      for (const step of others) rest.push(await play(step));
      return [...played, ...rest] as const;
    });
  }

  async access(start: StartVendor): Promise<ExchangeScenarios['access']> {
    return this.#at(start, 'access', async (vendor) => {
      const [first, ...others] = await this.#recording(vendor, 'access', async () => {
        const checked = await this.#plugin.checkAccess?.(this.#contextAt(vendor));
        expect(checked?.warnings).toEqual([]);
        expectAccepted(vendor);
      });
      return first && [first, ...others];
    });
  }

  async webhooks({ vendor: start, registered }: SimulatedWebhooks): Promise<NativeWebhooks> {
    return this.#at(start, 'webhooks', async (vendor) => {
      const others = vendor.state();
      if (!Array.isArray(others)) throw new Error('the state of a vendor of webhooks is the list of them');
      const { webhooks } = this.#plugin;
      if (!webhooks) throw new Error(`${this.#plugin.installName} has no webhooks`);
      const play = (name: string, ours: readonly unknown[], call: () => Promise<void>) =>
        this.#recording(vendor, `webhooks: ${name}`, async () => {
          await call();
          const all: readonly unknown[] = [...others, ...ours];
          expect(vendor.state(), 'the webhooks').toHaveLength(all.length);
          expect(vendor.state(), 'the webhooks').toEqual(expect.arrayContaining([...all]));
          expectAccepted(vendor);
        });
      const register = (url: string, ...formerUrls: string[]) =>
        webhooks.register(this.#contextAt(vendor), { url, formerUrls });
      const unregister = (...urls: string[]) => webhooks.unregister(this.#contextAt(vendor), { urls });
      const ours = registered(webhookUrl);
      return {
        register: await play('register', ours, () => register(webhookUrl)),
        registerAgain: await play('register again', ours, () => register(webhookUrl, formerWebhookUrl)),
        move: await (async () => {
          await play('remove', [], () => unregister(webhookUrl));
          await play('register the former', registered(formerWebhookUrl), () => register(formerWebhookUrl));
          return play('move', ours, () => register(webhookUrl, formerWebhookUrl));
        })(),
        unregister: await play('unregister', [], () => unregister(formerWebhookUrl, webhookUrl)),
        unregisterAgain: await play('unregister again', [], () => unregister(formerWebhookUrl, webhookUrl)),
      };
    });
  }

  async #at<T>(start: StartVendor, name: string, play: (vendor: SimulatedVendor) => Promise<T>): Promise<T> {
    const vendor = await start(accessOf(this.#options));
    try {
      return await play(vendor);
    } catch (error) {
      throw new Error(`scenario "${name}" cannot be played`, { cause: error });
    } finally {
      await vendor.close();
    }
  }

  async #check(name: string, check: () => Promise<void>): Promise<void> {
    await inScenario(name, check).catch((error: unknown) => this.failures.push(error));
  }

  async #recording(
    vendor: SimulatedVendor,
    name: string,
    call: () => Promise<void>,
    bookingId?: string,
  ): Promise<NativeExchange[]> {
    const before = vendor.received.length;
    await this.#check(name, call);
    const requests = this.#requestsTo(vendor, before);
    return requests.map((request) => this.#exchangeOf(request, vendor, bookingId));
  }

  /** The requests to a vendor's API, without those for tokens, which the suite answers itself. */
  #requestsTo({ url, received }: SimulatedVendor, from = 0): SimulatedRequest[] {
    const { tokens } = this.#options;
    const tokenPath = tokens && new URL(`${url}/${tokens.tokenUrl}`).pathname;
    return received.slice(from).filter(({ path }) => path !== tokenPath);
  }

  #exchangeOf(request: SimulatedRequest, { url }: SimulatedVendor, bookingId?: string): NativeExchange {
    const { pathname, searchParams } = new URL(request.path, url);
    const base = new URL(url).pathname.replace(/\/$/, '');
    const segments = pathname.slice(base.length).split('/').map(decodeURIComponent);
    const query = [...searchParams].filter(([name]) => !this.#added.query.has(name.toLowerCase()));
    const { status, body } = request.answer ?? { status: 500, body: {} };
    // The simulators send a text as JSON.
    const usual = { status, body: typeof body === 'string' ? JSON.stringify(body) : body };
    return {
      request: {
        method: methodOf(request),
        path: segments.map((segment) => (segment === bookingId ? '{bookingId}' : segment)).join('/'),
        query: Object.fromEntries(query),
      },
      answer: request.faultAnswer ?? usual,
    };
  }

  #contextAt({ url: baseUrl }: SimulatedVendor, purpose: 'read' | 'guest-update' = 'read') {
    return connect(this.#plugin, { baseUrl, ...accessOf(this.#options) }).contextFor(purpose);
  }
}

function expectNoneTwice(exchanges: readonly NativeExchange[]): void {
  const asked = exchanges.map(({ request }) => JSON.stringify(request));
  expect(new Set(asked).size, `different requests among ${asked.join(', ')}`).toBe(asked.length);
}

const statusOf = ({ answer, faultAnswer }: SimulatedRequest) => (faultAnswer ?? answer)?.status ?? 500;

/** Throws if there are any such requests. */
function expectNone(what: string, requests: readonly SimulatedRequest[]): void {
  if (requests.length === 0) return;
  const list = requests.map((request) => `${request.method} ${request.path} (status ${statusOf(request)})`);
  throw new Error(`${what}: ${list.join(', ')}`);
}

const expectAccepted = ({ received }: SimulatedVendor) =>
  expectNone(
    'the vendor refused requests',
    received.filter((request) => statusOf(request) >= 400),
  );

const expectReads = (requests: readonly SimulatedRequest[]) =>
  expectNone(
    'nothing was to be written, and the plugin sent requests other than GET',
    requests.filter(({ method }) => method !== 'GET'),
  );

async function play(plugin: BookingSystemPlugin, options: ContractSuiteOptions): Promise<PlayedScenarios> {
  if (options.native === undefined) return { native: undefined, failures: [] };
  const { guestUpdates, lists, changes, access, webhooks, ...others } = options.native;
  const player = new Player(plugin, options);
  const native: ExchangeScenarios = {
    ...others,
    ...(guestUpdates && {
      guestUpdates: await mapped(guestUpdates, async (update) =>
        'vendor' in update ? player.guestUpdate(update, others.bookingId) : update,
      ),
    }),
    ...(lists && {
      lists: await mapped(lists, async (list) => ('vendor' in list ? player.list(list) : list)),
    }),
    ...(changes && { changes: 'vendor' in changes ? await player.changes(changes) : changes }),
    access: typeof access === 'function' ? await player.access(access) : access,
    ...(webhooks && {
      webhooks: 'vendor' in webhooks ? await player.webhooks(webhooks) : webhooks,
    }),
  };
  return { native, failures: player.failures };
}

const played = new WeakMap<BookingSystemPlugin, WeakMap<NativeScenarios, Promise<PlayedScenarios>>>();

/** Plays a plugin's scenarios that name a simulated vendor, once for all clauses. */
export function playScenarios(
  plugin: BookingSystemPlugin,
  options: ContractSuiteOptions,
): Promise<PlayedScenarios> {
  if (options.native === undefined) return play(plugin, options);
  const ofPlugin = played.get(plugin) ?? new WeakMap<NativeScenarios, Promise<PlayedScenarios>>();
  played.set(plugin, ofPlugin);
  const former = ofPlugin.get(options.native) ?? play(plugin, options);
  ofPlugin.set(options.native, former);
  return former;
}
