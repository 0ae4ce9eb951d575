import type { shownSessionSchema } from '@waiver-service/api';
import type { BookedSession } from '@waiver-service/core';
import type { z } from 'zod';

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
