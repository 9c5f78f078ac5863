/** A request for production access, and the decision on it. */

import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id, Section } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { DecisionButtons } from './DecisionButtons';
import { type LiveRequest, REQUEST } from './operations';
import { t } from './texts';

export function RequestPage({ id }: { id: string }) {
  const loaded = useAsk(REQUEST, { id });
  return (
    <Shown of={loaded} lines={8}>
      {data => {
        const request = required(data.operatorLiveRequest);
        return (
          <>
            <PageHead
              title={request.business?.legal_name ?? t.title}
              name={`${t.title} ${id}`}
              action={<DecisionButtons request={request} reload={loaded.reload} />}
            >
              <Chip status={request.status} />
            </PageHead>
            <Decision request={request} />
            {request.business ? <Business business={request.business} /> : <p>{t.draft}</p>}
          </>
        );
      }}
    </Shown>
  );
}

const Decision = ({ request }: { request: LiveRequest }) => (
  <Section title={t.facts}>
    <Facts
      of={[
        [t.id, <Id key="id" id={request.id} />],
        [t.merchant, <ObjectId key="merchant" id={request.merchant_id} />],
        [t.submitted, request.submitted_at && <Moment at={request.submitted_at} />],
        [t.lastReason, request.reason],
        [t.decided, request.decided_at && <Moment at={request.decided_at} />],
        [t.production, request.production_merchant_id && <ObjectId id={request.production_merchant_id} />],
        [t.keys, request.keys_collected_at && <Moment at={request.keys_collected_at} />],
      ]}
    />
  </Section>
);

function Business({ business }: { business: NonNullable<LiveRequest['business']> }) {
  const { representative, bank_account } = business;
  return (
    <>
      <Section title={t.business}>
        <Facts
          of={[
            [t.legalName, business.legal_name],
            ['NIT', business.nit],
            // Not a link: the merchant typed it, and an operator may not want to open it from here.
            [t.website, business.website],
            [t.volume, <Money key="volume" amount={business.expected_monthly_volume} />],
            [
              t.support,
              <>
                {business.support_email}
                <br />
                {business.support_phone}
              </>,
            ],
          ]}
        />
      </Section>
      <Section title={t.representative}>
        <Facts
          of={[
            [t.name, representative.name],
            [t.document, representative.document],
            [t.email, representative.email],
            [t.phone, representative.phone],
          ]}
        />
      </Section>
      <Section title={t.account}>
        <p>
          {bank_account.bank}, {t.accountTypes[bank_account.type] ?? bank_account.type}, {bank_account.number}
        </p>
      </Section>
    </>
  );
}
