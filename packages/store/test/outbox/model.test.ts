import type { BackgroundJob } from '@waiver-service/database';
import type { ClaimedDelivery } from '@waiver-service/outbox';
import { createWriteUnitJob } from '@waiver-service/outbox';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  busyLanes,
  claimShares,
  deliver,
  findWork,
  finish,
  lose,
  loseWorker,
  refuse,
  returnClaims,
  startWorker,
  type Worker,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openDatabase, openOutbox } from '../setup/open-test-store.ts';

// As many as `npm run test:faults` has time for.
const runs = process.env.WAIVER_SERVICE_FAULTS === 'long' ? 300 : 6;
const workerCount = 3;

type Opened = Awaited<ReturnType<typeof openOutbox>>;

const ends = ['deliver', 'refuse', 'lose', 'dead', 'release', 'give back'] as const;
type End = (typeof ends)[number];

const waiverNumber = fc.nat(2);
const workerNumber = fc.nat(workerCount - 1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), waiver: waiverNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), waiver: waiverNumber, booking: fc.nat(1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      worker: workerNumber,
      slots: fc.integer({ min: 1, max: 4 }),
      isAnswerLost: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      message: fc.nat(5),
      how: fc.constantFrom(...ends),
      isAnswerLost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), waiver: waiverNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), worker: workerNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('balance' as const), worker: workerNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), destination: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      unit: fc.constantFrom('waiver', 'booking' as const),
    }),
  },
);

const messageOf = ({ destination, waiverId, bookingId }: ClaimedDelivery) =>
  `${destination} ${waiverId} ${bookingId}`;
const laneOf = ({ destination, orderingKey }: ClaimedDelivery) => `${destination} ${orderingKey}`;

/** A worker that does what the delivery loop does. */
interface ModelWorker extends Worker {
  /** One of its claims was committed, and the answer never reached it. */
  hasLostClaim: boolean;
}

/** Everything that went out; and whether what must hold at each moment holds. */
class World {
  readonly sent: ClaimedDelivery[] = [];
  workers: ModelWorker[] = [];
  /** By lane: the body that has to go again before anything else. */
  readonly doubts = new Map<string, string>();
  /** Destinations to which nothing may go. */
  readonly held = new Set<string>();
  readonly opened: Opened;
  readonly run: number;
  readonly units: BackgroundJob;

  constructor(opened: Opened, units: BackgroundJob, run: number) {
    this.opened = opened;
    this.units = units;
    this.run = run;
  }

  get store() {
    return this.opened.store;
  }

  id = (place: number) => `w${this.run}-${place}`;
  booking = (place: number) => `b${this.run}-${place}`;
  inFlight = () =>
    this.workers.flatMap((worker) => [...worker.inFlight].map((claimed) => ({ worker, claimed })));

  async start(): Promise<ModelWorker> {
    return { ...(await startWorker(this.store)), hasLostClaim: false };
  }

  /** Before it claims or gives up a shard, a worker voids the claims whose answers were lost. */
  async voidLostClaims(worker: ModelWorker): Promise<void> {
    if (!worker.hasLostClaim) return;
    const known = [...new Set([...worker.inFlight].map(({ batch }) => batch))];
    worker.epoch = (await this.store.outbox.voidLostClaims(worker.dispatcher, known)) ?? worker.epoch;
    worker.hasLostClaim = false;
  }

  async balance(worker: ModelWorker): Promise<void> {
    await this.voidLostClaims(worker);
    const inUse = [...new Set([...worker.inFlight].map(({ shard }) => shard))];
    await this.store.outbox.balanceShards(worker.dispatcher, inUse);
  }

  async claim(worker: ModelWorker, slots: number, isAnswerLost = false): Promise<void> {
    await this.voidLostClaims(worker);
    if (isAnswerLost) {
      await this.claimUnheard(worker, slots);
      return;
    }
    for (const retrying of [false, true]) {
      const { work } = await findWork(this.store, worker);
      const shares = await this.allowed(worker, work, { slots, retrying });
      const before = this.inFlight().map(({ claimed }) => claimed);
      const claimed = await claimShares(this.store, shares, { retrying, worker });
      for (const each of claimed) {
        expect(before.map(laneOf)).not.toContain(laneOf(each));
        expect(before.map(messageOf)).not.toContain(messageOf(each));
        expect(this.held).not.toContain(each.destination);
        const doubt = this.doubts.get(laneOf(each));
        if (doubt !== undefined) expect(each.body).toBe(doubt);
        this.sent.push(each);
      }
      expect(new Set(claimed.map(laneOf)).size).toBe(claimed.length);
    }
  }

