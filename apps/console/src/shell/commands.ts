import type { NavigateOptions } from '@tanstack/react-router';
import type { Pool } from '../api/resources.ts';
import { texts } from '../text/english.ts';

/** Somewhere to go. */
interface Command {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly target: NavigateOptions;
}

interface Asked {
  readonly typed: string;
  readonly pools: readonly Pool[];
  /** The pool that is looked at. */
  readonly pool: string | undefined;
}

const pages: readonly Command[] = (
  [
    ['/', texts.pages.overview],
    ['/bookings', texts.pages.bookings],
    ['/waivers', texts.pages.waivers],
    ['/deliveries', texts.pages.deliveries],
    ['/destinations', texts.pages.destinations],
    ['/pools', texts.pages.pools],
    ['/booking-systems', texts.pages.bookingSystems],
    ['/alerts', texts.pages.alerts],
  ] as const
).map(([to, label]) => ({ key: to, label, hint: texts.commands.page, target: { to } }));

const deliveryId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const maxPools = 8;

/** Pages and pools that fit what was typed; and the same as an id of a booking, a waiver or a delivery. */
export function commandsFor({ typed, pools, pool }: Asked): readonly Command[] {
  const text = typed.trim();
  const fits = (label: string) => label.toLowerCase().includes(text.toLowerCase());
  const poolCommands = pools
    .filter(({ id, name }) => fits(id) || fits(name))
    .slice(0, maxPools)
    .map(
      ({ id, name }): Command => ({
        key: `pool ${id}`,
        label: name,
        hint: texts.commands.pool,
        target: { to: '/pools/$pool', params: { pool: id } },
      }),
    );
  const found: Command[] = [...pages.filter(({ label }) => fits(label)), ...poolCommands];
  if (text === '') return found;
  if (deliveryId.test(text)) {
    found.push({
      key: 'delivery',
      label: text,
      hint: texts.commands.delivery,
      target: { to: '/deliveries/$id', params: { id: text } },
    });
  }
  const inPools = pool === undefined ? pools.slice(0, maxPools).map(({ id }) => id) : [pool];
  for (const id of inPools) {
    found.push(
      {
        key: `booking ${id}`,
        label: text,
        hint: texts.commands.booking(id),
        target: { to: '/bookings', search: { pool: id, id: text } },
      },
      {
        key: `waiver ${id}`,
        label: text,
        hint: texts.commands.waiver(id),
        target: { to: '/waivers/$pool/$id', params: { pool: id, id: text } },
      },
    );
  }
  return found;
}
