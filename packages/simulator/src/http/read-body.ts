import type { IncomingMessage } from 'node:http';

/** Largest body that a simulated server reads, in bytes. */
export const largestBody = 8 * 1024 * 1024;

/**
 * Reads a request's body, `undefined` where it is longer than {@link largestBody}. The rest of such a body is read
 * and thrown away, so that the caller gets to see the answer.
 */
export async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= largestBody) chunks.push(bytes);
  }
  return length <= largestBody ? Buffer.concat(chunks) : undefined;
}
