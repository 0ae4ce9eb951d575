import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { inForm, report } from '../harness/form.ts';
import { keepSigning, laneOf, messagesOutOfOrder, missingMessages, nameOf } from '../harness/keep-signing.ts';
import { argumentsOf, type SpawnedCommand, spawnCommand } from '../harness/operator-command.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { adminToken, encryptionKeys, until } from '../harness/test-host.ts';
import { startTimedReceiver, type TimedMessage } from '../harness/timed-receiver.ts';
import { freePort } from '../harness/two-cells.ts';

const moves = inForm({ short: 1, long: 10 });
const kills = inForm({ short: 2, long: 4 });
const destinations = ['system', 'webhook'];
/** How many lanes have a message that waits for its next attempt when a move begins. */
const backlog = 40;

/** A sentence of each step at which the command is killed. */
const steps = ['copying', 'the pool is in the other cell', 'comparing', 'from now on', 'checking', 'removed'];

interface Cell {
  readonly name: string;
  readonly databaseUrl: string;
  readonly host: Program;
}

const settings = {
  ADMIN_TOKEN: adminToken,
  ENCRYPTION_KEYS: encryptionKeys,
  // For as long as nothing is taken.
  RETRY_SCHEDULE: ['0s', ...Array(99).fill('500ms')].join(','),
};

async function startCells(): Promise<[Cell, Cell]> {
  const ports = { eu1: await freePort(), us1: await freePort() };
  const start = async (name: 'eu1' | 'us1', other: 'eu1' | 'us1'): Promise<Cell> => {
    const { url: databaseUrl, drop } = await createTestDatabase();
    onTestFinished(drop);
    const host = await startProgram({
      ...settings,
      DATABASE_URL: databaseUrl,
      CELL: name,
      CELLS: JSON.stringify({ [other]: `http://127.0.0.1:${ports[other]}` }),
      PORT: String(ports[name]),
    });
    return { name, databaseUrl, host };
  };
  return [await start('eu1', 'us1'), await start('us1', 'eu1')];
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The tables with a row that names a guest. */
async function tablesWithGuests(url: string): Promise<string[]> {
  const tables = await query(
    url,
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(url, `select 1 from ${name} t where t::text ~ '(planted|W-[0-9])' limit 1`);
    if (rows.length > 0) found.push(String(name));
  }
  return found;
}

async function kill({ process: { pid }, ended }: SpawnedCommand): Promise<void> {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  await ended;
}

/** Each cell has an address of its own for the booking system, so that its messages tell which cell has sent them. */
const systemOf = ({ name }: Cell, receiverUrl: string) => ({ baseUrl: `${receiverUrl}/system/${name}` });

const senderOf = ({ path }: TimedMessage) => /^\/system\/([^/]+)/.exec(path)?.[1];

/** The cell that alone may send, from the message with this number on. */
interface Turn {
  readonly cell: string;
  readonly from: number;
}

/** The Guest Updates that were sent by the cell that had the pool before, or by the other one too soon. */
const sentOutOfTurn = (messages: readonly TimedMessage[], turns: readonly Turn[]) =>
  messages.filter((message, place) => {
    const sender = senderOf(message);
    return sender !== undefined && sender !== turns.findLast(({ from }) => from <= place)?.cell;
  });

/**
 * Moves the pool, killing the command at some of its steps and running it again.
 *
 * @param onFrozen called once the pool is being copied, perhaps several times
 * @returns how often it was killed
 */
async function movePool(from: Cell, to: Cell, onFrozen: () => void): Promise<number> {
  const variables = {
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: encryptionKeys,
    DATABASE_URL: from.databaseUrl,
    TARGET_DATABASE_URL: to.databaseUrl,
    CELL: from.name,
    CELLS: JSON.stringify({ [to.name]: to.host.url }),
  };
  let killed = 0;
  for (;;) {
    const block = documentedBlock('docs/operating.md', 'export TARGET_DATABASE_URL=');
    const command = spawnCommand(argumentsOf(block, { rafting: 'p', us1: to.name }), variables);
    command.process.stderr?.on('data', () => {
      if (command.stderr().includes('copying, table')) onFrozen();
    });
    if (killed < kills) {
      const step =
        steps[(killed + Math.floor(Math.random() * inForm({ short: 1, long: 6 }))) % steps.length] ?? '';
      const reached = until(() => command.stderr().includes(step), step, 60_000).then(() =>
        delay(Math.random() * 50),
      );
      await Promise.race([reached.catch(() => {}), command.ended]);
      if (command.process.exitCode === null) {
        await kill(command);
        killed += 1;
        continue;
      }
    }
    const { status, stdout, stderr } = await command.ended;
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`The pool "p" is in the cell "${to.name}", and nothing of it is left here.`);
    return killed;
  }
}

