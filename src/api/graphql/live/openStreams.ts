import type { ApiError } from '../../../platform/errors';
import { toApiError } from '../../../platform/toApiError';

/** The key cache detects a lost connection quickly too, so streams of a revoked key end within a second. */
export const KEY_CHECK_INTERVAL_MS = 250;

type EndStream = (reason?: ApiError) => void;

/** Open streams by the address and credentials of their client. Streams of revoked or expired keys end. */
export class OpenStreams {
  private readonly streams = new Map<string, Set<EndStream>>();
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;

  constructor(private readonly authenticate: (credentials: string) => Promise<unknown>) {}

  add(credentials: string, end: EndStream): void {
    this.streams.set(credentials, (this.streams.get(credentials) ?? new Set()).add(end));
    this.timer ??= setInterval(() => void this.checkKeys(), KEY_CHECK_INTERVAL_MS);
  }

  remove(credentials: string, end: EndStream): void {
    const others = this.streams.get(credentials);
    others?.delete(end);
    if (others?.size === 0) this.streams.delete(credentials);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  endAll(): void {
    for (const ends of this.streams.values()) for (const end of ends) end();
  }

  /** Authenticates each key once. Streams of a key that cannot be checked end too. */
  private async checkKeys(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    const checks = [...this.streams].map(([credentials, ends]) =>
      this.authenticate(credentials).catch(error => {
        for (const end of ends) end(toApiError(error));
      }),
    );
    await Promise.all(checks);
    this.isChecking = false;
  }
}
