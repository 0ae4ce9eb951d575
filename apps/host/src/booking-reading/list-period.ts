import { isTimeZone, utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import { timeSchema } from '../http/date-time.ts';
import { malformed } from '../http/http-problem.ts';

/** A time in a query: a date-time with a time zone, or a date, which means its midnight. */
const momentSchema = z.union([timeSchema, z.iso.date()], {
  error: 'a date-time with a time zone, such as 2027-06-12T00:00:00+02:00, or a date, such as 2027-06-12',
});

/** The query parameters of a period. */
export const periodFields = {
  from: momentSchema.describe(
    'Only sessions that take place, at least in part, at or after this time: a date-time with a time zone, or a date, which means the beginning of that day in `timeZone`.',
  ),
  until: momentSchema.describe(
    'Only sessions that start before this time, at most 31 days after `from`. Same formats as `from`.',
  ),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'a time zone such as Europe/Vienna')
    .default('UTC')
    .describe('Time zone of `from` and `until` if they are dates, such as Europe/Vienna.'),
};

/** A period, its end excluded. */
export interface ListPeriod {
  readonly from: Date;
  readonly until: Date;
}

const maxPeriodMs = 31 * 86_400_000;

function momentOf(given: Date | string, timeZone: string): Date {
  if (given instanceof Date) return given;
  return new Date(utcOfLocalDateTime(`${given}T00:00:00`, timeZone) ?? Number.NaN);
}

/** @throws HttpProblem 400 for a period that is empty or longer than 31 days */
export function periodOf(query: z.infer<z.ZodObject<typeof periodFields>>): ListPeriod {
  const [from, until] = [momentOf(query.from, query.timeZone), momentOf(query.until, query.timeZone)];
  const length = until.getTime() - from.getTime();
  if (length > 0 && length <= maxPeriodMs) return { from, until };
  throw malformed([{ path: 'until', message: 'a time after `from`, and at most 31 days after it' }]);
}
