/** The session, and the dialog that starts one. */
import { signal } from '@preact/signals';
import { createSession, endSession, type Session } from '../shared/session';
import { signInTexts } from '../shared/signInTexts';

export const session = signal<Session | undefined>(undefined);
/** Defined while the dialog is open. */
export const signInPrompt = signal<{ notice: string | undefined } | undefined>(undefined);

export function askToSignIn(notice?: string): void {
  signInPrompt.value = { notice };
}

export function closePrompt(): void {
  signInPrompt.value = undefined;
}

/** Returns false if the key was rejected. */
export async function signIn(private_key: string, isReadOnly: boolean): Promise<boolean> {
  const created = await createSession(private_key, isReadOnly);
  if (!created) return false;
  session.value = created;
  closePrompt();
  return true;
}

function askAgain(notice?: string): void {
  session.value = undefined;
  askToSignIn(notice);
}

export const markSignedOut = (): void => askAgain(signInTexts.ended);

export const signOut = (): Promise<void> => endSession().then(() => askAgain());
