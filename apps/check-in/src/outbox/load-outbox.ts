/** The code that stores and sends signings; loaded after the form. */
export type Outbox = typeof import('./index.ts');

let loading: Promise<Outbox | undefined> | undefined;

/** This device's outbox; undefined if the browser cannot store signings, so that guests must stay online. */
export function loadOutbox(): Promise<Outbox | undefined> {
  loading ??= import('./index.ts').then(
    async (outbox) => ((await outbox.startOutbox()) ? outbox : undefined),
    () => {
      // Probably offline: let the next call try again.
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}
