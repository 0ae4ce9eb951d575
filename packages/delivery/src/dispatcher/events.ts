import type { ClaimedDelivery, DeliveryDecision } from '@waiver-service/store';
import type { SendResult } from '../sending/send-result.ts';

/** The message of an attempt, without its body. */
export type TriedMessage = Pick<
  ClaimedDelivery,
  'id' | 'kind' | 'pool' | 'destination' | 'waiverId' | 'version' | 'attempts' | 'trigger'
>;

/** The result of an attempt, without the response. */
export interface TriedResult extends Pick<SendResult, 'outcome' | 'durationMs'> {
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
}

/** An event of a dispatcher, for logs and metrics. Holds no secret and no body. */
export type DispatcherEvent =
  /** One attempt has ended. */
  | {
      readonly type: 'attempt';
      readonly message: TriedMessage;
      readonly result: TriedResult;
      readonly decision: DeliveryDecision['kind'];
      /** Of a fault of ours. */
      readonly error?: unknown;
    }
  | { readonly type: 'paused' | 'resumed'; readonly destination: string }
  /** Leases of processes that are gone were taken over. */
  | { readonly type: 'reclaimed'; readonly lanes: number }
  /** Leases of ours ran out: another process has taken the lanes. */
  | { readonly type: 'leases-lost'; readonly lanes: number }
  /** Leases could not be prolonged in time: what was being sent under them was given up. */
  | { readonly type: 'leases-unrenewed'; readonly lanes: number }
  /** An attempt that the database would not record; it will be sent again. */
  | { readonly type: 'unrecorded'; readonly delivery: string; readonly error: unknown }
  /** Something failed and is tried again: the database, most often. */
  | {
      readonly type: 'fault';
      readonly doing: 'claiming' | 'giving back' | 'recording' | 'extending' | 'reclaiming' | 'pruning';
      readonly error: unknown;
    };

/** Told everything that a dispatcher tells. What it throws is not caught. */
export type DispatcherListener = (event: DispatcherEvent) => void;
