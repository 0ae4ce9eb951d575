import fastifyCookie from '@fastify/cookie';
import type { HostApp } from '../http/host-app.ts';
import { serveConsoleFiles } from './console-files.ts';
import { type SessionServices, sessionRoutes } from './session-routes.ts';

/** The console, and signing in to it. */
export async function consoleRoutes(app: HostApp, services: SessionServices): Promise<void> {
  await serveConsoleFiles(app);
  sessionRoutes(app, services);
}

/** Lets requests have cookies. Before any route: callers are found out by them. */
export async function readCookies(app: HostApp): Promise<void> {
  await app.register(fastifyCookie);
}
