import { Agent, request } from 'undici';
import { z } from 'zod';
import { steadyNow } from '../receivers/messages.ts';
import { adminToken } from './secrets.ts';

const recordSchema = z.looseObject({ id: z.string(), updatedAt: z.string() });

/** An update that was answered. */
export interface AcceptedUpdate {
  readonly id: string;
  readonly updatedAt: string;
  /** When the answer arrived, on the machine's steady clock. */
  readonly acceptedAt: number;
}

/** A waiver app that uses one host. */
export interface WaiverClient {
  /** `PATCH /v1/pools/{pool}/waivers/{id}`: one more step of a waiver. */
  update(pool: string, id: string, currentPage: string): Promise<AcceptedUpdate>;
  close(): Promise<void>;
}

/** Opens persistent connections to a host. */
export function openWaiverClient(hostUrl: string): WaiverClient {
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  return {
    async update(pool, id, currentPage) {
      const { statusCode, body } = await request(`${hostUrl}/v1/pools/${pool}/waivers/${id}`, {
        dispatcher,
        method: 'PATCH',
        headers,
        body: JSON.stringify({ currentPage }),
      });
      const text = await body.text();
      const acceptedAt = steadyNow();
      if (statusCode !== 200) throw new Error(`an update was answered with ${statusCode}: ${text}`);
      return { ...recordSchema.parse(JSON.parse(text)), acceptedAt };
    },
    close: () => dispatcher.close(),
  };
}
