import { InvalidBookingResponse } from '@waiver-service/core';
import { isJsonObject, type JsonObject } from './json.ts';

function describe(body: unknown): string {
  if (typeof body !== 'string') {
    return Array.isArray(body) ? `a list of ${body.length}` : `a bare ${String(body)}`;
  }
  const text = body.trim();
  if (text === '') return 'an empty answer';
  if (text.startsWith('<')) return 'a page of HTML or XML';
  return /^[{[]/.test(text) ? 'JSON that is cut off or malformed' : 'a text that is not JSON';
}

/** Returns the body if it is a JSON object; otherwise throws InvalidBookingResponse, whose message describes it. */
export function expectObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new InvalidBookingResponse(`a booking was expected, but ${describe(body)} came`);
}
