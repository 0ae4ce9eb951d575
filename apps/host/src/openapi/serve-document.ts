import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import Negotiator from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

const encodings = ['br', 'gzip'];

/**
 * Creates the handler that serves the OpenAPI document. Serializes and compresses it once, because anyone may request
 * it any number of times, and returns 304 to clients that have it.
 */
export function serveDocument(app: HostApp) {
  const write = async () => {
    const text = Buffer.from(JSON.stringify(app.swagger()));
    const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
    const bodies = new Map([
      ['br', br],
      ['gzip', gzipped],
    ]);
    // Weak: the same document in each encoding.
    return { text, bodies, etag: `W/"${hash('sha256', text, 'base64url')}"` };
  };
  let written: ReturnType<typeof write> | undefined;
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    written ??= write();
    const { text, bodies, etag } = await written;
    reply.headers({ etag, 'cache-control': 'public, max-age=60', vary: 'accept-encoding' });
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^(?!W\/)/, 'W/'));
    if (known?.includes(etag)) return reply.code(304).send();
    const encoding = Negotiator.negotiate(headers['accept-encoding'] ?? '', encodings) ?? '';
    const body = bodies.get(encoding);
    if (body !== undefined) reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(body ?? text);
  };
}
