// Depends only on node:crypto, not even on this package's types: the sealing code's mistakes must not recur here.
import { createHash, createPublicKey, verify } from 'node:crypto';

/** `not-proven`: a reader must ask someone else. `erased`: gone, as the chain records. */
export type FindingStatus = 'proven' | 'not-proven' | 'erased' | 'changed';
export type Finding = { readonly status: FindingStatus; readonly sentence: string };
type Say = (status: FindingStatus, sentence: string) => unknown;
const format = 'waiver-evidence/1';
const partNames = 'core, person, sensitive, ink, trace';
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hashLines = (...lines: unknown[]) => sha256(`${format} ${lines.join('\n')}`);

const base64 = 'aaaa';
type Salted = { hash: string; salt?: string; text?: string };
const salted: Salted = { hash: '', salt: '', text: '' };
const record = {
  leaf: '',
  parts: [{ name: '', ...salted }],
  entries: [salted],
  photos: [{ id: '', data: base64 }],
};
const entry = { sequence: 1, former: '', leaf: '', head: '', signed: { at: '', signature: '' } };
const step: { left?: string; right?: string } = { left: '', right: '' };
const stamp = { sequence: 1, path: [step], root: '', token: base64 };
const example = { format, pool: '', publicKey: '', record, later: [record], chain: [entry], stamp };
const optional = ['salt', 'text', 'signed', 'stamp', 'left', 'right'];
type Entry = Omit<typeof entry, 'signed'> & Partial<typeof entry>;
type File = Omit<typeof example, 'chain' | 'stamp'> & { chain: Entry[]; stamp?: typeof stamp };

const get = (from: unknown, name: string): unknown => new Map(Object.entries(from ?? {})).get(name);
const list = (from: unknown, name: string): unknown[] => [get(from, name) ?? []].flat();

/** Whether a value has the members of an example, and no others. */
function isLike(value: unknown, like: unknown): boolean {
  if (like === base64) return value === Buffer.from(String(value), 'base64').toString('base64');
  if (!like || !value || typeof like !== 'object') return typeof value === typeof like && value !== null;
  if (Array.isArray(value) !== Array.isArray(like)) return false;
  if (Array.isArray(like)) return Object.values(value).every((one) => isLike(one, like[0]));
  const names = [...Object.keys(value), ...Object.keys(like).filter((name) => !optional.includes(name))];
  return names.every((name) => Object.hasOwn(like, name) && isLike(get(value, name), get(like, name)));
}
const isFile = (value: unknown): value is File => isLike(value, example);

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
const read = ({ parts }: typeof record, name: string): unknown =>
  attempt(() => JSON.parse(parts.find((part) => part.name === name)?.text ?? 'null'));
const minutes = (from: unknown, to: string) => (Date.parse(to) - Date.parse(String(from))) / 60_000;

/** Each part present must match its sealed hash; a missing one was erased, as a later record says, or left out. */
function checkRecord(sealed: typeof record, what: string, erasures: Map<unknown, unknown>, say: Say): void {
  const { parts, entries, photos } = sealed;
  const listed = (part: string, name: string) =>
    list(read(sealed, part), name).map((one, index) => {
      const label = `${name} ${get(one, 'item') ?? index + 1}`;
      return { id: get(one, 'id') ?? get(one, 'hash'), hash: get(one, 'hash'), label };
    });
  const expected = [
    ...parts.map(({ name, hash }) => ({ id: name, hash, label: `part ${name}` })),
    ...[listed('person', 'guests'), listed('person', 'signer'), listed('sensitive', 'health')].flat(),
    ...[listed('sensitive', 'shown'), listed('ink', 'acts'), listed('ink', 'photos')].flat(),
  ];
  const given = [
    ...parts
      .filter(({ salt, text }) => (salt ?? text) !== undefined)
      .map(({ name, salt, text }) => ({ id: name, hash: hashLines(`part ${name}`, salt, text) })),
    ...entries.map(({ hash, salt, text }) => ({ id: hash, hash: hashLines('entry', salt, text) })),
    ...photos.map(({ id, data }) => ({ id, hash: sha256(Buffer.from(data, 'base64')) })),
  ];
  const labelOf = (id: string) => expected.find((one) => one.id === id)?.label ?? `entry or photo ${id}`;
  const problems = given
    .filter(({ id, hash }) => !expected.some((one) => one.id === id && one.hash === hash))
    .map(({ id }) => `${labelOf(id)} is not what was sealed`);
  if (parts.map(({ name }) => name).join(', ') !== partNames) problems.push(`parts are not ${partNames}`);
  if (hashLines('leaf', ...parts.map(({ hash }) => hash)) !== sealed.leaf) problems.push('its leaf is wrong');
  for (const problem of problems) say('changed', `${what}: ${problem}.`);
  if (problems.length === 0) say('proven', `${what}: what is in this file of it is as it was sealed.`);
  for (const { id, label } of expected.filter((one) => !given.some(({ id }) => id === one.id)))
    if (erasures.has(id))
      say('erased', `${what}: ${label} was erased at ${erasures.get(id)}; the rest verifies.`);
    else say('not-proven', `${what}: ${label} was left out of this file; no erasure is known.`);
}

