/** What an access token can be allowed to do. */
export const tokenScopes = ['bookings:read', 'waivers:write', 'waivers:read', 'waivers:list'] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];
