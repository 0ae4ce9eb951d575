import type { BookingSystemPlugin } from '@waiver-service/core';
import { tokenPlugin } from '@waiver-service/testing/tokens';
import { startTestHost, type TestHost } from './test-host.ts';

/** A host whose only plugin is {@link tokenPlugin}. */
export const startTokenHost = (
  variables: Readonly<Record<string, string>> = {},
  plugin: BookingSystemPlugin = tokenPlugin(),
): Promise<TestHost> =>
  startTestHost(variables, {
    pluginPackages: ['@waiver-service/plugin-tokens'],
    importPackage: async () => ({ default: plugin }),
  });
