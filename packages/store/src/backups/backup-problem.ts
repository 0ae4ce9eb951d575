/** A backup cannot be written, read or restored; the message says why and what to do. Contains no secret. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

const fileSentences: Readonly<Record<string, string>> = {
  ENOENT: 'it, or the folder for it, is not there',
  ENOTDIR: 'a part of its path is a file and not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no permission there',
  EPERM: 'this user has no permission there',
  EROFS: 'the file system there can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** Explains why a file cannot be used. Other errors are returned as they are. */
export function fileProblem(cause: unknown, file: string): unknown {
  const isSystemError = cause instanceof Error && 'code' in cause && 'syscall' in cause;
  // A socket of the database that is missing has the code of a file that is.
  if (!isSystemError || cause.syscall === 'connect') return cause;
  const sentence = fileSentences[String(cause.code)];
  if (sentence === undefined) return cause;
  return new BackupProblem(`the file ${file} cannot be used: ${sentence}`, { cause });
}
