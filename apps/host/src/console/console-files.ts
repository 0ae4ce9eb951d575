import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { HostApp } from '../http/host-app.ts';
import { nothingHere } from '../http/unknown-addresses.ts';

const filesFolder = fileURLToPath(
  new URL('dist', import.meta.resolve('@waiver-service/console/package.json')),
);

// Scripts, styles and calls of this host only; nothing inline, and no page of another site around it.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const dayS = 86_400;

/** The name of a file in `assets` contains a hash of its content. */
function cacheControlOf(path: string): string {
  return path.includes('/assets/') ? `public, max-age=${365 * dayS}, immutable` : 'no-cache';
}

/**
 * Serves the built console under `/console`: every page has the same document, which renders it.
 */
export async function serveConsoleFiles(app: HostApp): Promise<void> {
  if (!existsSync(filesFolder)) {
    app.log.warn('The console is not built, so /console answers 404: npm run build:console builds it.');
    return;
  }
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { ...route.schema, hide: true };
    });
    await files.register(fastifyStatic, {
      root: filesFolder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        reply.header('cache-control', cacheControlOf(path));
      },
    });
    files.get('/console', (_request, reply) => reply.redirect('/console/'));
    files.get('/console/*', (_request, reply) =>
      reply
        .headers({ 'content-security-policy': contentPolicy, 'cross-origin-opener-policy': 'same-origin' })
        .sendFile('index.html'),
    );
    // The build's own names and no others, so that no path leads elsewhere.
    const assets = new Set(readdirSync(join(filesFolder, 'assets')));
    files.get<{ Params: { file: string } }>('/console/assets/:file', async ({ params: { file } }, reply) => {
      if (!assets.has(file)) throw nothingHere();
      return reply.sendFile(`assets/${file}`);
    });
  });
}
