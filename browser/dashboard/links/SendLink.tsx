/** Creates a payment link for a customer and sends it by e-mail. */
import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { CopyableLine } from '../../shared/ui/Copyable';
import { planLabel, planTerms } from '../plans/terms';
import { ActionButton } from '../ui/ActionButton';
import { CREATE_LINK, type PlanChoice, SEND_LINK } from './operations';
import { t } from './texts';

interface Recipient {
  id: string;
  email: string;
}

interface SendLinkProps {
  customer: Recipient;
  done: () => void;
}

/** A repeated submission finds the link that it created, and its e-mail. */
async function send({ id: customer_id, email }: Recipient, plan_id: string | undefined, key: string) {
  const link = plan_id
    ? { kind: 'subscription' as const, customer_id, plan_id }
    : { kind: 'card' as const, customer_id };
  const { id, url } = required((await ask(CREATE_LINK, { link }, { key })).createPaymentLink);
  await ask(SEND_LINK, { id, email: { email } }, { key: `${key}-send` });
  return (
    <>
      <p>
        {t.sent(email)} {t.copyToo}
      </p>
      <CopyableLine label={t.url} text={url} />
      <p>
        <Link href={`/links/${id}`}>{t.toLink}</Link>
      </p>
    </>
  );
}

export const SendCardLink = ({ customer, done }: SendLinkProps) => (
  <ActionButton
    label={t.sendCardLink}
    describe={() => ({ question: t.sendCardLinkHint(customer.email), button: t.sendNow })}
    run={(_, key) => send(customer, undefined, key)}
    done={done}
  />
);

interface SendPlanLinkProps extends SendLinkProps {
  plans: readonly PlanChoice[];
  /** In place of "Send a link to subscribe", for a customer without a card. */
  label?: string;
}

export const SendPlanLink = ({ customer, plans, label, done }: SendPlanLinkProps) => (
  <ActionButton
    label={label ?? t.sendPlanLink}
    describe={({ plan_id }) => {
      const plan = plans.find(({ id }) => id === plan_id);
      const sending = plan && t.sendPlanLinkHint(customer.email, planTerms(plan));
      return sending ? { question: label ? `${t.withoutCard} ${sending}` : sending, button: t.sendNow } : undefined;
    }}
    fields={[
      { name: 'plan_id', label: t.plan, type: 'select', options: plans.map(plan => [plan.id, planLabel(plan)]) },
    ]}
    run={({ plan_id }, key) => send(customer, plan_id, key)}
    done={done}
  />
);
