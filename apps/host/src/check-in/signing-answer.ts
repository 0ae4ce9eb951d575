import type { signingAnswerSchema } from '@waiver-service/api';
import type { SigningOutcome, StoredSigning } from '@waiver-service/store';
import type { z } from 'zod';
import type { BaseUrl } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { waiverTooLarge } from '../waiver-routes/waiver-problems.ts';
import { copyUrl } from './copy-url.ts';
import { dayFull } from './guest-budgets.ts';

/** A stored signing in the form of {@link signingAnswerSchema}. */
export const signingAnswer = (
  { baseUrl }: { readonly baseUrl: BaseUrl },
  { id, receivedAt, waivers, copyToken }: StoredSigning,
): z.input<typeof signingAnswerSchema> => ({
  id,
  receivedAt,
  waivers: waivers.map(({ id: waiver, bookingGuestId }) =>
    bookingGuestId === null ? { id: waiver } : { id: waiver, bookingGuestId },
  ),
  copy: { url: copyUrl(baseUrl(), copyToken) },
});

const gone = () =>
  new HttpProblem(
    409,
    'waiver_voided',
    'What was signed before with this id was withdrawn by the operator: begin again.',
  );

/** 409: what has this id is none of the caller's business. */
export const signingExists = () =>
  new HttpProblem(409, 'signing_exists', 'Another signing has this id: begin again.');

/** The signing of a successful outcome. @throws HttpProblem for the others */
export function signingOf(result: SigningOutcome): StoredSigning {
  if ('signing' in result) return result.signing;
  switch (result.outcome) {
    case 'exists-differently':
    case 'id-taken':
      throw signingExists();
    case 'answers-too-large':
      throw waiverTooLarge();
    case 'link-day-full':
    case 'pool-day-full':
      throw dayFull(result.outcome);
    case 'waiver-gone':
    case 'confirmed-gone':
    case 'unknown-pool':
      throw gone();
  }
}
