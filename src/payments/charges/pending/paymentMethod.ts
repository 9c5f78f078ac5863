import { ObjectType } from 'type-graphql';
import { choice, Text } from '../../../schema/shapes';

const URI = { format: 'uri' };

const PaymentMethodType = choice('PaymentMethodType', 'Place of payment', 'redirect', 'store');

@ObjectType({ description: 'Payment instructions for the payer' })
export class PaymentMethod {
  @PaymentMethodType.field('`redirect` for a page, `store` for a voucher', { example: 'store' })
  type!: string;
  @Text('URL of the payment page', { optional: true, rules: URI })
  url?: string;
  @Text("The merchant's Bre-B key (llave), to which the payer sends the exact amount", {
    optional: true,
    example: '@tienda2026',
  })
  key?: string;
  @Text('Content of the Bre-B QR code of this payment, in the EMVCo format', { optional: true })
  qr?: string;
  @Text('URL of the Bre-B QR code as a PNG image', { optional: true, rules: URI })
  qr_url?: string;
  @Text('Payment reference for stores, 16 digits', {
    optional: true,
    rules: { pattern: '^[0-9]{16}$' },
    example: '1234567890123452',
  })
  reference?: string;
  @Text('Payment reference for stores of the Paybin network, 20 digits', {
    optional: true,
    rules: { pattern: '^[0-9]{20}$' },
  })
  paybin_reference?: string;
  @Text('URL of the reference as a Code 128 barcode', { optional: true, rules: URI })
  barcode_url?: string;
  @Text('URL of the Paybin reference as a Code 128 barcode', { optional: true, rules: URI })
  barcode_paybin_url?: string;
  @Text('URL of the printable voucher; append .pdf for a PDF', { optional: true, rules: URI })
  receipt_url?: string;
}
