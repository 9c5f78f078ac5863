import { CircuitBreaker } from '../../platform/traffic/circuitBreaker';

export interface BreakerStates {
  /** Whether nobody's requests are sent. */
  isOpen: boolean;
  /** For how many merchants none are sent. */
  openMerchants: number;
}

/**
 * A circuit breaker for each merchant, because in the sandbox a merchant can make the acquirer silent to its own cards;
 * and one for all, which counts a merchant only once: when several get no answer, and nobody gets one, it is down.
 */
export class Breakers {
  private readonly ofMerchants = new Map<string, CircuitBreaker>();
  private readonly ofAll = new CircuitBreaker();

  allowsRequest(merchant_id: string): boolean {
    return (this.ofMerchants.get(merchant_id)?.allowsRequest() ?? true) && this.ofAll.allowsRequest();
  }

  /** For the metrics. */
  states(): BreakerStates {
    const openMerchants = [...this.ofMerchants.values()].filter(breaker => breaker.isOpen()).length;
    return { isOpen: this.ofAll.isOpen(), openMerchants };
  }

  recordSuccess(merchant_id: string): void {
    this.ofMerchants.delete(merchant_id);
    this.ofAll.recordSuccess();
  }

  recordFailure(merchant_id: string): void {
    const own = this.ofMerchants.get(merchant_id);
    if (!own) this.ofAll.recordFailure();
    const breaker = own ?? new CircuitBreaker();
    this.ofMerchants.set(merchant_id, breaker);
    breaker.recordFailure();
  }
}
