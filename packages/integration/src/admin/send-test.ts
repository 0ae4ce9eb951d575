import { outcomeOf, type Sender } from '@waiver-service/delivery';
import type { OutboundMessage } from '@waiver-service/outbox';

/** A message as the dispatcher passes it to a sender. It is not stored, and blocks no lane. */
export const testMessage = ({
  id,
  body,
  ...message
}: Pick<OutboundMessage, 'id' | 'kind' | 'pool' | 'destination'> & {
  readonly body: object;
}): OutboundMessage => ({
  ...message,
  id,
  orderingKey: id,
  waiverId: id,
  version: 1,
  bookingId: null,
  body: JSON.stringify(body),
  attempts: 0,
  inDoubt: false,
  failing: false,
  faults: 0,
  trigger: 'test',
});

/** Sends a test message at once, and returns the receiver's answer. */
export async function sendTest(send: Sender, message: OutboundMessage, signal: AbortSignal) {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const result = await send(message, signal);
    if (result.outcome === 'nothing-written' || result.outcome === 'postponed') {
      throw new Error(`a test of kind ${message.kind} is always sent`);
    }
    const { status, response } = result;
    if (result.outcome === 'accepted') return { ok: true, status, response, durationMs: durationMs() };
    return { ok: false, status, errorCode: result.errorCode, response, durationMs: durationMs() };
  } catch (error) {
    const failure = outcomeOf(error);
    if (!('retry' in failure) || !(error instanceof Error)) throw error;
    const { status, errorCode } = failure;
    return { ok: false, status, errorCode, message: error.message, durationMs: durationMs() };
  }
}
