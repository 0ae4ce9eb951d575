import { readFileSync, writeFileSync } from 'node:fs';
import { type Recording, recordRead, unwrittenPlugin } from '@waiver-service/contract-check';
import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { printable } from './check.ts';
import { type RecordOptions, UsageError } from './options.ts';

async function loadPlugin(installName: string): Promise<BookingSystemPlugin<unknown, InstalledAccount>> {
  for (const name of [`@waiver-service/plugin-${installName}`, `waiver-service-plugin-${installName}`]) {
    try {
      const module: { readonly default: BookingSystemPlugin<unknown, InstalledAccount> } = await import(name);
      return module.default;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    }
  }
  throw new UsageError(
    `--vendor: there is no plugin ${JSON.stringify(installName)} here: run this in a clone of the waiver service, or install the plugin beside it`,
  );
}

const inWords = ({ use, exchanges, expected }: Recording['uses'][number]) =>
  `\n${use.kind}: ${exchanges.length} answers, ${expected === undefined ? 'which cannot be replayed' : 'replayed'}.`;

function write(file: string, text: string): void {
  try {
    // Never overwrites a file.
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--record: ${error instanceof Error ? error.message : error}`);
  }
}

function readCall(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--call: ${error instanceof Error ? error.message : error}`);
  }
}

function periodOf(day: string) {
  const from = new Date(`${day}T00:00:00Z`);
  const until = new Date(from.getTime() + 86_400_000);
  return { from: from.toISOString(), until: until.toISOString() };
}

/**
 * `waiver-service check --record`: uses a vendor's plugin to read a booking, and more if asked to, and records the
 * requests and responses without personal data.
 *
 * @returns the exit status: 1 if the booking could not be read; the responses are recorded all the same
 * @throws UsageError
 */
export async function record(options: RecordOptions, print: (text: string) => void): Promise<number> {
  const { vendor, bookingApi, booking: bookingId, account, settings, environment, timeout } = options;
  const plugin =
    vendor === undefined ? unwrittenPlugin(options.get, options['auth-header']) : await loadPlugin(vendor);
  // Allow every address: the user chose it, and it may be on their machine.
  const outbound = createOutbound({ allow: ['0.0.0.0/0', '::/0'], timeoutMs: timeout * 1000 });
  try {
    const request = {
      plugin,
      baseUrl: bookingApi ?? null,
      environment,
      settings,
      account,
      bookingId,
      period: options.list === undefined ? undefined : periodOf(options.list),
      changesSince: options['changes-since'],
      write: options.write,
      calls: options.call.map(readCall),
    };
    const recording = await recordRead(request, { outbound });
    write(options.record, `${JSON.stringify(recording, null, 2)}\n`);
    const { exchanges, read, expected, uses } = recording;
    const outcome = 'error' in read ? `the read ended as ${read.error}` : JSON.stringify(read);
    const replayed = expected
      ? 'read again from these answers, is the booking in `expected`: review it, and a test can compare with it'
      : 'cannot be read again from these answers, so that there is no `expected`';
    print(`${options.record} has ${exchanges.length} answers of ${plugin.displayName}: ${printable(outcome)}.
What was recorded, ${replayed}.${uses.map(inWords).join('')}
Every name, address, number, id and key in it was replaced. Look through it before you send it to anyone.`);
    const isAnswered = exchanges.length > 0 && exchanges.every(({ answer }) => answer.status < 300);
    const isDone = vendor === undefined ? isAnswered : !('error' in read);
    return isDone ? 0 : 1;
  } finally {
    await outbound.close();
  }
}
