// Depends only on node:crypto and the reader of stamps, not even on this package's types: the sealing code's mistakes
// must not recur here.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readToken, type StampSigner, type StampToken } from './stamp-token.ts';

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
  if (like === base64) return value === Buffer.from(textOf(value), 'base64').toString('base64');
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
/** The text outside of strings, with a quotation mark for each string. */
function outsideOfStrings(json: string): string {
  let outside = '';
  // No regular expression: on a string of 16 MB, V8 runs out of stack.
  for (let at = 0, isInside = false; at < json.length; at += 1) {
    if (isInside && json[at] === '\\') at += 1;
    else if (json[at] === '"') isInside = !isInside;
    if (!isInside) outside += json[at];
  }
  return outside;
}
const countOfStrings = (json: string) => outsideOfStrings(json).split('"').length;
/** @throws SyntaxError also if a member stands twice: of two, the parser keeps one, and other programs the other */
function parse(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (countOfStrings(json) !== countOfStrings(JSON.stringify(value)))
    throw new SyntaxError('a member stands twice');
  return value;
}
/** The first number that programs read differently. */
const oddNumber = (json: string) =>
  outsideOfStrings(json)
    .match(/[-+.\d][-+.\deE]*/g)
    ?.find((one) => !/^(0|-?[1-9]\d*)$/.test(one) || !Number.isSafeInteger(Number(one)));
const printable = (text: string) =>
  text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
/** Not String, which fails for an object that has a member "toString". */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
/** A value from the file as a word of the report, or in quotes: none of it can pass for the program's words. */
const quoted = (value: unknown) => printable(JSON.stringify(textOf(value).slice(0, 200)));
const show = (value: unknown) => (/^[\w.:+-]{1,80}$/.test(textOf(value)) ? textOf(value) : quoted(value));
/** Whether a value is a time as the service writes it: ISO 8601, UTC. */
const isTime = (value: unknown) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(textOf(value)) &&
  attempt(() => new Date(textOf(value)).toISOString().slice(0, 19)) === textOf(value).slice(0, 19);
const minutes = (from: unknown, to: string) => (Date.parse(to) - Date.parse(textOf(from))) / 60_000;

/** A record, with what its parts say. */
type Read = { sealed: typeof record; says: Map<string, unknown>; core: unknown; what: string };
function readRecord(sealed: typeof record, kind?: string): Read {
  const says = new Map(sealed.parts.map(({ name, text = 'null' }) => [name, attempt(() => parse(text))]));
  const core = says.get('core') ?? undefined;
  const name = kind ?? (core ? show(get(core, 'kind')) : 'later record');
  const at = kind || !core ? '' : ` ${show(get(core, 'at'))}`;
  return { sealed, says, core, what: `The ${name}${at}` };
}
type Kind = 'parts' | 'entries' | 'photos';
/** What later records erased: by the leaf of the record that they are about, the kind, and the name, hash or id. */
type Erasures = Map<string, unknown>;
const keyOf = (kind: Kind, ...of: unknown[]) => JSON.stringify([kind, ...of]);

