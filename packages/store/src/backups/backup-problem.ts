/** A backup cannot be written, read or restored; the message says why and what to do. Contains no secret. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

/** Names the file in an error of the file system. Other errors are returned as they are. */
export function fileProblem(error: unknown, file: string): unknown {
  // A socket of the database that is missing has no path.
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  if (!isOfFile) return error;
  return new BackupProblem(`the file ${file} cannot be used: ${error.message}`, { cause: error });
}
