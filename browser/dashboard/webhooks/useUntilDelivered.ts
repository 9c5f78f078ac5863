import { useEffect } from 'preact/hooks';
import type { DeliveryRow, WebhookRow } from './operations';

const AGAIN_MS = 1500;

/**
 * A delivery writes no event of its own: while one is on its way, it is looked at again. So is a webhook that does not
 * know yet that its newest delivery, which verifies it, has arrived.
 */
export function useUntilDelivered(
  deliveries: readonly DeliveryRow[],
  refresh: () => void,
  webhook?: Pick<WebhookRow, 'status'> | null,
): void {
  const isUnaware = webhook?.status === 'unverified' && deliveries[0]?.status === 'delivered';
  const isWaiting = isUnaware || deliveries.some(({ status }) => status === 'pending');
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(refresh, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refresh]);
}
