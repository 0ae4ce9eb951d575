import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a small system file, and parses it again only when it has changed. An unreadable file counts as empty.
 * Synchronous on purpose: asynchronous file calls wait for libuv's few threads, which slow calls may occupy.
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
