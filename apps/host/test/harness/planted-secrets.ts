import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Secrets by name, and how each would look where it is not encrypted. */
export class PlantedSecrets {
  readonly #spellings = new Map<string, Set<string>>();

  /** Plants a secret: from now on it is looked for. Returns it. */
  plant(name: string, secret: string): string {
    const bytes = Buffer.from(secret);
    const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    const encodings = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
    this.#spellings.set(name, new Set([...spellings, ...encodings]));
    return secret;
  }

  /** Plants bytes that are a secret as they are, and as text. */
  plantBytes(name: string, bytes: Buffer): void {
    this.plant(name, bytes.toString('base64'));
    this.#spellings.get(name)?.add(bytes.toString('latin1')).add(bytes.toString('hex'));
  }

  get names(): string[] {
    return [...this.#spellings.keys()];
  }

  /** The names of the secrets that a text shows. */
  shownIn(text: string): string[] {
    const isShown = ([, spellings]: [string, Set<string>]) =>
      [...spellings].some((spelling) => text.includes(spelling));
    return [...this.#spellings].filter(isShown).map(([name]) => name);
  }

  /** `file: secret` for each secret that a file below a folder shows. */
  async shownBelow(folder: string): Promise<{ readonly files: number; readonly shown: string[] }> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const shown: string[] = [];
    const files = entries.filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      const content = (await readFile(join(parentPath, name))).toString('latin1');
      shown.push(...this.shownIn(content).map((secret) => `${join(parentPath, name)}: ${secret}`));
    }
    return { files: files.length, shown };
  }
}