function checkChain({ pool, chain, publicKey }: File, say: Say): void {
  for (const [index, { sequence, former, leaf, head, signed }] of chain.entries()) {
    const name = `Number ${sequence} of the chain`;
    const before = chain[index - 1];
    if (hashLines('head', sequence, former, leaf) !== head) say('changed', `${name} was changed.`);
    if (sequence === 1 && former !== hashLines('pool', pool)) say('changed', `${name} is of another pool.`);
    if (before && sequence <= before.sequence) say('changed', `${name} was swapped, or repeated.`);
    else if (before && sequence > before.sequence + 1 && !before.signed)
      say('changed', `Before number ${sequence} of the chain, entries were dropped.`);
    else if (before?.sequence === sequence - 1 && former !== before.head)
      say('changed', `${name} does not follow the one before it: one of them was changed.`);
    if (!signed) continue;
    const { at, signature } = signed;
    const message = Buffer.from(JSON.stringify({ at, format, head, pool, sequence }));
    const bytes = Buffer.from(signature, 'hex');
    if (bytes.toString('hex') !== signature || !attempt(() => verify(null, message, publicKey, bytes)))
      say('changed', `${name}: its signature is not of this key, pool, number, head and time.`);
    const earlier = chain.slice(0, index).findLast((entry) => entry.signed)?.signed;
    if (earlier && minutes(earlier.at, at) < -1) say('changed', `${name} was backdated to ${at}.`);
  }
  if (chain.length > 0 && !chain.at(-1)?.signed) say('changed', 'The end of the chain was dropped.');
}

/** Checks a record's place in the chain, and whether its times are plausible. */
function checkPlace({ pool, chain, ...file }: File, sealed: typeof record, what: string, say: Say): unknown {
  const place = chain.findIndex(({ leaf }) => leaf === sealed.leaf);
  const at = chain.slice(Math.max(place, 0)).find(({ signed }) => signed)?.signed?.at;
  if (chain.length === 0) return say('not-proven', `${what} is not in the chain yet: ask for a newer file.`);
  if (place < 0 || !at) return say('changed', `${what} is not in the chain: it was dropped or swapped.`);
  say('proven', `${what} is number ${chain[place]?.sequence} in the chain of "${pool}", signed at ${at}.`);
  const core = read(sealed, 'core');
  const claimed = get(get(core, 'times'), 'receivedAt') ?? get(core, 'at');
  if (minutes(claimed, at) < -1) say('changed', `${what} says ${claimed}, but was sealed before.`);
  if (minutes(claimed, at) > 60) say('not-proven', `${what} says ${claimed}. Was it backdated?`);
  const subject = [file.record, ...file.later].find(({ leaf }) => leaf === get(core, 'of'))?.leaf;
  if (sealed === file.record || !core || chain.slice(0, place).some(({ leaf }) => leaf === subject)) return;
  return say('changed', `${what} is about another signing, or was moved before it.`);
}

