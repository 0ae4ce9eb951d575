export { AddressRefused } from './addresses/address-refused.ts';
export type { Exchange } from './exchange.ts';
export type { HttpOptions, HttpUse } from './http/axios-client.ts';
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type RawAnswer,
  type SendRequest,
} from './outbound.ts';
export { percentEncode } from './percent-encode.ts';
export { redactUrl } from './redaction/redact-url.ts';
export { createSecretRedactor, type SecretRedactor } from './redaction/secrets.ts';
export { retryAfterMsOf } from './retry-after.ts';
export type { AnswerHeaders } from './transport/transport.ts';
