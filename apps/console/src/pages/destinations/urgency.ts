import type { Destination } from '../../api/resources.ts';

type Signs = Pick<Destination, 'consecutiveFailures' | 'status' | 'installationStatus' | 'waiting'>;

export const needsAttention = ({ status, consecutiveFailures, installationStatus }: Signs): boolean =>
  status === 'paused' ||
  consecutiveFailures > 0 ||
  installationStatus === 'pending' ||
  installationStatus === 'needs_attention';

/** For sorting: refused installations, failing destinations, paused ones, pending installations, waiting messages. */
export const urgency = ({ consecutiveFailures, status, installationStatus, waiting }: Signs): number =>
  (installationStatus === 'needs_attention' ? 8 : 0) +
  (consecutiveFailures > 0 ? 4 : 0) +
  (status === 'paused' ? 2 : 0) +
  (installationStatus === 'pending' ? 1 : 0) +
  (waiting > 0 ? 0.5 : 0);
