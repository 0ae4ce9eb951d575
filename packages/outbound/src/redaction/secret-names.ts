const secretName =
  /(key|token|secret|signature|sig|password|passwd|auth|authorization|authentication|credentials?|cookie)$/i;

/** Whether a header or a parameter is one that usually carries a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);
