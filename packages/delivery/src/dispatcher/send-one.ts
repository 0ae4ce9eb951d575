import type { DestinationKind } from '@waiver-service/store';
import { type DeliveryPolicy, decide } from '../policy/decide.ts';
import { keptWarnings } from '../policy/kept-warnings.ts';
import { outcomeOf } from '../sending/outcome-of.ts';
import type { Sender, SendResult } from '../sending/send-result.ts';
import type { DispatcherListener } from './events.ts';
import type { Flight } from './flights.ts';
import { type LeaseTimes, mustEndAt } from './lease-keeper.ts';
import type { EndedTry } from './recorder.ts';

/** The senders, by what a destination takes. */
export interface Senders {
  readonly guestUpdate: Sender;
  readonly guestWebhook: Sender;
}

/** What sending one message needs. */
export interface SendOneOptions extends LeaseTimes {
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  readonly onEvent: DispatcherListener;
}

const senderOf: Record<DestinationKind, keyof Senders> = {
  'guest-update': 'guestUpdate',
  'guest-webhook': 'guestWebhook',
};

async function trySending(
  send: Sender,
  { message, abort }: Flight,
  checkLease: () => void,
): Promise<SendResult> {
  const started = performance.now();
  const { signal } = abort;
  try {
    signal.throwIfAborted();
    return await send(message, signal, checkLease);
  } catch (error) {
    return { ...outcomeOf(error), durationMs: performance.now() - started };
  }
}

/** Sends one message and works out what that leads to. Never rejects. */
export async function sendOne(flight: Flight, options: SendOneOptions): Promise<EndedTry> {
  const { message, abort } = flight;
  const { senders, policy, onEvent } = options;
  const at = new Date();
  const checkLease = () => {
    if (performance.now() >= mustEndAt(flight, options)) abort.abort();
  };
  const result = await trySending(senders[senderOf[message.kind]], flight, checkLease);
  const { decision, inDoubt } = decide(
    { message, result, givenUp: abort.signal.aborted },
    policy,
    Math.random(),
  );
  const { id, kind, pool, destination, waiverId, version, attempts, trigger } = message;
  const { outcome, durationMs } = result;
  const status = 'status' in result ? result.status : undefined;
  const errorCode = 'errorCode' in result ? result.errorCode : undefined;
  const warnings = ('warnings' in result ? result.warnings : undefined) ?? [];
  // What a receiver answers when it takes a record may be the record itself.
  const response = outcome === 'refused' || outcome === 'in-doubt' ? result.response : undefined;
  onEvent({
    type: 'attempt',
    message: { id, kind, pool, destination, waiverId, version, attempts, trigger },
    result: { outcome, durationMs, status, errorCode },
    decision: decision.kind,
    ...(outcome === 'own-fault' ? { error: result.error } : {}),
  });
  return {
    destination,
    result,
    wasFailing: message.failing,
    finished: {
      pool,
      destination,
      orderingKey: message.orderingKey,
      leaseToken: message.leaseToken,
      id,
      decision,
      inDoubt,
      attempt: {
        ...{ at, durationMs, outcome, trigger, status, errorCode, response },
        ...(warnings.length === 0 ? {} : { warnings: keptWarnings(warnings) }),
      },
    },
  };
}
