import type { RejectionRetry } from '@waiver-service/core';

// The body itself seems to be what is refused.
const aboutTheBody = new Set([400, 413, 415, 422]);

/** How often what was refused with this status is worth sending again. */
export const retryAfterStatus = (status: number | undefined): RejectionRetry =>
  status !== undefined && aboutTheBody.has(status) ? 'three-tries' : 'schedule';
