import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/**
 * Reads a small system file, and reparses it only when it has changed. An unreadable file counts as empty. Synchronous
 * on purpose: asynchronous file calls wait for one of libuv's few threads, which slow calls may occupy.
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

/** The addresses in a hosts file, by lower-case name. */
export function parseHostsFile(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((listed) => listed.toLowerCase())) {
      addresses.set(name, [...(addresses.get(name) ?? []), { address, family }]);
    }
  }
  return addresses;
}

/** The search list of a resolv.conf. */
export interface SearchList {
  readonly domains: readonly string[];
  /** A name with at least this many dots is first queried unchanged, before domains are appended. */
  readonly ndots: number;
}

const maxNdots = 15;

/** Parses `search`, `domain` and `options ndots` of a resolv.conf. The last of `search` and `domain` wins. */
export function parseSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const option of values) {
      const [, number] = /^ndots:(\d+)$/.exec(option) ?? [];
      if (number !== undefined) ndots = Math.min(Number(number), maxNdots);
    }
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter(Boolean), ndots };
}

/** The absolute names to query for a name, in the system resolver's order. */
export function candidatesOf(name: string, { domains, ndots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...completed] : [...completed, name];
}
