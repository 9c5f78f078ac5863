/** Shows the link to the payer's page of a subscription. */
import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { pick } from '../../shared/language';
import { CopyableLine } from '../../shared/ui/Copyable';
import { ActionButton } from '../ui/ActionButton';

const t = pick({
  es: {
    label: 'Enlace para el pagador',
    question:
      'Con este enlace el pagador ve su suscripción y cambia la tarjeta, sin iniciar sesión. Envíaselo solo a esa persona.',
    rotate: 'Reemplazar el enlace anterior, que deja de funcionar',
    url: 'Enlace',
  },
  en: {
    label: 'Link for the payer',
    question:
      'With this link the payer sees the subscription and changes the card, without signing in. Send it to this person only.',
    rotate: 'Replace the former link, which stops working',
    url: 'Link',
  },
});

const CREATE_LINK = graphql(`
  mutation CreateSubscriptionLink($id: ID!, $link: CreateSubscriptionLink!) {
    createSubscriptionLink(subscription_id: $id, link: $link) { url }
  }
`);

export const PayerLink = ({ id }: { id: string }) => (
  <ActionButton
    label={t.label}
    question={t.question}
    fields={[{ name: 'rotate', label: t.rotate, type: 'checkbox' }]}
    run={async ({ rotate }, key) => {
      const { createSubscriptionLink } = await ask(CREATE_LINK, { id, link: { rotate: Boolean(rotate) } }, { key });
      return createSubscriptionLink ? <CopyableLine label={t.url} text={createSubscriptionLink.url} /> : undefined;
    }}
  />
);
