import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EvidenceFile,
  pathTo,
  readTimestamp,
  rootOf,
  TimestampError,
  timestampRequest,
  verifyEvidence,
} from '../src/index.ts';
import { evidenceFile, foreignLeaf } from './sample-file.ts';
import { hasOpenssl, openStampAuthority, type StampAuthority } from './stamp-authority.ts';

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
    let stamped: EvidenceFile;
    beforeAll(() => {
      const wanted = timestampRequest(root);
      const { token } = readTimestamp(authority.reply(wanted.der), wanted);
      writeFileSync(join(authority.folder, 'root.der'), token);
      stamped = {
        ...file,
        stamp: { sequence: 3, path: pathTo(heads, 1), root, token: Buffer.from(token).toString('base64') },
      };
    });
    const said = (changes: Partial<EvidenceFile['stamp']>, base = stamped) =>
      verifyEvidence(JSON.stringify({ ...base, stamp: { ...base.stamp, ...changes } }))
        .filter(({ status }) => status === 'changed')
        .map(({ sentence }) => sentence);

    it('is for the root, and OpenSSL says whose it is', () => {
      const findings = verifyEvidence(JSON.stringify(stamped));
      expect(said({})).toEqual([]);
      expect(findings).toContainEqual({
        status: 'proven',
        sentence: expect.stringMatching(/^The stamp is of 20\d{12}Z \(.*\), for all up to number 3\.$/),
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
      expect(findings.some((one) => one.sentence.startsWith('When it was'))).toBe(false);
    });

    it('may be for a later number of the same chain', () => {
      const short = { ...stamped, chain: stamped.chain.slice(1) };
      expect(said({}, short)).toEqual([]);
    });

    it('is not for a number that the signing is not linked to', () => {
      const unlinked = 'to which the signing is not linked.';
      expect(said({ sequence: 1 })).toEqual([`The stamp is for number 1, ${unlinked}`]);
      expect(said({ sequence: 4 })).toEqual([`The stamp is for number 4, ${unlinked}`]);
    });

    it('is not for another hash', () => {
      const wanted = timestampRequest(hash);
      const token = Buffer.from(readTimestamp(authority.reply(wanted.der), wanted).token).toString('base64');
      expect(said({ token })).toEqual(['The stamp is for another root.']);
      expect(said({ token, root: hash })).toEqual(['The root of the stamp is not that of number 3.']);
    });

    it('is not on another path', () => {
      expect(said({ path: pathTo(heads, 0) })).toEqual(['The root of the stamp is not that of number 3.']);
      expect(said({ path: [] })).toEqual(['The root of the stamp is not that of number 3.']);
    });

    it.each(['', 'AAAA', 'MAA=', Buffer.from('308400').toString('base64')])('is none: %j', (token) => {
      expect(said({ token })).toEqual(['The stamp is for another root.']);
    });
  });
});

it.each([
  ['nothing', '', 'the answer has no response'],
  ['text', '3c68746d6c3e', 'the answer is cut off'],
  ['a length told at the end', '30800000', 'the answer is not DER'],
  ['a length of five bytes', '30850000000001', 'the answer is not DER'],
  ['one byte', '30', 'the answer is not DER'],
  ['no status', '30023000', 'the answer has no status'],
  ['a refusal without words', '30053003020102', 'the stamp server refused, status 2: it says not why'],
  ['granted without a token', '30053003020100', 'the answer has no token'],
])('an answer of %s is no stamp', (_, hex, message) => {
  expect(() => readTimestamp(Buffer.from(hex, 'hex'), timestampRequest(hash))).toThrow(message);
});
