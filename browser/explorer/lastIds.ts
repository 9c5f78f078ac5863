/** The last identifier of each kind that an answer had, for the samples that follow. */

/** The first letter of an identifier tells its kind. */
const KINDS: Record<string, string> = { a: 'customer', k: 'card', p: 'plan', s: 'subscription', t: 'transaction' };
const lastIds = new Map<string, string>();

/** Remembers the identifiers in an answer, until the page is left. */
export function noteIds(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { id } = value as { id?: unknown };
  const kind = typeof id === 'string' && /^[a-z][a-z0-9]{19}$/.test(id) ? KINDS[id.charAt(0)] : undefined;
  if (kind) lastIds.set(kind, String(id));
  for (const part of Object.values(value)) noteIds(part);
}

/** In place of {customer} and the like; what is not known yet stays. */
export const fillInIds = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (all, kind: string) => lastIds.get(kind) ?? all);
