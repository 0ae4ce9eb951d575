import type { ClaimedDelivery, WebhookEndpoint } from '@waiver-service/store';

/** Finds the endpoint of a destination. */
export type EndpointOf = (destination: string) => Promise<WebhookEndpoint | undefined>;

interface Entry {
  readonly settingsAt: number;
  readonly until: number;
  readonly endpoint: Promise<WebhookEndpoint | undefined>;
}

// A former signing secret ends by itself, without a change of the endpoint.
const keptMs = 10_000;
const mostEndpoints = 1_000;

/**
 * Keeps endpoints, so that a message does not cost a query and a decryption of its own. A claim says when the
 * endpoint was last changed: one that was kept from before is read again, so a change counts from the next claim on.
 */
export function cacheEndpoints(
  endpointOf: EndpointOf,
): (message: ClaimedDelivery) => Promise<WebhookEndpoint | undefined> {
  const entries = new Map<string, Entry>();
  return ({ destination, settingsAt }) => {
    // Not from a claim: a test by an operator, who has perhaps just changed something.
    if (settingsAt === undefined) return endpointOf(destination);
    const changedAt = settingsAt?.getTime() ?? 0;
    const now = performance.now();
    const kept = entries.get(destination);
    if (kept !== undefined && kept.settingsAt >= changedAt && kept.until > now) return kept.endpoint;
    if (entries.size >= mostEndpoints) entries.clear();
    const endpoint = endpointOf(destination);
    entries.set(destination, { settingsAt: changedAt, until: now + keptMs, endpoint });
    endpoint.catch(() => entries.delete(destination));
    return endpoint;
  };
}
