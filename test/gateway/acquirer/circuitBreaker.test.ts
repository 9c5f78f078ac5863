import { CircuitBreaker } from '../../../src/platform/traffic/circuitBreaker';

describe('the circuit breaker', () => {
  it('opens after five failures in a row, admits one request after each delay, and closes after the first response', () => {
    const breaker = new CircuitBreaker();
    for (let i = 0; i < 4; i++) breaker.recordFailure(0);
    breaker.recordSuccess();
    for (let i = 0; i < 5; i++) {
      expect(breaker.allowsRequest(0)).toBe(true);
      breaker.recordFailure(0);
    }
    expect([breaker.allowsRequest(499), breaker.allowsRequest(500), breaker.allowsRequest(501)]).toEqual([
      false,
      true,
      false,
    ]);
    breaker.recordFailure(600);
    // The delay starts when the admitted request has failed.
    expect([breaker.allowsRequest(1599), breaker.allowsRequest(1600), breaker.allowsRequest(1601)]).toEqual([
      false,
      true,
      false,
    ]);
    breaker.recordSuccess();
    expect([breaker.allowsRequest(1502), breaker.allowsRequest(1502)]).toEqual([true, true]);
  });
});
