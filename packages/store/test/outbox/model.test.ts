import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BackgroundJob } from '../../src/background/background-jobs.ts';
import { createWriteUnitJob } from '../../src/destinations/index.ts';
import type { ClaimedDelivery } from '../../src/index.ts';
import { openDatabase } from '../setup/open-database.ts';
import {
  claimAll,
  deliver,
  finish,
  lose,
  openOutbox,
  refuse,
  schedule,
  waiver,
} from '../setup/outbox-fixture.ts';

// As many as `npm run test:faults` has time for.
const runs = process.env.WAIVER_SERVICE_FAULTS === 'long' ? 300 : 15;
const workers = 3;

type Opened = Awaited<ReturnType<typeof openOutbox>>;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), waiver: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), waiver: fc.nat(2), booking: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      worker: fc.nat(workers - 1),
      most: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      flight: fc.nat(5),
      how: fc.constantFrom('deliver', 'refuse', 'lose', 'dead', 'release', 'give back' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('crash' as const), worker: fc.nat(workers - 1) }),
  },
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

/** What one worker has claimed and not ended. */
interface HeldFlight {
  readonly worker: number;
  readonly claimed: ClaimedDelivery;
}

/** What went out, and whether what must hold at each moment holds. */
class World {
  readonly sent: ClaimedDelivery[] = [];
  flights: HeldFlight[] = [];
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

  id = (place: number) => `w${this.run}-${place}`;
  booking = (place: number) => `b${this.run}-${place}`;

  async claim(worker: number, most = 1_000): Promise<void> {
    for (const claimed of await claimAll(this.opened.store, most)) {
      expect(this.flights.map((flight) => laneOf(flight.claimed))).not.toContain(laneOf(claimed));
      expect(this.flights.map((flight) => messageOf(flight.claimed))).not.toContain(messageOf(claimed));
      expect(this.held).not.toContain(claimed.destination);
      const doubt = this.doubts.get(laneOf(claimed));
      if (doubt !== undefined) expect(claimed.body).toBe(doubt);
      this.sent.push(claimed);
      this.flights.push({ worker, claimed });
    }
  }

  async end(
    place: number,
    how: 'deliver' | 'refuse' | 'lose' | 'dead' | 'release' | 'give back',
  ): Promise<void> {
    const [held] = this.flights.splice(place % Math.max(1, this.flights.length), 1);
    if (held === undefined) return;
    const flight = held.claimed;
    const { store } = this.opened;
    if (how === 'give back') {
      await store.outbox.giveBack([flight]);
      // It was never sent.
      this.sent.splice(this.sent.indexOf(flight), 1);
      expect((await deliver(store, flight)).size).toBe(0);
      return;
    }
    const ends = {
      deliver: () => deliver(store, flight),
      refuse: () => refuse(store, flight),
      lose: () => lose(store, flight),
      dead: () => finish(store, flight, { kind: 'dead' }),
      release: () => finish(store, flight, { kind: 'release', waitMs: 0 }, null),
    };
    expect((await ends[how]()).size).toBe(1);
    if (how === 'lose') this.doubts.set(laneOf(flight), flight.body);
    else if (how !== 'release') this.doubts.delete(laneOf(flight));
  }

  /** One worker is gone; the others hold what they have. */
  async crash(worker: number): Promise<void> {
    const gone = this.flights.filter((flight) => flight.worker === worker).map(({ claimed }) => claimed);
    this.flights = this.flights.filter((flight) => flight.worker !== worker);
    const lanes = gone.map(({ destination, orderingKey }) => `${destination} ${orderingKey}`);
    await this.opened.query(
      `update lane set lease_until = now() - interval '1 second'
      where state = 'leased' and destination || ' ' || ordering_key = any ($1::text[])`,
      [lanes],
    );
    await this.opened.store.outbox.reclaim(schedule);
    await this.opened.query(`update lane set due_at = now() where state = 'ready'`);
    for (const flight of gone) {
      expect((await deliver(this.opened.store, flight)).size).toBe(0);
      this.doubts.set(laneOf(flight), flight.body);
    }
  }

  async destinations(): Promise<string[]> {
    const { items } = await this.opened.store.destinations.list({ limit: 10 });
    return items.map(({ id }) => id);
  }

  async hold(place: number): Promise<void> {
    const destination = (await this.destinations())[place];
    if (destination === undefined) throw new Error(`there is no destination ${place}`);
    await this.opened.store.outbox.hold([{ destination, holdMs: 3_600_000 }]);
    this.held.add(destination);
  }

  async resume(): Promise<void> {
    for (const id of await this.destinations()) await this.opened.store.destinations.resume(id);
    this.held.clear();
  }

  /** The plugin changes what it is ordered by; what is changed is, where nothing waits. */
  async order(writeUnit: 'waiver' | 'booking'): Promise<void> {
    const manifest = {
      bookingSystem: 'standard',
      writeUnit,
      guestId: 'booking-guest-id' as const,
      takesGuestUpdates: true,
    };
    await this.opened.store.installations.applyManifest(manifest);
    await this.units.runBatch();
  }

  async drain(): Promise<void> {
    await this.resume();
    do {
      while (this.flights.length > 0) await this.end(0, 'deliver');
      await this.claim(0);
    } while (this.flights.length > 0);
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
    let run = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      run += 1;
      const world = new World(opened, units, run);
      for (const place of [0, 1, 2]) {
        await store.waivers.create(waiver({ id: world.id(place), bookingId: world.booking(0) }));
      }
      let page = 0;
      for (const each of steps) {
        page += 1;
        if (each.kind === 'change')
          await store.waivers.update('p1', world.id(each.waiver), { currentPage: `${page}` });
        else if (each.kind === 'move') {
          await store.waivers.update('p1', world.id(each.waiver), { bookingId: world.booking(each.booking) });
        } else if (each.kind === 'claim') await world.claim(each.worker, each.most);
        else if (each.kind === 'end') await world.end(each.flight, each.how);
        else if (each.kind === 'hold') await world.hold(each.destination);
        else if (each.kind === 'resume') await world.resume();
        else if (each.kind === 'order') {
          if (writeUnit === 'changing') await world.order(each.unit);
        } else await world.crash(each.worker);
      }
      // At once: they are stored together.
      await Promise.all(
        [0, 1, 2].map((place) => store.waivers.update('p1', world.id(place), { currentPage: 'last' })),
      );
      await world.drain();

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
      expect(await query(`select state, count(*)::int from lane where state <> 'idle' group by 1`)).toEqual(
        [],
      );
      expect(await query(`select id from delivery where state = 'waiting'`)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs, endOnFailure: true });
  },
);
