import { type DeliveryFailure, Sender } from '../../../src/platform/sending/sender';
import { atTheEnd } from '../flow/atTheEnd';

/** A sender that is closed when the test ends. Without a timeout it waits longer than any test. */
export const testSender = (options: ConstructorParameters<typeof Sender>[0]): Sender => {
  const sender = new Sender({ timeoutMs: 600_000, ...options });
  // Not awaited: requests in flight end with their receiver, which was started earlier.
  atTheEnd(() => void sender.close());
  return sender;
};

/** The failure of a delivery that must fail. */
export const failure = (sending: Promise<unknown>): Promise<DeliveryFailure> =>
  sending.then(
    () => Promise.reject(new Error('it was delivered')),
    error => error,
  );
