const consolePage = '/console/';
// The browser keeps it, encrypted, in a cookie of at most 4 KiB.
const maxLength = 1_024;

/**
 * The page of the console to go to after the sign-in. Whatever is none, or is too long, leads to the first one: no link
 * can make a sign-in end on another site.
 */
export function landingOf(wanted: string | undefined, baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  const url = wanted === undefined ? null : URL.parse(wanted, origin);
  if (url === null || url.origin !== origin || !url.pathname.startsWith(consolePage)) return consolePage;
  const landing = `${url.pathname}${url.search}`;
  return landing.length > maxLength ? consolePage : landing;
}
