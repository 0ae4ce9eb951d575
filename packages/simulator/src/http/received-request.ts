import type { IncomingHttpHeaders } from 'node:http';

/** The normal response of a simulated server. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** A request as received. */
export interface ReceivedRequest<Route extends string = string> {
  readonly route: Route | 'other';
  readonly method: string;
  /** Path and query as sent, not decoded. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: Date;
  /** The normal response; absent if a fault prevented the request from taking effect. */
  readonly answer?: SimulatedAnswer;
}
