import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import { listenLocally } from './listen-locally.ts';

export const clientId = 'waiver-service';
export const clientSecret = 'client-secret-of-the-tests';

/** The issuer's knowledge of an account, by the name that signs in. */
const people: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  mia: { name: 'Mia Example', email: 'mia@example.com', email_verified: true, groups: ['waiver-admins'] },
  ove: {
    name: 'Ove Example',
    email: 'ove@example.com',
    email_verified: true,
    groups: ['staff', 'front-desk'],
  },
  eve: { name: 'Eve <b>Example</b>', email: 'eve@example.com', email_verified: false, groups: ['visitors'] },
};

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A signed token. */
function tokenOf(payload: object, key: KeyObject, header: object): string {
  const signed = `${encoded({ typ: 'JWT', ...header })}.${encoded(payload)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** The secret of HTTP Basic, which the standard has URL-encoded. */
const secretOf = (authorization: string) =>
  decodeURIComponent(
    Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')[1] ?? '',
  );

const basic = (secret: string) => `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;

/** Starts an OpenID Connect issuer on a loopback port: `oidc-provider`, with its own pages to sign in. */
export async function startIssuer(redirectUris: readonly string[]) {
  const [own, another] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  if (own === undefined || another === undefined) throw new Error('no keys');
  const listeners: { provider?: RequestListener } = {};
  /** Answers in the issuer's place, by path. */
  const instead = new Map<string, RequestListener>();
  const paths: string[] = [];
  const secrets = new Set([clientSecret]);
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    paths.push(path);
    // The provider knows one secret of a client; issuers in use take two while one is replaced.
    const { authorization } = request.headers;
    if (authorization?.startsWith('Basic ')) {
      const isTaken = secrets.has(secretOf(authorization));
      request.headers.authorization = basic(isTaken ? clientSecret : 'none');
    }
    (instead.get(path) ?? listeners.provider)?.(request, response);
  });
  const port = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    claims: { profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    jwks: { keys: [{ ...own.privateKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] },
    // Given, so that it does not talk about its defaults.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['cookie-key-of-the-tests'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people[accountId] }),
    }),
  });
  listeners.provider = provider.callback();

  return {
    url,
    host: `127.0.0.1:${port}`,
    instead,
    /** The secrets of the client that it takes. */
    secrets,
    /** The paths that were called so far. */
    paths,
    /** An ID token of this issuer, for `mia`; the claims given replace its own. */
    idToken(
      claims: object,
      { key = own.privateKey, ...header }: { key?: KeyObject; alg?: string } = {},
    ): string {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: clientId, sub: 'mia', iat: now, exp: now + 300, ...people.mia };
      return tokenOf({ ...usual, ...claims }, key, { alg: 'RS256', kid: 'own', ...header });
    },
    /** A key that is not the issuer's. */
    anotherKey: another.privateKey,
    /** Lets the token endpoint answer with an ID token, whatever the code. */
    giveToken(idToken: string): void {
      instead.set('/token', (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: 'access', token_type: 'Bearer', id_token: idToken }));
      });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

const formOf = (page: string) => ({
  action: /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '',
  prompt: /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '',
});

/** Goes through the issuer's pages as a browser does. @returns the address that the browser is sent back to */
export async function signInAtIssuer(issuer: Issuer, startUrl: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, form]: [string, URLSearchParams | undefined] = [startUrl, undefined];
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { body: form }),
      redirect: 'manual',
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split(/=(.*)/s) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, url);
      if (next.origin !== issuer.url) return next.href;
      [url, form] = [next.href, undefined];
      continue;
    }
    const { action, prompt } = formOf(await response.text());
    if (action === '') throw new Error(`the issuer answered ${response.status} at ${url}`);
    url = new URL(action, url).href;
    form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
  }
  throw new Error('the issuer sends the browser from page to page without end');
}

/** A token with the signature of another one: its words were changed after it was signed. */
export function anotherOf(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return [header, encoded({ ...claims, sub: 'mia' }), signature].join('.');
}
