import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const attributesSchema = z
  .array(
    z.object({
      key: z.string(),
      value: z.union([
        z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
        z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
        z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
      ]),
    }),
  )
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));

const spanSchema = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().default(0) }),
});

// OTLP/HTTP with JSON, strict about what this service sends.
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span that a collector received. */
export type CollectedSpan = z.infer<typeof spanSchema> & { readonly service: string };

/** A collector of traces on 127.0.0.1, which speaks OTLP/HTTP with JSON. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let isHanging = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (isHanging) return;
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    received.push({ headers: request.headers, body });
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    received,
    /** From now on, no request gets an answer. */
    hang() {
      isHanging = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
