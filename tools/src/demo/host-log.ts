import { createWriteStream, type WriteStream } from 'node:fs';

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
