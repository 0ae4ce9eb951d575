import { fetchBooking, statusMap } from '@waiver-service/octo-kit';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { judgeAnswer } from './answers.ts';

/**
 * Zaui (OCTO API): reads bookings only. Its documentation says that updates are not available, and mentions no
 * webhooks.
 */
export default defineBookingSystem({
  installName: 'zaui',
  displayName: 'Zaui',
  capabilities: {
    takes: [],
    void: false,
    requestLimits: { per: 'installation', windows: [{ requests: 65, windowMs: 60_000 }] },
  },
  statusMap,
  url: () => 'https://api.zaui.io/octo',
  headers: ({ account }) => ({ Authorization: `Bearer ${account.apiKey}` }),
  judgeAnswer,
  fetchBooking,
});
