import { Link } from 'wouter-preact';
import { required } from '../../shared/api/required';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { useQuery } from '../api/useQuery';
import { shortChargeColumns } from '../charges/columns';
import { linksOfCustomer } from '../links/columns';
import { NewPaymentLink } from '../links/NewLink';
import type { LinkRow, PlanChoice } from '../links/operations';
import { SendPlanLink } from '../links/SendLink';
import { t as linkTexts } from '../links/texts';
import { TableSection } from '../lists/TableSection';
import { MetadataSection } from '../metadata/MetadataSection';
import { subscriptionsOfCustomer } from '../subscriptions/listColumns';
import { fullName } from '../ui/names';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';
import { CustomerActions } from './CustomerActions';
import { CustomerCards } from './CustomerCards';
import { CUSTOMER, type CustomerDetails } from './operations';
import { t } from './texts';

export function CustomerPage({ id }: { id: string }) {
  // An event does not contain the customer of its charge.
  const loaded = useQuery(CUSTOMER, { id }, { refreshOn: ({ name }) => /^(charge|subscription|fee)/.test(name) });
  return (
    <ObjectPage of={loaded}>
      {({ customer, plans, paymentLinks }) => (
        <CustomerView
          customer={required(customer)}
          plans={plans?.nodes ?? []}
          links={paymentLinks?.nodes ?? []}
          reload={loaded.reload}
        />
      )}
    </ObjectPage>
  );
}

interface CustomerViewProps {
  customer: CustomerDetails;
  plans: readonly PlanChoice[];
  links: readonly LinkRow[];
  reload: () => void;
}

function CustomerView({ customer, plans, links, reload }: CustomerViewProps) {
  const { id, customer_address: address } = customer;
  const subscriptions = customer.subscriptions.edges.map(({ node }) => node);
  const charges = customer.charges.edges.map(({ node }) => node);
  return (
    <>
      <PageHead title={fullName(customer)} action={<CustomerActions customer={customer} plans={plans} done={reload} />}>
        <span class="hint">{customer.email}</span>
      </PageHead>
      <Section
        title={t.facts}
        fields={['customer.requires_account', 'customer.balance']}
        action={customer.requires_account && <Link href="/fees">{t.fees}</Link>}
      >
        <Facts
          of={[
            [t.balance, customer.requires_account && <Money amount={customer.balance} />],
            [t.email, customer.email],
            [t.emailStatus, customer.email_status && t.emailStatuses[customer.email_status]],
            [t.phone, customer.phone_number],
            [
              t.address,
              address &&
                [address.additional ?? address.line1, address.city, address.department].filter(Boolean).join(', '),
            ],
            [t.external, customer.external_id],
            [t.created, <Moment key="created" at={customer.creation_date} />],
            [t.id, <Id key="id" id={id} />],
          ]}
        />
      </Section>
      <MetadataSection of={customer.metadata} />
      <CustomerCards customer={customer} done={reload} />
      <TableSection
        label={t.subscriptions}
        columns={subscriptionsOfCustomer}
        rows={subscriptions}
        keyOf={({ id }) => id}
        href={({ id }) => `/subscriptions/${id}`}
        empty={t.noSubscriptions}
        action={plans.length > 0 && <SendPlanLink {...{ customer, plans }} done={reload} />}
        all={`/subscriptions?customer=${id}`}
        fields={['customer.subscriptions']}
      />
      <TableSection
        label={t.charges}
        columns={shortChargeColumns}
        rows={charges}
        keyOf={({ id }) => id}
        href={({ id }) => `/charges/${id}`}
        empty={t.noCharges}
        all={`/charges?customer=${id}`}
        fields={['customer.charges']}
      />
      <TableSection
        label={linkTexts.title}
        columns={linksOfCustomer}
        rows={links}
        keyOf={({ id }) => id}
        href={({ id }) => `/links/${id}`}
        empty={linkTexts.noLinks}
        all={`/links?customer=${id}`}
        action={<NewPaymentLink customer={customer} />}
        fields={['paymentLinks']}
      />
    </>
  );
}
