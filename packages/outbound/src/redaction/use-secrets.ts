import type { SecretRedactor, SecretValues } from './secrets.ts';

/** The secrets of one use: those of its connection, and those of its requests as they are sent. */
export class UseSecrets implements SecretRedactor {
  #secrets: SecretValues;

  constructor(ofConnection: SecretValues) {
    this.#secrets = ofConnection;
  }

  get reach(): number {
    return this.#secrets.reach;
  }

  add(...values: readonly Readonly<Record<string, string>>[]): void {
    this.#secrets = this.#secrets.with(...values);
  }

  redact(text: string): string {
    return this.#secrets.redact(text);
  }

  redactData(text: string): string {
    return this.#secrets.redactData(text);
  }
}
