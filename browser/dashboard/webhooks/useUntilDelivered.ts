import { useEffect } from 'preact/hooks';
import type { DeliveryRow } from './operations';

const AGAIN_MS = 1500;

/** A delivery writes no event of its own: while one is on its way, it is looked at again. */
export function useUntilDelivered(deliveries: readonly DeliveryRow[], refresh: () => void): void {
  const isWaiting = deliveries.some(({ status }) => status === 'pending');
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(refresh, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refresh]);
}
