import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('an older Node.js says which one the published commands need', () => {
  const published = mkdtempSync(join(tmpdir(), 'waiver-service-check-'));
  onTestFinished(() => rmSync(published, { recursive: true }));
  cpSync(join(import.meta.dirname, '../bin'), join(published, 'bin'), { recursive: true });
  writeFileSync(join(published, 'package.json'), '{"type":"module"}');
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  for (const name of ['waiver-service', 'waiver-service-check']) {
    const words = ['--import', older, join(published, `bin/${name}.js`), '--help'];
    const { status, stderr } = spawnSync(process.execPath, words);
    expect([status, stderr.toString()]).toEqual([
      1,
      'waiver-service needs Node.js 24 or newer, and this is 20.20.2.\n',
    ]);
  }
});
