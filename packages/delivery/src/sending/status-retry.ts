import { isBodyRejected, type RejectionRetry } from '@waiver-service/core';

/** How often what was refused with this status is worth sending again. */
export const retryAfterStatus = (status: number | undefined): RejectionRetry =>
  status !== undefined && isBodyRejected(status) ? 'three-attempts' : 'schedule';
