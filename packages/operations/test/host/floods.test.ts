import { openRawConnection } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startOperationsHost } from '../setup/operations-host.ts';

test.each([
  ['/readyz', 'migration'],
  ['/metrics', 'pending'],
])(
  'a flood of %s does not take the connections of the API, even where the database lets each wait',
  async (path, table) => {
    const host = await startOperationsHost();
    const lock = await openRawConnection(host.databaseUrl);
    onTestFinished(async () => {
      lock?.end();
      await host.close();
    });
    await host.preparePool('p');
    await lock?.run('begin');
    await lock?.run(`lock table ${table} in access exclusive mode`);
    const askAgain = () => Promise.all(Array.from({ length: 60 }, () => host.call('GET', path)));
    await askAgain();
    // The database has not yet answered the query of the first flood.
    await askAgain();
    for (let call = 0; call < 20; call += 1) {
      expect((await host.call('GET', '/v1/admin/pools/p')).status).toBe(200);
    }
  },
);
