import { type Readable, Transform } from 'node:stream';
import { HttpProblem } from './http-problem.ts';

/** A body that is refused for now is answered after this time. Its caller waits as long before sending the next one. */
const busyMs = 1_000;

/**
 * A request's body, with each of its parts announced as it arrives; `onPart` may throw to refuse the rest. It ends once
 * `beforeEnd` has. Destroying it with a problem refuses the request, which can still be answered: the connection stays.
 */
export function countedBody(
  body: Readable,
  onPart: (bytes: number) => void,
  beforeEnd: () => Promise<void> = async () => {},
): Transform {
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        onPart(part.length);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      done(null, part);
    },
    flush(done) {
      beforeEnd().then(() => done(), done);
    },
    destroy(error, done) {
      if (error instanceof HttpProblem && error.status === 429) setTimeout(done, busyMs, error);
      else done(error);
    },
  });
  body.once('error', (error) => counted.destroy(error));
  body.once('close', () => {
    // The caller has gone.
    if (!counted.writableEnded) counted.destroy(new Error('the body broke off'));
  });
  counted.once('close', () => {
    body.unpipe(counted);
    // What follows is read and dropped: a caller who is still sending hears the answer only then.
    body.resume();
  });
  // Also heard once nobody reads it any more.
  counted.on('error', () => {});
  return body.pipe(counted);
}
