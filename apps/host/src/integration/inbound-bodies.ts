import { parse } from 'node:querystring';
import { inboundFormType, inboundJsonType, inboundXmlTypes } from '@waiver-service/api';
import { charsetOf, decodeText } from '@waiver-service/outbound';
import type { FastifyRequest } from 'fastify';
import { requireUncompressed } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { readJsonBody, requireKnownCharset } from '../http/json-body.ts';
import { bodyMustBeJson } from '../http/problem-answers.ts';

/** The maximum number of fields in a form. A booking with a hundred lines has about two thousand. */
const maxFormFields = 5000;

/** A body that is not parsed yet. */
export interface UnparsedBody {
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
