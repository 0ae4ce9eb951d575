/** The code that keeps and sends signings; loaded once the form is there. */
export type Outbox = typeof import('./index.ts');

let loading: Promise<Outbox | undefined> | undefined;

/** The outbox of this device; undefined where the browser keeps nothing, so that guests have to stay online. */
export function loadOutbox(): Promise<Outbox | undefined> {
  loading ??= import('./index.ts').then(
    async (outbox) => ((await outbox.startOutbox()) ? outbox : undefined),
    () => {
      // Without signal: the next one who asks may have it.
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}
