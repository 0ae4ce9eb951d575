import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { report, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { startProgram } from '../harness/program.ts';

const run = promisify(execFile);

/** The folders of PostgreSQL's own programs: those that PATH has, and where Debian puts those of a server. */
const folders = [
  ...(process.env.PATH ?? '').split(':'),
  ...globSync('/usr/lib/postgresql/*/bin').toReversed(),
];
const programs = folders.find(
  (folder) => globSync(join(folder, '{initdb,pg_ctl,pg_basebackup,pg_verifybackup,psql}')).length === 5,
);

/** An operator's shell on the database's machine; as the user `postgres` where the tests run as root. */
async function inShell(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const [command = '', ...words] = [...asUser, 'bash', '-euc', commands];
  const { stdout } = await run(command, words, {
    cwd: '/',
    env: { PATH: `${programs}:${process.env.PATH}`, ...env },
  });
  return stdout;
}

test('a base backup and the archive of the log restore the database as it was at a moment', async (context) => {
  if (programs === undefined)
    return context.skip('pg_basebackup and the programs beside it are not installed');
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-archive-'));
  chmodSync(folder, 0o777);
  const [primary, restored] = [join(folder, 'primary'), join(folder, 'restored')];
  for (const name of ['archive', 'backups']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
  }
  const stop = (data: string) => inShell(`pg_ctl --pgdata=${data} --mode=fast --wait stop > /dev/null`);
  onTestFinished(async () => {
    await stop(restored).catch(() => {});
    await stop(primary).catch(() => {});
    rmSync(folder, { recursive: true });
  });
  const here = (block: string) =>
    block
      .replaceAll('/archive/', `${folder}/archive/`)
      .replaceAll('/backups/', `${folder}/backups/`)
      .replaceAll('/var/lib/postgresql/restored', restored)
      .replace('db.example.com', folder);

  await inShell(`initdb --pgdata=${primary} --auth=trust --username=waivers > /dev/null`);
  const settings = here(documentedBlock('docs/operating.md', 'archive_mode = on'));
  await inShell(
    `cat >> ${primary}/postgresql.conf`.concat(` <<'SETTINGS'
${settings}listen_addresses = ''
unix_socket_directories = '${folder}'
SETTINGS
pg_ctl --pgdata=${primary} --wait start > ${folder}/primary.log
createuser --host=${folder} --username=waivers --replication replicator`),
  );
  const DATABASE_URL = `postgresql://waivers@/postgres?host=${encodeURIComponent(folder)}`;
  const before = await startProgram({ DATABASE_URL });
  await before.makePool('p');
  const sign = (id: string) => before.done('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });
  await sign('W-1');
  await inShell(here(documentedBlock('docs/operating.md', 'pg_basebackup')));
  await sign('W-2');
  await delay(1_100);
  const moment = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
  await delay(1_100);
  await sign('W-3');
  const feed = await before.done('GET', '/v1/pools/p/changes');
  expect(await before.stop()).toBe(0);
  const psql = (statement: string) =>
    inShell(`psql --no-psqlrc --tuples-only --no-align "$DATABASE_URL" -c "${statement}"`, { DATABASE_URL });
  const segment = (await psql('SELECT pg_walfile_name(pg_switch_wal())')).trim();
  await until(
    async () => (await psql('SELECT last_archived_wal FROM pg_stat_archiver')).trim() >= segment,
    'the log to be archived',
  );
  await stop(primary);

  const restore = here(documentedBlock('docs/operating.md', 'cp -a /backups/monday')).replace(
    /recovery_target_time = '.*'/,
    `recovery_target_time = '${moment}'`,
  );
  // The server goes on with the shell's output.
  await inShell(`{\n${restore}\n} > ${folder}/restored.log 2>&1`);
  await until(
    async () => (await psql('SELECT pg_is_in_recovery()')).trim() === 'f',
    'the server to take writes',
  );
  await inShell(documentedBlock('docs/operating.md', 'psql "$DATABASE_URL"'), { DATABASE_URL });
  const after = await startProgram({ DATABASE_URL });
  const statuses = ['W-1', 'W-2', 'W-3'].map(
    async (id) => (await after.call('GET', `/v1/pools/p/waivers/${id}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
  // A position of the former server is not taken up.
  const again = await after.call('GET', `/v1/pools/p/changes?after=${encodeURIComponent(feed.next)}`);
  expect(again.body.items.map(({ id }: { id: string }) => id)).toEqual(['W-1', 'W-2']);
  report({ 'restored to': moment });
  expect(await after.stop()).toBe(0);
}, 300_000);
