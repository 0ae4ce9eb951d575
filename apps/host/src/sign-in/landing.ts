const consolePage = '/console/';
// The browser keeps it, encrypted, in a cookie of at most 4 KiB.
const maxLength = 1_024;

/**
 * The page of the console to open after the sign-in. Anything else, or a longer address, leads to the first page: no link
 * can make a sign-in end on another site.
 */
export function landingOf(page: string | undefined, baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  const url = page === undefined ? null : URL.parse(page, origin);
  if (url === null || url.origin !== origin || !url.pathname.startsWith(consolePage)) return consolePage;
  const landing = `${url.pathname}${url.search}`;
  return landing.length > maxLength ? consolePage : landing;
}
