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
export type { HttpClient, HttpTarget, HttpUse } from './http/axios-client.ts';
export type { FetchRequest, GuardedFetch } from './http/guarded-fetch.ts';
export { percentEncode } from './http/request-url.ts';
export type { SessionSource, SessionWait } from './http/sessions.ts';
export { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
export { createSecretRedactor, redactUrl, type SecretRedactor } from './redaction/secrets.ts';
export type { CallTrace } from './trace/call-trace.ts';
export type { ShownBody, ShownHeader, TraceStep } from './trace/trace-steps.ts';
export { charsetOf, decodeText } from './transport/decode-body.ts';
export { type AnswerHeaders, outboundRequestChannel } from './transport/transport.ts';
