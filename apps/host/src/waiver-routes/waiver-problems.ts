import { maxAnswersBytes } from '@waiver-service/waivers';
import { HttpProblem } from '../http/http-problem.ts';

/** A 404 for a waiver that the pool has not. Another pool's answers the same. */
export function waiverNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'waiver_not_found', `This pool has no waiver ${JSON.stringify(id)}.`);
}

/** A 409 for an id that is taken, whoever holds it: another pool's waivers are none of the caller's business. */
export function waiverExists(): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_exists',
    'A waiver with this id exists already. Leave the id out, choose another, or change the waiver by PATCH.',
  );
}

/** A 409 for a change of a waiver that was voided: a void is final. */
export function waiverVoided(id: string): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_voided',
    `The waiver ${JSON.stringify(id)} was voided, which is final. Sign a new one.`,
  );
}

/** A 413 for answers that would be more than a record may hold. */
export function waiverTooLarge(): HttpProblem {
  return new HttpProblem(
    413,
    'waiver_too_large',
    `The answers of this waiver would be larger than ${maxAnswersBytes / 1024} KiB as JSON. Send less, or remove answers first (an answer that is null is removed).`,
  );
}
