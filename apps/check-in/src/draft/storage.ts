import type { Draft, Signed } from './draft.ts';

/** The state stored on the device for one link. */
interface Kept {
  readonly draft?: Draft;
  readonly signed?: Signed;
  /** When the link ends: the state may be deleted afterwards. */
  readonly until: string;
}

/** Stores a draft on the device, so that closing or reloading the page loses nothing. */
export interface DraftStorage {
  read(): Kept | undefined;
  /** @returns false if the browser refuses or its storage is full */
  write(kept: Kept): boolean;
  /** Call it once the link has ended. */
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

function parse(text: string | null): Kept | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes the state of links that have ended. */
function deleteEnded(storage: Storage): void {
  const now = new Date().toISOString();
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(prefix)) continue;
    const kept = parse(storage.getItem(key));
    if (kept === undefined || kept.until < now) storage.removeItem(key);
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

/**
 * Opens a link's storage.
 * @param isShared - for a device that guests share, such as a tablet at the desk: kept only while the tab is open
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
        // No access: nothing was stored.
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
