/** A payment that somebody makes later: on a page whose address is sent to them, in a store, or at their bank. */
import { Link } from 'wouter-preact';
import { asTyped } from '../api/amounts';
import { ask } from '../api/ask';
import { found } from '../api/found';
import { pick } from '../language';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { CopyText } from '../ui/CopyText';
import { NEW_CHARGE } from './operations';

const t = pick({
  es: {
    label: 'Crear un enlace de pago',
    question: 'Quien lo recibe paga en una página segura, desde su banco, o en efectivo con un comprobante.',
    how: 'Cómo paga',
    hows: {
      card: 'Con tarjeta, en una página',
      bank_account: 'Por PSE, desde su banco',
      store: 'En efectivo, en una tienda',
    },
    amount: 'Valor',
    description: 'Por qué concepto',
    name: 'Nombre de quien paga',
    email: 'Correo de quien paga',
    department: 'Departamento de quien paga',
    city: 'Ciudad de quien paga',
    street: 'Dirección de quien paga',
    order: 'Número de pedido (opcional)',
    back: 'Adónde vuelve después de pagar',
    send: 'Enviarle el enlace por correo',
    ready: 'El enlace está listo: cópialo y envíalo.',
    link: 'Enlace de pago',
    toCharge: 'Ver el cobro',
  },
  en: {
    label: 'Create a payment link',
    question: 'Whoever gets it pays on a safe page, at their bank, or in cash with a voucher.',
    how: 'How it is paid',
    hows: { card: 'By card, on a page', bank_account: 'By PSE, at their bank', store: 'In cash, in a store' },
    amount: 'Amount',
    description: 'What it is for',
    name: 'Name of the payer',
    email: 'E-mail of the payer',
    department: 'Department of the payer',
    city: 'City of the payer',
    street: 'Street of the payer',
    order: 'Order number (optional)',
    back: 'Where the payer goes afterwards',
    send: 'Send them the link by e-mail',
    ready: 'The link is ready: copy it and send it.',
    link: 'Payment link',
    toCharge: 'See the charge',
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
  // A bank wants to know where somebody lives, and pays to nobody's account with us.
  const payer = { ...customer, requires_account: false, customer_address };
  return { method: 'bank_account' as const, country: 'COL', redirect_url, customer: payer };
}

async function create(values: Values, key: string) {
  const charge = {
    amount: asTyped(values.amount),
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
  const { id, payment_method } = found(createCharge);
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
