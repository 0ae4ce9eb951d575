import { type AccountId, installResponseSchema } from '@waiver-service/core';

/** The input for installing the booking system for a pool (contract 4.4). */
export interface InstallCall {
  /** The waiver service's base address. */
  readonly baseUrl: string;
  readonly installName: string;
  /** The global install key. */
  readonly key: string;
  readonly pool: string;
  readonly accountId: AccountId;
}

/** The result of an install. */
export interface Installation {
  readonly pool: string;
  readonly webhookUrl: string;
  readonly appPoolKey: string;
}

/** The waiver service's response to an inbound call. */
export interface AnnouncementAnswer {
  readonly pool: string;
  readonly status: number;
  readonly body: unknown;
}

/** Makes a simulated booking system's calls to the waiver service, and keeps its installations. */
export class Installations {
  readonly #apiKey: string;
  readonly #installed = new Map<string, Installation>();

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** Makes the install call and stores the result. Throws an error with the response if it is refused. */
  async install({ baseUrl, installName, key, pool, accountId }: InstallCall): Promise<Installation> {
    const url = `${baseUrl.replace(/\/$/, '')}/integration/install/${installName}`;
    const { status, body } = await post(url, { key, pool, accountId, apiKey: this.#apiKey });
    if (status !== 200) throw new Error(`install was answered ${status}: ${JSON.stringify(body)}`);
    const { webhookUrl, apiKey } = installResponseSchema.parse(body);
    const installation = { pool, webhookUrl, appPoolKey: apiKey };
    this.#installed.set(pool, installation);
    return installation;
  }

  get byPool(): ReadonlyMap<string, Installation> {
    return this.#installed;
  }

  /** Notifies the webhook URL of every installation that a booking was created or changed. */
  async announce(bookingId: string): Promise<readonly AnnouncementAnswer[]> {
    return Promise.all(
      [...this.#installed.values()].map(async ({ pool, webhookUrl, appPoolKey }) => {
        const answer = await post(webhookUrl, { id: bookingId, pool }, { 'api-key': appPoolKey });
        return { pool, ...answer };
      }),
    );
  }
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}
