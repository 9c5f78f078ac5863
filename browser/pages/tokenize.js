// Creates a token from a card in the payer's browser. The card goes straight to recaudo; your server only receives the
// id of the token. Copy this function; it has no dependencies.
/**
 * @param {{ url: string, merchantId: string, publicKey: string }} account
 * @param {Record<string, unknown>} card
 */
export async function createToken({ url, merchantId, publicKey }, card) {
  const response = await fetch(`${url}/v1/${merchantId}/tokens`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${publicKey}:`)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(card),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.description), answer);
  return answer; // { id: 'k…', card: { card_number: '411111XXXXXX1111', … } }
}
