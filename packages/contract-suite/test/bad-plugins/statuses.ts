import { withAnswer } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

type Method = Parameters<typeof withAnswer>[0];

/** Treats one status as another. */
export const mistaking = (method: Method, from: number, to: number) =>
  withAnswer(method, ({ status }) => (status === from ? { status: to } : {}));

/** Changes the Retry-After of a 429. */
const retryAfterChanged = (method: Method, change: (retryAfter: unknown) => unknown) =>
  withAnswer(method, ({ status, headers }) =>
    status === 429 ? { headers: { ...headers, 'retry-after': change(headers['retry-after']) } } : {},
  );

const isSeconds = (value: unknown) => /^\d+$/.test(String(value));

/** Plugins that misread the statuses of a read, or of a write. */
export const badStatuses = (theme: string, method: Method): BadPlugins => ({
  [`${theme}/401`]: { plugin: mistaking(method, 401, 500) },
  [`${theme}/403`]: { plugin: mistaking(method, 403, 500) },
  [`${theme}/429-seconds`]: {
    plugin: retryAfterChanged(method, (value) => (isSeconds(value) ? undefined : value)),
  },
  [`${theme}/429-date`]: {
    plugin: retryAfterChanged(method, (value) => (isSeconds(value) ? value : undefined)),
  },
  [`${theme}/429-without-time`]: { plugin: retryAfterChanged(method, (value) => value ?? '60') },
  [`${theme}/500`]: { plugin: mistaking(method, 502, 404) },
});
