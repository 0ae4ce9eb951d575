import { createHash } from 'node:crypto';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import type { ContractSuiteOptions } from '../src/index.ts';

/** The token of an account: as long as one with claims in it usually is, and far longer than what a message quotes. */
const tokenOf = (apiKey: string) =>
  Array.from({ length: 10 }, (_, part) =>
    createHash('sha256').update(`${part}${apiKey}`).digest('base64url'),
  ).join('');

/** Sends a token in place of the key, which it has to wait for. */
export const goodTokenPlugin: BookingSystemPlugin = defineBookingSystem({
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

export const tokenOptions: ContractSuiteOptions = {
  isAuthentic: ({ headers }, { account }) => headers.authorization === `Bearer ${tokenOf(account.apiKey)}`,
};
