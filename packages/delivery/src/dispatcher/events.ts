import type { ClaimedDelivery, DeliveryDecision } from '@waiver-service/outbox';
import type { SendResult } from '../sending/send-result.ts';

/** The message of an attempt, without its body. */
type AttemptedMessage = Pick<
  ClaimedDelivery,
  'id' | 'kind' | 'pool' | 'destination' | 'bookingSystem' | 'waiverId' | 'version' | 'attempts' | 'trigger'
>;

/** The result of an attempt, without the response. */
interface AttemptResult extends Pick<SendResult, 'outcome' | 'durationMs'> {
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
}

/** An event of a dispatcher, for logs and metrics. Contains no secret and no body. */
export type DispatcherEvent =
  /** An attempt has ended. */
  | {
      readonly type: 'attempt';
      readonly message: AttemptedMessage;
      readonly result: AttemptResult;
      readonly decision: DeliveryDecision['kind'];
      /** How long until the next attempt, if there is one. */
      readonly retryInMs?: number | undefined;
      /** Present if the service itself failed. */
      readonly error?: unknown;
    }
  | { readonly type: 'paused' | 'resumed'; readonly destination: string }
  /** Messages claimed by lost processes were taken over. */
  | { readonly type: 'reclaimed'; readonly messages: number }
  /** This process's lease expired: another process has taken over its messages. */
  | { readonly type: 'leases-lost'; readonly messages: number }
  /** The lease could not be renewed in time: these sends were aborted. */
  | { readonly type: 'leases-unrenewed'; readonly messages: number }
  /** The database rejected the record of an attempt; the message will be sent again. */
  | {
      readonly type: 'unrecorded';
      readonly delivery: string;
      readonly pool: string;
      readonly error: unknown;
    }
  /** Something failed and is retried: usually the database. */
  | {
      readonly type: 'fault';
      /** Completes "the dispatcher failed while …". */
      readonly doing:
        | 'claiming messages'
        | 'returning messages'
        | 'recording attempts'
        | 'renewing its lease'
        | 'pruning attempts';
      readonly error: unknown;
    };

/** Receives all events of a dispatcher. Must not throw. */
export type DispatcherListener = (event: DispatcherEvent) => void;
