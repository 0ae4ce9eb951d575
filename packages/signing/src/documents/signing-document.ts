import { createHash } from 'node:crypto';
import type {
  EvidenceFile,
  EvidenceRecord,
  GuestEntry,
  InkEntry,
  LaterCore,
  PartName,
  ReuseCore,
  RevealingEntry,
  SealedAct,
  SignerEntry,
  SigningCore,
  SigningRecord,
} from '@waiver-service/evidence';
import { parseFormText, type ShownItem, type ShownPage } from '@waiver-service/forms';
import type { DocumentBlock, SigningDocument } from './document-page.ts';
import { type ReadReuse, reuseBlocks, reuseOf, traceFacts, translationFacts } from './reuse-blocks.ts';
import { type DocumentWords, documentWords } from './texts/languages.ts';

type Parts = Partial<SigningRecord<ShownPage>>;
type Answer = string | number | boolean | readonly string[];

/** Not validated: the file is the service's own, and its parts are those of {@link SigningRecord}. */
export function partOf<Name extends PartName>(record: EvidenceRecord, name: Name): Parts[Name] | undefined {
  const part = record.parts.find((one) => one.name === name);
  if (part === undefined || !('text' in part)) return undefined;
  return JSON.parse(part.text) ?? undefined;
}

export function entryOf<Value>(record: EvidenceRecord, hash: string | undefined): Value | undefined {
  const entry = record.entries.find((one) => one.hash === hash);
  return entry === undefined ? undefined : JSON.parse(entry.text);
}

const rightToLeft = /^(ar|arc|ckb|dv|fa|he|ps|sd|ug|ur|yi)(-|$)/i;

/** A time in the operator's time zone, and in UTC. */
function localTime(at: string, language: string, timeZone: string): string {
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  // A form's language may be a tag that Intl rejects.
  for (const locale of [language, 'en']) {
    try {
      const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone });
      return `${format.format(new Date(at))} (${utc})`;
    } catch {}
  }
  return utc;
}

interface Reading {
  readonly record: EvidenceRecord;
  readonly core: SigningCore<ShownPage>;
  readonly words: DocumentWords;
  readonly guests: readonly (GuestEntry | undefined)[];
  readonly signer: SignerEntry | undefined;
  readonly acts: readonly { readonly act: SealedAct; readonly hash: string | undefined }[];
  readonly time: (at: string) => string;
  /** Leaves out health answers, and the device that the signing came from. */
  readonly isForBookingSystem: boolean;
}

/** A guest's name, or their number if they gave none. */
function guestName({ guests, words }: Reading, guest: number | null): string {
  if (guest === null) return words.signer;
  const name = guests[guest]?.answers.name;
  return typeof name === 'string' ? name : `${words.guest} ${guest + 1}`;
}

type Ask = Extract<ShownItem, { type: 'ask' }>;

function answerText({ words }: Reading, item: Ask, value: Answer | undefined): string {
  const labelOf = (id: string) => item.options?.find((option) => option.id === id)?.label ?? id;
  if (value === undefined) return words.noAnswer;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value.map(labelOf).join(', ');
  return labelOf(value);
}

/** The answers to a question: one for each guest it was asked of, or the signer's. */
function askBlocks(reading: Reading, item: Ask): DocumentBlock[] {
  const { record, guests, words, isForBookingSystem } = reading;
  const name = item.property ?? item.item;
  // Each guest's answers include the signer's.
  const personOf = (guest: number | null) => guests[guest ?? 0];
  const health = (partOf(record, 'sensitive')?.health ?? []).filter((one) => one.item === item.item);
  // The waiver's answers contain no photos.
  const photos = (partOf(record, 'ink')?.photos ?? []).filter((one) => one.item === item.item);
  const photoOf = (guest: number | null) => photos.find((one) => one.guest === guest);
  const dataOf = (id: string) => record.photos.find((photo) => photo.id === id)?.data;
  const answerOf = (guest: number | null): string => {
    const photo = photoOf(guest);
    if (photo !== undefined) return dataOf(photo.id) === undefined ? words.erased : words.photo;
    const secret = health.find((one) => one.guest === guest);
    if (secret !== undefined) {
      const value = entryOf<Answer>(record, secret.hash);
      return value === undefined ? words.erased : answerText(reading, item, value);
    }
    const person = personOf(guest);
    return person === undefined ? words.erased : answerText(reading, item, person.answers[name]);
  };
  // The pages as shown do not distinguish a health question from an unanswered one.
  const isAnswered = (guest: number | null) => {
    const person = personOf(guest);
    return photoOf(guest) !== undefined || person === undefined || person.answers[name] !== undefined;
  };
  const asked = item.guests ?? [null];
  const answered = isForBookingSystem ? asked.filter(isAnswered) : asked;
  const facts = answered.map((guest) => ({
    label: guest !== null ? `${item.label} (${guestName(reading, guest)})` : item.label,
    value: answerOf(guest),
  }));
  return [
    ...(facts.length === 0 ? [] : [{ kind: 'facts', facts } as const]),
    ...photos.flatMap(({ id, type, guest }): DocumentBlock[] => {
      const data = dataOf(id);
      const label = `${words.photo}: ${guestName(reading, guest)}`;
      return data === undefined ? [] : [{ kind: 'photo', label, type, data }];
    }),
  ];
}

