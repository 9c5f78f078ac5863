/** Saving a card: checked, verified with the acquirer, then written, all of it or nothing. */

import { readDetails } from '../cardDetails/details';
import { sealedCard } from '../cardDetails/sealCard';
import type { Context } from '../context';
import { ApiError } from '../platform/errors';
import { findToken, letGoOfToken, useToken } from '../tokens/rows';
import type { CreateCard } from './fields';
import { type CardRow, insertCard, insertCardOfToken, refuseRegistered } from './rows';
import { refuseAsBefore, verify } from './verify';

export async function saveCard(context: Context, input: CreateCard, customer_id: string | null): Promise<CardRow> {
  const details = readDetails(input, context.environment, new Date());
  const card = sealedCard(context, context.newId('card'), details);
  await refuseRegistered(context, customer_id, card.fingerprint, card.id);
  await verify(context, card.id, card);
  return insertCard(context, card, { customer_id, device_session_id: input.device_session_id });
}

/** The token is used up also where the acquirer declines, and not where it does not answer or the customer has the card. */
export async function saveToken(context: Context, input: CreateCard, customer_id: string | null): Promise<CardRow> {
  const { token_id = '', device_session_id } = input;
  if (!device_session_id) throw new ApiError('malformed', 'device_session_id is required with token_id');
  const used_by = context.newId('card');
  const { fingerprint } = await findToken(context, token_id, 'invalid_value');
  await refuseRegistered(context, customer_id, fingerprint, token_id);
  const { number_sealed, ...token } = await useToken(context, token_id, used_by);
  // Done before, by a request that died before it could say so.
  if (!number_sealed) await refuseAsBefore(context, used_by);
  else await verify(context, used_by, { ...token, number_sealed }).catch(error => letGoOfToken(context, token, error));
  const card = insertCardOfToken(context, { id: token_id, used_by }, { customer_id, device_session_id });
  return card.catch(error => letGoOfToken(context, token, error));
}
