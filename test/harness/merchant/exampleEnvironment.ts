/** The variables in the examples of the reference: each names an existing object, created on first use. */
import type { testWebhooks } from '../webhooks/webhooks';
import { testSettlements } from './settlements';

type Variables = Record<string, string>;

export function exampleEnvironment({ api, shop, newHook, db, deliveries }: ReturnType<typeof testWebhooks>) {
  const { post } = shop;
  const idOf = async (path: string, body: object): Promise<string> => {
    const answer = await post(path, body);
    if (answer.status > 201) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const levelOf = ({ CUSTOMER_ID }: Variables): string => (CUSTOMER_ID ? `/customers/${CUSTOMER_ID}` : '');

  /** A customer with a balance of zero, or with a balance above zero. */
  const newCustomer = async (operation: string): Promise<string> => {
    if (operation !== 'createFee') return shop.newCustomer({ requires_account: false });
    const id = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${id}/cards`);
    await post(`/customers/${id}/charges`, { ...shop.charge, source_id });
    return id;
  };

  const newTransaction = async (operation: string, known: Variables): Promise<string> => {
    if (operation === 'payCharge') return idOf('/charges', shop.store);
    const level = levelOf(known);
    const source_id = await shop.newCard(`${level}/cards`);
    const capture = operation.startsWith('capture') ? { capture: false } : {};
    const payer = level ? {} : { customer: shop.payer };
    return idOf(`${level}/charges`, { ...shop.charge, ...payer, ...capture, source_id });
  };

  const newSubscription = async (operation: string, known: Variables): Promise<string> => {
    known.CUSTOMER_ID ??= await shop.newCustomer({ requires_account: false });
    const isRetried = operation.startsWith('retry');
    const card_number = isRetried ? '4000000000000341' : '5555555555554444';
    const source_id = await shop.newCard(`${levelOf(known)}/cards`, card_number);
    const id = await idOf(`${levelOf(known)}/subscriptions`, { plan_id: await shop.newPlan(), source_id });
    known.CHARGE_DATE = (await api.rest('GET', `${levelOf(known)}/subscriptions/${id}`)).body.charge_date;
    return id;
  };

  const newDelivery = async ({ WEBHOOK_ID = '' }: Variables): Promise<string> => {
    const [delivery] = await deliveries(WEBHOOK_ID);
    return delivery.id;
  };

  const newSettlement = async (): Promise<string> => {
    const { item, settle } = testSettlements(api);
    await settle([item(await shop.newCharge(await shop.newCard()), 100_000)]);
    return (await api.rest('GET', '/settlements')).body[0].id;
  };

  /** In the order of their dependencies. */
  const makers: Record<string, (operation: string, known: Variables) => Promise<string>> = {
    CUSTOMER_ID: operation => newCustomer(operation),
    CARD_ID: (_, known) => shop.newCard(`${levelOf(known)}/cards`),
    PLAN_ID: () => shop.newPlan(),
    SUBSCRIPTION_ID: newSubscription,
    CHARGE_DATE: async (_, known) => known.CHARGE_DATE ?? '',
    TRANSACTION_ID: newTransaction,
    TOKEN_ID: () => shop.newToken(),
    DEVICE_ID: () => idOf('/devices', { user_agent: 'Mozilla/5.0' }),
    FEE_ID: async () => idOf('/fees', { customer_id: await newCustomer('createFee'), amount: 10, description: 'Fee' }),
    KEY_ID: () => idOf('/keys', { kind: 'private' }),
    SESSION_ID: () => idOf('/sessions', { origins: ['https://shop.example'] }),
    FRAUD_RULE_ID: () =>
      idOf('/fraud_rules', { name: `rule_${Date.now()}`, kind: 'attempts', scope: 'card', max: 9, minutes: 1 }),
    PAYMENT_LINK_ID: () => idOf('/payment_links', { kind: 'payment', amount: 80_000, description: 'Order 81' }),
    PAYOUT_ID: () => idOf('/payouts', { amount: 1000 }),
    SETTLEMENT_ID: newSettlement,
    EVENT_ID: async () => (await api.rest('GET', '/events')).body[0].id,
    WEBHOOK_ID: async () => (await newHook()).id,
    DELIVERY_ID: (_, known) => newDelivery(known),
    VERIFICATION_CODE: async (_, { WEBHOOK_ID: id = '' }) =>
      (await db().webhook.findUniqueOrThrow({ where: { id } })).verification_code,
  };

  /** A balance for payouts, and a bank account. */
  const prepare = async (): Promise<void> => {
    const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
    await api.rest('PUT', '', { body: { bank_account } });
    await shop.newCharge(await shop.newCard(), { amount: 10_000_000 });
    await shop.settle();
  };

  /** Removes the rules of one example, which could refuse the payments of the next example. */
  const removeRules = async (): Promise<void> => {
    const { body: rules } = await api.rest('GET', '/fraud_rules');
    for (const { id } of rules as { id: string }[]) await api.rest('DELETE', `/fraud_rules/${id}`);
  };

  return {
    prepare,
    removeRules,
    async variablesFor(operation: string, names: string[]): Promise<Variables> {
      const { id, private_key } = api.merchants().own;
      const known: Variables = { RECAUDO_URL: api.origin(), MERCHANT_ID: id, PRIVATE_KEY: private_key };
      for (const [name, make] of Object.entries(makers))
        if (names.includes(name)) known[name] ??= await make(operation, known);
      return known;
    },
  };
}
