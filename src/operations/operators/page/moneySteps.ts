/** Previews of changes of fees, reserves and payouts. Without an amount they describe the present state. */
import { findBankAccounts } from '../../../accounts/bankAccounts/rows';
import { rejectSuspended } from '../../../accounts/merchants/suspension';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { displayMoney, formatMoney, type Money } from '../../../platform/money';
import type { Step } from '../command';
import { findMerchant } from '../merchants';
import type { PreviewArgs } from './actionFields';

const same = (text: string): Step => ({ en: text, es: text });
const percent = (basisPoints: number): string => `${(basisPoints / 100).toLocaleString('es-CO')} %`;
const costs = (rate: number, fixed: Money): string => `${percent(rate)} + ${displayMoney(fixed)}`;

function rejectNegative(field: string, amount: Money | undefined): void {
  if (amount !== undefined && amount < 0n) throw new ApiError('invalid_value', 'is_negative', { field });
}

const changed = (one: string, two: string): Step =>
  one === two ? same(one) : { en: `${one} now, ${two} after the change`, es: `hoy ${one}, ${two} después del cambio` };

export async function costsSteps(
  db: Database,
  { id, rate, fixed }: Pick<PreviewArgs, 'id' | 'rate' | 'fixed'>,
): Promise<Step[]> {
  rejectNegative('fixed', fixed);
  const { name, cost_rate, cost_fixed } = await findMerchant(db, id);
  const values = changed(costs(cost_rate, cost_fixed), costs(rate ?? cost_rate, fixed ?? cost_fixed));
  return [
    { en: `Fee of ${name} per charge: ${values.en}.`, es: `Costo por cobro de ${name}: ${values.es}.` },
    {
      en: 'It applies to charges from now on. Earlier charges and their refunds keep their fee.',
      es: 'Aplica a los cobros desde ahora. Los cobros anteriores y sus reembolsos conservan su costo.',
    },
  ];
}

export async function reserveSteps(db: Database, { id, amount }: Pick<PreviewArgs, 'id' | 'amount'>): Promise<Step[]> {
  rejectNegative('amount', amount);
  const { name, reserve, balance, available } = await findMerchant(db, id);
  const values = changed(displayMoney(reserve), displayMoney(amount ?? reserve));
  const money = [displayMoney(balance), displayMoney(available)] as const;
  return [
    { en: `Reserve of ${name}: ${values.en}.`, es: `Reserva de ${name}: ${values.es}.` },
    {
      en: `Its balance is ${money[0]}, of which ${money[1]} can be paid out now.`,
      es: `Su saldo es ${money[0]}; hoy se pueden desembolsar ${money[1]}.`,
    },
    {
      en: 'Payouts from now on leave the reserve in the balance. Payouts in progress are not affected.',
      es: 'Los desembolsos desde ahora dejan la reserva en el saldo. Los que están en curso no cambian.',
    },
  ];
}

/** Throws for the reasons for which the payout would be refused. */
export async function paySteps(db: Database, { id, amount }: Pick<PreviewArgs, 'id' | 'amount'>): Promise<Step[]> {
  if (amount !== undefined && amount <= 0n) throw new ApiError('invalid_value', 'not_positive', { field: 'amount' });
  const { name, available } = await findMerchant(db, id);
  await rejectSuspended(db, id);
  const { present } = await findBankAccounts(db, id);
  if (!present) throw new ApiError('not_allowed', 'no_bank_account');
  if (amount !== undefined && amount > available)
    throw new ApiError('insufficient_balance', 'above_available', { available: formatMoney(available) });
  const paid = amount === undefined ? undefined : displayMoney(amount);
  const { bank } = present;
  const digits = present.number.slice(-4);
  const left = displayMoney(available - (amount ?? 0n));
  return [
    {
      en: `${paid ?? 'The amount'} is sent to the bank account of ${name} at ${bank} that ends in ${digits}.`,
      es: `${paid ? `Se envían ${paid}` : 'El valor se envía'} a la cuenta de ${name} en ${bank} que termina en ${digits}.`,
    },
    {
      en: paid ? `${left} remain available for payouts.` : `At most ${left} is available for payouts.`,
      es: paid ? `Quedan ${left} disponibles para desembolsos.` : `Hay ${left} disponibles para desembolsos.`,
    },
    {
      en: 'It is debited at once. If the bank rejects it, it is credited again; the merchant gets an event in both cases.',
      es: 'Se debita de inmediato. Si el banco lo rechaza, se acredita de nuevo; en ambos casos el comercio recibe un evento.',
    },
  ];
}
