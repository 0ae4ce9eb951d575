/** How long a new version may take to activate. */
const timeoutMs = 2_000;

/**
 * Lets a waiting new version of the page take over, and reloads. Call it only when nothing can be lost: before anything
 * is shown, or between two guests of a kiosk.
 * @returns only if no new version is waiting, or it fails to take over in time
 */
export async function takeOver(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker?.getRegistration('/check-in/').catch(() => undefined);
  const next = registration?.waiting;
  if (!next || serviceWorker.controller === null) return;
  const changed = new Promise<'changed'>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve('changed'), { once: true });
  });
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), timeoutMs));
  next.postMessage('take-over');
  if ((await Promise.race([changed, late])) === 'late') return;
  location.reload();
  await new Promise(() => undefined);
}

/** Caches the page's files, so that it opens offline, if the browser supports it. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register('/check-in/service-worker.js', { scope: '/check-in/' })
    .catch(() => undefined);
}
