/** The merchant, loaded once for all screens. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';

const MERCHANT = graphql(`query Merchant { merchant { id name email status suspension_reason } }`);

type Merchant = NonNullable<ResultOf<typeof MERCHANT>['merchant']>;
const merchant = signal<Merchant | undefined>(undefined);

export function useMerchant(): Merchant | undefined {
  useEffect(() => {
    if (merchant.value) return;
    ask(MERCHANT, {}).then(
      answer => {
        merchant.value = answer.merchant ?? undefined;
      },
      // Every screen reports its own errors.
      () => undefined,
    );
  }, []);
  return merchant.value;
}
