import type { BookingSystemPlugin, FetchedBooking } from '@waiver-service/core';
import { goodNativePlugin, nativeOptions } from '../good-native-plugin.ts';
import { withAnswer, withParts, withRequest } from './alterations.ts';
import type { BadPlugin, BadPlugins } from './bad-plugin.ts';

const bad = (plugin: BookingSystemPlugin): BadPlugin => ({ plugin, options: nativeOptions });

/** Treats one of the vendor's error codes as its own failure. */
const overlooking = (word: string) =>
  bad(
    withAnswer('get', ({ data }) => (Object(data).error === word ? { status: 500 } : {}), goodNativePlugin),
  );

/** Reads as the good plugin does, and changes the result. */
const withRead = (change: (fetched: FetchedBooking, askedId: string) => Partial<FetchedBooking['booking']>) =>
  bad(
    withParts(
      {
        async fetchBooking(context, bookingId) {
          const account = goodNativePlugin.accountSchema.parse(context.account);
          const fetched = await goodNativePlugin.fetchBooking(
            { ...context, settings: {}, account },
            bookingId,
          );
          return { ...fetched, booking: { ...fetched.booking, ...change(fetched, bookingId) } };
        },
      },
      goodNativePlugin,
    ),
  );

export const badNativePlugins: BadPlugins = {
  'native/read-request': {
    ...bad(withRequest(({ request: { params, ...request } }) => ({ request }), goodNativePlugin)),
    also: ['native/bodies'],
  },
  'native/bodies': withRead(({ booking }) => ({ pax: booking.pax + 1 })),
  'native/not-found': overlooking('NO_SUCH'),
  'native/refusals': overlooking('BAD_KEY'),
  'native/guest-updates': bad(
    withAnswer(
      'get',
      ({ data }) => (Object(data).text === undefined ? {} : { data: { text: '' } }),
      goodNativePlugin,
    ),
  ),
  'aliases/read': withRead((_fetched, askedId) => ({ id: askedId })),
  // Writes without a look at whose note it has read.
  'aliases/write': bad(
    withAnswer(
      'get',
      ({ data }) => (Object(data).text === undefined ? {} : { data: { text: Object(data).text } }),
      goodNativePlugin,
    ),
  ),
};
