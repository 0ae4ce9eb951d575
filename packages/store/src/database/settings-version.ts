import { sql } from 'kysely';

/**
 * The version of an installation's configuration, from the rows `i` (installation) and `b` (booking system). Connections
 * are cached by it, so claims and pools' setups must name the same one.
 */
export const settingsVersion = sql<string>`concat(i.settings_version, ' ', b.settings_version)`;
