import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type EvidenceFile,
  pathTo,
  readTimestamp,
  rootOf,
  TimestampError,
  timestampRequest,
  verifyEvidence,
} from '../src/index.ts';
import { batchOf, evidenceFile, foreignLeaf, record } from './sample-file.ts';
import {
  answerOf,
  der,
  hasOpenssl,
  namedBy,
  openStampAuthority,
  type StampAuthority,
  type TokenContent,
  tokenOf,
} from './stamp-authority.ts';

const hash = foreignLeaf('stamped');

describe('a request', () => {
  it('has the hash, a nonce and the wish for the certificate', () => {
    const request = timestampRequest(hash, Buffer.from('80ff000000000001', 'hex'));
    expect(request.nonce).toBe('40ff000000000001');
    expect(Buffer.from(request.der).toString('hex')).toBe(
      `30430201013031300d060960864801650304020105000420${hash}020840ff0000000000010101ff`,
    );
  });

  it('has another nonce each time', () => {
    expect(timestampRequest(hash).nonce).not.toBe(timestampRequest(hash).nonce);
  });

  it.each(['', 'ab', hash.toUpperCase(), `${hash}00`])('is not for %j', (wrong) => {
    expect(() => timestampRequest(wrong)).toThrow('a SHA-256 in hex');
  });
});

