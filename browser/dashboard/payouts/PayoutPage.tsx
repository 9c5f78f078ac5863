import { formatMoney } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { Section } from '../ui/Section';
import { accountName } from './account';
import { PAYOUT } from './operations';
import { t } from './texts';

export function PayoutPage({ params: { id } }: { params: { id: string } }) {
  const page = useQuery(PAYOUT, { id }, { refreshOn: ({ object_id }) => object_id === id });
  return (
    <Shown of={page} lines={6}>
      {({ payout }) =>
        payout && (
          <>
            <PageHead title={<Money amount={payout.amount} />} name={`${t.payout} ${formatMoney(payout.amount)}`}>
              <Chip status={payout.status} />
            </PageHead>
            <Section title={t.payout} fields={['payout.amount', 'payout.error_code']}>
              <Facts
                of={[
                  [t.why, payout.error_message],
                  [t.account, accountName(payout.bank_account)],
                  [t.description, payout.description],
                  [t.order, payout.order_id],
                  [t.created, <Moment key="created" at={payout.creation_date} />],
                  [t.answered, <Moment key="answered" at={payout.operation_date} />],
                  [t.settled, payout.conciliated ? t.yes : t.no],
                  ['id', <Id key="id" id={payout.id} />],
                ]}
              />
            </Section>
          </>
        )
      }
    </Shown>
  );
}
