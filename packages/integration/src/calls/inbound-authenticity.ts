import { parse } from 'node:querystring';
import { inboundFormType, inboundJsonType, inboundXmlTypes } from '@waiver-service/api';
import type { BookingSystemPlugin, InboundRequest, InstalledAccount } from '@waiver-service/core';
import type { HostApp } from '@waiver-service/http';
import {
  bodyMustBeJson,
  HttpProblem,
  malformed,
  readJsonBody,
  requireKnownCharset,
  requireUncompressed,
} from '@waiver-service/http';
import { charsetOf, decodeText } from '@waiver-service/outbound';
import type { PoolOfKey } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { BaseUrl, Store } from '../given.ts';
import { bookingSystemOfPath, KeyThrottle, wrongKey } from './install-key.ts';

/** The maximum number of fields in a form. A booking with a hundred lines has about two thousand. */
const maxFormFields = 5000;

/** A body that is not parsed yet. */
interface UnparsedBody {
  readonly bytes: Buffer;
  /** Parses JSON, XML as text, or a form as an object with lists for repeated fields; undefined if empty. */
  parse(): unknown;
}

const noBody: UnparsedBody = { bytes: Buffer.alloc(0), parse: () => undefined };

// Lenient on purpose: ids are ASCII, so they can be read even if the body is not what its charset says.
function parseText(bytes: Buffer, contentType: string | undefined): string | undefined {
  const charset = charsetOf(bytes, contentType);
  return requireKnownCharset(decodeText(bytes, charset), charset) || undefined;
}

/** The bytes of a text that has one character for each, some of them percent-encoded. */
const unescapedBytes = (text: string) =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Fields are percent-encoded bytes of the declared charset. */
function parseForm(bytes: Buffer, contentType: string | undefined): object | undefined {
  const text = bytes.toString('latin1');
  if (text === '') return undefined;
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw malformed([{ path: '', message: `a form may have ${maxFormFields} fields at most` }]);
  }
  const charset = charsetOf(unescapedBytes(text), contentType);
  // Here, because `parse` ignores what a decoder throws.
  requireKnownCharset(decodeText(Buffer.alloc(0), charset), charset);
  return {
    ...parse(text, '&', '=', {
      maxKeys: maxFormFields,
      decodeURIComponent: (field) => decodeText(unescapedBytes(field), charset) ?? field,
    }),
  };
}

const unparsed = new WeakMap<FastifyRequest, UnparsedBody>();

/** The body of a request in a scope that {@link leaveBodiesUnparsed}. */
export const unparsedBodyOf = (request: FastifyRequest): UnparsedBody => unparsed.get(request) ?? noBody;

/**
 * Leaves the bodies of a scope unparsed, since the vendor's signature covers their bytes. Accepts XML and forms only
 * for calls that `isNative` accepts: the contract's calls are JSON.
 */
export function leaveBodiesUnparsed(app: HostApp, isNative: (request: FastifyRequest) => boolean): void {
  const take = (
    contentType: string | string[],
    parseBytes: (bytes: Buffer, contentType: string | undefined) => unknown,
    isJson = false,
  ) =>
    app.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        if (!isJson && !isNative(request)) throw bodyMustBeJson;
        requireUncompressed(request);
        unparsed.set(request, { bytes, parse: () => parseBytes(bytes, request.headers['content-type']) });
        return undefined;
      },
    );
  app.removeContentTypeParser(inboundJsonType);
  take(inboundJsonType, readJsonBody, true);
  take(inboundXmlTypes, parseText);
  take(inboundFormType, parseForm);
}

/** The settings and the account with which a plugin reads an inbound call, parsed by its schemas. */
interface InboundAccess {
  readonly settings: unknown;
  /** Undefined if it is not known yet whose call it is. */
  readonly account: InstalledAccount | undefined;
}

/**
 * The settings of a booking system, and the account that it is installed with for a pool, if one is given. Undefined if
 * either is incomplete, or nothing is installed.
 */
export async function readInboundAccess(
  { installations, bookingSystems }: Pick<Store, 'installations' | 'bookingSystems'>,
  { installName, settingsSchema, accountSchema }: BookingSystemPlugin,
  pool?: string,
): Promise<InboundAccess | undefined> {
  const [configured, installation] = await Promise.all([
    bookingSystems.get(installName),
    pool === undefined ? undefined : installations.get(pool, installName),
  ]);
  const settings = settingsSchema.safeParse(configured?.settings ?? {});
  if (!settings.success) return undefined;
  if (pool === undefined) return { settings: settings.data, account: undefined };
  if (installation === undefined) return undefined;
  const { accountId, apiKey, information } = installation.account;
  const account = accountSchema.safeParse({ ...information, accountId, apiKey });
  return account.success ? { settings: settings.data, account: account.data } : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool that the app pool key of an inbound call belongs to; null at an address for all accounts. */
    openedPool: PoolOfKey | null;
  }
}

/** Decides whether an inbound call comes from a booking system, by its app pool key and by its signature. */
@injectable()
export class InboundAuthenticity {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Store) private readonly store: Store,
    @inject(KeyThrottle) private readonly keyThrottle: KeyThrottle,
  ) {}

  /**
   * Opens the pool that the app pool key belongs to.
   * @throws HttpProblem 401, or 429 after too many wrong keys
   */
  async identify(request: FastifyRequest, key: string | undefined): Promise<void> {
    const verified =
      key === undefined
        ? undefined
        : await this.store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.openedPool = verified;
      return;
    }
    this.keyThrottle.record(request, key);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  }

  /** The call as plugins read it. */
  inboundRequest(request: FastifyRequest, access: InboundAccess): InboundRequest<unknown, InstalledAccount> {
    return {
      method: request.method,
      // Signatures cover the address that the vendor called.
      url: new URL(`${this.baseUrl()}${request.url}`),
      headers: request.headers,
      query: z.record(z.string(), z.unknown()).parse(request.query),
      rawBody: unparsedBodyOf(request).bytes,
      now: new Date(),
      ...access,
    };
  }

  /**
   * Verifies the call as the vendor signs it.
   * @throws HttpProblem 401, 409 if it cannot be verified, or 429 after too many forged ones
   */
  async requireAuthentic(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<void> {
    const { installName, displayName } = plugin;
    const access = await readInboundAccess(this.store, plugin, request.openedPool?.pool);
    if (access === undefined) {
      throw new HttpProblem(
        409,
        'booking_system_not_configured',
        `Calls of ${displayName} cannot be verified: its settings or its account are not complete.`,
      );
    }
    const authenticity = await Promise.resolve(
      plugin.inboundAuthenticity?.(this.inboundRequest(request, access)),
    ).catch((error: unknown) => {
      request.log.warn({ err: error, bookingSystem: installName }, 'an inbound call could not be verified');
      return 'forged';
    });
    if (authenticity === 'authentic') return;
    request.log.info({ bookingSystem: installName, authenticity }, 'an inbound call was refused');
    this.keyThrottle.record(request, undefined);
    throw wrongKey(
      authenticity === 'stale'
        ? `The signature of this call is of another time: it was recorded, or a clock is wrong.`
        : `This call is not authenticated as ${displayName} does.`,
    );
  }
}
