import { Link } from 'wouter-preact';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { formatMoney } from '../../shared/format';
import { Money } from '../../shared/ui/Figures';
import { useQuery } from '../api/useQuery';
import { ShowQuery } from '../developer/ShowQuery';
import { ActionButton } from '../ui/ActionButton';
import { accountName } from './account';
import { ACCOUNT, ASK_FOR } from './operations';
import { t } from './texts';

/** Without a bank account, links to the settings. */
export function RequestPayout({ done }: { done: () => void }) {
  const { data, reload } = useQuery(ACCOUNT, {}, { refreshOn: () => true });
  const merchant = data?.merchant;
  if (!merchant) return null;
  if (!merchant.bank_account)
    return (
      <Link href="/settings" class="button primary" title={t.noAccount}>
        {t.setAccount}
      </Link>
    );
  return (
    <>
      <span>
        {t.balance} <Money amount={merchant.balance} />, {t.available.toLowerCase()}{' '}
        <Money amount={merchant.available} />
        <ShowQuery name={t.balance} fields={['merchant.balance', 'merchant.available']} />
      </span>
      <ActionButton
        label={t.ask}
        kind="primary"
        question={t.question(formatMoney(merchant.available), accountName(merchant.bank_account))}
        fields={[
          { name: 'amount', label: t.amount, type: 'amount', value: merchant.available, hint: t.availableHint },
          { name: 'description', label: t.description, isOptional: true },
          { name: 'order_id', label: t.order, hint: t.orderHint, isOptional: true },
        ]}
        run={async ({ amount, description, order_id }, key) => {
          const payout = {
            amount: asEntered(amount),
            ...(description && { description }),
            ...(order_id && { order_id }),
          };
          await ask(ASK_FOR, { payout }, { key });
          return t.asked;
        }}
        done={() => {
          reload();
          done();
        }}
      />
    </>
  );
}
