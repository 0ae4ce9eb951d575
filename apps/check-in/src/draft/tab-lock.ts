import { newId } from './draft.ts';

/*
 * A name that one tab holds at a time, so that two tabs never continue the same draft. Held with the browser's Web
 * Locks; where there are none (over plain HTTP, in old browsers) or they are refused, with a lease in its storage.
 *
 *   (free) ── taken by a tab ──▶ held ── the tab is closed, or hidden for good ──▶ (free)
 *                                  └── only a lease: not renewed in time, because the tab is frozen ──▶ (free)
 *
 * A tab that comes back and finds its name held by another reloads, and opens another draft.
 */

const leaseMs = 90_000;
/** Background tabs run timers once a minute. */
const renewalMs = 15_000;
/** After this time, of two tabs that took a lease at once, each sees who has it. */
const settleMs = 50;

const tab = newId();
const releases = new Map<string, () => void>();

const lockManager = (): LockManager | undefined => navigator.locks;

function takeLock(locks: LockManager, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(undefined);
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

const leaseKey = (name: string) => `check-in-tab ${name}`;

/** Whether another tab has a lease. */
function isLeased(name: string): boolean {
  const [holder, until = ''] = (localStorage.getItem(leaseKey(name)) ?? '').split(' ');
  const leftMs = Number(until) - Date.now();
  // Further in the future: the device's clock was set back.
  return holder !== '' && holder !== tab && leftMs > 0 && leftMs <= leaseMs;
}

async function takeLease(name: string): Promise<(() => void) | undefined> {
  const write = () => localStorage.setItem(leaseKey(name), `${tab} ${Date.now() + leaseMs}`);
  if (isLeased(name)) return undefined;
  write();
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  if (isLeased(name)) return undefined;
  const check = () => {
    if (isLeased(name)) location.reload();
    else write();
  };
  const timer = setInterval(check, renewalMs);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
    if (!isLeased(name)) localStorage.removeItem(leaseKey(name));
  };
}

async function take(name: string): Promise<boolean> {
  try {
    const locks = lockManager();
    const release = await (locks === undefined
      ? takeLease(name)
      : takeLock(locks, name).catch(() => takeLease(name)));
    if (release !== undefined) releases.set(name, release);
    return release !== undefined;
  } catch {
    // Without storage, tabs share nothing.
    return true;
  }
}

// A page that may be shown again with the back button must not block the draft meanwhile.
addEventListener('pagehide', () => {
  for (const release of releases.values()) release();
});
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const name of releases.keys())
    void take(name).then((isHeld) => {
      if (!isHeld) location.reload();
    });
});

/** Takes a name for this tab. @returns false if another tab holds it */
export const holdName = async (name: string): Promise<boolean> => releases.has(name) || take(name);
