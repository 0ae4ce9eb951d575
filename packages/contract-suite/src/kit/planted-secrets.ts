import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import type { KnownAccess } from '../native/native-scenarios.ts';
import type { ContractSuiteOptions } from '../options.ts';

/** The API key of the suite's account. */
export const plantedApiKey = 'planted-account-key-7d1f0b9c5e';

/** The account and settings with which the suite calls a plugin. */
export const accessOf = ({ settings = {}, account }: ContractSuiteOptions): KnownAccess => ({
  settings,
  account: { accountId: 'account-1', apiKey: plantedApiKey, ...account },
});

const plantedPrefix = 'planted-';

function plantedTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(plantedPrefix) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(plantedTexts) : [];
}

/** The same value with each planted secret replaced by one of the same length, since a schema may require it. */
export function withOtherSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(plantedPrefix) ? `${value.slice(0, -1)}~` : value;
  if (Array.isArray(value)) return value.map(withOtherSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return otherFields(Object.fromEntries(Object.entries(value)));
}

const otherFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withOtherSecrets(value)]));

/** The same access with other secrets. */
export const otherAccess = ({ settings, account }: KnownAccess): KnownAccess => ({
  settings: otherFields(settings),
  account: {
    ...otherFields(account),
    accountId: account.accountId,
    apiKey: String(withOtherSecrets(account.apiKey)),
  },
});

const decodedBase64 = (text: string) => Buffer.from(text, 'base64').toString();

/** The secrets that no error may show: planted texts, and header values that contain one in base64. */
export function secretsOf(
  plugin: BookingSystemPlugin,
  settings: unknown,
  account: InstalledAccount,
): readonly string[] {
  const planted = [...plantedTexts(settings), ...plantedTexts(account)];
  const credentials = (['read', 'guest-update'] as const)
    .flatMap((purpose) => Object.values(plugin.headers({ settings, account, purpose })))
    .flatMap((value) => value.split(' '))
    .filter((part) => planted.some((secret) => decodedBase64(part).includes(secret)));
  return [...new Set([...planted, ...credentials])];
}
