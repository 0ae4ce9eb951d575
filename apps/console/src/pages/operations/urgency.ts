import type { Destination } from '../../api/resources.ts';

type Signs = Pick<Destination, 'consecutiveFailures' | 'status' | 'installationStatus'>;

export const needsAttention = ({ status, consecutiveFailures, installationStatus }: Signs): boolean =>
  status === 'paused' ||
  consecutiveFailures > 0 ||
  installationStatus === 'pending' ||
  installationStatus === 'needs_attention';

/**
 * For sorting: refused installations, failing destinations, paused ones, pending installations. It does not change with
 * each message, so that rows stay where they are.
 */
export const urgency = ({ consecutiveFailures, status, installationStatus }: Signs): number =>
  (installationStatus === 'needs_attention' ? 8 : 0) +
  (consecutiveFailures > 0 ? 4 : 0) +
  (status === 'paused' ? 2 : 0) +
  (installationStatus === 'pending' ? 1 : 0);

/** As {@link urgency}, and of equals those first that have messages waiting. */
export const urgencyWithWaiting = ({ waiting, ...signs }: Signs & Pick<Destination, 'waiting'>): number =>
  urgency(signs) + (waiting > 0 ? 0.5 : 0);
