// A host that only passes a read on: Fastify and undici, without checking the caller or parsing the answer.
import Fastify from 'fastify';
import { Agent, request } from 'undici';

const origin = process.argv[2];
const dispatcher = new Agent();
const app = Fastify();

app.get<{ Params: { pool: string; id: string } }>('/v1/pools/:pool/bookings/:id', async (call, reply) => {
  const { pool, id } = call.params;
  const { statusCode, body } = await request(
    `${origin}/bookings/${encodeURIComponent(id)}?pool=${encodeURIComponent(pool)}`,
    { dispatcher, headers: { 'api-key': 'a-key' } },
  );
  return reply
    .code(statusCode)
    .type('application/json')
    .send(await body.text());
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});
