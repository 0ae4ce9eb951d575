import type { Store } from '@waiver-service/store';
import { maxAnswersBytes } from '@waiver-service/waivers';
import { HttpProblem } from '../http/http-problem.ts';

/** 404: the pool has no such waiver. The same if another pool has it. */
export function waiverNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'waiver_not_found', `This pool has no waiver ${JSON.stringify(id)}.`);
}

export function waiverErased(id: string): HttpProblem {
  return new HttpProblem(
    410,
    'waiver_erased',
    `The waiver ${JSON.stringify(id)} was erased, as its guest had asked. Its id cannot be used again.`,
  );
}

/** 410 for a waiver that was erased, else 404. */
export async function missingWaiver(
  { store }: { readonly store: { readonly guests: Pick<Store['guests'], 'erasures'> } },
  pool: string,
  id: string,
): Promise<HttpProblem> {
  return (await store.guests.erasures.isErased(pool, id)) ? waiverErased(id) : waiverNotFound(id);
}

/** 409: the id is taken. Reveals nothing about the other waiver, which may be another pool's. */
export function waiverExists(): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_exists',
    'A waiver with this id exists already. Leave the id out, choose another, or change the waiver by PATCH.',
  );
}

/** 409: the waiver was voided, which is final. */
export function waiverVoided(id: string): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_voided',
    `The waiver ${JSON.stringify(id)} was voided, which is final. Sign a new one.`,
  );
}

/** 413: more answers than a record can hold. */
export function waiverTooLarge(): HttpProblem {
  return new HttpProblem(
    413,
    'waiver_too_large',
    `The answers of this waiver would be larger than ${maxAnswersBytes / 1024} KiB as JSON. Send less, or remove answers first (an answer that is null is removed).`,
  );
}
