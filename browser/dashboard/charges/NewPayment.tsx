/** Creates a charge that the payer pays later, by any payment method. */
import { Link } from 'wouter-preact';
import {
  type ChargeMethodName,
  METHOD_NAMES,
  METHODS,
  PAYER_ADDRESS_FIELDS,
} from '../../../src/payments/methods/methods';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { CopyableLine } from '../../shared/ui/Copyable';
import { withWords } from '../../shared/words';
import { asEntered } from '../api/amounts';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { ivaField } from './iva';
import { NEW_CHARGE } from './operations';
import { methodName } from './texts';

const t = withWords({
  es: {
    label: 'Crear enlace de pago',
    question: 'El pagador abre el enlace y paga con el medio elegido.',
    how: 'Medio de pago',
    description: 'Concepto',
    name: 'Nombre del pagador',
    email: 'Correo electrónico del pagador',
    address: {
      department: 'Departamento del pagador',
      city: 'Ciudad del pagador',
      additional: 'Dirección del pagador',
    },
    order: 'Número de pedido (opcional)',
    back: 'URL de retorno después del pago',
    send: 'Enviar el enlace por correo electrónico',
    ready: 'Enlace creado. Cópialo y envíalo al pagador.',
    link: 'Enlace de pago',
    toCharge: 'Ver el cobro',
  },
  en: {
    label: 'Create payment link',
    question: 'The payer opens the link and pays by the selected method.',
    how: 'Payment method',
    description: 'Description',
    name: 'Payer name',
    email: 'Payer e-mail',
    address: { department: 'Payer department', city: 'Payer city', additional: 'Payer address' },
    order: 'Order number (optional)',
    back: 'Return URL after the payment',
    send: 'Send the link by e-mail',
    ready: 'Link created. Copy it and send it to the payer.',
    link: 'Payment link',
    toCharge: 'View the charge',
  },
});

/** Shows a field only for the methods with this property. */
const onlyFor = (hasField: (method: ChargeMethodName) => boolean) =>
  ['method', ...METHOD_NAMES.filter(hasField)] as const;

const hasVoucher = (method: ChargeMethodName): boolean => METHODS[method].issue?.instructions === 'references';

const fields = (): Field[] => [
  { name: 'method', label: t.how, type: 'select', options: METHOD_NAMES.map(name => [name, methodName(name)]) },
  { name: 'amount', label: t.amount, type: 'amount' },
  ivaField,
  { name: 'description', label: t.description },
  { name: 'customer.name', label: t.name },
  { name: 'customer.email', label: t.email, type: 'email' },
  ...PAYER_ADDRESS_FIELDS.map(
    (name): Field => ({
      name: `customer.customer_address.${name}`,
      label: t.address[name],
      onlyWith: onlyFor(method => METHODS[method].needsPayerAddress === true),
    }),
  ),
  { name: 'order_id', label: t.order, isOptional: true },
  {
    name: 'redirect_url',
    label: t.back,
    type: 'url',
    value: location.origin,
    onlyWith: onlyFor(method => !hasVoucher(method)),
  },
  { name: 'send_email', label: t.send, type: 'checkbox', onlyWith: ['method', 'card'] },
];

function payerOf(method: ChargeMethodName, values: Values) {
  const { needsPayerAddress, creditsMerchant } = METHODS[method];
  const part = (name: string): string => values[`customer.${name}`] ?? '';
  const address = PAYER_ADDRESS_FIELDS.map(name => [name, part(`customer_address.${name}`)]);
  return {
    name: part('name'),
    email: part('email'),
    ...(creditsMerchant && { requires_account: false }),
    ...(needsPayerAddress && { customer_address: Object.fromEntries(address) }),
  };
}

async function create(values: Values, key: string) {
  const method = values.method as ChargeMethodName;
  const charge = {
    method,
    amount: asEntered(values.amount),
    currency: 'COP' as const,
    iva: values.iva ?? '',
    description: values.description ?? '',
    customer: payerOf(method, values),
    ...(values.order_id && { order_id: values.order_id }),
    ...(!hasVoucher(method) && { redirect_url: values.redirect_url ?? '' }),
    ...(method === 'card' && { confirm: false, send_email: values.send_email === 'true' }),
  };
  const { createCharge } = await ask(NEW_CHARGE, { charge }, { key });
  const { id, payment_method } = required(createCharge);
  return (
    <>
      <p>{t.ready}</p>
      <CopyableLine label={t.link} text={payment_method?.url ?? payment_method?.receipt_url ?? ''} />
      <p>
        <Link href={`/charges/${id}`}>{t.toCharge}</Link>
      </p>
    </>
  );
}

export const NewPayment = () => (
  <ActionButton label={t.label} kind="primary" question={t.question} fields={fields()} run={create} />
);
