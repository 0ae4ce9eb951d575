const nothing = Buffer.alloc(0);

/** The start of a body and its total length: the rest is counted and dropped. */
export class BodyExcerpt {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes received so far, kept or not. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const room = this.#maxBytes - this.#size;
    this.#size += chunk.length;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
  }

  /** The kept chunks, concatenated. */
  bytes(): Buffer {
    const [first = nothing, ...more] = this.#chunks;
    return more.length === 0 ? first : Buffer.concat(this.#chunks);
  }
}
