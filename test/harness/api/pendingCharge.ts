import { type ChargeMethodName, METHODS } from '../../../src/payments/methods/methods';

const customer_address = { department: 'Antioquia', city: 'Medellín', additional: 'Carrera 43A # 1-50' };

/** The body of a charge that the payer pays later, with all fields that its method requires. */
export function pendingCharge(method: ChargeMethodName, payer: object = {}) {
  const { needsPayerAddress, creditsMerchant } = METHODS[method];
  return {
    method,
    amount: 50000,
    currency: 'COP',
    iva: '19',
    description: 'Order',
    customer: {
      name: 'María',
      email: 'maria@example.com',
      ...(creditsMerchant && { requires_account: false }),
      ...(needsPayerAddress && { customer_address }),
      ...payer,
    },
    ...(method === 'card' && { confirm: false, redirect_url: 'https://shop.example/thanks' }),
  };
}

type Requirement = 'needsWholePesos' | 'needsPayerAddress' | 'creditsMerchant';

/** Invalid bodies and their errors, by the requirement of a method that they violate. */
export const refusals: [Requirement, code: number, (method: ChargeMethodName) => object][] = [
  ['needsWholePesos', 1003, method => ({ ...pendingCharge(method), amount: 10.5 })],
  ['needsPayerAddress', 1001, method => pendingCharge(method, { customer_address: { city: 'Cali' } })],
  ['creditsMerchant', 1003, method => pendingCharge(method, { requires_account: true })],
];
