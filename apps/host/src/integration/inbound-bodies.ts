import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { requireUncompressed } from '../http/create-app.ts';
import type { HostApp } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { bodyMustBeJson } from '../http/problem-answers.ts';

const xmlTypes = ['application/xml', 'text/xml'];
const formType = 'application/x-www-form-urlencoded';

/** The types of body that an inbound call may have. */
export const inboundTypes = ['application/json', ...xmlTypes, formType];

/** Most fields of a form. A booking of a hundred lines has some two thousand. */
const maxFormFields = 5000;

// Lenient on purpose: of a body in another encoding than UTF-8 the ids, which are ASCII, are read all the same.
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
 * Reads XML, handed on as text, and forms, handed on as their fields, a field that comes more than once as a list. Only
 * for calls that `isNative`: the contract's are JSON. No bytes are no body.
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
