import type { HostApp } from './host-app.ts';
import { HttpProblem } from './http-problem.ts';
import { problemBody } from './problem-answers.ts';

/**
 * Answers in our words what Node's server would answer without a body, or not at all: HTTP/1.1 without `Host`,
 * CONNECT, and an `Expect` that it does not know (which RFC 9110 lets a server pass over). The server has to be made
 * with `requireHostHeader: false`.
 */
export function answerUnusualRequests(app: HostApp): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') done();
    else done(new HttpProblem(400, 'malformed', 'The request has no Host header.'));
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => {
    const problem = new HttpProblem(405, 'method_not_allowed', 'This is not a proxy: it takes no CONNECT.');
    const body = JSON.stringify(problemBody(problem));
    // Who asked may be gone.
    socket.on('error', () => {});
    socket.end(
      'HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json; charset=utf-8\r\nAllow: \r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
