import { scrubSecrets } from '@waiver-service/http';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

interface LoggableError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
}

// Only these fields: a database error, for example, also contains the values in question.
function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrubSecrets(String(error)) };
  return {
    type: error.name,
    message: scrubSecrets(error.message),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: scrubSecrets(error.stack) }),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: loggableError(error.cause, depth + 1) }),
  };
}

const secretFields = [
  'authorization',
  'apiKey',
  'key',
  'token',
  'password',
  'secret',
  'signingSecret',
  'body',
];

// Asynchronous: a stalled reader must not stop the host. Unread lines are dropped at exit.
function standardError(): DestinationStream {
  const stream = destination({ fd: 2, sync: false, maxLength: 4 * 1024 * 1024 });
  stream.on('error', () => {});
  return stream;
}

/**
 * The host's log: JSON lines on standard error, because standard output has only lines for people and scripts
 * (`listening on …`). Fields with secrets are redacted, wherever they come from.
 */
export function createLogger(level: string, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => loggableError(error) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`]).concat('*["api-key"]', '["api-key"]'),
        censor: '[redacted]',
      },
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}

/** Waits until the log is written, at most half a second. */
export async function flushLog(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 500).unref();
    logger.flush(() => resolve());
  });
}
