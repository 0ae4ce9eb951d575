import {
  type BookingIssue,
  InvalidBookingResponse,
  type Warning,
  type WarningCode,
} from '@waiver-service/core';

// A body of 5 MiB can hold a hundred thousand guests without a name. What is over these is counted, not listed.
const mostIssues = 20;
const mostWarnings = 1000;

/** What is noted while one answer is read: warnings for what was forgiven, issues for what cannot be. */
export class Reading {
  readonly #warnings: Warning[] = [];
  readonly #issues: BookingIssue[] = [];
  #moreWarnings = 0;
  #moreIssues = 0;

  /** Notes a tolerance that was used. */
  warn(code: WarningCode, path: string | undefined, message: string): void {
    const warning = path === undefined ? { code, message } : { code, path, message };
    if (this.#warnings.length < mostWarnings) this.#warnings.push(warning);
    else this.#moreWarnings += 1;
  }

  /** Notes what keeps the answer from being a booking. */
  refuse(path: string, message: string): void {
    if (this.#issues.length < mostIssues) this.#issues.push({ path, message });
    else this.#moreIssues += 1;
  }

  /** The warnings, in the order in which they arose. */
  get warnings(): Warning[] {
    if (this.#moreWarnings === 0) return this.#warnings;
    const message = `${this.#moreWarnings} more warnings are not listed`;
    return [...this.#warnings, { code: 'warnings_left_out', message }];
  }

  /** Throws InvalidBookingResponse where anything was refused. */
  throwIfRefused(): void {
    if (this.#issues.length === 0) return;
    const more = this.#moreIssues === 0 ? '' : ` (${this.#moreIssues} more are not listed)`;
    throw new InvalidBookingResponse(`the answer is not a booking${more}`, this.#issues);
  }
}
