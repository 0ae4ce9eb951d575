import type { BookingSystemPlugin } from '@waiver-service/core';
import { goodNativePlugin, nativeOptions } from '../good-native-plugin.ts';
import { withAnswer, withParts, withRequest } from './alterations.ts';
import type { BadPlugin, BadPlugins } from './bad-plugin.ts';

const bad = (plugin: BookingSystemPlugin): BadPlugin => ({ plugin, options: nativeOptions });

/** Treats one of the vendor's error codes as its own failure. */
const overlooking = (word: string) =>
  bad(
    withAnswer('get', ({ data }) => (Object(data).error === word ? { status: 500 } : {}), goodNativePlugin),
  );

export const badNativePlugins: BadPlugins = {
  'native/read-request': {
    ...bad(withRequest(({ request: { params, ...request } }) => ({ request }), goodNativePlugin)),
    also: ['native/bodies'],
  },
  'native/bodies': bad(
    withParts(
      {
        async fetchBooking(context, bookingId) {
          const account = goodNativePlugin.accountSchema.parse(context.account);
          const fetched = await goodNativePlugin.fetchBooking(
            { ...context, settings: {}, account },
            bookingId,
          );
          return { ...fetched, booking: { ...fetched.booking, pax: fetched.booking.pax + 1 } };
        },
      },
      goodNativePlugin,
    ),
  ),
  'native/not-found': overlooking('NO_SUCH'),
  'native/refusals': overlooking('BAD_KEY'),
  'native/guest-updates': bad(
    withAnswer(
      'get',
      ({ data }) => (Object(data).text === undefined ? {} : { data: { text: '' } }),
      goodNativePlugin,
    ),
  ),
};
