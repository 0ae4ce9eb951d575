import { createHash } from 'node:crypto';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { type ContractSuiteOptions, runContractSuite } from '../src/index.ts';
import {
  goodJudgingPlugin,
  goodLegacyPlugin,
  goodQueryPlugin,
  goodWaiverIdPlugin,
  judgingOptions,
} from './good-plugins.ts';
import {
  authorizedOptions,
  goodAuthorizedPlugin,
  goodLoginPlugin,
  goodSessionPlugin,
  loginOptions,
  sessionOptions,
} from './good-session-plugin.ts';
import {
  goodQuerySignedPlugin,
  goodSignedPlugin,
  querySignedOptions,
  signedOptions,
} from './good-signed-plugin.ts';
import { goodVerifiedPlugin, verifiedOptions } from './good-verified-plugin.ts';
import { goodWebhooksPlugin, webhookOptions } from './good-webhooks-plugin.ts';

/** The token of an account: as long as one with claims in it usually is, and far longer than what a message quotes. */
const tokenOf = (apiKey: string) =>
  Array.from({ length: 10 }, (_, part) =>
    createHash('sha256').update(`${part}${apiKey}`).digest('base64url'),
  ).join('');

/** Sends a token in place of the key, which it has to wait for. */
const goodTokenPlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good-token',
  displayName: 'Good, by token',
  contract: {
    authHeaderName: 'Authorization',
    guestUpdateAuthHeaderName: 'Authorization',
    pathShape: 'query',
    guestId: 'waiver-id',
  },
  async authenticate({ account }) {
    await Promise.resolve();
    return { headers: { Authorization: `Bearer ${tokenOf(account.apiKey)}` } };
  },
});

const tokenOptions: ContractSuiteOptions = {
  isAuthentic: ({ headers }, { account }) => headers.authorization === `Bearer ${tokenOf(account.apiKey)}`,
};

runContractSuite(goodTokenPlugin, tokenOptions);
runContractSuite(goodSignedPlugin, signedOptions);
runContractSuite(goodQueryPlugin);
runContractSuite(goodWaiverIdPlugin);
runContractSuite(goodLegacyPlugin);
runContractSuite(goodWebhooksPlugin, webhookOptions);
runContractSuite(goodVerifiedPlugin, verifiedOptions);
runContractSuite(goodSessionPlugin, sessionOptions);
runContractSuite(goodLoginPlugin, loginOptions);
runContractSuite(goodAuthorizedPlugin, authorizedOptions);
runContractSuite(goodQuerySignedPlugin, querySignedOptions);
runContractSuite(goodJudgingPlugin, judgingOptions);