/** Each part present must match its sealed hash; a missing one was erased, as a later record says, or left out. */
function checkRecord({ sealed, says, what }: Read, erasures: Erasures, say: Say): void {
  const { parts, entries, photos } = sealed;
  const listed = (part: string, name: string) =>
    list(says.get(part), name).map((one, index) => {
      const kind: Kind = name === 'photos' ? 'photos' : 'entries';
      const label = `${name} ${show(get(one, 'item') ?? index + 1)}`;
      return { kind, id: get(one, kind === 'photos' ? 'id' : 'hash'), hash: get(one, 'hash'), label };
    });
  const expected = [
    ...parts.map(({ name, hash }) => ({
      kind: 'parts' as const,
      id: name,
      hash,
      label: `part ${show(name)}`,
    })),
    ...[listed('person', 'guests'), listed('person', 'signer'), listed('sensitive', 'health')].flat(),
    ...[listed('sensitive', 'shown'), listed('ink', 'acts'), listed('ink', 'photos')].flat(),
  ];
  const given = [
    ...parts
      .filter(({ salt, text }) => (salt ?? text) !== undefined)
      .map(({ name, salt, text }) => ({
        kind: 'parts' as const,
        id: name,
        hash: hashLines(`part ${name}`, salt, text),
        text,
      })),
    ...entries.map(({ hash, salt, text }) => ({
      kind: 'entries' as const,
      id: hash,
      hash: hashLines('entry', salt, text),
      text,
    })),
    ...photos.map(({ id, data }) => ({
      kind: 'photos' as const,
      id,
      hash: sha256(Buffer.from(data, 'base64')),
      text: 'null',
    })),
  ];
  const labels = new Map(expected.map(({ kind, id, label }) => [keyOf(kind, id), label]));
  const sealedHashes = new Set(expected.map(({ kind, id, hash }) => keyOf(kind, id, hash)));
  const present = new Set(given.map(({ kind, id }) => keyOf(kind, id)));
  const problems = given.flatMap(({ kind, id, hash, text = 'null' }) => {
    const label = labels.get(keyOf(kind, id)) ?? `entry or photo ${show(id)}`;
    const number = oddNumber(text);
    return [
      ...(sealedHashes.has(keyOf(kind, id, hash)) ? [] : [`${label} is not what was sealed`]),
      ...(attempt(() => parse(text)) === undefined ? [`${label} is not JSON, or has a member twice`] : []),
      ...(number === undefined
        ? []
        : [`${label} has the number ${quoted(number)}, which is no safe integer`]),
    ];
  });
  if (parts.map(({ name }) => name).join(', ') !== partNames) problems.push(`parts are not ${partNames}`);
  if (hashLines('leaf', ...parts.map(({ hash }) => hash)) !== sealed.leaf) problems.push('its leaf is wrong');
  for (const problem of problems) say('changed', `${what}: ${problem}.`);
  if (problems.length === 0) say('proven', `${what}: what is in this file of it is as it was sealed.`);
  for (const { kind, id, label } of expected) {
    if (present.has(keyOf(kind, id))) continue;
    const key = keyOf(kind, sealed.leaf, id);
    if (erasures.has(key))
      say('erased', `${what}: ${label} was erased at ${show(erasures.get(key))}; the rest verifies.`);
    else say('not-proven', `${what}: ${label} was left out of this file; no erasure is known.`);
  }
}

function checkChain({ pool, chain, publicKey }: File, say: Say): void {
  let signedBefore: Entry['signed'];
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
    if (!isTime(at)) say('changed', `${name} was signed at ${quoted(at)}, which is no time.`);
    if (signedBefore && minutes(signedBefore.at, at) < -1)
      say('changed', `${name} was backdated to ${show(at)}.`);
    signedBefore = signed;
  }
  if (chain.length > 0 && !chain.at(-1)?.signed) say('changed', 'The end of the chain was dropped.');
}

/** The place of each leaf in the chain, and when the first signed entry from there on was signed. */
function placesOf(chain: readonly Entry[]): Map<string, { index: number; signedAt: string | undefined }> {
  const places = new Map<string, { index: number; signedAt: string | undefined }>();
  let signedAt: string | undefined;
  for (const [index, { leaf, signed }] of [...chain.entries()].toReversed()) {
    signedAt = signed?.at ?? signedAt;
    places.set(leaf, { index, signedAt });
  }
  return places;
}
type Context = {
  file: File;
  subjects: Set<string>;
  erasures: Erasures;
  places: ReturnType<typeof placesOf>;
};

