import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { ReceivedRequest } from '@waiver-service/simulator';
import type { TriedPlugin } from './try-plugin.ts';

/** A call of the plugin to its vendor, as the page shows it. */
interface ShownCall {
  readonly at: string;
  readonly request: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly sent: string;
  readonly answer: unknown;
}

const shownCall = (call: ReceivedRequest): ShownCall => ({
  at: call.at.toISOString().slice(11, 23),
  request: `${call.method} ${call.path}`,
  status: call.answer?.status,
  headers: call.headers,
  sent: call.body.toString('utf8'),
  answer: call.answer?.body,
});

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Plugin</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
  button { font: inherit; padding: .3rem .8rem; margin: 0 .4rem .4rem 0 }
  pre { overflow: auto; padding: .6rem; background: #8882; white-space: pre-wrap; overflow-wrap: anywhere }
  summary { font-family: ui-monospace, monospace; padding: .2rem 0; cursor: pointer }
</style>
<h1></h1>
<p id="buttons"></p>
<h2>Result</h2>
<pre id="result" role="status"></pre>
<h2>Calls of the plugin, latest first</h2>
<div id="calls"></div>
<script type="module">
  const element = (id) => document.getElementById(id);
  const text = (value) => typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  let shown = '';
  const entries = [];
  const openable = (call) => {
    const details = document.createElement('details');
    const summary = details.appendChild(document.createElement('summary'));
    summary.textContent = call.at + '  ' + (call.status ?? '–') + '  ' + call.request;
    for (const part of [call.headers, call.sent, call.answer]) {
      if (part !== '') details.appendChild(document.createElement('pre')).textContent = text(part);
    }
    return details;
  };
  const act = async (action) => {
    await fetch('/actions', { method: 'POST', body: action });
    await show();
  };
  const show = async () => {
    let state;
    try {
      state = await (await fetch('/state')).json();
    } catch {
      document.querySelector('h1').textContent = 'Stopped: the terminal says why';
      shown = '';
      return;
    }
    if (JSON.stringify(state) === shown) return;
    shown = JSON.stringify(state);
    document.title = document.querySelector('h1').textContent = state.displayName;
    element('buttons').replaceChildren(...state.actions.map((action) => {
      const button = document.createElement('button');
      button.textContent = action;
      button.onclick = () => act(action);
      return button;
    }));
    element('result').textContent = text(state.result);
    if (state.calls.length < entries.length) entries.splice(0).forEach(({ details }) => details.remove());
    state.calls.forEach((call, place) => {
      const entry = entries[place];
      if (entry && entry.status === call.status) return;
      // New, or answered since.
      const details = openable(call);
      if (entry === undefined) element('calls').prepend(details);
      else entry.details.replaceWith(details);
      entries[place] = { status: call.status, details };
    });
  };
  setInterval(show, 700);
  show();
</script>
</html>
`;

/** Serves the page on 127.0.0.1. @returns its server, and what it shows as the result of the last action */
export async function servePage(
  port: number,
  { displayName, actions }: TriedPlugin,
  calls: readonly ReceivedRequest[],
): Promise<{ readonly server: Server; readonly url: string; act(action: string): Promise<void> }> {
  let result: unknown = null;
  async function act(name: string): Promise<void> {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    result = await action?.().catch((error: unknown) => String(error));
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let name = '';
      for await (const chunk of request) name += chunk;
      await act(name);
      response.writeHead(204).end();
    } else if (request.url === '/state') {
      const state = { displayName, actions: Object.keys(actions), result, calls: calls.map(shownCall) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the page has no TCP address');
  return { server, url: `http://127.0.0.1:${address.port}`, act };
}
