import { type AccountId, installResponseSchema, uninstallResponseSchema } from '@waiver-service/core';

/** What a booking system needs to install itself for a pool (contract 4.4). */
export interface InstallCall {
  /** The waiver service's base address. */
  readonly baseUrl: string;
  /** The name that the waiver service gave to this booking system. */
  readonly installName: string;
  /** The global install key. */
  readonly key: string;
  readonly pool: string;
  readonly accountId: AccountId;
  /** Additional account information. */
  readonly accountInformation?: Readonly<Record<string, unknown>>;
}

/** What the waiver service gave at install. */
export interface Installation {
  readonly pool: string;
  readonly webhookUrl: string;
  readonly appPoolKey: string;
}

/** How the waiver service answered an inbound call. */
export interface AnnouncementAnswer {
  readonly pool: string;
  readonly status: number;
  readonly body: unknown;
}

/** The installations of a simulated booking system, and the calls it makes for them. */
export class Installations {
  readonly #apiKey: string;
  readonly #installed = new Map<string, Installation>();

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** Makes the install call and keeps what it answers. Throws with the answer where it is refused. */
  async install(call: InstallCall): Promise<Installation> {
    const answer = await post(addressOf(call, 'install'), this.#bodyOf(call));
    const { webhookUrl, apiKey } = installResponseSchema.parse(accepted(answer, 'install'));
    const installation = { pool: call.pool, webhookUrl, appPoolKey: apiKey };
    this.#installed.set(call.pool, installation);
    return installation;
  }

  /** Makes the uninstall call and forgets the pool. Throws with the answer where it is refused. */
  async uninstall(call: InstallCall): Promise<void> {
    const answer = await post(addressOf(call, 'uninstall'), this.#bodyOf(call));
    uninstallResponseSchema.parse(accepted(answer, 'uninstall'));
    this.#installed.delete(call.pool);
  }

  /** What was installed, by pool. */
  get byPool(): ReadonlyMap<string, Installation> {
    return this.#installed;
  }

  /** Tells every pool's webhook address that a booking is new or has changed. */
  async announce(bookingId: string): Promise<readonly AnnouncementAnswer[]> {
    return Promise.all(
      [...this.#installed.values()].map(async ({ pool, webhookUrl, appPoolKey }) => {
        const answer = await post(webhookUrl, { id: bookingId, pool }, { 'api-key': appPoolKey });
        return { pool, ...answer };
      }),
    );
  }

  #bodyOf({ key, pool, accountId, accountInformation }: InstallCall): Record<string, unknown> {
    return { ...accountInformation, key, pool, accountId, apiKey: this.#apiKey };
  }
}

function addressOf({ baseUrl, installName }: InstallCall, what: 'install' | 'uninstall'): string {
  return `${baseUrl.replace(/\/$/, '')}/integration/${what}/${installName}`;
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

function accepted({ status, body }: { status: number; body: unknown }, what: string): unknown {
  if (status !== 200) throw new Error(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
