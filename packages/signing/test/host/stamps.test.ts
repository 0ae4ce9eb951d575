import { createServer } from 'node:http';
import { listenLocally, prepareCheckIn } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startSigningHost } from '../setup/signing-host.ts';

it('a stamp that fails waits and says why; guests sign all the same', async () => {
  const questions: { readonly type: string | undefined; readonly bytes: number }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      questions.push({ type: request.headers['content-type'], bytes: Buffer.concat(parts).length });
      response.setHeader('content-type', 'application/timestamp-reply').end('this is no stamp');
    });
  });
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const first = await prepareCheckIn(startSigningHost());
  onTestFinished(() => first.close());
  const guest = await first.guest({ desk: true });
  expect((await guest('POST', '/check-in/api/signings', first.signing(['1990-02-28']))).status).toBe(201);
  const client = new Client({ connectionString: first.host.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const rows = async (text: string) => (await client.query(text)).rows;
  await expect.poll(() => rows('select sequence::integer from evidence_chain')).toEqual([{ sequence: 1 }]);

  // Looks for a root when it starts.
  const stamping = await startSigningHost({
    database: first.host,
    timestampUrl: `http://127.0.0.1:${port}/stamp`,
  });
  onTestFinished(() => stamping.close());
  await expect
    .poll(() => rows('select attempts, token from evidence_root'))
    .toEqual([{ attempts: 1, token: null }]);
  expect(questions[0]).toEqual({ type: 'application/timestamp-query', bytes: expect.any(Number) });
  const [root] = await rows('select failure from evidence_root');
  expect(root?.failure).not.toBe('');
});
