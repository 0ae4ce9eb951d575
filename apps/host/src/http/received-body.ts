import type { FastifyRequest } from 'fastify';
import { HttpProblem } from './http-problem.ts';

const bodies = new WeakMap<FastifyRequest, Buffer>();

/** Keeps a body that was read, as it came. */
export function keepBody(request: FastifyRequest, bytes: Buffer): void {
  bodies.set(request, bytes);
}

const tooLarge = () =>
  new HttpProblem(413, 'body_too_large', 'The body is larger than this route takes.', {
    headers: { connection: 'close' },
  });

const brokenOff = () => new HttpProblem(400, 'malformed', 'The connection ended before the body did.');

/**
 * The body of a request as it came, read now unless it was kept before; undefined if the request has none.
 * @throws HttpProblem 413 beyond the limit of its route, 400 if the caller hangs up
 */
export async function receivedBody(request: FastifyRequest): Promise<Buffer | undefined> {
  const { raw, method, headers, routeOptions } = request;
  const kept = bodies.get(request);
  if (kept !== undefined || method === 'GET' || method === 'HEAD') return kept;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return undefined;
  const { bodyLimit } = routeOptions;
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
  // Of a connection that has ended, no event would follow.
  if (raw.destroyed) throw brokenOff();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else reject(tooLarge());
    });
    raw.on('end', () => resolve(Buffer.concat(chunks)));
    raw.on('error', () => reject(brokenOff()));
    raw.on('close', () => reject(brokenOff()));
  });
}
