import { CircuitBreaker } from '../../platform/traffic/circuitBreaker';

export interface BreakerStates {
  /** Whether the global breaker rejects every request. */
  isOpen: boolean;
  /** Number of merchants with an open breaker. */
  openMerchants: number;
}

/**
 * One circuit breaker per merchant, because sandbox merchants can script timeouts for their own cards, and a global one
 * that counts each failing merchant once: it opens when several merchants get no answer and none gets one.
 */
export class Breakers {
  private readonly byMerchant = new Map<string, CircuitBreaker>();
  private readonly global = new CircuitBreaker();

  allowsRequest(merchant_id: string): boolean {
    return (this.byMerchant.get(merchant_id)?.allowsRequest() ?? true) && this.global.allowsRequest();
  }

  states(): BreakerStates {
    const openMerchants = [...this.byMerchant.values()].filter(breaker => breaker.isOpen()).length;
    return { isOpen: this.global.isOpen(), openMerchants };
  }

  recordSuccess(merchant_id: string): void {
    this.byMerchant.delete(merchant_id);
    this.global.recordSuccess();
  }

  recordFailure(merchant_id: string): void {
    const existing = this.byMerchant.get(merchant_id);
    if (!existing) this.global.recordFailure();
    const breaker = existing ?? new CircuitBreaker();
    this.byMerchant.set(merchant_id, breaker);
    breaker.recordFailure();
  }
}
