import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startBookingSystem } from '@waiver-service/simulator';
import { describe, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../bin/waiver-service.js');

async function command(args: readonly string[], apiKey?: string, more: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NO_COLOR: '1', WAIVER_SERVICE_API_KEY: apiKey, ...more },
  });
  const output = { standard: '', error: '' };
  child.stdout.on('data', (chunk) => {
    output.standard += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.error += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...output };
}

describe('the command', () => {
  test('reports as JSON, with an exit status for a pipeline', async () => {
    const system = await startBookingSystem({
      authHeaderName: 'api-key',
      apiKey: 'k-123456',
      pathShape: 'path',
      form: 'current',
    });
    try {
      const good = await command(['check', system.url, '--booking', 'BK-1001', '--json'], 'k-123456');
      expect(JSON.parse(good.standard)).toMatchObject({ ok: true, bookingApi: system.url });
      expect(good.status).toBe(0);
      const bad = await command(['check', system.url, '--booking', 'BK-9'], 'k-123456');
      expect(bad.status).toBe(1);
      expect(bad.standard).toContain('✘ read/answer');
      expect(bad.standard).toContain('change: name a booking that is there');
    } finally {
      await system.close();
    }
  });
});
