import type { Prisma } from '../../../prisma/generated/client';
import type { CardModel } from '../../../prisma/generated/models';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { type CardRow, narrowCard, secretColumns } from './rows';

/** Runs in the database transaction that changes the expiration date of a card. */
type OnRenewal = (tx: Prisma.TransactionClient, context: Context, card_id: string) => Promise<unknown>;

const listeners: OnRenewal[] = [];

export const registerCardRenewal = (listener: OnRenewal): void => void listeners.push(listener);

export async function updateCardRow(
  context: Context,
  { id, expiration_month, expiration_year }: CardRow,
  data: Partial<Pick<CardModel, 'holder_name' | 'expiration_month' | 'expiration_year' | 'cvv2_sealed' | 'cvv2_date'>>,
): Promise<CardRow> {
  const update = async (db: Pick<Prisma.TransactionClient, 'card'>): Promise<CardRow> => {
    const [updated] = await db.card.updateManyAndReturn({ where: { id, status: 'active' }, data, omit: secretColumns });
    if (!updated) throw new ApiError('not_found');
    return narrowCard(updated);
  };
  const { expiration_month: month = expiration_month, expiration_year: year = expiration_year } = data;
  if (month === expiration_month && year === expiration_year) return update(context.db);
  return context.db.$transaction(async tx => {
    const updated = await update(tx);
    for (const listener of listeners) await listener(tx, context, id);
    return updated;
  });
}
