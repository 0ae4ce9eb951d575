import { parseXml, XmlElement } from '@rgrove/parse-xml';
import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { expectObject, type JsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';

// About ten times the size of a booking with a hundred lines.
const maxCharacters = 1_048_576;
const maxDepth = 20;

/** Converts an element to the shape of Checkfront's JSON: a text, or attributes and elements by name. */
function jsonOf(element: XmlElement, depth: number): unknown {
  if (depth > maxDepth) throw new Error(`the XML is nested more than ${maxDepth} deep`);
  const valuesByName = new Map<string, unknown[]>();
  for (const child of element.children) {
    if (!(child instanceof XmlElement)) continue;
    const values = valuesByName.get(child.name) ?? [];
    values.push(jsonOf(child, depth + 1));
    valuesByName.set(child.name, values);
  }
  const attributes = { ...element.attributes };
  const hasAttributes = Object.keys(attributes).length > 0;
  if (valuesByName.size === 0 && !hasAttributes) return element.text.trim() === '' ? {} : element.text;
  const fields = [...valuesByName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return Object.fromEntries(hasAttributes ? [['@attributes', attributes], ...fields] : fields);
}

/**
 * Converts Checkfront's XML webhook to the shape of its JSON. The parser does not resolve entities of a document type.
 * Throws for any other XML.
 */
export function readXmlCall(xml: string): JsonObject {
  if (xml.length > maxCharacters) throw new Error(`the XML has more than ${maxCharacters} characters`);
  const { root } = parseXml(xml.trim());
  if (root?.name !== 'checkfront-notify') throw new Error('the XML is no checkfront-notify');
  return objectOf(jsonOf(root, 0));
}

/** The value at a path, in JSON or in a form whose field names are paths: `booking[code]`. */
function valueAt(call: JsonObject, [first, ...rest]: readonly [string, ...string[]]): unknown {
  const nested = rest.reduce<unknown>((value, name) => objectOf(value)[name], call[first]);
  return nested ?? call[`${first}${rest.map((name) => `[${name}]`).join('')}`];
}

const idPaths = [
  ['booking', 'code'],
  ['booking', '@attributes', 'booking_id'],
  ['transaction', 'booking_id'],
] as const;

/**
 * Parses Checkfront's webhook, sent as JSON, as a form or as XML. Calls about items and rates name no booking. Throws for a
 * body that is not one of Checkfront's.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const call = typeof body === 'string' ? readXmlCall(body) : expectObject(body);
  const id = idPaths.map((path) => textOf(valueAt(call, path))).find((found) => found !== undefined);
  if (id !== undefined) return { bookingIds: [id] };
  const isAboutBooking = Object.keys(call).some((name) => name === 'booking' || name.startsWith('booking['));
  if (isAboutBooking) throw new Error('the call names neither a booking’s code nor its number');
  return { bookingIds: [] };
}
