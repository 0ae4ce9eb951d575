import { expect, test } from 'vitest';
import { bookingForms, outboundErrorCodes, statusGroups, warningCodes } from '../src/index.ts';

// These values are stored and are part of the HTTP API: renaming or removing one breaks its readers.
test('published values are neither renamed nor removed', () => {
  expect(bookingForms).toEqual(['current', 'legacy', 'native']);
  expect(statusGroups).toEqual(['active', 'cancelled', 'other']);
  expect(outboundErrorCodes).toEqual([
    'dns_error',
    'connection_refused',
    'connection_reset',
    'timeout',
    'tls_error',
    'redirect',
    'response_too_large',
    'http_status',
    'not_accepted',
    'blocked_address',
  ]);
  expect(warningCodes).toEqual([
    'both_forms',
    'null_as_absent',
    'number_as_string',
    'string_as_number',
    'date_time_rewritten',
    'guest_without_name',
    'session_incomplete',
    'contact_incomplete',
    'value_ignored',
    'characters_lost',
    'text_rewritten',
    'guest_id_repeated',
    'item_skipped',
    'count_disagrees',
    'nobody_expected',
    'unknown_status',
    'id_differs',
    'masked_email',
    'waiver_partly_written',
    'warnings_left_out',
  ]);
});
