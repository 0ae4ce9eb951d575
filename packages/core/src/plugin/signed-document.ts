/** The maximum size of a {@link SignedDocument}, in bytes. */
export const maxSignedDocumentBytes = 4 * 1024 * 1024;

/**
 * Renders the document of a waiver signed on the check-in page: a PDF of at most {@link maxSignedDocumentBytes} that
 * shows what was signed, without health answers. `undefined` if there is none; the host warns the operator if one was
 * expected. Each call renders it again, which may take seconds: call it once, where the document is sent, and do not
 * catch its errors.
 */
export type SignedDocument = () => Promise<Uint8Array | undefined>;
