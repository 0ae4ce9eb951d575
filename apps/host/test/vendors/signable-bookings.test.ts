import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BookingSystemHttp, BookingSystemPlugin, FetchedBooking } from '@waiver-service/core';
import bokun from '@waiver-service/plugin-bokun';
import bookeo from '@waiver-service/plugin-bookeo';
import checkfront from '@waiver-service/plugin-checkfront';
import fareharbor from '@waiver-service/plugin-fareharbor';
import octo from '@waiver-service/plugin-octo';
import peek from '@waiver-service/plugin-peek';
import rezdy from '@waiver-service/plugin-rezdy';
import roller from '@waiver-service/plugin-roller';
import standard from '@waiver-service/plugin-standard';
import standardQuery from '@waiver-service/plugin-standard-query';
import xola from '@waiver-service/plugin-xola';
import zaui from '@waiver-service/plugin-zaui';
import { inForm } from '@waiver-service/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectSignable, hostileText, readOrRefused } from '../harness/signable-bookings.ts';

const numRuns = inForm({ short: 12, long: 500 });

interface System {
  readonly plugin: BookingSystemPlugin;
  readonly settings?: object;
  readonly account?: object;
  /** The plugin whose fixtures are read. Default: this one. */
  readonly fixtures?: string;
  /** Other answers than the booking, by what their URL contains: each a fixture. */
  readonly others?: Readonly<Record<string, string>>;
}

const timeZone = 'Europe/Vienna';
const secret = 'planted-secret-0123456789';
const systems: readonly System[] = [
  { plugin: bokun, account: { secretKey: secret, timeZone } },
  { plugin: bookeo, settings: { secretKey: secret } },
  {
    plugin: checkfront,
    account: { apiSecret: secret, apiV4: true, host: 'x' },
    others: { '/guests/': 'guests-last-page' },
  },
  {
    plugin: fareharbor,
    settings: { appKey: secret, guestNameField: 'guest name' },
    account: { shortname: 'northshore' },
  },
  { plugin: octo, account: {} },
  { plugin: peek, others: { 'products/': 'product' } },
  { plugin: rezdy, account: { timeZone } },
  {
    plugin: roller,
    account: { clientId: 'venue-client', timeZone: 'Australia/Brisbane' },
    others: { 'guests/': 'guest', 'venues/': 'venue', products: 'products' },
  },
  { plugin: standard },
  { plugin: standardQuery, fixtures: 'standard' },
  { plugin: xola, account: { durationMinutes: 90 } },
  { plugin: zaui, others: { 'products/': 'product' } },
];

const plugins = join(import.meta.dirname, '../../../../plugins');

/** The bodies in a plugin's `fixtures/`, and those that its tests make of them. */
async function fixturesOf({
  plugin,
  fixtures = plugin.installName,
}: System): Promise<ReadonlyMap<string, unknown>> {
  const folder = join(plugins, fixtures, 'fixtures');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const made = join(plugins, fixtures, 'test/fixtures.ts');
  const { variants }: { readonly variants: object } = existsSync(made)
    ? await import(made)
    : { variants: {} };
  return new Map([
    ...files.map((name): [string, unknown] => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(folder, name), 'utf8')),
    ]),
    ...Object.entries(variants),
  ]);
}

// Times stay, and Checkfront's word that it has answered: a booking without them is refused.
const kept = /^\d{4}-\d\d-\d\d|^\d{1,2}:\d\d|^OK$/;

/** Changes texts, and names of fields, of a JSON value. */
function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => changeTexts(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, changeTexts(inner, change)]);
  // A field that no vendor documents, by any name: as JSON.parse makes it, even if it is __proto__.
  const added = change('');
  return JSON.parse(
    JSON.stringify(Object.fromEntries(fields)).replace(/^\{/, () =>
      added === ''
        ? '{'
        : `{${JSON.stringify(added)}:${JSON.stringify(change(added))}${fields.length > 0 ? ',' : ''}`,
    ),
  );
}

const noOther = async (): Promise<never> => {
  throw new Error('a read only reads');
};

/** Reads a booking as the host does, from these bodies. */
function fetchFrom(
  system: System,
  booking: unknown,
  other: (fixture: string) => unknown,
): Promise<FetchedBooking> {
  const { plugin, settings = {}, account = {}, others = {} } = system;
  const bodyOf = (url: string) => {
    const found = Object.entries(others).find(([part]) => url.includes(part));
    return found === undefined ? booking : other(found[1]);
  };
  const http: BookingSystemHttp = {
    get: async (url) => ({ status: 200, headers: {}, data: bodyOf(url) }),
    ...{ delete: noOther, post: noOther, put: noOther, patch: noOther },
  };
  const context = {
    ...{ pool: 'p1', http, signal: new AbortController().signal },
    // Nothing is cached from one read to the next.
    installation: crypto.randomUUID(),
    settings: plugin.settingsSchema.parse(settings),
    account: plugin.accountSchema.parse({ accountId: 'a1', apiKey: secret, ...account }),
    secrets: { redact: (text: string) => text, redactData: (text: string) => text },
  };
  return plugin.fetchBooking(context, 'B-1');
}

const nameOf = ({ plugin }: System) => plugin.installName;

test.each(systems.map((system) => [nameOf(system), system] as const))(
  'each guest of any booking of %s that is read can sign, on the page, sealed and by the waiver API',
  async (_, system) => {
    const fixtures = await fixturesOf(system);
    const readable: unknown[] = [];
    for (const body of fixtures.values()) {
      const fetched = await fetchFrom(system, body, (name) => fixtures.get(name)).catch(() => undefined);
      if (fetched !== undefined) readable.push(body);
    }
    expect(readable.length).toBeGreaterThan(2);
    let reads = 0;
    const planted = fc.record({
      body: fc.constantFrom(...readable),
      // Few or many of the texts, the same one for several at times.
      percent: fc.constantFrom(3, 20, 60),
      texts: fc.array(hostileText, { minLength: 1, maxLength: 6 }),
      chances: fc.infiniteStream(fc.noBias(fc.nat({ max: 99 }))),
    });
    await fc.assert(
      fc.asyncProperty(planted, async ({ body, percent, texts, chances }) => {
        let nth = 0;
        const change = (text: string) => {
          const chance: number = chances.next().value;
          nth += 1;
          if (chance >= percent || kept.test(text)) return text;
          return texts[nth % texts.length] ?? text;
        };
        const hostile = changeTexts(body, change);
        const fetched = await readOrRefused(() =>
          fetchFrom(system, hostile, (name) => changeTexts(fixtures.get(name), change)),
        );
        if (fetched === undefined) return;
        reads += 1;
        const { guests, ...fields } = fetched.booking;
        const named = [fields, ...guests].flatMap((each) => Object.keys(each));
        await expectSignable(fetched, [...new Set(named)].slice(0, 50));
      }),
      { numRuns, verbose: fc.VerbosityLevel.None },
    );
    expect(reads).toBeGreaterThan(numRuns / 10);
  },
);
