import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { SignableRequest } from '@waiver-service/core';

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
  /** The response of a fault with a status and a body, in place of the normal one. */
  readonly faultAnswer?: SimulatedAnswer;
}

/** A received request as {@link SignableRequest}, to verify its authentication. `origin` is the server's. */
export function signableRequest(request: ReceivedRequest, origin: string): SignableRequest {
  const { method, path, headers, body, at: now } = request;
  const values = Object.entries(headers).map(([name, value = '']) => [name, String(value)]);
  return { method, url: new URL(`${origin}${path}`), headers: Object.fromEntries(values), body, now };
}

/** Sends an answer as JSON, with its length. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: SimulatedAnswer): void {
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  sendText(response, status, JSON.stringify(body), 'application/json; charset=utf-8');
}

/** Sends a text of any content type, with its length. */
export function sendText(response: ServerResponse, status: number, text: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
