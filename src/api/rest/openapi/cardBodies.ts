/** The forms of a card in requests: card data, a token, or a saved card. */
import { ABSENT, type BodyRules, GIVEN, given } from './bodyRules';
import { reference } from './json';

const CARD_DATA = ['holder_name', 'card_number', 'cvv2', 'expiration_month', 'expiration_year'];

export const card = (): BodyRules => ({
  oneOf: [
    {
      title: 'Card data',
      required: CARD_DATA,
      properties: { ...given(CARD_DATA), token_id: ABSENT },
    },
    {
      title: 'Token',
      required: ['token_id', 'device_session_id'],
      properties: given(['token_id', 'device_session_id']),
    },
  ],
});

const NO_SOURCE = { source_id: ABSENT, card_id: ABSENT };

export const newSubscription = (): BodyRules => ({
  oneOf: [
    { title: 'Saved card or token', required: ['source_id'], properties: { source_id: GIVEN, card: ABSENT } },
    {
      title: 'Saved card or token, as card_id',
      required: ['card_id'],
      properties: { source_id: ABSENT, card_id: GIVEN, card: ABSENT },
    },
    {
      title: 'New card for this subscription only',
      required: ['card'],
      properties: { ...NO_SOURCE, card: reference('CreateCard') },
    },
  ],
});

/** Clients may send back the card that they received. */
const UNCHANGED_CARD = {
  title: 'Masked card: unchanged',
  type: 'object',
  required: ['card_number'],
  properties: { card_number: { type: 'string', pattern: '[xX*•]' }, token_id: ABSENT },
};

export const subscriptionChange = (): BodyRules => ({
  properties: {
    card: {
      anyOf: [reference('CreateCard'), UNCHANGED_CARD, ABSENT],
      description: 'Card for this subscription only; a masked card leaves it unchanged',
    },
  },
  anyOf: [
    { title: 'Another saved card or token, or no change', properties: { card: { anyOf: [UNCHANGED_CARD, ABSENT] } } },
    { title: 'New card for this subscription only', properties: NO_SOURCE },
  ],
});

/** Typed cards require their security code. */
export const token = (): BodyRules => ({ allOf: [{ required: ['cvv2'], properties: { cvv2: GIVEN } }] });
