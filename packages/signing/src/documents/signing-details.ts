import { createHash, createPublicKey } from 'node:crypto';
import type { SigningDetails } from '@waiver-service/api';
import {
  type EvidenceFile,
  type GuestEntry,
  type RevealingEntry,
  type SealedAct,
  type SignerEntry,
  verifyEvidence,
} from '@waiver-service/evidence';
import { parseFormText, type ShownItem, type ShownPage } from '@waiver-service/forms';
import { type ReadReuse, reuseOf } from './reuse-blocks.ts';
import { entryOf, partOf } from './signing-document.ts';

const maxTextLength = 200;

const textOf = (item: ShownItem): string | undefined => {
  if (item.type === 'ask') return item.label;
  return item.type === 'sign' ? item.statement : item.text;
};

/** The first paragraph of a form's text, without its marks. */
function beginningOf(text: string): string {
  const [first] = parseFormText(text);
  const spans = first === undefined ? [] : first.type === 'list' ? (first.items[0] ?? []) : first.spans;
  const whole = spans.map((span) => span.text).join('');
  return whole.length > maxTextLength ? `${whole.slice(0, maxTextLength - 1).trimEnd()}…` : whole;
}

const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null for an invalid key, which the findings report. */
function fingerprintOf(publicKey: string): string | null {
  try {
    const key = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('hex');
  } catch {
    return null;
  }
}

/** @param ofLeaf - the leaf of the record that the details are about */
function sealOf(file: EvidenceFile, ofLeaf: string): SigningDetails['seal'] {
  const { chain, publicKey } = file;
  const place = chain.findIndex(({ leaf }) => leaf === ofLeaf);
  const entry = chain[place];
  const above = entry && chain.slice(place).find(({ signed }) => signed !== undefined);
  return {
    leaf: ofLeaf,
    number: entry?.sequence ?? null,
    head: above?.head ?? null,
    sealedAt: above?.signed?.at ?? null,
    isStamped: file.stamp !== undefined,
    keyFingerprint: entry === undefined ? null : fingerprintOf(publicKey),
    findings: entry === undefined ? [] : [...verifyEvidence(JSON.stringify(file))],
  };
}

const reuseDetails = ({ core, email, trace }: ReadReuse): SigningDetails['reuse'] => ({
  confirmedAt: core.times.confirmedAt,
  translatedAt: trace?.translatedAt ?? null,
  proof: core.proof,
  email: email ?? null,
  question: core.question.text,
  healthQuestion: core.question.health,
});

/** Reads from the evidence of a signing who did what and when, and verifies it. */
export function signingDetails(file: EvidenceFile): Omit<SigningDetails, 'copy'> {
  const { record } = file;
  const reuse = reuseOf(file);
  const core = partOf(record, 'core');
  const person = partOf(record, 'person');
  const trace = partOf(record, 'trace');
  const revealing = entryOf<RevealingEntry<ShownPage>>(record, partOf(record, 'sensitive')?.shown?.hash);
  const shown = [...(core?.shown ?? []), ...(revealing?.shown ?? [])].flatMap(({ items }) => items);
  const guests = (person?.guests ?? []).map(({ hash }) => entryOf<GuestEntry>(record, hash));
  const signer = entryOf<SignerEntry>(record, person?.signer.hash);
  const actDetails = ({ item, act, method, guest, at }: SealedAct): SigningDetails['acts'][number] => {
    const about = shown.find((one) => one.item === item);
    const text = about === undefined ? undefined : textOf(about);
    return {
      ...{ act, item, guest, at, text: text === undefined ? null : beginningOf(text) },
      ...(method === undefined ? {} : { method }),
    };
  };
  const signerName = signer?.takesPart ? guests[0]?.answers.name : signer?.guardian?.name;
  return {
    reuse: reuse === undefined ? null : reuseDetails(reuse),
    openedAt: core?.times.openedAt ?? null,
    signedAt: core?.times.signedAt ?? null,
    linkKind: core?.link.kind ?? null,
    address: trace?.address ?? null,
    userAgent: trace?.userAgent ?? null,
    translatedAt: trace?.translatedAt ?? null,
    signer: { name: nameOf(signerName), takesPart: signer?.takesPart ?? null },
    guests: guests.map((guest) => ({ name: nameOf(guest?.answers.name) })),
    acts: [...(core?.acts ?? []), ...(revealing?.acts ?? [])]
      .map(actDetails)
      .toSorted((one, other) => one.at.localeCompare(other.at)),
    seal: sealOf(file, reuse?.record.leaf ?? record.leaf),
  };
}
