import { serveBuiltPages } from '../http/built-pages.ts';
import type { HostApp } from '../http/host-app.ts';

// Like the console's; `blob:` shows photos before they are sent.
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
    // The console previews a draft in it. It may make no requests, so nothing can be signed there.
    otherPolicies: { preview: policyWith("'none'", "'self'") },
    script: 'build:check-in',
  });
