import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Logs when spans can no longer be sent, and when they can again, but not every failure. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: FastifyBaseLogger;
  #isFailing = false;

  constructor(exporter: SpanExporter, log: FastifyBaseLogger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], onResult: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result);
      onResult(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report({ error }: ExportResult): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) {
      this.#log.warn(
        { err: error },
        'traces cannot be sent and are dropped; everything else goes on: check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS',
      );
    } else this.#log.info('traces are sent again');
  }
}
