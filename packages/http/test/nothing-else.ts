import type { AppOptions } from '../src/index.ts';

/** For an app on its own: ignores faults and traces nothing. */
export const nothingElse: Pick<AppOptions, 'faults' | 'tracing'> = {
  faults: { report() {} },
  tracing: { watchRequests() {} },
};
