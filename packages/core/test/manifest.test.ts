import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  contractChoicesSchema,
  manifestSchema,
  storedGuestId,
  supportedSpecificationVersions,
} from '../src/index.ts';

const capabilities = {
  forms: ['current'],
  guestUpdate: true,
  takes: ['waiver'],
  void: true,
  inbound: 'contract',
};
const contract = {
  authHeaderName: 'api-key',
  guestUpdateAuthHeaderName: 'API-key',
  pathShape: 'path',
  guestId: 'none',
};
const manifest = {
  specificationVersion: 'v1',
  installName: 'standard',
  displayName: 'Standard',
  writeUnit: 'waiver',
  capabilities,
};
const isAccepted = (change: object) => manifestSchema.safeParse({ ...manifest, contract, ...change }).success;
const isChoice = (change: object) => isAccepted({ contract: { ...contract, ...change } });
const isCapable = (change: object) => isAccepted({ capabilities: { ...capabilities, ...change } });

describe('a manifest', () => {
  it('is accepted as it is', () => {
    for (const accepted of [manifest, { ...manifest, contract }])
      expect(manifestSchema.parse(accepted)).toEqual(accepted);
    expect(supportedSpecificationVersions).toEqual(['v1']);
  });

  it.each(Object.keys(manifest))('without %s is refused', (name) => {
    expect(isAccepted({ [name]: undefined })).toBe(false);
  });

  it.each(Object.keys(contract))('that follows the contract, without %s, is refused', (name) => {
    expect(isChoice({ [name]: undefined })).toBe(false);
  });

  it.each(Object.keys(capabilities))('without the capability %s is refused', (name) => {
    expect(isCapable({ [name]: undefined })).toBe(false);
  });

  it('may make each choice that the contract leaves open, and no other', () => {
    const choices = {
      pathShape: ['path', 'query'],
      guestId: ['booking-guest-id', 'waiver-id', 'none'],
    };
    for (const [name, values] of Object.entries(choices)) {
      for (const value of values) expect(isChoice({ [name]: value }), value).toBe(true);
      for (const value of ['', 'other']) expect(isChoice({ [name]: value }), name).toBe(false);
    }
    for (const writeUnit of ['waiver', 'booking']) expect(isAccepted({ writeUnit }), writeUnit).toBe(true);
    expect(isAccepted({ writeUnit: 'other' })).toBe(false);
  });

  it('may declare each known capability, and no other', () => {
    for (const form of ['current', 'legacy', 'native']) expect(isCapable({ forms: [form] }), form).toBe(true);
    for (const part of ['waiver', 'fields', 'notes', 'files'])
      expect(isCapable({ takes: [part] }), part).toBe(true);
    for (const inbound of ['contract', 'native', 'none']) expect(isCapable({ inbound }), inbound).toBe(true);
    expect(isCapable({ takes: [] })).toBe(true);
    expect(isCapable({ forms: [] })).toBe(false);
    for (const unknown of [{ forms: [''] }, { takes: [''] }, { inbound: '' }, { void: 'yes' }])
      expect(isCapable(unknown), JSON.stringify(unknown)).toBe(false);
  });

  it('may say what it was made from', () => {
    for (const tier of ['documents', 'recorded', { liveSince: '2027-05-01' }])
      expect(isAccepted({ tier }), JSON.stringify(tier)).toBe(true);
    for (const tier of ['', 'live', {}, { liveSince: 'May' }, { liveSince: '2027-05-01', more: true }])
      expect(isAccepted({ tier }), JSON.stringify(tier)).toBe(false);
  });

  it('has a display name of 1 to 100 characters', () => {
    expect(isAccepted({ displayName: 'X' })).toBe(true);
    expect(isAccepted({ displayName: 'X'.repeat(100) })).toBe(true);
    expect(isAccepted({ displayName: '' })).toBe(false);
    expect(isAccepted({ displayName: 'X'.repeat(101) })).toBe(false);
  });

  it.each(['authHeaderName', 'guestUpdateAuthHeaderName'])('has a valid HTTP header name as %s', (field) => {
    for (const name of ['x', 'X-Api-Key', "!#$%&'*+.^_`|~09AZaz-"])
      expect(isChoice({ [field]: name }), name).toBe(true);
    for (const name of ['', 'api key', ' api-key', 'api-key ', 'api-key\r\n', 'api:key', 'schlüssel', '(x)'])
      expect(isChoice({ [field]: name }), name).toBe(false);
  });

  it('may give up to four request limits, of an installation or of all together', () => {
    const second = { requests: 30, windowMs: 1_000 };
    const day = { requests: 1_000_000, windowMs: 86_400_000 };
    for (const per of ['installation', 'booking-system'])
      for (const windows of [[second], [day, second]])
        expect(isCapable({ requestLimits: { per, windows } })).toBe(true);
    for (const requestLimits of [
      {},
      { windows: [second] },
      { per: 'account', windows: [second] },
      { per: 'installation', windows: [] },
      { per: 'installation', windows: [1, 2, 3, 4, 5].map((n) => ({ requests: n, windowMs: n * 1_000 })) },
    ])
      expect(isCapable({ requestLimits }), JSON.stringify(requestLimits)).toBe(false);
    for (const change of [
      { requests: 0 },
      { requests: 1.5 },
      { requests: 1_000_001 },
      { windowMs: 999 },
      { windowMs: 1_000.5 },
      { windowMs: 86_400_001 },
    ]) {
      const windows = [{ ...second, ...change }];
      expect(isCapable({ requestLimits: { per: 'installation', windows } }), JSON.stringify(change)).toBe(
        false,
      );
    }
  });

  it('lets a longer window allow more requests than a shorter one', () => {
    const second = { requests: 30, windowMs: 1_000 };
    for (const other of [second, { requests: 30, windowMs: 2_000 }, { requests: 31, windowMs: 1_000 }]) {
      const windows = [other, second];
      expect(isCapable({ requestLimits: { per: 'installation', windows } }), JSON.stringify(other)).toBe(
        false,
      );
    }
  });

  it('may map each status to one of the groups', () => {
    expect(isAccepted({ statusMap: { OK: 'active', GONE: 'cancelled', HELD: 'other' } })).toBe(true);
    expect(isAccepted({ statusMap: {} })).toBe(true);
    for (const group of ['', 'Active', 1]) expect(isAccepted({ statusMap: { OK: group } })).toBe(false);
  });

  it('describes the fields whose names do not speak for themselves', () => {
    expect(z.toJSONSchema(contractChoicesSchema)).toMatchObject({
      properties: {
        authHeaderName: { description: expect.stringContaining('API key') },
        guestUpdateAuthHeaderName: { description: expect.stringContaining('`API-key`') },
      },
    });
  });
});

describe('the id that a waiver is stored under', () => {
  const storedUnder = (change: object) => storedGuestId(manifestSchema.parse({ ...manifest, ...change }));
  it('is the choice of a booking system that follows the contract', () => {
    for (const guestId of ['booking-guest-id', 'waiver-id', 'none'])
      expect(storedUnder({ contract: { ...contract, guestId } })).toBe(guestId);
  });
  it('is the guest’s where another API stores it in the guest’s fields', () => {
    const taking = (...takes: string[]) => storedUnder({ capabilities: { ...capabilities, takes } });
    expect(taking('notes', 'fields')).toBe('booking-guest-id');
    expect(taking('notes')).toBe('none');
  });
});