test(
  `a pool moves ${moves} times under load, the command killed ${kills} times each: nothing is lost, sent twice, out of order or by the wrong cell`,
  async () => {
    let isRefusing = false;
    const receiver = await startTimedReceiver(() =>
      isRefusing || Math.random() < 0.05 ? 'refused' : 'taken',
    );
    onTestFinished(() => receiver.close());
    const [first, second] = await startCells();
    await second.host.done('PUT', '/v1/admin/booking-systems/standard', systemOf(second, receiver.url));
    const token = await first.host.makePool('p');
    await first.host.connect('standard', { url: systemOf(first, receiver.url).baseUrl }, 'p');
    const webhook = {
      url: `${receiver.url}/webhook`,
      auth: { type: 'none' },
      properties: ['name'],
      signing: true,
    };
    await first.host.done('POST', '/v1/admin/pools/p/webhooks', webhook);

    // By turns at each cell: that in which the pool is not sends calls on, once it has had the pool.
    let home = first;
    let isKnownInBoth = false;
    const load = keepSigning((method, path, body, turn) =>
      (isKnownInBoth && turn % 2 === 1 ? second : first).host.call(method, path, body, { token }),
    );
    await until(() => load.accepted.length > 50, 'some waivers');
    // So that the copying takes its time.
    await query(
      first.databaseUrl,
      `insert into attempt (pool, delivery, at, duration_ms, outcome, trigger, response)
      select 'p', (select id from delivery limit 1), now(), 1, 'failed', 'schedule', 'planted ' || n
      from generate_series(1, 20000) n`,
    );
    const turns: Turn[] = [{ cell: home.name, from: 0 }];
    const waited: number[] = [];
    let killed = 0;
    for (let move = 0; move < moves; move += 1) {
      const to = home === first ? second : first;
      // Until the pool is frozen: then its messages are taken again, and a cell that still sent them would be noticed.
      const refusedFrom = receiver.messages.length;
      const waiting = () => new Set(receiver.messages.slice(refusedFrom).map(laneOf)).size;
      isRefusing = true;
      await until(() => waiting() >= backlog, 'messages to wait', 60_000);
      killed += await movePool(home, to, () => {
        if (!isRefusing) return;
        isRefusing = false;
        waited.push(waiting());
        turns.push({ cell: to.name, from: receiver.messages.length });
      });
      const left = await tablesWithGuests(home.databaseUrl);
      expect(left.filter((table) => table !== 'audit_entry')).toEqual([]);
      home = to;
      isKnownInBoth = true;
    }
    const last = await load.end();
    const { rows, ids } = {
      rows: await query(home.databaseUrl, 'select id, updated_at from waiver'),
      ids: last,
    };
    const stored = new Map(rows.map(({ id, updated_at }) => [String(id), updated_at]));
    const lost = [...ids].filter(([id, updatedAt]) => {
      const at = stored.get(id);
      return !(at instanceof Date) || at.toISOString() < updatedAt;
    });
    await until(
      () => missingMessages(last, destinations, receiver.messages).length === 0,
      'the last version of each waiver to arrive',
      60_000,
    );
    const taken = receiver.messages.filter(({ status }) => status === 200).map(nameOf);
    const refusals = Map.groupBy(load.refusals, ({ body }) => String(body.code));
    report({
      moves,
      kills: killed,
      waivers: last.size,
      lost: lost.length,
      messages: receiver.messages.length,
      'waiting when the pool was copied': Math.min(...waited),
      'out of order': messagesOutOfOrder(receiver.messages).length,
      'sent twice': taken.length - new Set(taken).size,
      'sent by the wrong cell': sentOutOfTurn(receiver.messages, turns).length,
      'answered 503': refusals.get('pool_moving')?.length ?? 0,
    });
    // For an instant each cell may take the other for the one that has the pool.
    const expected = new Set(['pool_moving', 'cell_loop']);
    expect([...refusals.keys()].filter((code) => !expected.has(code))).toEqual([]);
    expect(load.broken()).toBe(0);
    expect(lost).toEqual([]);
    expect(messagesOutOfOrder(receiver.messages)).toEqual([]);
    expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
    expect(taken.length).toBe(new Set(taken).size);
    expect(turns).toHaveLength(moves + 1);
    expect(sentOutOfTurn(receiver.messages, turns)).toEqual([]);
    // The test says nothing of a cell that has sent none.
    expect(new Set(receiver.messages.map(senderOf))).toEqual(new Set([undefined, first.name, second.name]));
    // One that ends before the step at which it was to be killed is not killed.
    expect(killed).toBeGreaterThanOrEqual(moves * inForm({ short: kills, long: 1 }));
    for (const { host } of [first, second]) expect(await host.stop()).toBe(0);
  },
  inForm({ short: 180_000, long: 1_800_000 }),
);
