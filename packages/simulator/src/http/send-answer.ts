import type { ServerResponse } from 'node:http';
import type { SimulatedAnswer } from './received-request.ts';

/** Sends an answer as JSON, with its length. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: SimulatedAnswer): void {
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  sendText(response, status, JSON.stringify(body), 'application/json; charset=utf-8');
}

/** Sends a text of any content type, with its length. */
export function sendText(response: ServerResponse, status: number, text: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