/** The content of the element at a path of positions in DER. @throws RangeError if there is none */
function inside(der: Buffer, [position, ...rest]: readonly number[]): Buffer {
  if (position === undefined) return der;
  for (let at = 0, index = 0; ; index += 1) {
    const short = der.readUInt8(at + 1);
    const start = at + 2 + (short < 128 ? 0 : short - 128);
    const end = start + (short < 128 ? short : der.readUIntBE(at + 2, short - 128));
    if (index === position) return inside(der.subarray(start, end), rest);
    at = end;
  }
}

function checkStamp(
  { chain, record }: File,
  { sequence, path, root, token }: typeof stamp,
  say: Say,
): unknown {
  const first = chain.findIndex(({ leaf }) => leaf === record.leaf);
  const last = chain.findIndex((entry) => entry.sequence === sequence);
  const run = chain.slice(first, last + 1);
  if (first < 0 || last < first || sequence - (run[0]?.sequence ?? 0) !== run.length - 1)
    return say('changed', `The stamp is for number ${sequence}, to which the signing is not linked.`);
  const reached = path.reduce(
    (below, { left, right }) => hashLines('node', left ?? below, left ? below : right),
    hashLines('root', run.at(-1)?.head),
  );
  if (reached !== root) return say('changed', `The root of the stamp is not that of number ${sequence}.`);
  const bytes = Buffer.from(token, 'base64');
  const info = attempt(() => inside(bytes, [0, 1, 0, 2, 1, 0, 0])) ?? bytes;
  const [algorithm, digest, time] = [[2, 0, 0], [2, 1], [4]].map((path) => attempt(() => inside(info, path)));
  const isForRoot = algorithm?.toString('hex') === '608648016503040201' && digest?.toString('hex') === root;
  if (!isForRoot) return say('changed', 'The stamp is for another root.');
  say('proven', `The stamp is of ${time} (YYYYMMDDhhmmss, UTC), for all up to number ${sequence}.`);
  const command = `openssl ts -verify -digest ${root} -token_in -in stamp.der -CAfile ca.pem`;
  return say('not-proven', `Who stamped it. Decode the token from Base64 to stamp.der, then: ${command}`);
}

/**
 * Checks an evidence file by itself. It is unchanged if no finding is `changed`.
 *
 * @param fingerprint - hex SHA-256 of the public key (SPKI, DER) of the pool's known signing key
 */
export function verifyEvidence(json: string, fingerprint?: string): readonly Finding[] {
  const findings: Finding[] = [];
  const say: Say = (status, sentence) => findings.push({ status, sentence });
  const file: unknown = attempt(() => JSON.parse(json));
  if (!isFile(file) || file.format !== format) {
    say('changed', `This is no ${format} file: a member is missing, unknown or of another type.`);
    return findings;
  }
  const erasures = new Map<unknown, unknown>();
  for (const core of file.later.map((later) => read(later, 'core')))
    for (const kind of ['parts', 'entries', 'photos'])
      for (const id of list(core, kind)) erasures.set(id, get(core, 'at'));
  for (const sealed of [file.record, ...file.later]) {
    const core = sealed === file.record ? { kind: 'signing' } : read(sealed, 'core');
    const what = `The ${get(core, 'kind') ?? 'later record'} ${get(core, 'at') ?? ''}`.trim();
    checkRecord(sealed, what, erasures, say);
    checkPlace(file, sealed, what, say);
  }
  checkChain(file, say);
  if (file.stamp) checkStamp(file, file.stamp, say);
  else say('not-proven', 'When it was: without a stamp from outside, only the operator vouches for it.');
  const key = attempt(() => createPublicKey(file.publicKey));
  const found = key ? sha256(key.export({ type: 'spki', format: 'der' })) : 'none';
  if (key?.export({ type: 'spki', format: 'pem' }) !== file.publicKey) say('changed', 'The key was changed.');
  if (fingerprint === undefined) say('not-proven', `Whose key it is. Ask the operator: is it ${found}?`);
  else if (fingerprint === found) say('proven', `The key is the expected one, ${found}.`);
  else say('changed', `The key is not the expected one, but ${found}.`);
  say('not-proven', "Who held the device, and its clock: the times of the guest's acts are the device's.");
  say('not-proven', 'Whether it was voided, corrected or erased since. Ask for a newer file.');
  return findings;
}
