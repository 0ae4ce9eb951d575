import { createWriteStream, type WriteStream } from 'node:fs';
import { z } from 'zod';
import { showDetail } from './screen.ts';

/** The waiver service's answer, and how long it took. */
interface ServiceAnswer<T> {
  readonly body: T;
  readonly milliseconds: number;
}

/** Calls the waiver service as one caller, and can show calls and answers. */
export class WaiverServiceClient {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  /** Makes a call and reads its answer. Throws with the answer unless it is a success. */
  async call<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
  ): Promise<ServiceAnswer<T>> {
    const startedAt = performance.now();
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const milliseconds = performance.now() - startedAt;
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return { body: schema.parse(text === '' ? undefined : JSON.parse(text)), milliseconds };
  }

  /** The same, with request and answer on the screen. */
  async showCall<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
  ): Promise<ServiceAnswer<T>> {
    const answer = await this.call(method, path, schema, body);
    showDetail(`→ ${method} ${path}${body === undefined ? '' : `  ${JSON.stringify(body)}`}`);
    showDetail(`← ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

/** For an answer whose body is not needed. */
export const anything = z.unknown();

/**
 * The file of the host's log. It is opened, and emptied, only when the host runs: before that, it may be the log of
 * another demo, which prevents this one from starting.
 */
export class HostLog {
  readonly file: string;
  #early: string[] = [];
  #stream: WriteStream | undefined;

  constructor(file: string) {
    this.file = file;
  }

  write(line: string): void {
    if (this.#stream === undefined) this.#early.push(line);
    else this.#stream.write(`${line}\n`);
  }

  open(): void {
    this.#stream = createWriteStream(this.file, { mode: 0o600 });
    for (const line of this.#early) this.write(line);
    this.#early = [];
  }
}
