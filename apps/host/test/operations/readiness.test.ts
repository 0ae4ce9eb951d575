import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startTestHost, until } from '../harness/test-host.ts';

test('a host is ready on a newer schema that it can use, and not on one that needs a newer host; it says why', async () => {
  const host = await startTestHost();
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await host.close();
  });
  await client.query(`insert into migration (name, needs) values ('9998-wider', '')`);
  expect((await host.call('GET', '/readyz')).status).toBe(200);

  await client.query(`insert into migration (name, needs) values ('9999-narrower', '9998-wider')`);
  const refusal = await until(async () => {
    const answer = await host.call('GET', '/readyz');
    return answer.status === 503 && answer;
  }, 'the host not to be ready');
  expect(refusal.body).toEqual({
    success: false,
    code: 'not_ready',
    message:
      'This host is too old: the database was migrated by a newer version of the waiver service, and its 9999-narrower needs a version with 9998-wider: start that version.',
  });
  expect((await host.call('GET', '/healthz')).status).toBe(200);
  const { body: document } = await host.call('GET', '/openapi.json');
  expect(document.paths['/readyz'].get.responses).toHaveProperty('503');
});
