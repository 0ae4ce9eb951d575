/** A backup cannot be written, read or restored; the message says why and what to do. Contains no secret. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

/** Names the file in a file system error. Returns other errors unchanged. */
export function fileProblem(error: unknown, file: string): unknown {
  // The error for a missing database socket has no `path`.
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  if (!isOfFile) return error;
  return new BackupProblem(`the file ${file} cannot be used: ${error.message}`, { cause: error });
}
