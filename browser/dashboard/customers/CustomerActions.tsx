import { useLocation } from 'wouter-preact';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { omitUndefined } from '../api/omitUndefined';
import { ivaField } from '../charges/iva';
import { NEW_CHARGE } from '../charges/operations';
import type { PlanChoice } from '../links/operations';
import { SendPlanLink } from '../links/SendLink';
import { metadataOf } from '../metadata/metadata';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { DeleteButton } from '../ui/DeleteButton';
import { cardName } from '../ui/names';
import { addressOf, customerFields } from './customerFields';
import { type CustomerDetails, cardsOf, DELETE_CUSTOMER, RESUME_EMAILS, TAKE_FEE, UPDATE_CUSTOMER } from './operations';
import { PortalLink } from './PortalLink';
import { Subscribe } from './Subscribe';
import { t } from './texts';

interface CustomerActionsProps {
  customer: CustomerDetails;
  plans: readonly PlanChoice[];
  done: () => void;
}

const moneyFields: Field[] = [
  { name: 'amount', label: t.amount, type: 'amount' },
  { name: 'description', label: t.description },
  { name: 'order_id', label: t.order, isOptional: true },
];

export function CustomerActions({ customer, plans, done }: CustomerActionsProps) {
  const [, navigate] = useLocation();
  const { id } = customer;
  const cards = cardsOf(customer);
  const cardField: Field = {
    name: 'source_id',
    label: t.card,
    type: 'select',
    options: cards.map(card => [card.id, cardName(card)]),
  };
  const charge = async (values: Values, key: string) => {
    const charge = {
      method: 'card' as const,
      source_id: values.source_id ?? '',
      // A random ID: this device is not the payer’s.
      device_session_id: 'dashboard',
      amount: asEntered(values.amount),
      currency: 'COP' as const,
      iva: values.iva ?? '',
      description: values.description ?? '',
      ...(values.order_id && { order_id: values.order_id }),
    };
    const { createCharge } = await ask(NEW_CHARGE, { customer: id, charge }, { key });
    navigate(`/charges/${required(createCharge).id}`);
    return t.charged;
  };
  const takeFee = async ({ amount, description = '', order_id }: Values, key: string) => {
    const fee = { customer_id: id, amount: asEntered(amount), description, ...(order_id && { order_id }) };
    await ask(TAKE_FEE, { fee }, { key });
    return t.feeTaken;
  };
  const change = async (values: Values, key: string) => {
    const { name = '', email = '', last_name = '', phone_number = '' } = values;
    // An empty text clears the field.
    const texts = { name, email, last_name, phone_number };
    const changed = omitUndefined({
      customer_address: addressOf(values, customer),
      metadata: metadataOf(values, customer.metadata),
    });
    await ask(UPDATE_CUSTOMER, { id, customer: { ...texts, ...changed } }, { key });
    return t.saved;
  };
  return (
    <>
      {cards.length > 0 && (
        <ActionButton
          label={t.charge}
          kind="primary"
          question={t.chargeHint}
          fields={[cardField, ...moneyFields, ivaField]}
          run={charge}
        />
      )}
      {cards.length > 0 && plans.length > 0 && <Subscribe customer_id={id} plans={plans} cardField={cardField} />}
      {cards.length === 0 && plans.length > 0 && <SendPlanLink label={t.subscribe} {...{ customer, plans, done }} />}
      {customer.requires_account && customer.balance > 0 && (
        <ActionButton label={t.fee} question={t.feeHint} fields={moneyFields} run={takeFee} done={done} />
      )}
      {customer.email_status && (
        <ActionButton
          label={t.resumeEmails}
          question={t.resumeQuestion(customer.email)}
          run={async (_, key) => {
            await ask(RESUME_EMAILS, { id }, { key });
            return t.emailsResumed;
          }}
          done={done}
        />
      )}
      <ActionButton label={t.edit} fields={customerFields(customer)} run={change} done={done} />
      <PortalLink customer={id} />
      <DeleteButton id={id} operation={DELETE_CUSTOMER} list="/customers" texts={t} />
    </>
  );
}
