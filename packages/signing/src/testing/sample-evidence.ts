import { generateKeyPairSync } from 'node:crypto';
import {
  type EvidenceFile,
  firstHead,
  type GuestEntry,
  type InkEntry,
  nextHead,
  publicKeyText,
  type SignerEntry,
  type SigningRecord,
  saltedEntry,
  sealRecord,
  signHead,
} from '@waiver-service/evidence';
import type { ShownPage } from '@waiver-service/forms';

const { privateKey } = generateKeyPairSync('ed25519');

export interface Sample {
  readonly language: string;
  readonly formName: string;
  readonly names: readonly string[];
  readonly pageTitle: string;
  /** In the words of forms: headings, lists, bold. */
  readonly text: string;
  readonly statement: string;
  readonly healthLabel: string;
}

/** A signing of a family: the first drew, the others have initials and a typed name. */
export function sampleEvidence(sample: Sample): EvidenceFile {
  const guests = sample.names.map((name, index) =>
    saltedEntry({
      waiver: `w${index + 1}`,
      answers: { name, dateOfBirth: '1990-02-03', level: 'beginner' },
    } satisfies GuestEntry),
  );
  const signer = saltedEntry({ takesPart: true } satisfies SignerEntry);
  const health = saltedEntry(false);
  const strokes = [
    Array.from({ length: 60 }, (_, at): [number, number, number] => [
      10 + at * 6,
      Math.round(80 + 50 * Math.sin(at / 3) - at / 2),
      at * 16,
    ]),
    [[300, 20, 1200] satisfies [number, number, number]],
  ];
  const drawn = saltedEntry({ strokes, width: 400, height: 160 } satisfies InkEntry);
  const typed = saltedEntry({ name: sample.names.at(-1) ?? '' } satisfies InkEntry);
  const initials = saltedEntry({ initials: 'ZB' } satisfies InkEntry);
  const everyone = sample.names.map((_, index) => index);
  const shown: ShownPage[] = [
    {
      page: 'you',
      title: sample.pageTitle,
      items: [
        { item: 'full-name', guests: everyone, type: 'ask', property: 'name', label: 'Name', required: true },
        {
          ...{ item: 'level', guests: everyone, type: 'ask', label: 'Level', required: true },
          options: [{ id: 'beginner', label: 'Beginner <b>&amp;</b>' }],
        },
        { item: 'asthma', guests: [0], type: 'ask', label: sample.healthLabel, required: true },
        { item: 'text', guests: null, type: 'text', text: sample.text, initials: true },
        {
          item: 'agree',
          guests: null,
          type: 'agree',
          act: 'electronic',
          text: sample.statement,
          required: true,
        },
        {
          item: 'photos',
          guests: null,
          type: 'agree',
          act: 'photos',
          text: sample.statement,
          required: false,
        },
        {
          item: 'sign',
          guests: everyone,
          type: 'sign',
          by: 'guest',
          statement: sample.statement,
          methods: ['draw', 'type'],
        },
      ],
    },
  ];
  const at = '2026-11-24T09:59:58.000Z';
  const signing: SigningRecord<ShownPage> = {
    core: {
      kind: 'signing',
      signing: '6f6c1c0e-1b1c-4b0e-9e5e-0a7a0f9a2b11',
      form: { id: 'rafting', name: sample.formName, version: 3, hash: 'ab'.repeat(32) },
      language: sample.language,
      shown,
      acts: [
        { item: 'text', guest: null, act: 'initial', at },
        { item: 'agree', guest: null, act: 'agree', at },
        { item: 'sign', guest: 0, act: 'sign', method: 'draw', at },
        { item: 'sign', guest: sample.names.length - 1, act: 'sign', method: 'type', at },
      ],
      booking: { bookingSystem: 'standard', id: 'BK-1001' },
      day: { date: '2026-11-24', timeZone: 'Europe/Vienna', activities: ['rafting'] },
      link: { kind: 'guest' },
      times: { openedAt: at, signedAt: at, receivedAt: '2026-11-24T10:00:00.000Z' },
    },
    person: { guests: guests.map(({ hash }) => ({ hash })), signer: { hash: signer.hash } },
    sensitive: { shown: null, health: [{ guest: 0, item: 'asthma', hash: health.hash }] },
    ink: {
      acts: [
        { act: 0, hash: initials.hash },
        { act: 2, hash: drawn.hash },
        { act: 3, hash: typed.hash },
      ],
      photos: [],
    },
    trace: { address: '192.0.2.7', userAgent: 'Mozilla/5.0 (Test)', pages: [] },
  };
  const record = sealRecord(signing);
  const first = firstHead('demo-rafting');
  const head = nextHead(first, record.leaf);
  return {
    ...{ format: 'waiver-evidence/1', pool: 'demo-rafting', publicKey: publicKeyText(privateKey) },
    record: { ...record, entries: [...guests, signer, health, drawn, typed, initials], photos: [] },
    later: [],
    chain: [
      {
        ...{ ...head, former: first.head, leaf: record.leaf },
        signed: signHead('demo-rafting', head, new Date('2026-11-24T10:00:02.000Z'), privateKey),
      },
    ],
  };
}

const paragraph =
  'Rafting is dangerous. I know that I may fall into cold water, be hit by rocks, and be hurt. **I take part at my own risk.**';

export const samples: Readonly<Record<string, Sample>> = {
  english: {
    ...{ language: 'en', formName: 'Rafting waiver', names: ['Zoë Bäcker', 'Søren Łukasiewicz'] },
    pageTitle: 'Your waiver',
    text: `# Risks\n\n${paragraph}\n\n- Wear a helmet.\n- Wear a life jacket.\n\n1. First\n2. Second`,
    statement: 'I have read this <script>alert(1)</script> & agree.',
    healthLabel: 'Do you have asthma?',
  },
  arabic: {
    ...{ language: 'ar', formName: 'إقرار التجديف', names: ['محمد الأحمد', 'Zoë Bäcker'] },
    pageTitle: 'الإقرار (الإصدار 3)',
    text: '# المخاطر\n\nالتجديف في النهر خطر. أعلم أنني قد أسقط في ماء درجة حرارته 8 مئوية، وأن الشركة Alpen Rafting GmbH (سالزبورغ) لا تضمن سلامتي. **أشارك على مسؤوليتي الخاصة.** وقد قرأت هذا النص كاملًا قبل أن أوقّع عليه في ٢٤ نوفمبر.\n\n- ارتدِ خوذة.\n- ارتدِ سترة نجاة.',
    statement: 'قرأت ما سبق وأوافق عليه.',
    healthLabel: 'هل لديك ربو؟',
  },
  scripts: {
    ...{ language: 'en', formName: 'Names in any script' },
    names: [
      'Γιώργος Παπαδόπουλος',
      'Ольга Ивановна',
      'יעל כהן',
      'สมชาย ใจดี',
      'राजेश कुमार',
      '山田太郎',
      '김민준',
      '王小明',
      'Nguyễn Thị Hồng',
      '😀 Smile \u{F0000}',
    ],
    pageTitle: 'Scripts',
    text: 'Text',
    statement: 'I agree.',
    healthLabel: 'Asthma?',
  },
};
