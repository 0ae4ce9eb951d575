import { type AccountId, installResponseSchema, uninstallResponseSchema } from '@waiver-service/core';

/** The input for installing the booking system for a pool (contract 4.4). */
export interface InstallCall {
  /** The waiver service's base address. */
  readonly baseUrl: string;
  readonly installName: string;
  /** The global install key. */
  readonly key: string;
  readonly pool: string;
  readonly accountId: AccountId;
  /** Additional account fields. */
  readonly accountInformation?: Readonly<Record<string, unknown>>;
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
  async install(call: InstallCall): Promise<Installation> {
    const answer = await post(addressOf(call, 'install'), this.#bodyOf(call));
    const { webhookUrl, apiKey } = installResponseSchema.parse(accepted(answer, 'install'));
    const installation = { pool: call.pool, webhookUrl, appPoolKey: apiKey };
    this.#installed.set(call.pool, installation);
    return installation;
  }

  /** Makes the uninstall call and removes the installation. Throws an error with the response if it is refused. */
  async uninstall(call: InstallCall): Promise<void> {
    const answer = await post(addressOf(call, 'uninstall'), this.#bodyOf(call));
    uninstallResponseSchema.parse(accepted(answer, 'uninstall'));
    this.#installed.delete(call.pool);
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

  #bodyOf({ key, pool, accountId, accountInformation }: InstallCall): Record<string, unknown> {
    return { ...accountInformation, key, pool, accountId, apiKey: this.#apiKey };
  }
}

function addressOf({ baseUrl, installName }: InstallCall, action: 'install' | 'uninstall'): string {
  return `${baseUrl.replace(/\/$/, '')}/integration/${action}/${installName}`;
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

function accepted({ status, body }: { status: number; body: unknown }, action: string): unknown {
  if (status !== 200) throw new Error(`${action} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
