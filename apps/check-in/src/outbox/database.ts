/** A signing that waits on this device. Unreadable here: only the pool's service can open the envelope. */
export interface WaitingSigning {
  readonly id: string;
  /** The id of the sealing key. */
  readonly key: string;
  readonly envelope: string;
  /** At a kiosk, the keys of the booking's guests, so that its list shows who has signed. */
  readonly guests?: readonly string[];
  /** By the service's clock. */
  readonly queuedAt: string;
  /** Not to be sent earlier, so that the guest's own attempt is first. Milliseconds since 1970. */
  readonly notBefore: number;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** The error code of a response that a retry will not change: staff must intervene. */
  readonly problem?: string;
}

/** A link's session, to open it offline. */
interface KeptSession {
  /** A hash of the link's token. */
  readonly link: string;
  readonly session: string;
  readonly until: string;
}

/** The kiosk's credential, its day, and whether the pairing was ended elsewhere. */
interface KioskValue {
  readonly name: 'credential' | 'day' | 'ended';
  readonly value: string;
}

interface Stores {
  readonly outbox: WaitingSigning;
  readonly sessions: KeptSession;
  readonly kiosk: KioskValue;
}

const name = 'check-in';
const schemaVersion = 1;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Some phones never answer an open after a start. Usually it takes milliseconds. */
const maxOpenMs = 4_000;

/** Rejects if it takes too long; what is opened later is closed. */
function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, schemaVersion);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('outbox', { keyPath: 'id' });
    request.result.createObjectStore('sessions', { keyPath: 'link' });
    request.result.createObjectStore('kiosk', { keyPath: 'name' });
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      request.onsuccess = () => request.result.close();
      reject(new Error('the browser does not open its database'));
    }, maxOpenMs);
    done(request)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

let opened: Promise<IDBDatabase> | undefined;

function connect(): Promise<IDBDatabase> {
  if (opened === undefined) {
    const opening = open();
    opened = opening;
    const forget = () => {
      if (opened === opening) opened = undefined;
    };
    opening.then((database) => {
      // iOS closes it when memory is low; a newer page may need to upgrade its schema.
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
    }, forget);
  }
  return opened;
}

/** No other connection would help: the disk is full. */
const isFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';

/**
 * Makes one attempt, and another one with a new connection if it fails: the browser may have closed the connection
 * without an event, or broken it, so that transactions begin and every request in them fails.
 */
async function withConnection<T>(attempt: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const connection = connect();
  try {
    return await attempt(await connection);
  } catch (error) {
    if (isFull(error)) throw error;
    if (opened === connection) opened = undefined;
    connection.then(
      (broken) => broken.close(),
      () => undefined,
    );
    return attempt(await connect());
  }
}

/** Complete only once flushed to disk. */
const options = { durability: 'strict' } as const;

/** Changes a store, and waits until the change is on disk. */
const change = (name: keyof Stores, act: (store: IDBObjectStore) => void): Promise<void> =>
  withConnection(async (connection) => {
    const transaction = connection.transaction(name, 'readwrite', options);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
      // Here, so that what it throws is the only rejection.
      act(transaction.objectStore(name));
    });
  });

const read = <T>(name: keyof Stores, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
  withConnection(async (connection) =>
    done(ask(connection.transaction(name, 'readonly', options).objectStore(name))),
  );

/** This page's IndexedDB. Every function rejects if the browser refuses or its storage is full. */
export const database = {
  put: <Name extends keyof Stores>(store: Name, value: Stores[Name]): Promise<void> =>
    change(store, (target) => void target.put(value)),
  /** Does nothing if the value has been removed. */
  update: <Name extends keyof Stores>(
    store: Name,
    key: string,
    update: (value: Stores[Name]) => Stores[Name],
  ): Promise<void> =>
    change(store, (target) => {
      const reading: IDBRequest<Stores[Name] | undefined> = target.get(key);
      reading.onsuccess = () => {
        try {
          if (reading.result !== undefined) target.put(update(reading.result));
        } catch {
          // What an event's listener throws is reported as an error of the page, although another attempt follows.
          target.transaction.abort();
        }
      };
    }),
  remove: (store: keyof Stores, key: string): Promise<void> =>
    change(store, (target) => void target.delete(key)),
  get: <Name extends keyof Stores>(store: Name, key: string): Promise<Stores[Name] | undefined> =>
    read<Stores[Name] | undefined>(store, (source) => source.get(key)),
  all: <Name extends keyof Stores>(store: Name): Promise<Stores[Name][]> =>
    read<Stores[Name][]>(store, (source) => source.getAll()),
};
