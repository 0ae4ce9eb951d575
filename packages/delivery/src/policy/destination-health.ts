import { holdMsOf } from '@waiver-service/outbound';
import type { DestinationHealth, DestinationHold } from '@waiver-service/outbox';
import type { SendResult, Untimed } from '../sending/send-result.ts';

/** An attempt as a sign of its destination's health. */
export interface HealthSign {
  readonly destination: string;
  readonly result: Untimed<SendResult>;
}

/** Summarizes attempts by destination, in the order in which they ended. */
export function healthOf(signs: readonly HealthSign[]): DestinationHealth[] {
  const health = new Map<string, DestinationHealth>();
  for (const { destination, result } of signs) {
    // These are not calls that could have failed.
    if (result.outcome === 'own-fault' || result.outcome === 'nothing-written') continue;
    if (result.outcome === 'postponed') continue;
    const former = health.get(destination) ?? { destination, succeeded: false, failures: 0, gone: false };
    health.set(
      destination,
      result.outcome === 'accepted'
        ? { ...former, succeeded: true, failures: 0 }
        : {
            ...former,
            failures: former.failures + 1,
            lastErrorCode: result.errorCode,
            lastStatus: result.status,
            gone: former.gone || (result.outcome === 'refused' && result.gone === true),
          },
    );
  }
  return [...health.values()];
}

/** The holds requested by `Retry-After`, each for a whole destination. */
export function holdsOf(signs: readonly HealthSign[]): DestinationHold[] {
  return signs.flatMap(({ destination, result }) => {
    const holdMs = result.outcome === 'refused' ? holdMsOf(result) : 0;
    return holdMs > 0 ? [{ destination, holdMs }] : [];
  });
}
