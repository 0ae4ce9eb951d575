import { UsageError } from './options.ts';

/** Loads a part of the host, an optional peer: checking two endpoints does not require a whole waiver service. */
export async function importHost<Part>(load: () => Promise<Part>, purpose: string): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      `${purpose}, and @waiver-service/host is not installed beside waiver-service-check: run it in a clone of the waiver service.`,
    );
  }
}
