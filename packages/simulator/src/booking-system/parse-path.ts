export type BookingSystemPath =
  | { readonly route: 'read'; readonly shape: 'path' | 'query'; readonly bookingId: string }
  | { readonly route: 'guest-update'; readonly bookingId: string; readonly guestPart: string };

// Matched before decoding: an encoded slash is part of an id, a bare one is not.
const onePath = /^\/bookings\/([^/]+)$/;
const queryPath = /^\/bookings$/;
const guestPath = /^\/bookings\/([^/]+)\/guests(?:\/([^/]*))?$/;

/** Parses a raw path; `undefined` if it is unknown or cannot be decoded. */
export function parsePath(method: string, rawPath: string): BookingSystemPath | undefined {
  const [path = '', query = ''] = splitOnce(rawPath, '?');
  try {
    const guest = guestPath.exec(path);
    if (guest && method === 'POST') {
      return {
        route: 'guest-update',
        bookingId: decodeURIComponent(guest[1] ?? ''),
        guestPart: decodeURIComponent(guest[2] ?? ''),
      };
    }
    if (method !== 'GET') return undefined;
    const one = onePath.exec(path);
    if (one) return { route: 'read', shape: 'path', bookingId: decodeURIComponent(one[1] ?? '') };
    if (!queryPath.test(path)) return undefined;
    return { route: 'read', shape: 'query', bookingId: new URLSearchParams(query).get('id') ?? '' };
  } catch {
    return undefined;
  }
}

/** The query of a raw path. */
export function queryOf(rawPath: string): URLSearchParams {
  return new URLSearchParams(splitOnce(rawPath, '?')[1]);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
