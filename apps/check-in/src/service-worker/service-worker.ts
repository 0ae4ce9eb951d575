/**
 * Opens the page offline. Caches only the page's own files: no session, token or signing. Navigations try the network
 * first, so that guests who are online get the newest page.
 *
 * A new version waits until the page, on start, asks it to take over, and refuses while other pages are open: an open
 * page still loads scripts of the version it started with.
 */

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export {};

declare function skipWaiting(): Promise<void>;
declare const clients: { matchAll(): Promise<readonly unknown[]> };
/** Set by the build: see `vite.config.ts`. */
declare const precache: {
  readonly version: string;
  readonly files: readonly string[];
  readonly page: string;
};

const prefix = 'check-in-files ';
const cacheName = prefix + precache.version;
const root = '/check-in/';
/** How long to wait for the network before using the cached page. */
const timeoutMs = 4_000;

const isWorkerEvent = (event: Event): event is WorkerEvent => 'waitUntil' in event;
const isRequestEvent = (event: Event): event is RequestEvent => 'respondWith' in event;

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...precache.files]);
  const page = await fetch(root, { cache: 'reload' });
  // During a rollout, another host may serve another version's page.
  if ((await hashOf(await page.clone().text())) !== precache.page) throw new Error('this is another version');
  await cache.put(root, page);
}

async function deleteFormer(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function openPage(request: Request): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  const kept = () => caches.match(root, { cacheName });
  try {
    const response = await fetch(request, { signal: abort.signal });
    // A 5xx, as from a load balancer without hosts, is treated as offline.
    return response.status < 500 ? response : ((await kept()) ?? response);
  } catch (error) {
    const page = await kept();
    if (page === undefined) throw error;
    return page;
  } finally {
    clearTimeout(timer);
  }
}

const openFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName })) ?? fetch(request);

addEventListener('install', (event) => {
  if (isWorkerEvent(event)) event.waitUntil(install());
});

addEventListener('activate', (event) => {
  if (isWorkerEvent(event)) event.waitUntil(deleteFormer());
});

addEventListener('fetch', (event) => {
  if (!isRequestEvent(event)) return;
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // The console's preview is served with a different Content-Security-Policy than the cached page.
  if (request.mode === 'navigate' && pathname !== `${root}preview`) event.respondWith(openPage(request));
  else if (precache.files.includes(pathname)) event.respondWith(openFile(request));
});

addEventListener('message', (event) => {
  if (event.data !== 'take-over' || !isWorkerEvent(event)) return;
  event.waitUntil(
    clients.matchAll().then(async (open) => {
      if (open.length <= 1) await skipWaiting();
    }),
  );
});
