export interface Finding {
  /** A short name, stable for programs: `database`, `clock`. */
  readonly check: string;
  /** Only a `problem` fails the check; a `note` is for a person to judge. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly message: string;
}

type Say = (check: string, message: string) => Finding;

export const ok: Say = (check, message) => ({ check, status: 'ok', message });
export const note: Say = (check, message) => ({ check, status: 'note', message });
export const problem: Say = (check, message) => ({ check, status: 'problem', message });
