import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One connection to PostgreSQL that is somebody else's. */
export interface RawConnection {
  /** Runs a statement that answers nothing of interest; resolves when the server is ready for the next one. */
  run(statement: string): Promise<void>;
  end(): void;
}

const protocol = 196_608;
const isReady = 'Z'.charCodeAt(0);
const isError = 'E'.charCodeAt(0);

function packed(length: number, ...parts: readonly (number | string)[]): Buffer {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const part of parts)
    at = typeof part === 'number' ? bytes.writeInt32BE(part, at) : at + bytes.write(part, at);
  return bytes;
}

/** Reads messages until the server is ready; whether it was an error that came instead. */
async function ready(socket: Socket): Promise<boolean> {
  let left = Buffer.alloc(0);
  while (!socket.destroyed) {
    const [part]: Buffer[] = await once(socket, 'data');
    left = Buffer.concat([left, part ?? Buffer.alloc(0)]);
    while (left.length >= 5 && left.length > left.readInt32BE(1)) {
      if (left[0] === isReady) return true;
      if (left[0] === isError) return false;
      left = left.subarray(left.readInt32BE(1) + 1);
    }
  }
  return false;
}

/** Opens a connection to a server that lets in who reaches its socket; `undefined` where it takes no more. */
export async function openRawConnection(url: string): Promise<RawConnection | undefined> {
  const [, user = '', database = '', folder = ''] = /^postgresql:\/\/(.*)@\/(.*)\?host=(.*)$/.exec(url) ?? [];
  const socket = connect(`${decodeURIComponent(folder)}/.s.PGSQL.5432`);
  socket.on('error', () => {});
  const start = `user\0${user}\0database\0${database}\0\0`;
  socket.write(packed(8 + start.length, 8 + start.length, protocol, start));
  if (!(await ready(socket))) {
    socket.destroy();
    return undefined;
  }
  return {
    async run(statement) {
      const text = `${statement}\0`;
      socket.write(packed(5 + text.length, 'Q', 4 + text.length, text));
      if (!(await ready(socket))) throw new Error(`refused: ${statement}`);
    },
    end: () => void socket.destroy(),
  };
}

/** Takes every connection that a server still gives. */
export async function takeAllConnections(url: string): Promise<RawConnection[]> {
  const taken: RawConnection[] = [];
  for (;;) {
    const connection = await openRawConnection(url);
    if (connection === undefined) return taken;
    taken.push(connection);
  }
}
