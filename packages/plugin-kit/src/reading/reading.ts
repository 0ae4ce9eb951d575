import {
  type BookingIssue,
  type BookingSystemManifest,
  InvalidBookingResponse,
  type StatusGroup,
  type Warning,
  type WarningCode,
} from '@waiver-service/core';
import { quoted } from './json.ts';

// A body of 5 MiB can hold 100,000 invalid guests. Beyond these limits, warnings and issues are only counted.
const maxIssues = 20;
const maxWarnings = 1000;

/** Collects the warnings (tolerated deviations) and issues (fatal ones) found while reading one response. */
export class Reading {
  readonly #warnings: Warning[] = [];
  readonly #issues: BookingIssue[] = [];
  #moreWarnings = 0;
  #moreIssues = 0;

  /** Adds a warning: the value was tolerated. The message says how. */
  warn(code: WarningCode, path: string | undefined, message: string): void {
    const warning = path === undefined ? { code, message } : { code, path, message };
    if (this.#warnings.length < maxWarnings) this.#warnings.push(warning);
    else this.#moreWarnings += 1;
  }

  /** Adds an issue: {@link throwIfRefused} will throw. */
  refuse(path: string, message: string): void {
    if (this.#issues.length < maxIssues) this.#issues.push({ path, message });
    else this.#moreIssues += 1;
  }

  /** The warnings, in the order in which they were added. */
  get warnings(): Warning[] {
    if (this.#moreWarnings === 0) return this.#warnings;
    const message = `${this.#moreWarnings} more warnings are not listed`;
    return [...this.#warnings, { code: 'warnings_left_out', message }];
  }

  /** Throws InvalidBookingResponse if there are issues. */
  throwIfRefused(): void {
    if (this.#issues.length === 0) return;
    const more = this.#moreIssues === 0 ? '' : ` (${this.#moreIssues} more are not listed)`;
    throw new InvalidBookingResponse(`the answer is not a booking${more}`, this.#issues);
  }
}

type StatusMap = BookingSystemManifest['statusMap'];

/** The group that a plugin's map gives to a status: `other` for an unknown status, `undefined` without a map. */
export function statusGroupOf(statusMap: StatusMap, status: string): StatusGroup | undefined {
  if (!statusMap) return undefined;
  return Object.hasOwn(statusMap, status) ? (statusMap[status] ?? 'other') : 'other';
}

/**
 * Adds a warning for a status that the plugin's map lacks. `path` and `meaning`, the status's place and what follows from
 * it, default to those of a booking's own status.
 */
export function warnOfUnknownStatus(
  reading: Reading,
  statusMap: StatusMap,
  {
    status,
    path = 'status',
    meaning = 'the booking counts neither as active nor as cancelled',
  }: { readonly status: string; readonly path?: string; readonly meaning?: string },
): void {
  if (!statusMap || Object.hasOwn(statusMap, status)) return;
  reading.warn(
    'unknown_status',
    path,
    `${path} is ${quoted(status)}, which is not a known status: ${meaning}`,
  );
}
