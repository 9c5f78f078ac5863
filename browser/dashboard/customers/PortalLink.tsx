/** Shows a link to the portal of a customer. */
import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { pick } from '../../shared/language';
import { CopyableLine } from '../../shared/ui/Copyable';
import { ActionButton } from '../ui/ActionButton';

const t = pick({
  es: {
    label: 'Enlace al portal',
    question:
      'Con este enlace el cliente ve sus suscripciones, tarjetas y pagos durante una hora, sin iniciar sesión. Envíaselo solo a esa persona.',
    url: 'Enlace',
  },
  en: {
    label: 'Portal link',
    question:
      'With this link the customer sees its subscriptions, cards and payments for an hour, without signing in. Send it to this person only.',
    url: 'Link',
  },
});

const CREATE_PORTAL = graphql(`
  mutation CreateCustomerPortal($customer: ID!) {
    createCustomerPortal(customer_id: $customer, portal: {}) { url }
  }
`);

export const PortalLink = ({ customer }: { customer: string }) => (
  <ActionButton
    label={t.label}
    question={t.question}
    run={async (_, key) => {
      const { createCustomerPortal } = await ask(CREATE_PORTAL, { customer }, { key });
      return createCustomerPortal ? <CopyableLine label={t.url} text={createCustomerPortal.url} /> : undefined;
    }}
  />
);
