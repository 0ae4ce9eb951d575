import { type Draft, newId, type Signed } from './draft.ts';

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
const holdName = async (name: string): Promise<boolean> => releases.has(name) || take(name);

/** The state that a tab stores on the device for one link. */
interface Kept {
  readonly draft?: Draft;
  readonly signed?: Signed;
  /** When the link ends: the state may be deleted afterwards. */
  readonly until: string;
}

/**
 * Stores a draft on the device, so that closing or reloading the page loses nothing. Each tab has its own; a tab
 * continues one that a closed tab has left, never one that another tab is using.
 */
export interface DraftStorage {
  read(): Kept | undefined;
  /** @returns false if the browser refuses or its storage is full */
  write(kept: Kept): boolean;
  delete(): void;
}

const prefix = 'check-in ';

/** A 64-bit hash (FNV-1a) of the link's token: `crypto.subtle` is missing over plain HTTP. */
function keyOf(token: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(token)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return prefix + hash.toString(16);
}

/** `order`: which of several was written last. */
type Written = Kept & { readonly order?: number };

function parse(text: string | null): Written | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes the state of links that have ended. */
function deleteEnded(storage: Storage, now: Date): void {
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(prefix)) continue;
    const kept = parse(storage.getItem(key));
    if (kept === undefined || kept.until < now.toISOString()) storage.removeItem(key);
  }
}

/** Undefined if the browser refuses access. */
function storageOf(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

/** The keys of a link's drafts: what is unfinished first, then what was signed; of these, what was written last. */
function draftKeys(storage: Storage, link: string): string[] {
  const keys = Object.keys(storage).filter((key) => key === link || key.startsWith(`${link} `));
  const kept = new Map(keys.map((key) => [key, parse(storage.getItem(key))]));
  const rank = (key: string) => {
    const { draft, signed, order = 0 } = kept.get(key) ?? {};
    return [draft === undefined ? (signed === undefined ? 0 : 1) : 2, order] as const;
  };
  return keys.sort((one, other) => {
    const [[state, order], [otherState, otherOrder]] = [rank(one), rank(other)];
    return otherState - state || otherOrder - order;
  });
}

/** Remembers, over reloads, which draft is this tab's. */
const ownKey = (link: string) => `own-${link}`;

/** The key under which this tab stores its draft: one that no other tab uses. */
async function holdKey(storage: Storage, link: string): Promise<string> {
  const ownDrafts = storageOf('sessionStorage');
  const own = ownDrafts?.getItem(ownKey(link));
  const keys = draftKeys(storage, link);
  const wanted = [...keys.filter((key) => key === own), ...keys.filter((key) => key !== own)];
  for (const key of [...wanted, `${link} ${newId()}`]) {
    if (!(await holdName(key))) continue;
    ownDrafts?.setItem(ownKey(link), key);
    return key;
  }
  throw new Error('another tab holds a name that was just made');
}

/** Deletes all drafts of a link that has ended. */
export function deleteDrafts(token: string): void {
  try {
    const storage = storageOf('localStorage');
    for (const key of storage === undefined ? [] : draftKeys(storage, keyOf(token))) storage?.removeItem(key);
  } catch {
    // No access: nothing was stored.
  }
}

/**
 * Opens this tab's storage for a link.
 * @param isShared - for a device that guests share, such as a tablet at the desk: kept only while the tab is open
 */
export async function openDraftStorage(token: string, isShared: boolean, now: Date): Promise<DraftStorage> {
  const storage = storageOf(isShared ? 'sessionStorage' : 'localStorage');
  const link = keyOf(token);
  let key = link;
  let inMemory: Kept | undefined;
  try {
    if (storage !== undefined) {
      deleteEnded(storage, now);
      key = await holdKey(storage, link);
      // A duplicated tab begins with a copy of the other tab's storage: of another guest.
      if (isShared) for (const copy of draftKeys(storage, link)) if (copy !== key) storage.removeItem(copy);
    }
  } catch {
    // No access: only in memory.
  }
  return {
    read() {
      try {
        return parse(storage?.getItem(key) ?? null) ?? inMemory;
      } catch {
        return inMemory;
      }
    },
    delete() {
      inMemory = undefined;
      try {
        storage?.removeItem(key);
      } catch {
        // No access: nothing was stored.
      }
    },
    write(kept) {
      inMemory = kept;
      try {
        storage?.setItem(key, JSON.stringify({ ...kept, order: Date.now() } satisfies Written));
        return storage !== undefined;
      } catch {
        return false;
      }
    },
  };
}