function writtenBlock(reading: Reading, { act, hash }: Reading['acts'][number]): DocumentBlock {
  const { record, words, time } = reading;
  const ink = entryOf<InkEntry>(record, hash);
  const kind = act.act === 'initial' ? words.initials : act.method === 'draw' ? words.drawn : words.typed;
  const label = `${kind}: ${guestName(reading, act.guest)}, ${time(act.at)}`;
  // Initials beside a text that reveals a health answer are not kept.
  if (hash === undefined) return { kind: 'note', text: label };
  if (ink === undefined) return { kind: 'written', label, text: words.erased };
  if ('strokes' in ink) return { kind: 'drawing', label, ...ink };
  return { kind: 'written', label, text: 'name' in ink ? ink.name : ink.initials };
}

/** Block by block, so that what is drawn at a time is short. */
const textBlocks = (text: string): DocumentBlock[] =>
  parseFormText(text).map((block) => ({ kind: 'text', block }));

function itemBlocks(reading: Reading, item: ShownItem): DocumentBlock[] {
  const { words, time } = reading;
  const acts = reading.acts.filter(({ act }) => act.item === item.item);
  const written = acts.filter(({ act }) => act.act !== 'agree').map((act) => writtenBlock(reading, act));
  if (item.type === 'ask') return askBlocks(reading, item);
  if (item.type === 'text') return [...textBlocks(item.text), ...written];
  if (item.type === 'sign') return [...textBlocks(item.statement), ...written];
  const agreed = acts.map(
    ({ act }): DocumentBlock => ({
      kind: 'note',
      text: `${words.agreed}: ${guestName(reading, act.guest)}, ${time(act.at)}`,
    }),
  );
  return [
    ...textBlocks(item.text),
    ...(agreed.length > 0 ? agreed : [{ kind: 'note', text: words.notAgreed } as const]),
  ];
}

function headFacts({ core, words, time, signer }: Reading, operator: string) {
  const guardian = signer?.guardian?.name;
  return [
    { label: words.pool, value: operator },
    { label: words.form, value: `${core.form.name}, ${core.form.version}` },
    ...(core.booking === null
      ? []
      : [{ label: words.booking, value: `${core.booking.bookingSystem} ${core.booking.id}` }]),
    { label: words.day, value: core.day.date },
    ...(core.day.activities.length === 0
      ? []
      : [{ label: words.activities, value: core.day.activities.join(', ') }]),
    ...(typeof guardian === 'string' ? [{ label: words.guardian, value: guardian }] : []),
    { label: words.signed, value: `${time(core.times.signedAt)}, ${words.deviceClock}` },
    { label: words.received, value: time(core.times.receivedAt) },
  ];
}

function provenance(
  { core, words, time, record, isForBookingSystem }: Reading,
  file: EvidenceFile,
): DocumentBlock[] {
  const entry = file.chain.find(({ leaf }) => leaf === record.leaf);
  const above = file.chain.find(
    ({ sequence, signed }) => signed && sequence >= (entry?.sequence ?? Infinity),
  );
  return [
    { kind: 'heading', level: 2, text: words.provenance },
    { kind: 'note', text: words.rendering },
    ...(isForBookingSystem
      ? []
      : ([
          { kind: 'note', text: words.verify },
          { kind: 'note', text: 'npx waiver-service verify evidence.json' },
        ] as const)),
    {
      kind: 'facts',
      facts: [
        { label: words.record, value: record.leaf },
        { label: words.number, value: entry === undefined ? words.pending : String(entry.sequence) },
        ...(above?.signed === undefined
          ? []
          : [
              { label: words.head, value: above.head },
              { label: words.sealed, value: time(above.signed.at) },
            ]),
        ...(file.stamp === undefined ? [] : [{ label: words.stamp, value: file.stamp.root }]),
        { label: words.form, value: `${core.form.id}, ${core.form.version}, SHA-256 ${core.form.hash}` },
        { label: words.opened, value: `${time(core.times.openedAt)}, ${words.deviceClock}` },
        ...translationFacts(partOf(record, 'trace'), words, time),
        ...(isForBookingSystem
          ? []
          : [
              ...traceFacts(partOf(record, 'trace'), words),
              {
                label: 'evidence.json (SHA-256)',
                value: createHash('sha256').update(JSON.stringify(file)).digest('hex'),
              },
            ]),
      ],
    },
  ];
}

