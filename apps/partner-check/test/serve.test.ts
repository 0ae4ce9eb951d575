import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../bin/waiver-service.js');

test('a partner installs against the served waiver service, and sees that it was received', async () => {
  const child = spawn(process.execPath, [program, 'check', '--serve', '--path-shape', 'query'], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const shown = (text: string) => expect.poll(() => output, { timeout: 60_000 }).toContain(text);
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
}, 90_000);
