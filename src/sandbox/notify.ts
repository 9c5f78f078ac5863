/** The simulated acquirer tells the gateway what it or others have decided, signed like a real one would. */
import { request } from 'undici';
import { sign } from '../acquirer/signature';

export type Notify = (notification: object) => Promise<void>;

export const notifier =
  (url: string, key: string): Notify =>
  async notification => {
    const body = JSON.stringify(notification);
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', signature: sign(key, body) },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await answer.dump();
    if (statusCode >= 300) throw new Error(`the gateway answered ${statusCode} to a notification`);
  };
