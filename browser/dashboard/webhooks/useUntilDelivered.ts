import { useEffect } from 'preact/hooks';
import type { DeliveryRow, WebhookRow } from './operations';

const AGAIN_MS = 1500;

/**
 * Deliveries emit no events, so the page polls while one is pending, or while the verification of a webhook is not
 * recorded yet.
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
