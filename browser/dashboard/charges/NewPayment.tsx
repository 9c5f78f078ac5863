/** Creates a charge that the payer pays later: on a payment page, in cash or by PSE. */
import { Link } from 'wouter-preact';
import { asEntered } from '../api/amounts';
import { ask } from '../api/ask';
import { required } from '../api/required';
import { pick } from '../language';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { CopyText } from '../ui/CopyText';
import { NEW_CHARGE } from './operations';

const t = pick({
  es: {
    label: 'Crear enlace de pago',
    question: 'El pagador paga con tarjeta, por PSE o en efectivo.',
    how: 'Medio de pago',
    hows: {
      card: 'Tarjeta',
      bank_account: 'PSE',
      store: 'Efectivo',
    },
    amount: 'Valor',
    description: 'Concepto',
    name: 'Nombre del pagador',
    email: 'Correo electrónico del pagador',
    department: 'Departamento del pagador',
    city: 'Ciudad del pagador',
    street: 'Dirección del pagador',
    order: 'Número de pedido (opcional)',
    back: 'URL de retorno después del pago',
    send: 'Enviar el enlace por correo electrónico',
    ready: 'Enlace creado. Cópialo y envíalo al pagador.',
    link: 'Enlace de pago',
    toCharge: 'Ver el cobro',
  },
  en: {
    label: 'Create payment link',
    question: 'The payer pays by card, by PSE or in cash.',
    how: 'Payment method',
    hows: { card: 'Card', bank_account: 'PSE', store: 'Cash' },
    amount: 'Amount',
    description: 'Description',
    name: 'Payer name',
    email: 'Payer e-mail',
    department: 'Payer department',
    city: 'Payer city',
    street: 'Payer address',
    order: 'Order number (optional)',
    back: 'Return URL after the payment',
    send: 'Send the link by e-mail',
    ready: 'Link created. Copy it and send it to the payer.',
    link: 'Payment link',
    toCharge: 'View the charge',
  },
});

const fields = (): Field[] => [
  { name: 'method', label: t.how, type: 'select', options: Object.entries(t.hows) },
  { name: 'amount', label: t.amount, type: 'amount' },
  { name: 'description', label: t.description },
  { name: 'customer.name', label: t.name },
  { name: 'customer.email', label: t.email, type: 'email' },
  ...(['department', 'city', 'additional'] as const).map(
    (part): Field => ({
      name: `customer.customer_address.${part}`,
      label: part === 'additional' ? t.street : t[part],
      onlyWith: ['method', 'bank_account'],
    }),
  ),
  { name: 'order_id', label: t.order, isOptional: true },
  {
    name: 'redirect_url',
    label: t.back,
    type: 'url',
    value: location.origin,
    onlyWith: ['method', 'card', 'bank_account'],
  },
  { name: 'send_email', label: t.send, type: 'checkbox', onlyWith: ['method', 'card'] },
];

function byMethod(customer: { name: string; email: string }, values: Values) {
  const { method, redirect_url = '', send_email } = values;
  if (method === 'store') return { method: 'store' as const };
  if (method === 'card')
    return { method: 'card' as const, confirm: false, redirect_url, send_email: send_email === 'true' };
  const part = (name: string): string => values[`customer.customer_address.${name}`] ?? '';
  const customer_address = { department: part('department'), city: part('city'), additional: part('additional') };
  // PSE requires the address of the payer.
  const payer = { ...customer, requires_account: false, customer_address };
  return { method: 'bank_account' as const, country: 'COL', redirect_url, customer: payer };
}

async function create(values: Values, key: string) {
  const charge = {
    amount: asEntered(values.amount),
    currency: 'COP' as const,
    iva: '19',
    description: values.description ?? '',
    customer: { name: values['customer.name'] ?? '', email: values['customer.email'] ?? '' },
    ...(values.order_id && { order_id: values.order_id }),
  };
  const { createCharge } = await ask(
    NEW_CHARGE,
    { charge: { ...charge, ...byMethod(charge.customer, values) } },
    { key },
  );
  const { id, payment_method } = required(createCharge);
  return (
    <>
      <p>{t.ready}</p>
      <CopyText label={t.link} text={payment_method?.url ?? payment_method?.receipt_url ?? ''} />
      <p>
        <Link href={`/charges/${id}`}>{t.toCharge}</Link>
      </p>
    </>
  );
}

export const NewPayment = () => (
  <ActionButton label={t.label} kind="primary" question={t.question} fields={fields()} run={create} />
);
