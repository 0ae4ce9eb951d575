import { raiseForStatus, readBooking } from '@waiver-service/plugin-kit';
import { partnerBaseUrl } from '../../src/kit/partner.ts';
import { keyOf, withParts } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

export const badClients: BadPlugins = {
  'client/only-way-out': {
    // As the good plugin reads, but for the way that the request takes.
    plugin: withParts({
      async fetchBooking(context, bookingId) {
        const url = `${partnerBaseUrl}/bookings/${encodeURIComponent(bookingId)}?pool=${context.pool}`;
        const answer = await fetch(url, { headers: { 'api-key': keyOf(context) } });
        const data: unknown = await answer.json();
        raiseForStatus(
          { status: answer.status, headers: {}, data },
          { bookingSystem: 'Bad', purpose: 'read', bookingId },
        );
        return readBooking(data);
      },
    }),
  },
};
