// Repeats a request on eight connections until its input ends: a separate process at the lowest priority, because its
// processor time would be another machine's.
import { setPriority } from 'node:os';
import { Agent, request } from 'undici';
import type { Flood, FloodAnswers } from './flood.ts';

const connections = 8;
const lowestPriority = 19;
const [given = ''] = process.argv.slice(2);
const { url, method, token, body, padding }: Flood = JSON.parse(given);
const spaces = ' '.repeat(padding ?? 0);
const dispatcher = new Agent({ connections });
// From another address than the other pool's guests.
const headers = {
  authorization: `Bearer ${token}`,
  'x-forwarded-for': '203.0.113.7',
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
};
const answers: Record<string, number> = {};
let isOver = false;

async function flood(): Promise<void> {
  while (!isOver) {
    const id = crypto.randomUUID();
    const { statusCode, body: answer } = await request(url.replace('ID', id), {
      dispatcher,
      method,
      headers,
      ...(body === undefined ? {} : { body: body.replaceAll('ID', id) + spaces }),
    });
    await answer.dump();
    answers[statusCode] = (answers[statusCode] ?? 0) + 1;
  }
}

setPriority(lowestPriority);
process.once('message', () => {
  isOver = true;
});
process.once('disconnect', () => process.exit());
process.once('SIGINT', () => {});
await Promise.all(Array.from({ length: connections }, flood));
const report: FloodAnswers = answers;
process.send?.(report);
