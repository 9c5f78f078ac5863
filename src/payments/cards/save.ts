/** Validates a card, verifies it with the acquirer and saves it. */

import { timeOf } from '../../platform/database/clock';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { parseCard } from '../cardDetails/details';
import { originOf } from '../cardDetails/origin';
import { sealCard } from '../cardDetails/sealCard';
import { findToken, releaseToken, useToken } from '../tokens/rows';
import type { CreateCard } from './fields';
import { type CardRow, insertCard, insertCardFromToken, rejectDuplicate } from './rows';
import { earlierVerification, verifyCard } from './verify';

export async function saveCard(context: Context, input: CreateCard, customer_id: string | null): Promise<CardRow> {
  const now = await timeOf(context, customer_id);
  const details = parseCard(input, context.environment, now);
  const card = sealCard(context, context.newId('card'), details);
  await rejectDuplicate(context, customer_id, card.fingerprint, card.id);
  const { card_number, fingerprint } = card;
  const { device_session_id: device } = input;
  const origin = { ...originOf(context), card_number, fingerprint, customer_id, device };
  const issuer = await verifyCard(context, card.id, card, origin, now);
  return insertCard(context, { ...card, ...issuer }, { customer_id, device_session_id: device });
}

/**
 * A decline uses up the token; a missing answer or a duplicate card does not.
 */
export async function saveCardFromToken(
  context: Context,
  input: Pick<CreateCard, 'token_id' | 'device_session_id'>,
  customer_id: string | null,
  payment_link_id?: string,
): Promise<CardRow> {
  const { token_id = '', device_session_id } = input;
  if (!device_session_id) throw new ApiError('malformed', 'device_required', { field: 'device_session_id' });
  const used_by = context.newId('card');
  const now = await timeOf(context, customer_id);
  const { fingerprint } = await findToken(context, token_id, 'invalid_value');
  await rejectDuplicate(context, customer_id, fingerprint, token_id);
  const { number_sealed, ...token } = await useToken(context, token_id, used_by);
  // Without a number, an earlier run of this request used the token and crashed before it could respond.
  const { created_from, card_number } = token;
  const origin = {
    ...originOf(context, created_from),
    ...{ device: device_session_id, card_number, fingerprint, customer_id },
  };
  const issuer = number_sealed
    ? await verifyCard(context, used_by, { ...token, number_sealed }, origin, now).catch(error =>
        releaseToken(context, token, error),
      )
    : await earlierVerification(context, used_by);
  const owner = { customer_id, device_session_id, payment_link_id };
  const card = insertCardFromToken(context, { id: token_id, used_by }, owner, issuer);
  return card.catch(error => releaseToken(context, token, error));
}
