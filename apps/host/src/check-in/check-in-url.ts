/** The address of the check-in page of a link. */
export const checkInUrl = (baseUrl: string, token: string): string => `${baseUrl}/check-in/${token}`;
