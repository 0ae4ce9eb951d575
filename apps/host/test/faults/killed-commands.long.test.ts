import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { adminToken, report, textAt, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { keepSigning, missingMessages } from '../harness/keep-signing.ts';
import { runCommand, type SpawnedCommand, spawnCommand } from '../harness/operator-command.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { destinations } from '../harness/recorded-writes.ts';
import { makeSendingPool, startTimedReceiver } from '../harness/timed-receiver.ts';

const kills = 20;
const patience = 1_800_000;
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

async function database(options: { empty?: boolean } = {}): Promise<string> {
  const { url, drop } = await createTestDatabase(options);
  onTestFinished(drop);
  return url;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Kills a command and its child processes, as the system does when memory is short. */
async function kill({ process: { pid }, ended }: SpawnedCommand): Promise<void> {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  await ended;
}

test(
  `keys rotate is killed ${kills} times while a host writes secrets: nothing is lost, and the last run ends the work`,
  async () => {
    const former = newKey('former');
    const settings = { DATABASE_URL: await database(), ADMIN_TOKEN: adminToken };
    const webhooks = 60;
    const make = async (host: Program, pool: string) => {
      const webhook = { url: 'https://receiver.example/guests', auth: { type: 'none' }, signing: true };
      const path = `/v1/admin/pools/${pool}/webhooks`;
      return `${path}/${textAt(await host.done('POST', path, webhook), 'id')}`;
    };
    const first = await startProgram({ ...settings, ENCRYPTION_KEYS: former });
    const pools = ['p', 'q', 'r'];
    for (const pool of pools) await first.makePool(pool);
    const paths = await Promise.all(
      Array.from({ length: webhooks }, (_, place) => make(first, pools[place % pools.length] ?? 'p')),
    );
    await first.stop();

    let keys = former;
    let killedAtWork = 0;
    let writes = 0;
    for (let round = 0; round < kills; round += 1) {
      keys = `${newKey(`k${round}`)},${keys}`;
      const both = { ...settings, ENCRYPTION_KEYS: keys };
      const host = await startProgram(both);
      let isOver = false;
      const writing = (async () => {
        for (let turn = 0; !isOver; turn += 1) {
          await host.done('PATCH', paths[turn % paths.length] ?? '', {
            auth: { type: 'header', name: 'x-turn', value: `${turn}` },
          });
          writes += 1;
        }
      })();
      const command = spawnCommand(['keys', 'rotate'], both);
      await Promise.race([
        until(() => command.stderr().includes('encrypted'), 'the first batch'),
        command.ended,
      ]);
      await delay(Math.random() * 20);
      if (command.process.exitCode === null) killedAtWork += 1;
      await kill(command).catch(() => {});
      isOver = true;
      await writing;
      const last = await runCommand(['keys', 'rotate'], both);
      expect(last, last.stdout + last.stderr).toMatchObject({ status: 0 });
      await host.stop();
    }
    const [current = ''] = keys.split(',');
    const examined = await runCommand(['doctor', '--json'], { ...settings, ENCRYPTION_KEYS: current });
    const { findings } = JSON.parse(examined.stdout);
    report({ kills: killedAtWork, 'secrets written meanwhile': writes, secrets: webhooks * 2 });
    expect(findings.find(({ check }: { check: string }) => check === 'keys').message).toBe(
      `All ${webhooks * 2 + 1} secrets that were tried open, and "k${kills - 1}" encrypts all there are.`,
    );
  },
  patience,
);

/** Every waiver of the pool, with the time of its version. */
async function listWaivers(host: Program): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let next = '';
  do {
    const page = await host.done('GET', `/v1/pools/p/waivers?limit=100${next}`);
    for (const { id, updatedAt } of page.items) found.set(id, updatedAt);
    next = typeof page.next === 'string' ? `&cursor=${encodeURIComponent(page.next)}` : '';
  } while (next !== '');
  return found;
}

test(
  `backup is killed ${kills} times under load; the next one is of one moment, and a host goes on from it`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waiver-backup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'backup');
    const receiver = await startTimedReceiver(() => (Math.random() < 0.1 ? 'refused' : 'taken'));
    onTestFinished(() => receiver.close());
    const settings = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEYS: newKey('k') };
    const source = { ...settings, DATABASE_URL: await database() };
    const host = await startProgram(source);
    await makeSendingPool(host, receiver);
    // So that a backup takes its time.
    await execute(
      source.DATABASE_URL,
      `insert into attempt (pool, delivery, at, duration_ms, outcome, trigger, response)
      select 'p', gen_random_uuid(), now(), 1, 'failed', 'schedule', repeat(gen_random_uuid()::text, 10)
      from generate_series(1, 60000)`,
    );
    const load = keepSigning((method, path, body) => host.call(method, path, body));
    const unfinished = () => readdirSync(folder).filter((name) => name.includes('.unfinished-'));
    for (let round = 0; round < kills; round += 1) {
      const command = spawnCommand(['backup', file], source);
      const size = () => Math.max(0, ...unfinished().map((name) => statSync(join(folder, name)).size));
      await until(() => size() > 200_000 * (1 + Math.random()), 'a part of the backup');
      await kill(command);
      expect(existsSync(file)).toBe(false);
      expect(unfinished()).toHaveLength(1);
      for (const name of unfinished()) rmSync(join(folder, name));
    }
    const begun = performance.now();
    const backup = await runCommand(['backup', file], source);
    expect(backup, backup.stderr).toMatchObject({ status: 0 });
    await load.end();
    await host.stop();
    expect(readFileSync(file).subarray(0, 23).toString()).toBe('waiver-service backup 1');

    const target = { ...settings, DATABASE_URL: await database({ empty: true }) };
    const restored = await runCommand(['restore', file], target);
    expect(restored, restored.stderr).toMatchObject({ status: 0 });
    const copy = await startProgram(target);
    const waivers = await listWaivers(copy);
    const before = new Map(
      load.accepted.filter(({ at }) => at < begun).map(({ id, updatedAt }) => [id, updatedAt]),
    );
    const missing = [...before].filter(([id, updatedAt]) => (waivers.get(id) ?? '') < updatedAt);
    const unsent = () => missingMessages(waivers, destinations, receiver.messages);
    await until(() => unsent().length === 0, 'every waiver of the backup to have been sent', 60_000);
    await copy.done('POST', '/v1/pools/p/waivers', {
      id: 'W-after',
      bookingId: 'B-1',
      answers: { name: 'Ada' },
    });
    await until(
      () => receiver.messages.some(({ waiverId }) => waiverId === 'W-after'),
      'a new waiver to be sent',
    );
    await copy.stop();
    report({
      kills,
      'accepted before the backup': before.size,
      'accepted in all': load.accepted.length,
      'waivers restored': waivers.size,
      lost: missing.length,
      messages: receiver.messages.length,
    });
    expect(load.refusals).toEqual([]);
    expect(missing).toEqual([]);
    expect(before.size).toBeGreaterThan(0);
  },
  patience,
);
