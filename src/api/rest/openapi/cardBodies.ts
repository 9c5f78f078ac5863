/** The forms in which a request names a card: its data, a token, a saved card. */
import { ABSENT, type BodyRules, GIVEN, given } from './bodyRules';
import { reference } from './json';

const WRITTEN_ON_IT = ['holder_name', 'card_number', 'cvv2', 'expiration_month', 'expiration_year'];

export const card = (): BodyRules => ({
  oneOf: [
    {
      title: 'What is written on the card',
      required: WRITTEN_ON_IT,
      properties: { ...given(WRITTEN_ON_IT), token_id: ABSENT },
    },
    {
      title: 'A token',
      required: ['token_id', 'device_session_id'],
      properties: given(['token_id', 'device_session_id']),
    },
  ],
});

const NO_SOURCE = { source_id: ABSENT, card_id: ABSENT };

export const newSubscription = (): BodyRules => ({
  oneOf: [
    { title: 'A saved card or a token', required: ['source_id'], properties: { source_id: GIVEN, card: ABSENT } },
    {
      title: 'The same, as card_id',
      required: ['card_id'],
      properties: { source_id: ABSENT, card_id: GIVEN, card: ABSENT },
    },
    {
      title: 'A card that only this subscription has',
      required: ['card'],
      properties: { ...NO_SOURCE, card: reference('CreateCard') },
    },
  ],
});

/** Clients send back what they were shown. */
const UNCHANGED_CARD = {
  title: 'The card as it was shown: unchanged',
  type: 'object',
  required: ['card_number'],
  properties: { card_number: { type: 'string', pattern: '[xX*•]' }, token_id: ABSENT },
};

export const subscriptionChange = (): BodyRules => ({
  properties: {
    card: {
      anyOf: [reference('CreateCard'), UNCHANGED_CARD, ABSENT],
      description: 'A card that only this subscription has; a masked one means: unchanged',
    },
  },
  anyOf: [
    { title: 'Another saved card or token, or none', properties: { card: { anyOf: [UNCHANGED_CARD, ABSENT] } } },
    { title: 'Another card that only this subscription has', properties: NO_SOURCE },
  ],
});

/** Every card that is typed needs its security code. */
export const token = (): BodyRules => ({ allOf: [{ required: ['cvv2'], properties: { cvv2: GIVEN } }] });
