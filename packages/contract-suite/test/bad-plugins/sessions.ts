import {
  AuthenticationRejected,
  BookingNotFound,
  type BookingSystemSession,
  BookingSystemUnavailable,
  type InstalledAccount,
  isBookingSystemError,
} from '@waiver-service/core';
import { clientCredentials } from '@waiver-service/plugin-kit';
import {
  authorizedOptions,
  goodAuthorization,
  goodSession,
  goodSessionPlugin,
  sessionOptions,
  sessionPlugin,
} from '../good-session-plugin.ts';
import { goodSignedPlugin, signedOptions, signedParts, signedPlugin } from '../good-signed-plugin.ts';
import { type BadPlugins, withParts } from './alterations.ts';

type Renew = BookingSystemSession<unknown, InstalledAccount>['renew'];

const options = sessionOptions;
const renewing = (renew: Renew) => ({ plugin: sessionPlugin({ ...goodSession, renew }), options });

/** Replaces every error of a renewal. */
const failingWith = (replace: (error: Error) => Error) =>
  renewing(async (context, former) => {
    try {
      return await goodSession.renew(context, former);
    } catch (error) {
      throw error instanceof Error ? replace(error) : error;
    }
  });

const isRefusal = (error: unknown) =>
  isBookingSystemError(error) && error.code === 'booking_system_auth_rejected';

/** Of authentication without and with a session. */
export const badSessions: BadPlugins = {
  'authentication/authentic': {
    plugin: signedPlugin((request) => ({ ...signedParts(request), address: request.url.pathname })),
    options: signedOptions,
  },
  'authentication/other-secret': {
    plugin: withParts({ authenticate: () => ({ headers: { 'X-Signature': 'nonsense' } }) }, goodSignedPlugin),
    options: { ...signedOptions, isAuthentic: ({ headers }) => headers['x-signature'] === 'nonsense' },
  },
  'session/authorization-page': {
    plugin: sessionPlugin({
      ...goodAuthorization,
      authorizationUrl: ({ redirectUri, account }) =>
        new URL(`https://login.example.com/authorize?redirect_uri=${redirectUri}&client=${account.apiKey}`),
    }),
    options: authorizedOptions,
  },
  'session/one-token': {
    // Says of every token that it has ended already.
    ...renewing(async (context, former) => ({
      ...(await goodSession.renew(context, former)),
      expiresAt: context.now,
    })),
    also: ['session/renewed-after-refusal'],
  },
  'session/renewed-in-time': renewing(async (context, former) => ({
    ...(await goodSession.renew(context, former)),
    expiresAt: undefined,
  })),
  'session/renewed-after-refusal': {
    ...renewing(async (context, former) => former ?? goodSession.renew(context, former)),
    also: ['session/renewed-in-time'],
  },
  'session/refused-twice': {
    plugin: withParts(
      {
        async fetchBooking(context, bookingId) {
          try {
            return await goodSessionPlugin.fetchBooking(context, bookingId);
          } catch (error) {
            throw isRefusal(error) ? new BookingNotFound(`there is no booking ${bookingId}`) : error;
          }
        },
      },
      goodSessionPlugin,
    ),
    options,
    also: ['session/credentials-refused'],
  },
  'session/credentials-refused': failingWith((error) =>
    isRefusal(error) ? new BookingSystemUnavailable('there is no token: try again later') : error,
  ),
  'session/token-trouble': failingWith((error) =>
    'notSent' in error && error.notSent === true ? error : new AuthenticationRejected('there is no token'),
  ),
  'session/other-secret': {
    plugin: sessionPlugin(
      clientCredentials({ tokenUrl: '/oauth/token', client: () => ({ id: 'everyone', secret: 'the same' }) }),
    ),
    options: { ...options, tokens: { ...options.tokens, isAuthentic: () => true } },
  },
  'session/held-back': failingWith((error) =>
    'notSent' in error && error.notSent === true
      ? new BookingSystemUnavailable('there is no token: try again later')
      : error,
  ),
  'session/secrets': renewing(async (context, former) => {
    try {
      return await goodSession.renew(context, former);
    } catch (error) {
      const { apiKey } = context.account;
      throw isRefusal(error)
        ? new AuthenticationRejected(`no token for ${Buffer.from(apiKey).toString('base64')}`)
        : error;
    }
  }),
};
