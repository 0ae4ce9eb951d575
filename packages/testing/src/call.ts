/** An answer of the host, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Awaited<ReturnType<Response['json']>>;
  /** The body as it came. */
  readonly text: string;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a host: a text is sent as it is, anything else as JSON. */
export async function call(
  url: string,
  body: unknown,
  { method, token = null, headers = {} }: CallOptions & { readonly method: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
}
