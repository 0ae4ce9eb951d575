import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../src/sandbox/main.ts');
const start = (...given: string[]) =>
  spawn(process.execPath, ['--conditions=@waiver-service/source', program, ...given], {
    env: { ...process.env, NO_COLOR: '1' },
  });

test('the sandbox prints an address, a key and bookings that work, until it is ended', async () => {
  const sandbox = start('--port', '0');
  const exited = once(sandbox, 'exit');
  try {
    let printed = '';
    for await (const chunk of sandbox.stdout) {
      printed += chunk;
      if (printed.includes('Ctrl-C')) break;
    }
    const printedAs = (name: string) => new RegExp(`${name} +(.+)`).exec(printed)?.[1] ?? '';
    const [booking] = printedAs('bookings').split(', ');
    const url = `${printedAs('address')}/bookings/${booking}?pool=any`;
    const response = await fetch(url, { headers: { 'api-key': printedAs('API key') } });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ id: booking })]);
    expect((await fetch(url)).status).toBe(401);
  } finally {
    sandbox.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});

test('a wrong port is said', async () => {
  const sandbox = start('--port', 'many');
  let said = '';
  sandbox.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await once(sandbox, 'exit')).toEqual([2, null]);
  expect(said).toContain('--port is many');
});
