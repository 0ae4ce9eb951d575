import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { requireUncompressed } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { bodyMustBeJson } from '../http/problem-answers.ts';

const xmlTypes = ['application/xml', 'text/xml'];
const formType = 'application/x-www-form-urlencoded';

/** The media types of inbound calls. */
export const inboundTypes = ['application/json', ...xmlTypes, formType];

/** The maximum number of fields in a form. A booking with a hundred lines has about two thousand. */
const maxFormFields = 5000;

// Lenient on purpose: ids are ASCII, so they can be read even if the body is not UTF-8.
const utf8 = new TextDecoder();

function readForm(bytes: Buffer): object | undefined {
  const text = utf8.decode(bytes);
  if (text === '') return undefined;
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw malformed([{ path: '', message: `a form may have ${maxFormFields} fields at most` }]);
  }
  return { ...parse(text, '&', '=', { maxKeys: maxFormFields }) };
}

/**
 * Parses XML as text and forms as objects, in which a repeated field is a list. Only for calls that `isNative` accepts:
 * the contract's calls are JSON. An empty body is `undefined`.
 */
export function readNativeBodies(app: HostApp, isNative: (request: FastifyRequest) => boolean): void {
  const read = (contentType: string | string[], parser: (bytes: Buffer) => unknown) =>
    app.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        if (!isNative(request)) throw bodyMustBeJson;
        requireUncompressed(request);
        return parser(bytes);
      },
    );
  read(xmlTypes, (bytes) => utf8.decode(bytes) || undefined);
  read(formType, readForm);
}
