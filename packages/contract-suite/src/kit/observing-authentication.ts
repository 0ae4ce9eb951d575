import type { BookingSystemPlugin } from '@waiver-service/core';

/** The lowercase names of the headers and query parameters that a plugin's `authenticate` has added so far. */
export interface AddedNames {
  readonly headers: Set<string>;
  readonly query: Set<string>;
}

/** The plugin, whose `authenticate` notes the names of what it adds. */
export function observingAuthentication(plugin: BookingSystemPlugin, added: AddedNames): BookingSystemPlugin {
  const { authenticate } = plugin;
  if (authenticate === undefined) return plugin;
  return {
    ...plugin,
    authenticate: async (request) => {
      const authentication = await authenticate(request);
      for (const name of Object.keys(authentication.headers ?? {})) added.headers.add(name.toLowerCase());
      for (const name of Object.keys(authentication.query ?? {})) added.query.add(name.toLowerCase());
      return authentication;
    },
  };
}
