/** Whether the database refused a write for a constraint or with a message that matches. */
export const violates = (error: unknown, refusal: RegExp): boolean =>
  error instanceof Error && refusal.test(`${error.message} ${JSON.stringify((error as { meta?: unknown }).meta)}`);
