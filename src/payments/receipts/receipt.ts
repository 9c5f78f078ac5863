/** The contents of a receipt: who paid what to whom, and what was refunded. */
import type { Environment } from '../../../prisma/generated/enums';
import { displayNit } from '../../accounts/activation/nit';
import type { Database } from '../../platform/database/connection';
import { isId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { type ChargeInvoice, toInvoice } from '../charges/invoice';
import { findTransactions, narrowTransaction, type TransactionRow } from '../charges/rows';
import { type IncludedTax, includedTax } from '../charges/tax';
import { chargeIdIn, idsOfCode, receiptCode } from './token';

/** The statuses of charges that have been paid, even if the money was returned later. */
const PAID = ['completed', 'refunded', 'chargeback_pending', 'chargeback_accepted', 'chargeback_adjustment'] as const;

type ReceiptStatus = 'paid' | 'partly_refunded' | 'refunded' | 'disputed' | 'reversed';

export const hasReceipt = ({ transaction_type, status }: Pick<TransactionRow, 'transaction_type' | 'status'>) =>
  transaction_type === 'charge' && PAID.some(paid => paid === status);

export interface ReceiptDetails
  extends Pick<TransactionRow, 'id' | 'merchant_id' | 'amount' | 'description' | 'period' | 'method' | 'card'> {
  status: ReceiptStatus;
  code: string;
  environment: Environment;
  merchant_name: string;
  /** The name and tax number of a merchant whose documents were verified. */
  business: { legal_name: string; nit: string } | undefined;
  appearance: Record<'website' | 'support_email' | 'support_phone' | 'logo' | 'colour', string | null>;
  /** First name and initial. */
  payer: string | undefined;
  paid_at: Date;
  authorization: string | null;
  installments: number | null;
  invoice: ChargeInvoice | null;
  tax: IncludedTax | null;
  refunded: Money;
}

interface ReceiptServices {
  db: Database;
  vault: { linking: Buffer };
  environment: Environment;
}

/** The receipt behind a link; undefined for a wrong token and for a charge that is not paid. */
export async function receiptByToken(services: ReceiptServices, token: string): Promise<ReceiptDetails | undefined> {
  const id = chargeIdIn(services.vault.linking, token);
  return id === undefined ? undefined : receiptOf(services, id);
}

/** The receipt on which this code is printed. */
export async function receiptByCode(services: ReceiptServices, code: string): Promise<ReceiptDetails | undefined> {
  const { db, vault, environment } = services;
  const where = { id: idsOfCode(code), transaction_type: 'charge', merchant: { environment } };
  const ids = (await db.transaction.findMany({ where, select: { id: true } })).filter(
    charge => receiptCode(vault.linking, charge) === code,
  );
  // Two charges with the same code are next to impossible; the code identifies neither of them.
  const [found] = ids;
  return found && ids.length === 1 ? receiptOf(services, found.id) : undefined;
}

export async function receiptOf(
  { db, vault, environment }: ReceiptServices,
  id: string,
): Promise<ReceiptDetails | undefined> {
  const found = isId(id)
    ? await db.transaction.findUnique({
        where: { id, merchant: { environment } },
        include: {
          merchant: { include: { opened_by: { select: { business: true } } } },
          owner: { select: { name: true, last_name: true, status: true } },
        },
      })
    : null;
  if (!found) return undefined;
  const { merchant, owner, ...model } = found;
  const charge = narrowTransaction(model);
  if (!hasReceipt(charge)) return undefined;
  const { amount, invoice, iva } = charge;
  const where = { parent_id: id, transaction_type: 'refund', status: 'completed' };
  const [refunds, paid_at] = await Promise.all([findTransactions(db, { where }), timeOfPayment(db, charge)]);
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0n);
  const business = merchant.opened_by?.business as { legal_name: string; nit: string } | null | undefined;
  const payer = owner ? owner.status === 'active' && owner : charge.customer;
  return {
    ...charge,
    status: statusOf(charge, refunded),
    code: receiptCode(vault.linking, charge),
    environment,
    merchant_name: merchant.name,
    business: business ? { legal_name: business.legal_name, nit: displayNit(business.nit) } : undefined,
    appearance: merchant,
    payer: payer ? maskedName(payer) : undefined,
    paid_at,
    invoice: invoice && toInvoice(invoice),
    tax: includedTax(iva, amount),
    refunded,
  };
}

function statusOf({ status, amount }: TransactionRow, refunded: Money): ReceiptStatus {
  if (status === 'chargeback_pending') return 'disputed';
  if (status === 'chargeback_accepted') return 'reversed';
  if (refunded === amount) return 'refunded';
  return refunded > 0n ? 'partly_refunded' : 'paid';
}

/** A chargeback replaces the time of the last change. */
async function timeOfPayment(db: Database, charge: TransactionRow): Promise<Date> {
  const { id: object_id, status, creation_date, operation_date } = charge;
  if (!status.startsWith('chargeback')) return operation_date;
  const succeeded = await db.event.findFirst({ where: { object_id, type: 'charge.succeeded' } });
  return succeeded?.creation_date ?? creation_date;
}

/** `Marcela Q.`; undefined for a text that may be something else than a name. */
function maskedName({ name, last_name }: { name: string; last_name?: string | null | undefined }): string | undefined {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  if (!/^[\p{L}'’-]{2,40}$/u.test(first)) return undefined;
  const [initial] = /^\p{L}/u.exec((last_name || rest.at(-1) || '').trim()) ?? [];
  return initial ? `${first} ${initial.toUpperCase()}.` : first;
}
