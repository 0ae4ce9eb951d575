import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@waiver-service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waiver-lost-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const cluster = () => join(dataDir, readdirSync(dataDir).find((name) => /^postgres-\d+$/.test(name)) ?? '');
function killPostgres(): void {
  const [processId] = readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(processId), 'SIGKILL');
}
const isReady = async (program: Program) => (await program.call('GET', '/readyz')).status === 200;
const sign = (program: Program, id: string) =>
  program.call('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });

test('a killed embedded PostgreSQL is restarted, and the host continues with its data', async () => {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
  await program.makePool('p');
  expect((await sign(program, 'W-0')).status).toBe(201);
  for (const turn of [1, 2]) {
    killPostgres();
    const restarts = () => program.spawned.stderr().match(/PostgreSQL runs again/g) ?? [];
    await until(() => restarts().length === turn, 'another server', 60_000);
    await until(() => isReady(program), 'the host to be ready again', 60_000);
    expect((await sign(program, `W-${turn}`)).status).toBe(201);
    expect((await program.call('GET', `/v1/pools/p/waivers/W-${turn - 1}`)).status).toBe(200);
  }
  expect(program.spawned.stderr()).toContain('ended unexpectedly: it is started again');
  expect(await program.stop()).toBe(0);
});

test('one that cannot be started again ends the host with status 1 and a sentence', async () => {
  const program = await startProgram({ DATA_DIR: dataDir });
  const data = cluster();
  killPostgres();
  renameSync(data, `${data}.gone`);
  expect(await program.spawned.ended).toBe(1);
  expect(program.spawned.stderr()).toMatch(
    /^The host ends: the embedded PostgreSQL ended and cannot be started again: .+/m,
  );
});
