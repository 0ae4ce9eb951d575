import type { DestinationHealth } from '@waiver-service/store';
import type { SendResult } from '../sending/send-result.ts';

/** A try as far as it says something of its destination. */
export interface HealthSign {
  readonly destination: string;
  readonly result: Pick<SendResult, 'outcome' | 'status' | 'errorCode' | 'gone'>;
}

// What was no call that could fail says nothing.
const saysNothing = (outcome: SendResult['outcome']) =>
  outcome === 'own-fault' || outcome === 'nothing-written';

/** What tries in the order of their ends say of each destination. */
export function healthOf(signs: readonly HealthSign[]): DestinationHealth[] {
  const health = new Map<string, DestinationHealth>();
  for (const { destination, result } of signs) {
    if (saysNothing(result.outcome)) continue;
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
            gone: former.gone || result.gone === true,
          },
    );
  }
  return [...health.values()];
}
