import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = join(import.meta.dirname, '../bin/waiver-service.js');

test('a partner installs against the served waiver service, and sees that it was received; nothing is left behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-serve-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const child = spawn(process.execPath, [program, 'check', '--serve', '--path-shape', 'query'], {
    env: { ...process.env, NO_COLOR: '1', TMPDIR: folder },
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const shown = (text: string) => expect.poll(() => output).toContain(text);
  try {
    await shown('What it receives and sends:');
    const [, url = '', body = ''] =
      /POST (\S+\/integration\/install\/standard-query) .*-d '(.*)'/.exec(output) ?? [];
    const installed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await installed.json()).toMatchObject({ success: true });
    await shown('received  POST /integration/install/standard-query → 200');
  } finally {
    child.kill('SIGINT');
  }
  expect(await closed).toEqual([0, null]);
  // Neither there nor where root's PostgreSQL goes when it cannot enter a folder.
  const databasesElsewhere = globSync('/var/lib/waiver-service/*/data-folder');
  expect(databasesElsewhere.filter((file) => readFileSync(file, 'utf8').includes(folder))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('waiver-service'))).toEqual([]);
});
