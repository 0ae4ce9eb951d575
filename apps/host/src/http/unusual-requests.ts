import type { HostApp } from './host-app.ts';
import { HttpProblem } from './http-problem.ts';
import { problemBody } from './problem-answers.ts';

/**
 * Responds with a problem to requests that Node's server would reject without a body or ignore: HTTP/1.1 without
 * `Host`, CONNECT, and an unknown `Expect` (which RFC 9110 lets a server ignore). Requires a server with
 * `requireHostHeader: false`.
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
    // The client may have closed the connection.
    socket.on('error', () => {});
    socket.end(
      'HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json; charset=utf-8\r\nAllow: \r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
