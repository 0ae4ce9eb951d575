import { randomUUID } from 'node:crypto';
import { OctoRefusal } from './octo-refusal.ts';

/** A webhook of the account. */
export interface OctoWebhook {
  readonly id: string;
  readonly event: string;
  readonly url: string;
}

const events = ['booking_update', 'availability_update'];

const webhookOf = (sent: unknown): Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    ? Object.fromEntries(Object.entries(sent))
    : {};

/** The webhooks of `octo/webhooks`. An account may register the same one twice. */
export class OctoWebhooks {
  readonly all: OctoWebhook[] = [];

  carryOut(method: string, id: string | undefined, body: string): unknown {
    if (method === 'GET' && id === undefined) return this.all;
    if (method === 'POST' && id === undefined) return this.#create(webhookOf(JSON.parse(body)));
    const index = this.all.findIndex((hook) => hook.id === id);
    if (method !== 'DELETE' || index < 0) throw new OctoRefusal('BAD_REQUEST', 'there is no such webhook');
    return this.all.splice(index, 1)[0];
  }

  #create({ event, url }: Readonly<Record<string, unknown>>): OctoWebhook {
    if (typeof event !== 'string' || !events.includes(event))
      throw new OctoRefusal('BAD_REQUEST', 'there is no such event');
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new OctoRefusal('BAD_REQUEST', 'the url is not fully formed');
    const hook = { id: randomUUID(), event, url };
    this.all.push(hook);
    return hook;
  }
}
