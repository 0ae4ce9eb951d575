import type { CheckedAccess } from '@waiver-service/core';
import { Reading } from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { timeZoneIn } from './read/venue.ts';
import { checkVenue } from './requests.ts';

/** Requests the API key's venue, and checks that its time zone is known. Throws core's errors. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  const venue = await checkVenue(context);
  const reading = new Reading();
  if (context.account.timeZone === undefined && timeZoneIn(venue) === undefined) {
    reading.warn(
      'value_ignored',
      'timeZone',
      'ROLLER names no time zone of the venue that is in the IANA database: bookings cannot be read until the account has `timeZone`',
    );
  }
  return { warnings: reading.warnings };
}
