// A host, as far as the embedded server is concerned: starts it, says where it is, and lives until it is told to end.
import { startEmbeddedPostgres } from '../src/index.ts';

const [dataDir = '', ending = 'stop'] = process.argv.slice(2);
process.on('SIGINT', () => console.log('interrupted'));
try {
  const server = await startEmbeddedPostgres({
    dataDir,
    onMessage: (message) => console.log(`message ${message}`),
  });
  console.log(`url ${server.url}`);
  process.stdin.on('data', async () => {
    if (ending === 'stop') await server.stop();
    process.exit(0);
  });
} catch (error) {
  console.log(`error ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
}
