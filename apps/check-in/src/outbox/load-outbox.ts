/** The code that stores and sends signings; loaded after the form. */
export type Outbox = typeof import('./outbox.ts');

let loading: Promise<Outbox | undefined> | undefined;

/** This device's outbox, which may hold signings even if it can keep no new ones; undefined if it cannot be opened. */
export function loadOutbox(): Promise<Outbox | undefined> {
  loading ??= import('./outbox.ts')
    .then(async (outbox) => ((await outbox.startOutbox()) ? outbox : undefined))
    .catch(() => undefined)
    .then((outbox) => {
      // Probably offline, or the browser closed its database: let the next call try again.
      if (outbox === undefined) loading = undefined;
      return outbox;
    });
  return loading;
}

/** Sends all that waits on this device, whatever it was signed on. */
export async function sendWaiting(): Promise<void> {
  const outbox = await loadOutbox();
  await outbox?.sendNow();
}
