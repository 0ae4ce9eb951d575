import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FindingStatus, verifyEvidence } from '@waiver-service/evidence';
import { UsageError } from './options.ts';

/** More than a signing with all its photos can have. */
const maxBytes = 64 * 1024 * 1024;

export const verifyUsage = `Says what an evidence file proves, what it does not, and what was changed. Needs no database, no network.

  waiver-service verify <file> [--key <fingerprint>] [--json]

  <file>               evidence of one signing, as JSON; - is standard input
  --key <fingerprint>  the pool's key, if you know it: SHA-256 in hex, as the operator published it
  --json               the findings as JSON

Exit status: 0 nothing was changed, 1 something was, 2 the call itself is wrong.`;

const headings: Readonly<Record<FindingStatus, string>> = {
  changed: 'Changed',
  proven: 'Proven',
  erased: 'Erased',
  'not-proven': 'Not proven',
};

function readLine(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { key: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return { ...values, files: positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readEvidence(file: string): string {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    if (bytes.length > maxBytes) throw new Error(`it has more than ${maxBytes / 1024 / 1024} MB`);
    // Fails on bytes that are no UTF-8, which programs read differently.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(
      `cannot read ${file === '-' ? 'standard input' : file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/**
 * `waiver-service verify`: writes the findings to standard output.
 *
 * @returns the exit status: 1 if something was changed
 * @throws UsageError
 */
export function verify(args: readonly string[], print: (text: string) => void): number {
  const { files, key, json, help } = readLine(args);
  if (help) {
    print(verifyUsage);
    return 0;
  }
  const [file, ...more] = files;
  if (file === undefined || more.length > 0)
    throw new UsageError('verify takes one file: waiver-service verify <file>');
  const fingerprint = key?.replaceAll(':', '').toLowerCase();
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint))
    throw new UsageError('--key is no SHA-256 in hex, of 64 digits');
  const findings = verifyEvidence(readEvidence(file), fingerprint);
  const unchanged = findings.every(({ status }) => status !== 'changed');
  if (json) print(JSON.stringify({ unchanged, findings }, null, 2));
  else {
    for (const [status, heading] of Object.entries(headings)) {
      const sentences = findings.filter((finding) => finding.status === status);
      if (sentences.length > 0)
        print([`${heading}:`, ...sentences.map(({ sentence }) => `- ${sentence}`), ''].join('\n'));
    }
    print(unchanged ? 'Nothing was changed.' : 'This file was changed. Do not rely on it.');
  }
  return unchanged ? 0 : 1;
}
