/** The address of the copy of what was signed. */
export const copyUrl = (baseUrl: string, token: string): string => `${baseUrl}/copies/${token}`;
