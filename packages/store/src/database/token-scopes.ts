/** The rights that an access token can have. */
export const tokenScopes = ['bookings:read', 'waivers:write', 'waivers:read', 'waivers:list'] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];