/** @param about the leaf of the document's record */
function laterBlocks(
  file: EvidenceFile,
  about: string,
  words: DocumentWords,
  time: (at: string) => string,
): DocumentBlock[] {
  return file.later
    .map((record) => record.parts.find(({ name }) => name === 'core'))
    .flatMap((part): (LaterCore | ReuseCore)[] => (part && 'text' in part ? [JSON.parse(part.text)] : []))
    .filter(({ kind }) => kind === 'void' || kind === 'correction')
    .map(({ kind, of, at }) => ({
      kind: 'note',
      text: `${of === about ? '' : `${words.reuseOriginal}: `}${kind === 'void' ? words.voided : words.corrected}: ${time(at)}`,
    }));
}

/**
 * The copy for a returning guest: what they confirmed, and the text that was signed. A link that was passed on must not
 * show who signed then, or how they answered.
 */
function copyOfReuse(
  { reuse, time }: { readonly reuse: ReadReuse; readonly time: (at: string) => string },
  core: SigningCore<ShownPage>,
  words: DocumentWords,
): DocumentBlock[] {
  return [
    ...reuseBlocks(reuse, words, time),
    ...core.shown.flatMap(({ title, items }): DocumentBlock[] => {
      const texts = items.flatMap((item) =>
        item.type === 'ask' ? [] : textBlocks(item.type === 'sign' ? item.statement : item.text),
      );
      return texts.length === 0 ? [] : [{ kind: 'heading', level: 2, text: title }, ...texts];
    }),
  ];
}

/** The record as if its health answers were erased. */
const withoutSensitive = (record: EvidenceRecord): EvidenceRecord => ({
  ...record,
  parts: record.parts.map((part) =>
    part.name === 'sensitive' ? { name: part.name, hash: part.hash } : part,
  ),
});

/**
 * The content of the document of a signing, in the language of the signing: what was shown, answered, agreed and
 * signed, and its provenance. What was erased is marked as erased.
 *
 * @param file - the service's own, with its core part, which is erased together with the last guest
 * @param operator - the pool's name
 * @param isGuestCopy - for a guest who has just signed or confirmed; leaves out earlier answers
 * @param isForBookingSystem - leaves out health answers, what was shown because of them, unanswered questions, and the
 * device
 * @throws TypeError if the core part is missing
 */
export function signingDocument(
  file: EvidenceFile,
  {
    operator,
    isGuestCopy = false,
    isForBookingSystem = false,
  }: { readonly operator: string; readonly isGuestCopy?: boolean; readonly isForBookingSystem?: boolean },
): SigningDocument {
  const record = isForBookingSystem ? withoutSensitive(file.record) : file.record;
  const core = partOf(record, 'core');
  if (core === undefined) throw new TypeError('the record has no core part, so there is nothing to show');
  const words = documentWords(core.language);
  const person = partOf(record, 'person');
  const ink = partOf(record, 'ink')?.acts ?? [];
  const hidden = partOf(record, 'sensitive')?.shown;
  const revealing = entryOf<RevealingEntry<ShownPage>>(record, hidden?.hash);
  const reuse = reuseOf(file);
  const inkErased = partOf(record, 'ink') === undefined ? '' : undefined;
  const reading: Reading = {
    ...{ record, core, words, isForBookingSystem },
    guests: (person?.guests ?? []).map(({ hash }) => entryOf<GuestEntry>(record, hash)),
    signer: entryOf<SignerEntry>(record, person?.signer.hash),
    acts: [
      ...core.acts.map((act, position) => ({
        ...{ act, hash: ink.find((one) => one.act === position)?.hash ?? inkErased },
      })),
      ...(revealing?.acts ?? []).map((act) => ({ act, hash: undefined })),
    ],
    time: (at) => localTime(at, core.language, core.day.timeZone),
  };
  const isCopyOfReuse = isGuestCopy && reuse !== undefined;
  return {
    title: core.form.name,
    language: core.language,
    direction: rightToLeft.test(core.language) ? 'rtl' : 'ltr',
    createdAt: new Date(core.times.receivedAt),
    blocks: isCopyOfReuse
      ? [
          { kind: 'heading', level: 1, text: core.form.name },
          { kind: 'facts', facts: [{ label: words.pool, value: operator }] },
          ...copyOfReuse({ reuse, time: reading.time }, core, words),
        ]
      : [
          { kind: 'heading', level: 1, text: core.form.name },
          ...(isForBookingSystem ? [{ kind: 'note', text: words.withoutHealth } as const] : []),
          ...laterBlocks(file, reuse?.record.leaf ?? record.leaf, words, reading.time),
          ...(reuse === undefined ? [] : reuseBlocks(reuse, words, reading.time, isForBookingSystem)),
          { kind: 'facts', facts: headFacts(reading, operator) },
          ...[...core.shown, ...(revealing?.shown ?? [])].flatMap(({ title, items }): DocumentBlock[] => {
            const blocks = items.flatMap((item) => itemBlocks(reading, item));
            return blocks.length === 0 ? [] : [{ kind: 'heading', level: 2, text: title }, ...blocks];
          }),
          ...provenance(reading, file),
        ],
  };
}
