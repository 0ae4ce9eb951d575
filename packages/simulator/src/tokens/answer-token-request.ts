import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/** The client that tokens are issued to. */
export interface TokenClient {
  readonly id: string;
  readonly secret: string;
}

const refusal = (status: number, error: string, error_description: string): SimulatedAnswer => ({
  status,
  headers: { 'Cache-Control': 'no-store' },
  body: { error, error_description },
});

const unknownClient: SimulatedAnswer = {
  ...refusal(401, 'invalid_client', 'the client is not known, or its secret is wrong'),
  headers: { 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Basic realm="tokens"' },
};

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

function clientsNamedIn({ headers }: ReceivedRequest, form: URLSearchParams): TokenClient[] {
  const clients: TokenClient[] = [];
  const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    clients.push({ id: decoded(id), secret: decoded(secret) });
  }
  const secret = form.get('client_secret');
  if (secret !== null) clients.push({ id: form.get('client_id') ?? '', secret });
  return clients;
}

/**
 * Answers a request of OAuth 2.0's client credentials as RFC 6749 (2.3.1, 4.4, 5.2) says, and forgives nothing: a form, the
 * client by HTTP Basic or in the body but not by both, and each parameter once.
 */
export function answerTokenRequest(
  request: ReceivedRequest,
  client: TokenClient,
  tokens: IssuedTokens,
): SimulatedAnswer {
  const { method, headers, body } = request;
  if (method !== 'POST') return refusal(405, 'invalid_request', 'tokens are asked for by POST');
  if (!/^application\/x-www-form-urlencoded(;|$)/i.test(headers['content-type'] ?? ''))
    return refusal(400, 'invalid_request', 'the body is not a form');
  const form = new URLSearchParams(body.toString());
  const names = [...form.keys()];
  if (new Set(names).size < names.length) return refusal(400, 'invalid_request', 'a parameter comes twice');
  const [named, another] = clientsNamedIn(request, form);
  if (another !== undefined) return refusal(400, 'invalid_request', 'the client authenticates in two ways');
  if (named?.id !== client.id || named.secret !== client.secret) return unknownClient;
  if (form.get('grant_type') !== 'client_credentials')
    return refusal(400, 'unsupported_grant_type', 'this client may only use client_credentials');
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: { access_token: tokens.issue(), token_type: 'Bearer', expires_in: tokens.lifetimeSeconds },
  };
}
