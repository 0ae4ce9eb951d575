import type { Clause } from '../clause.ts';
import { aliasClauses } from './aliases.ts';
import { authenticationClauses } from './authentication.ts';
import { failedAnswerClauses } from './failed-answers.ts';
import { guardedClientClauses } from './guarded-client.ts';
import { guestUpdateAnswerClauses } from './guest-update-answers.ts';
import { guestUpdateRequestClauses } from './guest-update-request.ts';
import { inboundClauses } from './inbound.ts';
import { judgedAnswerClauses } from './judged-answers.ts';
import { listingClauses } from './listing.ts';
import { manifestClauses } from './manifest.ts';
import { nativeReadClauses } from './native-read.ts';
import { nativeWriteClauses } from './native-write.ts';
import { readErrorClauses } from './read-errors.ts';
import { readFormClauses } from './read-forms.ts';
import { readRefusalClauses } from './read-refusals.ts';
import { readRequestClauses, readSafetyClauses } from './read-request.ts';
import { readToleranceClauses } from './read-tolerances.ts';
import { requestLimitClauses } from './request-limits.ts';
import { secretClauses } from './secrets.ts';
import { sessionClauses } from './sessions.ts';
import { webhookClauses } from './webhooks.ts';

/** Every clause of the suite, in order. */
export const allClauses: readonly Clause[] = [
  ...manifestClauses,
  ...guardedClientClauses,
  ...authenticationClauses,
  ...sessionClauses,
  ...readRequestClauses,
  ...readSafetyClauses,
  ...readFormClauses,
  ...readToleranceClauses,
  ...readRefusalClauses,
  ...readErrorClauses,
  ...failedAnswerClauses,
  ...nativeReadClauses,
  ...guestUpdateRequestClauses,
  ...guestUpdateAnswerClauses,
  ...nativeWriteClauses,
  ...inboundClauses,
  ...aliasClauses,
  ...listingClauses,
  ...webhookClauses,
  ...judgedAnswerClauses,
  ...requestLimitClauses,
  ...secretClauses,
];
