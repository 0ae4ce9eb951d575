/** How long a new version may take to begin. */
const patienceMs = 2_000;

/**
 * Lets a new version of the page take over, and loads it. Call it where nothing is lost by that: before anything is shown,
 * or between two guests of a kiosk.
 * @returns once there is nothing to take over, or it does not
 */
export async function takeOver(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker?.getRegistration('/check-in/').catch(() => undefined);
  const next = registration?.waiting;
  if (!next || serviceWorker.controller === null) return;
  const changed = new Promise<'changed'>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve('changed'), { once: true });
  });
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), patienceMs));
  next.postMessage('take-over');
  if ((await Promise.race([changed, late])) === 'late') return;
  location.reload();
  await new Promise(() => undefined);
}

/** Has the page's files kept, so that it opens without signal. Where the browser cannot, it needs signal. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker
    ?.register('/check-in/service-worker.js', { scope: '/check-in/' })
    .catch(() => undefined);
}
