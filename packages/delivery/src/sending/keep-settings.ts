import type { ClaimedDelivery } from '@waiver-service/store';

interface Kept<Settings> {
  readonly version: string;
  readonly until: number;
  readonly settings: Promise<Settings>;
}

// A former signing secret ends by itself, without a change of anything.
const keptMs = 10_000;
const mostKept = 1_000;

/**
 * Keeps what destinations are sent to by, so that a message does not cost queries and decryption of its own. A claim
 * says which version it found: one that was kept from before is read again, so a change counts from the next claim on.
 */
export function keepSettings<Settings>(
  read: (destination: string) => Promise<Settings>,
): (message: Pick<ClaimedDelivery, 'destination' | 'settingsVersion'>) => Promise<Settings> {
  const entries = new Map<string, Kept<Settings>>();
  return ({ destination, settingsVersion }) => {
    // Not from a claim: a test by an operator, who has perhaps just changed something.
    if (settingsVersion === undefined) return read(destination);
    const now = performance.now();
    const kept = entries.get(destination);
    if (kept !== undefined && kept.version === settingsVersion && kept.until > now) return kept.settings;
    if (entries.size >= mostKept) entries.clear();
    const settings = read(destination);
    entries.set(destination, { version: settingsVersion, until: now + keptMs, settings });
    settings.catch(() => entries.delete(destination));
    return settings;
  };
}
