import fastifyCookie from '@fastify/cookie';
import type { HostApp } from '../http/host-app.ts';
import { type IssuerServices, issuerRoutes } from '../sign-in/issuer-routes.ts';
import { serveConsoleFiles } from './console-files.ts';
import { type SessionServices, sessionRoutes } from './session-routes.ts';

/** The console, and signing in to it. */
export async function consoleRoutes(app: HostApp, services: SessionServices & IssuerServices): Promise<void> {
  await serveConsoleFiles(app);
  sessionRoutes(app, services);
  issuerRoutes(app, services);
}

/** Lets requests have cookies. Before any route: callers are found out by them. */
export async function readCookies(app: HostApp): Promise<void> {
  await app.register(fastifyCookie);
}
