import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { requireUncompressed } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { readJsonBody } from '../http/json-body.ts';
import { bodyMustBeJson } from '../http/problem-answers.ts';

const jsonType = 'application/json';
const xmlTypes = ['application/xml', 'text/xml'];
const formType = 'application/x-www-form-urlencoded';

/** The media types of inbound calls. */
export const inboundTypes = [jsonType, ...xmlTypes, formType];

/** The maximum number of fields in a form. A booking with a hundred lines has about two thousand. */
const maxFormFields = 5000;

// Lenient on purpose: ids are ASCII, so they can be read even if the body is not UTF-8.
const utf8 = new TextDecoder();

/** A body that is not parsed yet. */
export interface UnparsedBody {
  readonly bytes: Buffer;
  /** Parses JSON, XML as text, or a form as an object with lists for repeated fields; undefined if empty. */
  parse(): unknown;
}

const noBody: UnparsedBody = { bytes: Buffer.alloc(0), parse: () => undefined };

function parseForm(bytes: Buffer): object | undefined {
  const text = utf8.decode(bytes);
  if (text === '') return undefined;
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw malformed([{ path: '', message: `a form may have ${maxFormFields} fields at most` }]);
  }
  return { ...parse(text, '&', '=', { maxKeys: maxFormFields }) };
}

const unparsed = new WeakMap<FastifyRequest, UnparsedBody>();

/** The body of a request in a scope that {@link leaveBodiesUnparsed}. */
export const unparsedBodyOf = (request: FastifyRequest): UnparsedBody => unparsed.get(request) ?? noBody;

/**
 * Leaves the bodies of a scope unparsed, since the vendor's signature covers their bytes. Accepts XML and forms only
 * for calls that `isNative` accepts: the contract's calls are JSON.
 */
export function leaveBodiesUnparsed(app: HostApp, isNative: (request: FastifyRequest) => boolean): void {
  const take = (contentType: string | string[], parseBytes: (bytes: Buffer) => unknown, isJson = false) =>
    app.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        if (!isJson && !isNative(request)) throw bodyMustBeJson;
        requireUncompressed(request);
        unparsed.set(request, { bytes, parse: () => parseBytes(bytes) });
        return undefined;
      },
    );
  app.removeContentTypeParser(jsonType);
  take(jsonType, readJsonBody, true);
  take(xmlTypes, (bytes) => utf8.decode(bytes) || undefined);
  take(formType, parseForm);
}
