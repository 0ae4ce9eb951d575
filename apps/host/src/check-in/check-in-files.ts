import { serveBuiltPages } from '../http/built-pages.ts';
import type { HostApp } from '../http/host-app.ts';

// As the console's; photos are shown before they are sent.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the page on which guests sign under `/check-in`. The document is the same for every link. */
export const serveCheckInPage = (app: HostApp): Promise<void> =>
  serveBuiltPages(app, {
    name: '@waiver-service/check-in',
    path: '/check-in',
    contentPolicy,
    script: 'build:check-in',
  });
