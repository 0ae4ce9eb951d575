const secretName =
  /(key|token|secret|signature|sig|password|passwd|auth|authorization|authentication|credentials?|cookie)$/i;

/** Whether a header or parameter usually carries a secret, by its name. */
export const isSecretName = (name: string): boolean => secretName.test(name);

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
  return isSecretName(decodedName(name)) ? `${name}=redacted` : pair;
}

/** Removes credentials and fragment from a URL, and redacts query parameters whose names suggest a secret. */
export function redactUrl(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  const question = withoutFragment.indexOf('?');
  const address = question < 0 ? withoutFragment : withoutFragment.slice(0, question);
  const shown = address.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/]*@/i, '$1');
  if (question < 0) return shown;
  const query = withoutFragment.slice(question + 1);
  return `${shown}?${query.split('&').map(redactPair).join('&')}`;
}
