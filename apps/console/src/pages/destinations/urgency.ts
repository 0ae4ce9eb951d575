import type { Destination } from '../../api/resources.ts';

type Signs = Pick<Destination, 'consecutiveFailures' | 'status' | 'installationStatus' | 'waiting'>;

/** Whether a person has to look after a destination. */
export const needsAttention = ({ status, consecutiveFailures, installationStatus }: Signs): boolean =>
  status === 'paused' ||
  consecutiveFailures > 0 ||
  installationStatus === 'pending' ||
  installationStatus === 'needs_attention';

/** Comes first in a list: installations that are refused, failing destinations, paused ones, and where much waits. */
export const urgency = ({ consecutiveFailures, status, installationStatus, waiting }: Signs): number =>
  (installationStatus === 'needs_attention' ? 8 : 0) +
  (consecutiveFailures > 0 ? 4 : 0) +
  (status === 'paused' ? 2 : 0) +
  (installationStatus === 'pending' ? 1 : 0) +
  (waiting > 0 ? 0.5 : 0);
