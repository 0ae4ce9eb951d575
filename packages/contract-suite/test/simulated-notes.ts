import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SimulatedRequest, StartVendor } from '../src/index.ts';

type Answer = NonNullable<SimulatedRequest['answer']>;

const unknown: Answer = { status: 404, body: { error: 'NO_SUCH' } };

/** The good native plugin's vendor, with a note on the reservation `R/1`, and lists of nothing else. */
export const simulatedNotes =
  (note: string): StartVendor =>
  async () => {
    let stored = note;
    const received: SimulatedRequest[] = [];
    function answerTo(method: string, path: string, body: string): Answer {
      const [route = '', query] = path.split('?');
      const asked = new URLSearchParams(query);
      switch (`${method} ${route}`) {
        case 'GET /reservations/R%2F1/note':
          return { status: 200, body: { ref: 'R/1', text: stored, version: 'v1' } };
        case 'PUT /reservations/R%2F1/note/v1':
          stored = JSON.parse(body).text;
          return { status: 200, body: {} };
        case 'GET /reservations': {
          const [size, page] = [Number(asked.get('size')), Number(asked.get('page'))];
          const list = ['R/7', 'R/8', 'R/9'].slice((page - 1) * size, page * size).map((ref) => ({ ref }));
          return { status: 200, body: { list, pages: Math.ceil(3 / size) } };
        }
        case 'GET /changes':
          return asked.get('since') === '2027-06-12T07:00:00.000Z'
            ? { status: 200, body: { changed: ['R/1'] } }
            : unknown;
        case 'GET /me':
          return { status: 200, body: {} };
        default:
          return unknown;
      }
    }
    const server = createServer(async (request, response) => {
      const { method = '', url: path = '' } = request;
      const answer = answerTo(method, path, await text(request));
      received.push({ method, path, answer });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return {
      url: `http://127.0.0.1:${address.port}`,
      received,
      state: () => stored,
      async close() {
        server.closeAllConnections();
        server.close();
      },
    };
  };
