const secretName =
  /(key|token|secret|signature|sig|password|passwd|auth|authorization|authentication|credentials?)$/i;

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return secretName.test(decodedName(name)) ? `${name}=redacted` : pair;
}

/** A URL as it may be shown: no user, no password, no fragment, and no value of a query name that sounds secret. */
export function redactUrl(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  const question = withoutFragment.indexOf('?');
  const address = question < 0 ? withoutFragment : withoutFragment.slice(0, question);
  const shown = address.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/]*@/i, '$1');
  if (question < 0) return shown;
  return `${shown}?${withoutFragment
    .slice(question + 1)
    .split('&')
    .map(redactPair)
    .join('&')}`;
}
