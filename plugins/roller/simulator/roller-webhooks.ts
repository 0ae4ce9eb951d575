import type { SimulatedAnswer } from '@waiver-service/simulator';

type Configuration = Readonly<Record<string, unknown>>;

/** A webhook as ROLLER stores it. */
export interface RollerWebhook {
  readonly webhookId: number;
  readonly createdDate: string;
  readonly configuration: Configuration;
}

const refuse = (name: string, message: string): SimulatedAnswer => ({
  status: 409,
  body: { errors: [{ name, message }] },
});

/** The refusal of a configuration; `undefined` if it is valid. */
function faultOf({ url, enabled, authentication, webhooks }: Configuration, isHttpTaken: boolean) {
  if (!isHttpTaken && !String(url).startsWith('https://')) return refuse('Url', 'must be HTTPS');
  if (typeof enabled !== 'boolean') return refuse('Enabled', 'is required');
  if (typeof Object(authentication).apiKey !== 'string')
    return refuse('Authentication', 'an apiKey is required');
  const { events } = Object(Object(webhooks).booking);
  return Array.isArray(events) && events.length > 0 ? undefined : refuse('Events', 'are required');
}

/** The webhooks of a venue. Duplicates are allowed. */
export class RollerWebhooks {
  readonly all: RollerWebhook[] = [];
  readonly #isHttpTaken: boolean;
  #created = 232;

  constructor(isHttpTaken: boolean) {
    this.#isHttpTaken = isHttpTaken;
  }

  answer(method: string, id: number, body: Configuration | undefined): SimulatedAnswer {
    if (method === 'GET') return { status: 200, body: [...this.all] };
    if (method === 'POST') return this.#create(body ?? {});
    const index = this.all.findIndex(({ webhookId }) => webhookId === id);
    if (index < 0) return { status: 404, body: 'Webhook not found' };
    this.all.splice(index, 1);
    return { status: 200, body: '' };
  }

  #create(configuration: Configuration): SimulatedAnswer {
    const fault = faultOf(configuration, this.#isHttpTaken);
    if (fault !== undefined) return fault;
    this.#created += 1;
    const createdDate = new Date().toISOString();
    const hook = { webhookId: this.#created, createdDate, configuration };
    this.all.push(hook);
    return { status: 201, body: hook };
  }
}
