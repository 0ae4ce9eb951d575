import type { IncomingHttpHeaders } from 'node:http';

/** What a simulated server answers when no fault stands in the way. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** One request, as it came off the wire. */
export interface ReceivedRequest<Route extends string = string> {
  readonly route: Route | 'other';
  readonly method: string;
  /** Path and query exactly as sent: nothing is decoded. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value: in the spelling and the order they came in. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: Date;
  /** What the request brought about; absent where a fault took its place. */
  readonly answer?: SimulatedAnswer;
}
