import type { erasedGuestSchema, holdSchema } from '@waiver-service/api';
import type { GuestReference, Hold } from '@waiver-service/store';
import type { z } from 'zod';

export function guestOf({ waiverId, email }: z.infer<typeof erasedGuestSchema>): GuestReference {
  return waiverId === undefined ? { email: email ?? '' } : { waiverId };
}

/** A hold in the form of {@link holdSchema}; `withReason` is false if the caller may not see it. */
export const holdAnswer = (hold: Hold, withReason: boolean): z.input<typeof holdSchema> =>
  withReason ? hold : { ...hold, reason: null };