  /** Of limited destinations only what is granted, and never more than is claimed for. */
  async allowed(
    worker: ModelWorker,
    work: readonly { readonly destination: string; readonly limited: boolean }[],
    { slots, retrying }: { readonly slots: number; readonly retrying: boolean },
  ): Promise<{ destination: string; slots: number }[]> {
    const busy = busyLanes(worker);
    const limited = work
      .filter((each) => each.limited)
      .map(({ destination }) => ({ destination, slots, busyLanes: busy.get(destination) ?? [] }));
    const granted = await this.store.outbox.takeFirstRequests(limited, retrying);
    for (const grant of granted) expect(grant.slots).toBeLessThanOrEqual(slots);
    return [
      ...granted.map(({ destination, slots: some }) => ({ destination, slots: some })),
      ...work.filter((each) => !each.limited).map(({ destination }) => ({ destination, slots })),
    ];
  }

  async claimUnheard(worker: ModelWorker, slots: number): Promise<void> {
    const { work } = await findWork(this.store, worker);
    const shares = work.map(({ destination }) => ({ destination, slots }));
    for (const claimed of await claimShares(this.store, shares, { worker })) worker.inFlight.delete(claimed);
    worker.hasLostClaim = true;
  }

  async end(place: number, how: End, isAnswerLost = false): Promise<void> {
    const all = this.inFlight();
    const chosen = all[place % Math.max(1, all.length)];
    if (chosen === undefined) return;
    const { worker, claimed } = chosen;
    if (how === 'give back') {
      await returnClaims(this.store, claimed, worker);
      // It was never sent.
      this.sent.splice(this.sent.indexOf(claimed), 1);
      return;
    }
    const by: Record<Exclude<End, 'give back'>, () => Promise<ReadonlySet<string>>> = {
      deliver: () => deliver(this.store, claimed, worker),
      refuse: () => refuse(this.store, claimed, 0, worker),
      lose: () => lose(this.store, claimed, 0, worker),
      dead: () => finish(this.store, claimed, { kind: 'dead' }, false, worker),
      release: () => finish(this.store, claimed, { kind: 'release', waitMs: 0 }, null, worker),
    };
    expect((await by[how]()).size).toBe(1);
    // If the response was lost, record again.
    if (isAnswerLost) expect((await by[how]()).size).toBe(0);
    if (how === 'lose') this.doubts.set(laneOf(claimed), claimed.body);
    else if (how !== 'release') this.doubts.delete(laneOf(claimed));
  }

  /** One worker is gone, and another one takes over and comes in its place; the others hold what they have. */
  async crash(place: number): Promise<void> {
    const gone = this.workers[place];
    if (gone === undefined) throw new Error(`there is no worker ${place}`);
    const lost = [...gone.inFlight];
    const [journal] = await this.opened.query(
      `select coalesce(array_agg(u.id), '{}')::text[] as ids from journal j cross join unnest(j.ids) u (id)
      left join pending p on p.id = u.id left join ended e on e.id = u.id and e.state = 'superseded'
      where j.dispatcher = $1 and (p.id is not null or e.id is not null)`,
      [gone.dispatcher],
    );
    const unheard = gone.hasLostClaim ? journal?.ids : [];
    await loseWorker(this.store, gone);
    await this.opened.query(`update pending set due_at = now()`);
    for (const claimed of lost) {
      expect((await deliver(this.store, claimed, gone)).size).toBe(0);
      expect((await refuse(this.store, claimed, 0, gone)).size).toBe(0);
      this.doubts.set(laneOf(claimed), claimed.body);
    }
    if (Array.isArray(unheard)) await this.doubtUnheard(unheard, lost);
    this.workers[place] = await this.start();
  }

  /** A claim whose response was lost is in doubt too, although nothing of it was sent. */
  async doubtUnheard(ids: readonly unknown[], lost: readonly ClaimedDelivery[]): Promise<void> {
    const known = new Set(lost.map(({ id }) => id));
    const rows = await this.opened.query(
      `select d.destination, p.ordering_key, d.body from pending p join delivery d using (id)
      where p.in_doubt and p.id = any ($1::uuid[])`,
      [ids.filter((id) => !known.has(String(id)))],
    );
    for (const { destination, ordering_key: key, body } of rows) {
      this.doubts.set(`${destination} ${key}`, String(body));
    }
  }

  /** A person has the newest message of a waiver sent again, to each destination. */
  async reopen(id: string): Promise<void> {
    const record = await this.store.waivers.get('p1', id);
    for (const delivery of await this.store.waivers.deliveriesOf('p1', id)) {
      if (delivery.version !== record?.version) continue;
      expect(await this.store.deliveries.retry(delivery.id)).toEqual({ deliveryId: delivery.id });
    }
  }

  async destinations(): Promise<string[]> {
    const { items } = await this.store.destinations.list({ limit: 10 });
    return items.map(({ id }) => id);
  }

