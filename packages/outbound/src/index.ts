export { AddressRefused } from './addresses/address-guard.ts';
export type { BeforeRequest } from './call.ts';
export {
  type ConnectionRequest,
  createConnectionCache,
  type Endpoint,
  type EndpointMessage,
  type EndpointOptions,
  type RawAnswer,
} from './endpoint.ts';
export { type Exchange, holdMsOf, maxRetryAfterMs, retryAfterMsOf } from './exchange.ts';
export type { HttpClient, HttpTarget, HttpUse, SessionSource, SessionWait } from './http/axios-client.ts';
export { percentEncode } from './http/prepared-request.ts';

export {
  createOutbound,
  type FetchRequest,
  type GuardedFetch,
  type Outbound,
  type OutboundOptions,
} from './outbound.ts';

export { createSecretRedactor, redactUrl, type SecretRedactor } from './redaction/secrets.ts';
export type { CallTrace } from './trace/call-trace.ts';
export type { ShownBody, ShownHeader, TraceStep } from './trace/trace-steps.ts';
export { charsetOf, decodeText } from './transport/decode-body.ts';
export { type AnswerHeaders, outboundRequestChannel } from './transport/transport.ts';
