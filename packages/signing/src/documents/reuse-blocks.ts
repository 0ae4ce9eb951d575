import type {
  ConfirmerEntry,
  EvidenceFile,
  EvidenceRecord,
  ReuseCore,
  ReuseGuestEntry,
  ReuseRecord,
  SigningTrace,
} from '@waiver-service/evidence';
import type { DocumentBlock } from './document-page.ts';
import type { DocumentWords } from './texts/languages.ts';

/** A confirmation by a returning guest, as in its evidence. Guests are undefined once they are erased. */
export interface ReadReuse {
  readonly record: EvidenceRecord;
  readonly core: ReuseCore;
  readonly guests: readonly (ReuseGuestEntry | undefined)[];
  readonly email: string | undefined;
  readonly trace: ReuseRecord['trace'] | undefined;
}

/** Not validated: the file is the service's own, and its parts are those of {@link ReuseRecord}. */
function textOf(record: EvidenceRecord, name: string): string {
  const part = record.parts.find((one) => one.name === name);
  return part !== undefined && 'text' in part ? part.text : 'null';
}

/** The confirmation in a file; undefined if it has none. */
export function reuseOf({ later }: EvidenceFile): ReadReuse | undefined {
  for (const record of later) {
    const core: ReuseCore | { readonly kind: string } | null = JSON.parse(textOf(record, 'core'));
    if (core === null || !isReuse(core)) continue;
    const person: ReuseRecord['person'] | null = JSON.parse(textOf(record, 'person'));
    const trace: ReuseRecord['trace'] | null = JSON.parse(textOf(record, 'trace'));
    const entry = (hash: string | undefined) => record.entries.find((one) => one.hash === hash)?.text;
    const guests = (person?.guests ?? []).map(({ hash }): ReuseGuestEntry | undefined => {
      const text = entry(hash);
      return text === undefined ? undefined : JSON.parse(text);
    });
    const confirmer: ConfirmerEntry | null = JSON.parse(entry(person?.signer.hash) ?? 'null');
    return { record, core, guests, email: confirmer?.email, trace: trace ?? undefined };
  }
  return undefined;
}

/** The device that a record came from. */
export const traceFacts = (
  trace: Pick<SigningTrace, 'address' | 'userAgent'> | undefined,
  words: DocumentWords,
) => [
  { label: words.address, value: trace === undefined ? words.erased : (trace.address ?? '–') },
  { label: words.device, value: trace === undefined ? words.erased : (trace.userAgent ?? '–') },
];

/** That the browser translated the page, which is a fact about the text that was read, not about the device. */
export const translationFacts = (
  trace: Pick<SigningTrace, 'translatedAt'> | undefined,
  words: DocumentWords,
  time: (at: string) => string,
) =>
  trace?.translatedAt === undefined
    ? []
    : [
        {
          label: words.translated,
          value: `${words.translation} (${time(trace.translatedAt)}, ${words.deviceClock})`,
        },
      ];

const isReuse = (core: ReuseCore | { readonly kind: string }): core is ReuseCore => core.kind === 'reuse';

/**
 * The confirmation of a returning guest, ahead of the signing it rests on.
 * @param isForBookingSystem - leaves out the answer about health, and the device
 */
export function reuseBlocks(
  { core, guests, email, trace }: ReadReuse,
  words: DocumentWords,
  time: (at: string) => string,
  isForBookingSystem = false,
): DocumentBlock[] {
  const names = guests.map((guest, index) => {
    const name = guest?.answers.name;
    if (guest === undefined) return words.erased;
    return typeof name === 'string' ? name : `${words.guest} ${index + 1}`;
  });
  const { question, booking, form, signed } = core;
  return [
    { kind: 'heading', level: 2, text: words.reuse },
    {
      kind: 'facts',
      facts: [
        { label: words.guest, value: names.join(', ') },
        { label: words.reuseAt, value: `${time(core.times.confirmedAt)}, ${words.deviceClock}` },
        { label: words.received, value: time(core.at) },
        {
          label: words.reuseBy,
          value: `${email ?? words.erased} (${core.proof === 'code' ? words.byCode : words.byLink})`,
        },
        ...(booking === null
          ? []
          : [{ label: words.booking, value: `${booking.bookingSystem} ${booking.id}` }]),
        { label: words.day, value: core.day.date },
        { label: words.validUntil, value: core.validUntil },
        { label: words.form, value: `${form.name}, ${form.version}` },
        { label: words.signedVersion, value: String(signed.version) },
        { label: words.reuseQuestion, value: question.text },
        { label: words.reuseYes, value: time(core.times.confirmedAt) },
        ...(question.health === null || isForBookingSystem
          ? []
          : [
              { label: words.reuseHealth, value: question.health },
              { label: words.reuseNo, value: time(core.times.confirmedAt) },
            ]),
        ...translationFacts(trace, words, time),
        ...(isForBookingSystem ? [] : traceFacts(trace, words)),
      ],
    },
    { kind: 'note', text: words.reuseOriginal },
  ];
}
