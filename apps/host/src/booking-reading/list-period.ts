import type { periodFields } from '@waiver-service/api';
import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import type { z } from 'zod';
import { malformed } from '../http/http-problem.ts';

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
