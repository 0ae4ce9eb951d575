/** The most bytes that a {@link SignedDocument} has. */
export const maxSignedDocumentBytes = 4 * 1024 * 1024;

/**
 * Makes the document of a waiver that was signed on the check-in page: a PDF of at most {@link maxSignedDocumentBytes}, which
 * shows what was signed, without answers on health. `undefined` where there is none; the host warns the operator if one was
 * expected. Each call makes it, which takes up to some seconds: ask for it once, where it is sent, and let its errors pass.
 */
export type SignedDocument = () => Promise<Uint8Array | undefined>;
