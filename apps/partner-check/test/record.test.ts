import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseRecording, readRecording, replayUses } from '@waiver-service/contract-check';
import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import {
  startBookingSystem,
  startWebhookReceiver,
  type VendorJourney,
  type VendorSystem,
} from '@waiver-service/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCommand, UsageError } from '../src/options.ts';
import { record } from '../src/record.ts';

const root = join(import.meta.dirname, '../../..');

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'recording.json');
}

async function recorded(args: readonly string[], account: object, settings: object = {}) {
  const file = newFile();
  const command = readCommand(['check', ...args, '--record', file], {
    WAIVER_SERVICE_ACCOUNT: JSON.stringify(account),
    WAIVER_SERVICE_SETTINGS: JSON.stringify(settings),
  });
  if (command.kind !== 'record') throw new Error('not a recording');
  const printed: string[] = [];
  const status = await record(command.options, (text) => printed.push(text));
  return { status, printed: printed.join('\n'), text: readFileSync(file, 'utf8'), file, command };
}

/** The option for the vendor's own call, if it is JSON. */
async function callOf(announce: ((url: string) => Promise<number>) | undefined): Promise<string[]> {
  if (announce === undefined) return [];
  const receiver = await startWebhookReceiver({ auth: { type: 'header', name: 'x-none', value: '' } });
  onTestFinished(() => receiver.close());
  await announce(`${receiver.url}?key=k`);
  const body = receiver.received.at(-1)?.body.toString() ?? '';
  if (!body.startsWith('{')) return [];
  const file = newFile();
  writeFileSync(file, body);
  return ['--call', file];
}

/** The words of texts that a person would be known by. */
const wordsOf = (texts: readonly unknown[]) =>
  texts
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.toLowerCase().match(/[\p{L}\p{M}]{4,}|\p{N}{3,}/gu) ?? [])
    .filter((word) => !['mobile', 'example'].includes(word));

// Every plugin with a journey is found here: a new one is in no list.
for (const path of globSync('plugins/*/test/journey.ts', { cwd: root }).toSorted()) {
  const module: { readonly default: VendorJourney<VendorSystem> } = await import(
    pathToFileURL(join(root, path)).href
  );
  const { installName, start, account, settings = {}, bookingId, read, announce } = module.default;

  describe(installName, () => {
    test('a recording has no name, address, number or key, and is read like the booking', async () => {
      const system = await start();
      onTestFinished(() => system.close());
      const further = [
        ...['--write', '--list', '2027-06-12', '--changes-since', '2026-01-01T00:00:00Z'],
        ...(await callOf(announce && ((url) => announce(system, url)))),
      ];
      const args = [system.url, '--vendor', installName, '--booking', bookingId, ...further];
      const { status, text, printed } = await recorded(args, account, settings);
      expect(status).toBe(0);
      expect(printed).toContain('Look through it');

      const { contact, notes } = Object(read.booking);
      const people = [contact, ...read.guests.map(({ prefill }) => Object(prefill))];
      const personal = people.flatMap(({ name, email, phoneNumber }) => [name, email, phoneNumber]);
      const recording = parseRecording(text);
      const sent = JSON.stringify([recording.exchanges, recording.uses]).toLowerCase();
      const left = new Set(sent.match(/[\p{L}\p{M}]+|\p{N}+/gu));
      expect(wordsOf([bookingId, notes, ...personal]).filter((word) => left.has(word))).toEqual([]);
      const { timeZone: _zone, ...secrets } = { timeZone: undefined, ...account };
      for (const secret of Object.values(secrets)) {
        if (String(secret).length >= 4) expect(sent).not.toContain(String(secret));
      }

      const plugin: { readonly default: BookingSystemPlugin<unknown, InstalledAccount> } = await import(
        `@waiver-service/plugin-${installName}`
      );
      const fetched = await readRecording(plugin.default, recording);
      const warnings = fetched.warnings.map(({ code }) => code);
      expect(recording.expected).toEqual({ booking: fetched.booking, warnings });
      const expected = recording.uses.map((one) => one.expected);
      expect(expected).not.toContain(undefined);
      expect(await replayUses(plugin.default, recording)).toEqual(expected);
      // Bookeo's line is in a field whose name is replaced.
      const isFound = ({ use }: (typeof recording.uses)[number]) =>
        use.kind === 'write' && installName !== 'bookeo';
      for (const one of recording.uses.filter(isFound)) {
        expect(one.expected).toMatchObject({ accepted: true });
      }
      expect(recording.read).toMatchObject({
        status: fetched.booking.statusGroup ?? 'none',
        pax: fetched.booking.pax,
        guests: fetched.booking.guests.length,
        warnings,
      });
    });
  });
}

