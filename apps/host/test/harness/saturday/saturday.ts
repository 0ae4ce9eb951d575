import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { makeLink, type PublishedExample, publishForm } from '../check-in.ts';
import { type ConnectedHost, startConnectedHost, type TestCaller } from '../connected-host.ts';
import { patiently } from './saturday-guests.ts';
import { type PlannedBooking, planSaturday, type SaturdayPlan, type SystemName } from './saturday-plan.ts';
import { type SaturdaySystem, startSaturdaySystems } from './saturday-systems.ts';

/** The operator's pool. */
export const pool = 'river';

/** A Saturday that has begun: nobody has signed yet. */
export interface Saturday {
  readonly host: ConnectedHost;
  readonly plan: SaturdayPlan;
  readonly systems: Readonly<Record<SystemName, SaturdaySystem>>;
  readonly form: PublishedExample;
  /** The day of the pool, `YYYY-MM-DD`. */
  readonly date: string;
  /** When a session starts, in UTC. */
  startOf(hour: number): string;
  /** Moves or cancels a booking, as its fate is, and has its booking system say so. */
  change(booking: PlannedBooking): Promise<void>;
  /** A caller by the token of a link. */
  guest(place: object): Promise<TestCaller>;
  close(): Promise<void>;
}

/** A zone in which it is morning now, so that the test's day ends in none of its runs. */
function morningZone(now: Date): { readonly timeZone: string; readonly offsetHours: number } {
  const offsetHours = ((9 - now.getUTCHours() + 36) % 24) - 12;
  // The sign of these zones is turned.
  return { timeZone: `Etc/GMT${offsetHours <= 0 ? '+' : '-'}${Math.abs(offsetHours)}`, offsetHours };
}

function contentOf(): FormContent {
  const [example] = exampleForms;
  if (example === undefined) throw new Error('there is no example form');
  return { ...example.content, validity: { days: 30 }, reuse: 'form' };
}

/** Starts a host with a pool, its form, four booking systems and their bookings of the day. */
export async function startSaturday(bookings: number): Promise<Saturday> {
  const host = await startConnectedHost({ RETRY_SCHEDULE: `0s,500ms,1s,2s${',3s'.repeat(60)}` });
  const { timeZone, offsetHours } = morningZone(new Date());
  const date = new Date(Date.now() + offsetHours * 3_600_000).toISOString().slice(0, 10);
  const startOf = (hour: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + (hour - offsetHours) * 3_600_000).toISOString();
  const app = await host.makePool(pool, { timeZone, installs: 'any' });
  const systems = await startSaturdaySystems(host, pool, startOf);
  const form = await publishForm(host, pool, contentOf());
  const plan = planSaturday(bookings);
  const put = (booking: PlannedBooking) => systems[booking.system].put({ ...booking, isCancelled: false });
  for (const booking of plan.bookings) put(booking);
  return {
    host,
    plan,
    systems,
    form,
    date,
    startOf,
    async change(booking) {
      const { id, hour, fate, system } = booking;
      systems[system].put({ ...booking, hour: hour + 1, isCancelled: fate === 'is-cancelled' });
      await systems[system].announce(id);
    },
    guest: async (place) => patiently(host.as(await makeLink(app, pool, place))),
    async close() {
      await host.close();
      await Promise.all(Object.values(systems).map((system) => system.close()));
    },
  };
}
