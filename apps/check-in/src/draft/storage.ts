import type { Draft, Signed } from './draft.ts';

/** The state kept on the device for one link. */
interface Kept {
  readonly draft?: Draft;
  readonly signed?: Signed;
  /** The link's end: nothing of it is needed afterwards. */
  readonly until: string;
}

/** Keeps a draft on the device, so that a page that is closed or reloaded loses nothing. */
export interface DraftStorage {
  read(): Kept | undefined;
  /** False: the browser refuses, or is full. */
  write(kept: Kept): boolean;
  /** Deletes it: the link has ended. */
  delete(): void;
}

const prefix = 'check-in ';

/** Names the link without telling its token: by a 64-bit hash (FNV-1a), which plain HTTP has, too. */
function keyOf(token: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(token)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return prefix + hash.toString(16);
}

function parse(text: string | null): Kept | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes what links have left that have ended. */
function deleteEnded(storage: Storage): void {
  const now = new Date().toISOString();
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(prefix)) continue;
    const kept = parse(storage.getItem(key));
    if (kept === undefined || kept.until < now) storage.removeItem(key);
  }
}

/** The storage of the device, or undefined where the browser refuses it. */
function storageOf(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

/**
 * Opens what is kept for a link.
 * @param isShared - on a device that guests share, such as a tablet at the desk, only for as long as its tab is open
 */
export function openDraftStorage(token: string, isShared: boolean): DraftStorage {
  const storage = storageOf(isShared ? 'sessionStorage' : 'localStorage');
  const key = keyOf(token);
  let inMemory: Kept | undefined;
  return {
    read() {
      try {
        if (storage !== undefined) deleteEnded(storage);
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
        // A browser that refuses has nothing.
      }
    },
    write(kept) {
      inMemory = kept;
      try {
        storage?.setItem(key, JSON.stringify(kept));
        return storage !== undefined;
      } catch {
        return false;
      }
    },
  };
}
