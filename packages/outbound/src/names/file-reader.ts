import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a small file of the system, and parses it again only when it has changed; a file that cannot be read counts
 * as empty. Synchronous on purpose: asynchronous file calls share libuv's few threads with whatever else is slow.
 */
export function createFileReader<Content>(path: string, parse: (text: string) => Content): () => Content {
  let version = '';
  let content = parse('');
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const current = `${mtimeMs} ${size} ${ino}`;
      if (current !== version) {
        content = parse(readFileSync(path, 'utf8'));
        version = current;
      }
    } catch {
      content = parse('');
      version = '';
    }
    return content;
  };
}