describe('a recording', () => {
  const account = { accountId: 'a', apiKey: 'wrong-key-1' };
  const vendor = ['--vendor', 'octo', '--booking', 'B-1', '--timeout', '1'];

  test('is never written over a file, and a failed read is recorded, too', async () => {
    const first = await recorded(['http://127.0.0.1:1', ...vendor], account);
    expect(first.status).toBe(1);
    expect(JSON.parse(first.text)).toMatchObject({ exchanges: [], read: { error: 'booking_system_error' } });
    await expect(record(first.command.options, () => {})).rejects.toThrow(/--record: .*EEXIST/);
  });

  test('of a vendor without a plugin has what is at the paths, in the words of one recording', async () => {
    const system = await startBookingSystem({
      authHeaderName: 'x-own-key',
      apiKey: 'planted-key-1',
      pathShape: 'path',
      form: 'current',
    });
    onTestFinished(() => system.close());
    const [booking] = system.bookings.all;
    const args = [system.url, '--booking', String(booking?.id), '--auth-header', 'x-own-key'];
    const paths = ['--get', `bookings/${booking?.id}?pool=p`, '--get', 'bookings/none?pool=p'];
    const wrong = await recorded([...args, ...paths], { accountId: 1, apiKey: 'planted-key-1' });
    expect(wrong.status).toBe(1);
    const { status, text } = await recorded([...args, ...paths.slice(0, 2)], {
      accountId: 1,
      apiKey: 'planted-key-1',
    });
    expect(status).toBe(0);
    const { bookingId, exchanges } = parseRecording(text);
    expect(exchanges).toMatchObject([
      { answer: { status: 200, body: { id: bookingId, pax: booking?.pax } } },
    ]);
    expect(text).not.toContain(booking?.id);
    expect(text).not.toContain('planted');
  });

  test.each([
    [['--get', 'a', '--record', 'f', '--booking', 'B'], {}, /--get is for a vendor without a plugin/],
    [['--vendor', 'octo', '--booking', 'B'], {}, /go together/],
    [['--record', 'f', '--booking', 'B'], {}, /go together/],
    [
      ['--vendor', 'octo', '--record', 'f', '--booking', 'B', '--list', 'today'],
      { WAIVER_SERVICE_ACCOUNT: '{}' },
      /--list/,
    ],
    [['--vendor', 'octo', '--record', 'f'], { WAIVER_SERVICE_ACCOUNT: '{}' }, /--booking/],
    [['--vendor', 'octo', '--record', 'f', '--booking', 'B'], {}, /WAIVER_SERVICE_ACCOUNT is not set/],
    [
      ['--vendor', 'octo', '--record', 'f', '--booking', 'B'],
      { WAIVER_SERVICE_ACCOUNT: '{' },
      /WAIVER_SERVICE_ACCOUNT is not JSON/,
    ],
    [
      ['--vendor', 'octo', '--record', 'f', '--booking', 'B'],
      { WAIVER_SERVICE_ACCOUNT: '[]' },
      /is not a JSON object/,
    ],
  ])('%j is refused', (args, environment, reason) => {
    expect(() => readCommand(['check', ...args], environment)).toThrow(UsageError);
    expect(() => readCommand(['check', ...args], environment)).toThrow(reason);
  });

  test('of a vendor without a plugin is refused, with what to do', async () => {
    const args = ['http://127.0.0.1:1', '--vendor', 'nobodys', '--booking', 'B'];
    await expect(recorded(args, account)).rejects.toThrow(/no plugin "nobodys" here/);
  });
});