  async hold(place: number): Promise<void> {
    const destination = (await this.destinations())[place];
    if (destination === undefined) throw new Error(`there is no destination ${place}`);
    await this.store.outbox.hold([{ destination, holdMs: 3_600_000 }]);
    this.held.add(destination);
  }

  async resume(): Promise<void> {
    for (const id of await this.destinations()) await this.store.destinations.resume(id);
    this.held.clear();
  }

  /** The plugin changes what it is ordered by; what is changed is, where nothing waits. */
  async order(writeUnit: 'waiver' | 'booking'): Promise<void> {
    const manifest = {
      bookingSystem: 'standard',
      writeUnit,
      guestId: 'booking-guest-id' as const,
      takesGuestUpdates: true,
      requestLimits: { per: 'installation' as const, windows: [{ requests: 10_000, windowMs: 1_000 }] },
    };
    await this.store.installations.applyManifest(manifest);
    await this.units.runBatch();
  }

  async drain(): Promise<void> {
    await this.resume();
    for (let idle = 0; idle < 3; ) {
      while (this.inFlight().length > 0) await this.end(0, 'deliver');
      for (const worker of this.workers) await this.balance(worker);
      for (const worker of this.workers) await this.claim(worker, 100);
      idle = this.inFlight().length > 0 ? 0 : idle + 1;
    }
  }

  /** The workers of one history leave nothing to those of the next. */
  async close(): Promise<void> {
    for (const worker of this.workers) await loseWorker(this.store, worker);
  }
}

test.each(['waiver', 'booking', 'changing'] as const)(
  'whatever three workers do and suffer, lanes by %s go one at a time and in order, doubts first, and the last state goes out',
  { timeout: 1_200_000 },
  async (writeUnit) => {
    const opened = await openOutbox({ writeUnit: writeUnit === 'changing' ? 'waiver' : writeUnit });
    const { store, query, url } = opened;
    const database = openDatabase(url);
    const units = createWriteUnitJob(database);
    await query(`insert into request_budget (id, requests, window_ms)
      select id, '{10000}', '{1000}' from destination where kind = 'guest-update'`);
    await query(`update destination set request_budget = id where kind = 'guest-update'`);
    let run = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      run += 1;
      const world = new World(opened, units, run);
      for (let i = 0; i < workerCount; i += 1) world.workers.push(await world.start());
      for (const worker of [...world.workers, ...world.workers]) await world.balance(worker);
      for (const place of [0, 1, 2]) {
        await store.waivers.create(waiver({ id: world.id(place), bookingId: world.booking(0) }));
      }
      const workerAt = (place: number) => world.workers[place] ?? expect.fail(`no worker ${place}`);
      let page = 0;
      for (const each of steps) {
        page += 1;
        switch (each.kind) {
          case 'change':
            await store.waivers.update('p1', world.id(each.waiver), { currentPage: `${page}` });
            break;
          case 'move':
            await store.waivers.update('p1', world.id(each.waiver), {
              bookingId: world.booking(each.booking),
            });
            break;
          case 'claim':
            await world.claim(workerAt(each.worker), each.slots, each.isAnswerLost);
            break;
          case 'end':
            await world.end(each.message, each.how, each.isAnswerLost);
            break;
          case 'reopen':
            await world.reopen(world.id(each.waiver));
            break;
          case 'crash':
            await world.crash(each.worker);
            break;
          case 'balance':
            await world.balance(workerAt(each.worker));
            break;
          case 'hold':
            await world.hold(each.destination);
            break;
          case 'resume':
            await world.resume();
            break;
          case 'order':
            if (writeUnit === 'changing') await world.order(each.unit);
        }
      }
      // At once: they are stored together.
      await Promise.all(
        [0, 1, 2].map((place) => store.waivers.update('p1', world.id(place), { currentPage: 'last' })),
      );
      await world.drain();
      await world.close();

      for (const place of [0, 1, 2]) {
        const record = await store.waivers.get('p1', world.id(place));
        for (const kind of ['guest-update', 'guest-webhook'] as const) {
          const own = world.sent.filter((each) => each.kind === kind && each.waiverId === world.id(place));
          // Lanes by booking promise no order between bookings, only within one.
          const orders =
            writeUnit !== 'waiver' ? Map.groupBy(own, ({ bookingId }) => bookingId) : new Map([[null, own]]);
          for (const versions of [...orders.values()].map((each) => each.map(({ version }) => version))) {
            expect(versions).toEqual(versions.toSorted((first, second) => first - second));
          }
          expect(own.map(({ version }) => version)).toContain(record?.version);
        }
      }
      expect(await query(`select id from pending`)).toEqual([]);
      expect(await query(`select batch from journal`)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs, endOnFailure: true });
  },
);
