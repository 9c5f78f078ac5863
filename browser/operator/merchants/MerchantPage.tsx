/** A merchant: its account, billing holds, latest objects and audit log, and the changes that are possible. */

import { required } from '../../shared/api/required';
import { formatMoney, formatNumber } from '../../shared/format';
import { Button } from '../../shared/ui/Button';
import { Facts, Id, Section } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { ActionButtons } from '../actions/ActionButtons';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { t as common, environmentName } from '../texts';
import { MerchantStatusChip } from './Merchants';
import { MerchantTables } from './MerchantTables';
import { MERCHANT, type MerchantResult } from './operations';
import { t } from './texts';

export function MerchantPage({ id }: { id: string }) {
  const loaded = useAsk(MERCHANT, { id });
  const { isLoading, reload } = loaded;
  return (
    <Shown of={loaded} lines={8}>
      {data => {
        const merchant = required(data.merchantAccount);
        const isHeld = required(data.holds).nodes.some(({ object_id }) => object_id === id);
        return (
          <>
            <PageHead
              title={merchant.name}
              action={
                <>
                  <Button type="button" isBusy={isLoading} onClick={reload}>
                    {common.refresh}
                  </Button>
                  <ActionButtons
                    id={id}
                    actions={[isHeld ? 'release' : 'hold', merchant.status === 'active' ? 'suspend' : 'resume']}
                    reload={reload}
                  />
                </>
              }
            >
              <MerchantStatusChip status={merchant.status} />
            </PageHead>
            <Account merchant={merchant} reload={reload} />
            <MerchantTables result={data} />
          </>
        );
      }}
    </Shown>
  );
}

interface AccountProps {
  merchant: NonNullable<MerchantResult['merchantAccount']>;
  reload: () => void;
}

function Account({ merchant, reload }: AccountProps) {
  const { counts, environment, linked_merchant_id } = merchant;
  const values = {
    'costs.rate': String(merchant.cost_rate),
    'costs.fixed': String(merchant.cost_fixed),
    'reserve.amount': String(merchant.reserve),
  };
  const buttons = (
    <div class="actions">
      <ActionButtons id={merchant.id} actions={['costs', 'reserve', 'pay']} values={values} reload={reload} />
    </div>
  );
  return (
    <Section title={t.facts} action={buttons}>
      <Facts
        of={[
          [t.id, <Id key="id" id={merchant.id} />],
          [t.environment, environmentName(environment)],
          [t.suspensionReason, merchant.suspension_reason],
          [t.email, merchant.email],
          [t.phone, merchant.phone],
          [t.created, <Moment key="created" at={merchant.creation_date} />],
          [t.linked[environment] ?? '', linked_merchant_id && <ObjectId id={linked_merchant_id} />],
          [t.ownBalance, <Money key="balance" amount={merchant.balance} />],
          [t.available, <Money key="available" amount={merchant.available} />],
          [t.reserve, <Money key="reserve" amount={merchant.reserve} />],
          [t.customersBalance, <Money key="customers" amount={merchant.customers_balance} />],
          [t.costs, `${merchant.cost_rate.toLocaleString('es-CO')} % + ${formatMoney(merchant.cost_fixed)}`],
          [t.subscriptions, formatNumber(counts.subscriptions)],
          [t.transactions, formatNumber(counts.transactions)],
          [t.customers, formatNumber(counts.customers)],
          [t.cards, formatNumber(counts.cards)],
        ]}
      />
    </Section>
  );
}
