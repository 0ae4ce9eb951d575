import type { BookedSession } from '@waiver-service/core';
import { z } from 'zod';

/** A booked session without the fields that its booking system adds. */
export const shownSessionSchema = z
  .object({
    startsAt: z.string(),
    endsAt: z.string().optional(),
    activityId: z.string().optional(),
    activityName: z.string().optional(),
  })
  .meta({ id: 'ShownSession' });

/** A session in the form of {@link shownSessionSchema}. */
export const shownSession = ({
  startsAt,
  endsAt,
  activityId,
  activityName,
}: BookedSession): z.input<typeof shownSessionSchema> => ({
  startsAt,
  ...(endsAt === undefined ? {} : { endsAt }),
  ...(activityId === undefined ? {} : { activityId }),
  ...(activityName === undefined ? {} : { activityName }),
});
