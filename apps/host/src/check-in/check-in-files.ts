import { serveBuiltPages } from '../http/built-pages.ts';
import type { HostApp } from '../http/host-app.ts';

// As the console's; photos are shown before they are sent.
const policyWith = (connect: string, ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

/** Serves the page on which guests sign under `/check-in`. The document is the same for every link. */
export const serveCheckInPage = (app: HostApp): Promise<void> =>
  serveBuiltPages(app, {
    name: '@waiver-service/check-in',
    path: '/check-in',
    contentPolicy: policyWith("'self'", "'none'"),
    // The console shows a draft in it. It calls no one, so that nothing can be signed there.
    otherPolicies: { preview: policyWith("'none'", "'self'") },
    script: 'build:check-in',
  });