describe.skipIf(!hasOpenssl())('the stamp of a real stamp server', () => {
  let authority: StampAuthority;
  let answer: Buffer;
  const request = timestampRequest(hash);
  beforeAll(() => {
    authority = openStampAuthority();
    answer = authority.reply(request.der);
  });
  afterAll(() => authority.close());

  it('is read as OpenSSL reads it', () => {
    const { at, token } = readTimestamp(answer, request);
    const said = authority.openssl('ts', '-reply', '-in', 'answer.tsr', '-text');
    const [, time = ''] = /Time stamp: (.*)/.exec(said) ?? [];
    expect(at.toISOString()).toBe(new Date(time).toISOString());
    writeFileSync(join(authority.folder, 'stamp.der'), token);
    expect(
      authority.openssl(
        ...['ts', '-verify', '-digest', hash, '-token_in', '-in', 'stamp.der'],
        ...['-CAfile', authority.certificate],
      ),
    ).toContain('Verification: OK');
  });

  it.each([
    ['SHA-1, in the older attribute', { digest: 'sha1' }],
    ['SHA-512', { digest: 'sha512' }],
    ['SHA-256, and has an RSA key', { key: ['rsa:2048'] }],
    ['SHA-256, and has a key of P-384', { key: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'] }],
  ] as const)('is read whose certificate is named by %s', (_, kind) => {
    const other = openStampAuthority(kind);
    onTestFinished(() => other.close());
    expect(readTimestamp(other.reply(request.der), request).token.length).toBeGreaterThan(0);
  });

  it('is not one for another hash', () => {
    expect(() => readTimestamp(answer, { ...request, hash: foreignLeaf('other') })).toThrow(
      'the stamp is for another hash',
    );
  });

  it('is not one for an earlier request', () => {
    expect(() => readTimestamp(answer, timestampRequest(hash))).toThrow('its nonce is not the one');
  });

  it('is not read where any of its first bytes was changed', () => {
    // Status, types, imprint, time and nonce; signature and certificate follow.
    const end = answer.indexOf(Buffer.from(request.nonce, 'hex'));
    let refused = 0;
    for (let index = 0; index < end; index += 1) {
      const altered = Buffer.from(answer);
      altered.writeUInt8(answer.readUInt8(index) ^ 0x40, index);
      try {
        readTimestamp(altered, request);
      } catch (error) {
        expect(error).toBeInstanceOf(TimestampError);
        refused += 1;
      }
    }
    // Versions, algorithms, the policy and the serial number say nothing about what was stamped.
    expect(refused).toBeGreaterThan(end / 2);
  });

  it('is not read where it is cut off', () => {
    for (let length = 0; length < answer.length; length += 1)
      expect(() => readTimestamp(answer.subarray(0, length), request)).toThrow(TimestampError);
  });

  it('is not there if the server refuses, which is said in its words', () => {
    const sha1 = Buffer.from(`30260201013021300906052b0e03021a05000414${'ab'.repeat(20)}`, 'hex');
    expect(() => readTimestamp(authority.reply(sha1), request)).toThrow(
      /^the stamp server refused, status 2: .*Message digest algorithm is not supported/,
    );
  });

  describe('in an evidence file', () => {
    const file = evidenceFile();
    const heads = [foreignLeaf('karting'), file.chain[2]?.head ?? '', foreignLeaf('climbing')];
    const root = rootOf(heads);
    const stampOf = (stampedHash: string) => {
      const wanted = timestampRequest(stampedHash);
      return Buffer.from(readTimestamp(authority.reply(wanted.der), wanted).token);
    };
    /** The file with a stamp of one head of its chain. */
    const stampedAt = (sequence: number, base: EvidenceFile): EvidenceFile => {
      const only = [base.chain.find((entry) => entry.sequence === sequence)?.head ?? ''];
      const token = stampOf(rootOf(only)).toString('base64');
      return { ...base, stamp: { sequence, path: [], root: rootOf(only), token } };
    };
    let stamped: EvidenceFile;
    beforeAll(() => {
      const token = stampOf(root);
      writeFileSync(join(authority.folder, 'root.der'), token);
      stamped = {
        ...file,
        stamp: { sequence: 3, path: pathTo(heads, 1), root, token: token.toString('base64') },
      };
    });
    const said = (changes: Partial<EvidenceFile['stamp']>, base = stamped) =>
      verifyEvidence(JSON.stringify({ ...base, stamp: { ...base.stamp, ...changes } }))
        .filter(({ status }) => status === 'changed')
        .map(({ sentence }) => sentence);

    const findingsOf = (token: Buffer) =>
      verifyEvidence(
        JSON.stringify({ ...stamped, stamp: { ...stamped.stamp, token: token.toString('base64') } }),
      );
    const isRefused = (token: Buffer) => findingsOf(token).some(({ status }) => status === 'changed');
    const saidOf = (token: Buffer) => said({ token: token.toString('base64') });
    const noProof = (why: string) => `The stamp is no proof: ${why}.`;
    const unlinked = (sequence: number) =>
      `The stamp is for number ${sequence}, to which the signing is not linked.`;
    const otherRoot = 'The root of the stamp is not that of number 3.';

    it('is for the root, and OpenSSL says whose it is', () => {
      const findings = verifyEvidence(JSON.stringify(stamped));
      expect(said({})).toEqual([]);
      expect(findings).toContainEqual({
        status: 'proven',
        sentence: expect.stringMatching(
          /^The stamp is for all up to number 3, and signed with the key of the certificate "CN=Test time stamps" in it \(SHA-256 [0-9a-f]{64}\)\.$/,
        ),
      });
      expect(findings).toContainEqual({
        status: 'not-proven',
        sentence: expect.stringMatching(
          /^The stamp claims 20\d\d-.*Z: its signer's word, until you know who/,
        ),
      });
      const { sentence } = findings.find((one) => one.sentence.startsWith('Who stamped it')) ?? {
        sentence: '',
      };
      const [, command = ''] = /openssl (.*)$/.exec(sentence) ?? [];
      const args = command
        .replace('stamp.der', 'root.der')
        .replace('ca.pem', authority.certificate)
        .split(' ');
      expect(authority.openssl(...args)).toContain('Verification: OK');
      expect(findings).toContainEqual({ status: 'not-proven', sentence });
      expect(findings.some((one) => one.sentence.startsWith('When it was'))).toBe(false);
    });

    it('may be for a later number of the same chain', () => {
      const short = { ...stamped, chain: stamped.chain.slice(1) };
      expect(said({}, short)).toEqual([]);
    });

    it.each([1, 4, -1])('is not for a number that the signing is not linked to: %i', (sequence) => {
      expect(said({ sequence })).toEqual([unlinked(sequence)]);
    });

    it('may be for the number of the signing itself, with others after it', () => {
      const batches = [
        batchOf(foreignLeaf('one'), record.leaf),
        { leaves: [foreignLeaf('three')], at: '2026-11-24T10:00:07.000Z' },
      ];
      expect(said({}, stampedAt(2, evidenceFile({ batches })))).toEqual([]);
    });

    it('is not for a number from which a gap in the chain separates the signing, or without the signing', () => {
      const long = evidenceFile({
        batches: [
          batchOf(record.leaf),
          { leaves: [foreignLeaf('two')], at: '2026-11-24T10:00:07.000Z' },
          { leaves: [foreignLeaf('three')], at: '2026-11-24T10:00:12.000Z' },
        ],
      });
      const full = stampedAt(3, long);
      expect(said({}, full)).toEqual([]);
      expect(said({}, { ...full, chain: full.chain.toSpliced(1, 1) })).toEqual([unlinked(3)]);
      expect(said({}, { ...full, chain: full.chain.slice(2) })).toContain(unlinked(3));
    });

    it('is not for another hash', () => {
      const token = stampOf(hash).toString('base64');
      expect(said({ token })).toEqual(['The stamp is for another root.']);
      expect(said({ token, root: hash })).toEqual([otherRoot]);
    });

    it('is not for a hash of another kind', () => {
      const sha3 = '608648016503040208';
      expect(saidOf(tokenOf({ hash: root, nonce: '01' }))).toEqual([]);
      expect(saidOf(tokenOf({ hash: root, nonce: '01', algorithm: sha3 }))).toEqual([
        noProof('the stamp is for another hash'),
      ]);
    });

    it('is one element of exact length: nothing behind it counts', () => {
      const token = stampOf(root);
      const back = tokenOf({ hash: root, nonce: '01', time: '19990101000000Z' });
      const content = token.subarray(4);
      const endless = Buffer.concat([Buffer.from('3080', 'hex'), content, Buffer.from('0000', 'hex')]);
      for (const forged of [
        endless,
        Buffer.concat([endless, back]),
        Buffer.concat([Buffer.from('3080', 'hex'), back.subarray(4), content, Buffer.from('0000', 'hex')]),
        Buffer.concat([token, back]),
        Buffer.concat([back.subarray(0, 4), token]),
        Buffer.from('no token'),
      ])
        expect(saidOf(forged)).toEqual([expect.stringMatching(/^The stamp is no proof: the stamp /)]);
    });

    it('never claims more for a byte that was changed, left out or added', () => {
      const token = stampOf(root);
      const claims = (bytes: Buffer) =>
        findingsOf(bytes).filter(({ sentence }) => /^The stamp/.test(sentence));
      const whole = claims(token);
      expect(whole).toHaveLength(2);
      fc.assert(
        fc.property(
          fc.nat(token.length - 1),
          fc.integer({ min: 0, max: 255 }),
          fc.constantFrom('changed', 'left out', 'added'),
          (at, byte, how) => {
            const kept = token.subarray(at + (how === 'added' ? 0 : 1));
            const forged = Buffer.concat([
              token.subarray(0, at),
              Buffer.from(how === 'left out' ? [] : [byte]),
              kept,
            ]);
            const said = claims(forged);
            if (said.some(({ status }) => status === 'changed')) expect(said).toHaveLength(1);
            else expect(said.map(({ status }) => status)).toEqual(whole.map(({ status }) => status));
            // Its time and its root are those that were signed.
            if (said.length === 2) expect(said[1]).toEqual(whole[1]);
          },
        ),
        { numRuns: 300 },
      );
    });

    describe('whose token is another', () => {
      let token: Buffer;
      beforeAll(() => {
        token = Buffer.from(stamped.stamp?.token ?? '', 'base64');
      });
      const falseTime = () =>
        Buffer.concat([
          ...[der(2, '01'), der(6, '2a0304')],
          der(0x30, der(0x30, der(6, '608648016503040201')), der(4, root)),
          ...[der(2, '01'), der(0x18, Buffer.from('19990101000000Z'))],
        ]);

      const step = process.env.WAIVER_SERVICE_FAULTS === 'long' ? 1 : 5;
      it('in one or another bit of any byte is refused, or says the same', () => {
        const whole = JSON.stringify(findingsOf(token));
        const others = [...token.keys()]
          .filter((index) => index % step === 0)
          .filter((index) =>
            [1, 0x80].some((bit) => {
              const altered = Buffer.from(token);
              altered.writeUInt8(token.readUInt8(index) ^ bit, index);
              const findings = findingsOf(altered);
              return (
                !findings.some(({ status }) => status === 'changed') && JSON.stringify(findings) !== whole
              );
            }),
          );
        expect(others).toEqual([]);
      });

      it('in a length that is told at the end is refused, whatever follows', () => {
        const heads = [...token.subarray(0, -1).keys()].filter((at) =>
          [0x30, 0xa0, 0x31, 0x24].includes(token.readUInt8(at)),
        );
        expect(heads.length).toBeGreaterThan(40);
        const accepted = heads.filter((at) => {
          const length = token.readUInt8(at + 1);
          const rest = token.subarray(at + 2 + (length < 128 ? 0 : length - 128));
          const start = Buffer.concat([token.subarray(0, at + 1), Buffer.from([0x80])]);
          const end = Buffer.alloc(2);
          return ![
            Buffer.concat([start, rest]),
            Buffer.concat([start, rest, end]),
            Buffer.concat([start, rest, end, falseTime()]),
            Buffer.concat([start, falseTime(), rest, end]),
            Buffer.concat([start, rest, falseTime(), end]),
            // In a primitive value, the next byte may be this one.
          ].every((altered) => altered.equals(token) || isRefused(altered));
        });
        expect(accepted).toEqual([]);
      });

      it('and has escape codes for a time does not write them into the report', () => {
        const strange = tokenOf({ hash: root, nonce: '01', time: '\u009b2J\u0085- Nothing was changed.' });
        const [problem] = findingsOf(strange).filter(({ status }) => status === 'changed');
        expect(problem?.sentence).toMatch(/^The stamp is no proof: the stamp's time is not one: ".*"\.$/);
        expect(problem?.sentence).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u);
      });

      it('and signed by someone else only claims its time', () => {
        const forged = tokenOf({ hash: root, nonce: '01', time: '19990101000000Z' });
        expect(findingsOf(forged).filter(({ sentence }) => sentence.includes('1999'))).toEqual([
          { status: 'not-proven', sentence: expect.stringContaining('The stamp claims 1999') },
        ]);
      });
    });

    const other = Buffer.from('other');
    const notThis = 'the stamp names another certificate than the one that signed it';
    const notForStamps = 'the stamp is signed with a certificate that is not for time stamps only';
    it.each<[string, TokenContent['names'], string]>([
      ['no certificate', () => [], 'the stamp has no name of its certificate'],
      ['another certificate', () => [namedBy('sha256', other)], notThis],
      ['another one in the older form', () => [namedBy('sha1', other)], notThis],
      ['two, of which one is another', (own) => [namedBy('sha256', own), namedBy('sha1', other)], notThis],
      ['it by a digest that is not known', (own) => [namedBy('md5', own, '2a864886f70d0205')], notThis],
      ['it by another digest than it says', (own) => [namedBy('sha256', own, '608648016503040203')], notThis],
    ])('that is signed and names %s is no proof', (_, names, message) => {
      expect(saidOf(tokenOf({ hash: root, nonce: '01', names }))).toEqual([noProof(message)]);
    });

    it.each([
      ['SHA-1, in the older form', (own: Buffer) => [namedBy('sha1', own)]],
      ['SHA-512', (own: Buffer) => [namedBy('sha512', own, '608648016503040203')]],
      ['both', (own: Buffer) => [namedBy('sha256', own), namedBy('sha1', own)]],
    ])('may name its certificate by %s', (_, names) => {
      expect(saidOf(tokenOf({ hash: root, nonce: '01', names }))).toEqual([]);
    });

    it.each([
      ['none', ''],
      ['not critical', '30130603551d25040c300a06082b06010505070308'],
      ['said to be not critical', '30160603551d25010100040c300a06082b06010505070308'],
      ['for servers', '30160603551d250101ff040c300a06082b06010505070301'],
      ['for time stamps and servers', '30200603551d250101ff0416301406082b0601050507030806082b06010505070301'],
      [
        'twice',
        '30160603551d250101ff040c300a06082b0601050507030830160603551d250101ff040c300a06082b06010505070301',
      ],
    ])('of a certificate whose usage is %s is no proof', (_, usage) => {
      expect(saidOf(tokenOf({ hash: root, nonce: '01', usage }))).toEqual([noProof(notForStamps)]);
    });

    it('is signed: one that nobody signed, or that was changed afterwards, proves nothing', () => {
      const token = stampOf(root);
      const year = token.indexOf(Buffer.from(new Date().getUTCFullYear().toString()));
      const older = Buffer.from(token);
      older.write('1999', year);
      expect(saidOf(older)).toEqual([noProof('the stamp was changed after it was signed')]);
      const unsigned = Buffer.from(token);
      unsigned.writeUInt8(unsigned.readUInt8(unsigned.length - 1) ^ 1, unsigned.length - 1);
      expect(saidOf(unsigned)).toEqual([noProof('no certificate in the stamp has signed it')]);
    });

    it('is not on another path', () => {
      expect(said({ path: pathTo(heads, 0) })).toEqual([otherRoot]);
      expect(said({ path: [] })).toEqual([otherRoot]);
    });

    it.each([
      ...['', 'AAAA', 'MAA=', Buffer.from('308400').toString('base64')],
      tokenOf({ hash, nonce: '01', without: 'hash' }).toString('base64'),
    ])('is none: %j', (token) => {
      expect(said({ token })).toEqual([expect.stringMatching(/^The stamp is no proof: the stamp /)]);
    });
  });
});

it.each([
  ['nothing', '', 'the stamp has no response'],
  ['text', '3c68746d6c3e', 'the stamp is cut off'],
  ['a length told at the end', '30800000', 'the stamp is not DER'],
  ['a length of five bytes', '30850000000001', 'the stamp is not DER'],
  ['one byte', '30', 'the stamp is cut off'],
  ['no status', '30023000', 'the stamp has no status'],
  [
    'a refusal whose length is in four bytes',
    '3084000000053003020102',
    'the stamp is not DER: a length with leading zeros',
  ],
  ['a refusal without words', '30053003020102', 'the stamp server refused, status 2: it gives no reason'],
  ['granted without a token', '30053003020100', 'the stamp has no token'],
])('an answer of %s is no stamp', (_, hex, message) => {
  expect(() => readTimestamp(Buffer.from(hex, 'hex'), timestampRequest(hash))).toThrow(message);
});

describe('an answer', () => {
  const request = timestampRequest(hash);
  const read = (content: Partial<TokenContent>, status?: string, ...words: readonly string[]) =>
    readTimestamp(answerOf({ hash, nonce: request.nonce, ...content }, status, ...words), request);

  it.each([
    ['20261124100000Z', '2026-11-24T10:00:00.000Z'],
    ['20261124100000.5Z', '2026-11-24T10:00:00.500Z'],
    ['20261124100000.123456Z', '2026-11-24T10:00:00.123Z'],
  ])('of %s is read to the millisecond', (time, expected) => {
    expect(read({ time }).at.toISOString()).toBe(expected);
  });

  it.each(['20261324100000Z', '20261124100000', '20261124100000Z1', '120261124100000Z', '261124100000Z', ''])(
    'does not pass with the time %j',
    (time) => {
      expect(() => read({ time })).toThrow(`the stamp's time is not one: "${time}"`);
    },
  );

  it('may be granted with modifications', () => {
    expect(read({}, '01').token).toEqual(tokenOf({ hash, nonce: request.nonce }));
  });

  it('that is a refusal has the words of the server, without what is no text', () => {
    expect(() => read({}, '02', 'not', 'accepted')).toThrow(
      /^the stamp server refused, status 2: not accepted$/,
    );
  });

  it('is not for this request because its serial number is the nonce', () => {
    expect(() => read({ serial: request.nonce, nonce: '01' })).toThrow('its nonce is not the one');
  });

  it.each<[Partial<TokenContent>, string]>([
    [{ type: '2a864886f70d010701' }, 'the token is not signed data'],
    [{ contentType: '2a864886f70d010701' }, 'the token is not a time stamp'],
    [{ algorithm: '608648016503040208' }, 'the stamp is for another hash'],
  ])('of another type does not pass: %j', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  it.each([
    ...['type', 'content', 'signed data', 'content of the token', 'type of content'],
    ...['time stamp', 'imprint', 'algorithm', 'hash', 'time'],
  ])('without %s does not pass, and says so', (name) => {
    expect(() => read({ without: name })).toThrow(
      expect.objectContaining({ name: 'TimestampError', message: `the stamp has no ${name}` }),
    );
  });
});
