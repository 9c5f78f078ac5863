// Turns a card into a token, in the payer's browser. The card goes straight to recaudo; the shop's server gets the token's id only.
// Copy this function; it needs nothing else.
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