/** Checks a record's place in the chain, and whether its times are plausible. */
function checkPlace({ sealed, core, what }: Read, { file, subjects, erasures, places }: Context, say: Say) {
  const isLater = sealed !== file.record;
  if (isLater && !core && !erasures.has(keyOf('parts', sealed.leaf, 'core')))
    say('not-proven', `${what}: what it is about. It may be about another signing.`);
  if (file.chain.length === 0)
    return say('not-proven', `${what} is not in the chain yet: ask for a newer file.`);
  const { index = -1, signedAt: at } = places.get(sealed.leaf) ?? {};
  if (!at) return say('changed', `${what} is not in the chain: it was dropped or swapped.`);
  const place = `number ${file.chain[index]?.sequence} in the chain of ${quoted(file.pool)}`;
  say('proven', `${what} is ${place}, signed at ${show(at)}.`);
  const claimed = get(get(core, 'times'), 'receivedAt') ?? get(core, 'at');
  if (claimed !== undefined && !isTime(claimed))
    say('changed', `${what} says ${quoted(claimed)}, which is no time.`);
  if (minutes(claimed, at) < -1) say('changed', `${what} says ${show(claimed)}, but was sealed before.`);
  if (minutes(claimed, at) > 60) say('not-proven', `${what} says ${show(claimed)}. Was it backdated?`);
  const subject = textOf(get(core, 'of'));
  if (!isLater || !core || (subjects.has(subject) && (places.get(subject)?.index ?? index) < index)) return;
  return say('changed', `${what} is about another signing, or was moved before it.`);
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
  let stamped: StampToken;
  let by: StampSigner;
  try {
    stamped = readToken(Buffer.from(token, 'base64'));
    by = stamped.checkSignature();
  } catch (error) {
    return say('changed', `The stamp is no proof: ${error instanceof Error ? error.message : error}.`);
  }
  if (stamped.hash !== root) return say('changed', 'The stamp is for another root.');
  const certificate = `the certificate ${quoted(by.subject)} in it (SHA-256 ${by.fingerprint})`;
  say('proven', `The stamp is for all up to number ${sequence}, and signed with the key of ${certificate}.`);
  say(
    'not-proven',
    `The stamp claims ${stamped.at.toISOString()}: its signer's word, until you know who that is.`,
  );
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
  const say: Say = (status, sentence) => findings.push({ status, sentence: printable(sentence) });
  const file: unknown = attempt(() => parse(json));
  const number = file === undefined ? undefined : oddNumber(json);
  if (number !== undefined) {
    say(
      'changed',
      `This is no ${format} file: it has the number ${quoted(number)}, which is no safe integer.`,
    );
    return findings;
  }
  if (!isFile(file) || file.format !== format) {
    say(
      'changed',
      `This is no ${format} file: a member is missing, unknown, of another type, or stands twice.`,
    );
    return findings;
  }
  const records = [readRecord(file.record, 'signing'), ...file.later.map((later) => readRecord(later))];
  const erasures: Erasures = new Map();
  for (const { core } of records.slice(1).filter((later) => get(later.core, 'kind') === 'erasure'))
    for (const kind of ['parts', 'entries', 'photos'] as const)
      for (const id of list(core, kind)) erasures.set(keyOf(kind, get(core, 'of'), id), get(core, 'at'));
  const subjects = new Set(records.map(({ sealed }) => sealed.leaf));
  const context = { file, subjects, erasures, places: placesOf(file.chain) };
  for (const one of records) {
    checkRecord(one, erasures, say);
    checkPlace(one, context, say);
  }
  checkChain(file, say);
  if (file.stamp) checkStamp(file, file.stamp, say);
  else say('not-proven', 'When it was: without a stamp from outside, only the operator vouches for it.');
  const key = attempt(() => createPublicKey(file.publicKey));
  const found = key ? sha256(key.export({ type: 'spki', format: 'der' })) : 'none';
  if (file.publicKey === '' && file.chain.length === 0) {
    say('not-proven', 'There is no key yet: the pool has sealed nothing before. Ask for a newer file.');
    if (fingerprint) say('changed', 'There is no key yet, so it is not the expected one.');
  } else {
    if (key?.export({ type: 'spki', format: 'pem' }) !== file.publicKey)
      say('changed', 'The key was changed.');
    const type = key?.asymmetricKeyType ?? 'ed25519';
    if (type !== 'ed25519') say('changed', `The key is no Ed25519 key, but ${type}: no pool has one.`);
    if (fingerprint === undefined) say('not-proven', `Whose key it is. Ask the operator: is it ${found}?`);
    else if (fingerprint === found) say('proven', `The key is the expected one, ${found}.`);
    else say('changed', `The key is not the expected one, but ${found}.`);
  }
  say('not-proven', "Who held the device, and its clock: the times of the guest's acts are the device's.");
  say('not-proven', 'Whether it was voided, corrected or erased since. Ask for a newer file.');
  return findings;
}
