import { Link } from 'wouter-preact';
import { toCentavos } from '../../shared/format';
import { Facts } from '../../shared/ui/Facts';
import { Money } from '../../shared/ui/Figures';
import { accountName } from '../payouts/account';
import { canWrite } from '../shell/session';
import { Section } from '../ui/Section';
import type { TodayData } from './query';
import { t } from './texts';

export function Balance({ of: { merchant, nextPayouts } }: { of: TodayData }) {
  if (!merchant) return null;
  const { balance, available, bank_account } = merchant;
  return (
    <Section
      title={t.balance}
      fields={['merchant.balance', 'merchant.available', 'merchant.bank_account', 'nextPayouts']}
      action={<Link href="/statement">{t.toStatement}</Link>}
    >
      <Facts
        of={[
          [t.balanceNow, <Money key="balance" amount={balance} />],
          [t.available, <Money key="available" amount={available} />],
          [t.nextPayout, <NextPayout key="payout" payouts={nextPayouts?.nodes ?? []} />],
          [
            t.account,
            bank_account ? accountName(bank_account) : canWrite() && <Link href="/settings">{t.setAccount}</Link>,
          ],
        ]}
      />
    </Section>
  );
}

/** All payouts that the bank has not confirmed yet. */
function NextPayout({ payouts }: { payouts: readonly { id: string; amount: number }[] }) {
  const [first, second] = payouts;
  if (!first) return <Link href="/payouts">{t.noPayout}</Link>;
  return (
    <Link href={second ? '/payouts?status=in_progress' : `/payouts/${first.id}`}>
      <Money amount={toCentavos(payouts.reduce((sum, { amount }) => sum + amount, 0))} />
      {second && ` · ${t.payouts(payouts.length)}`}
    </Link>
  );
}
