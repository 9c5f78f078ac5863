/** The texts of receipts, in Spanish and English. */
import type { ReceiptDetails } from '../../payments/receipts/receipt';
import type { Language } from '../../platform/language';
import type { Texts } from '../texts';

const spanish = {
  title: 'Recibo de pago',
  statuses: {
    paid: 'Pagado',
    partly_refunded: 'Reembolsado en parte',
    refunded: 'Reembolsado',
    disputed: 'En disputa con el banco',
    reversed: 'Devuelto por el banco',
  } satisfies Record<ReceiptDetails['status'], string>,
  paidTo: 'Pagado a',
  nit: 'NIT',
  concept: 'Concepto',
  period: 'Período',
  total: 'Total pagado',
  lines: 'Detalle',
  quantity: (count: number) => `${count} unidades`,
  discount: 'Descuento',
  credit: 'Saldo a favor usado',
  base: 'Base sin IVA',
  tax: (rate: string) => `IVA incluido${rate}`,
  refunded: 'Reembolsado',
  net: 'Valor neto',
  date: 'Fecha del pago',
  method: 'Medio de pago',
  methods: {
    card: 'Tarjeta',
    store: 'Efectivo, en un punto de pago',
    bank_account: 'PSE',
    bre_b: 'Bre-B',
    customer: 'Saldo',
  },
  authorization: 'Autorización',
  payer: 'Pagado por',
  code: 'Código de verificación',
  verify: 'Cualquier persona puede verificar este pago con el código en',
  check: 'Verifica un pago',
  checkHint: 'Escribe el código que está impreso en el recibo.',
  checkButton: 'Verificar',
  genuine: 'El pago es auténtico',
  wrong: 'Ningún pago tiene este código. Revisa cada letra y cada número.',
  amount: 'Valor',
  status: 'Estado',
  merchant: 'Comercio',
  test: 'Es un pago de prueba: no se movió dinero real.',
};

type ReceiptTexts = typeof spanish;

const english: ReceiptTexts = {
  title: 'Payment receipt',
  statuses: {
    paid: 'Paid',
    partly_refunded: 'Partly refunded',
    refunded: 'Refunded',
    disputed: 'Disputed with the bank',
    reversed: 'Reversed by the bank',
  },
  paidTo: 'Paid to',
  nit: 'Tax ID (NIT)',
  concept: 'Description',
  period: 'Period',
  total: 'Total paid',
  lines: 'Details',
  quantity: count => `${count} units`,
  discount: 'Discount',
  credit: 'Credit used',
  base: 'Base without VAT',
  tax: rate => `VAT (IVA) included${rate}`,
  refunded: 'Refunded',
  net: 'Net amount',
  date: 'Date of payment',
  method: 'Payment method',
  methods: { card: 'Card', store: 'Cash, in a store', bank_account: 'PSE', bre_b: 'Bre-B', customer: 'Balance' },
  authorization: 'Authorization',
  payer: 'Paid by',
  code: 'Verification code',
  verify: 'Anyone can verify this payment with the code at',
  check: 'Verify a payment',
  checkHint: 'Enter the code that is printed on the receipt.',
  checkButton: 'Verify',
  genuine: 'This payment is genuine',
  wrong: 'No payment has this code. Check every letter and number.',
  amount: 'Amount',
  status: 'Status',
  merchant: 'Merchant',
  test: 'It is a test payment: no real money moved.',
};

const receiptTexts: Record<Language, ReceiptTexts> = { es: spanish, en: english };

export const receiptTextsOf = ({ language }: Texts): ReceiptTexts => receiptTexts[language as Language];
