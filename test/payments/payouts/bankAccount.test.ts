/** The bank account of a merchant, from its profile or from its request to go live. */
import { findBankAccounts } from '../../../src/accounts/bankAccounts/rows';
import { unseal } from '../../../src/platform/vault/unseal';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { business, testOperators } from '../../harness/merchant/operators';
import { errorOf, testApi } from '../../harness/servers/api';
import { vault } from '../../harness/world/secrets';

const api = testApi();
const shop = merchantCalls(api);
const { operate, requestLive, newMerchant } = testOperators(api);

const ACCOUNT = { bank: 'Bancolombia', type: 'savings', number: '123-456 78901' };
const SHOWN = { bank: 'Bancolombia', type: 'savings', number: 'XXXXXXX8901' };

const setAccount = (account: object = ACCOUNT) => api.rest('PUT', '', { body: { bank_account: account } });

it('a payout without a bank account fails with 3006, and invalid accounts fail with 1003', async () => {
  expect(errorOf(await shop.post('/payouts', { amount: 1000 }))).toBe(3006);
  expect(errorOf(await setAccount({ ...ACCOUNT, number: '123' }))).toBe(1003);
  expect(errorOf(await setAccount({ ...ACCOUNT, type: 'gold' }))).toBe(1003);
  expect((await api.rest('GET', '')).body.bank_account).toBeNull();
});

it('the bank account is shown with its last digits, accepted in that form, and recorded in the audit log', async () => {
  expect((await setAccount()).body.bank_account).toEqual(SHOWN);
  expect((await setAccount(SHOWN)).body.bank_account).toEqual(SHOWN);
  expect((await api.graphql('{ merchant { bank_account { bank type number } } }')).body.data.merchant).toEqual({
    bank_account: SHOWN,
  });
  const { body } = await api.rest('GET', '/audit_log?action=merchant.bank_account_changed');
  expect(body).toMatchObject([{ before: null, after: SHOWN }]);
  expect(await api.database.db().bankAccount.count({ where: { merchant_id: api.merchants().own.id } })).toBe(1);
});

it('a merchant that went live is paid to the account of its request', async () => {
  const { private_key } = await newMerchant();
  const { id } = (await requestLive(private_key)).body.data.requestLive;
  const { production_merchant_id } = await operate(
    'admin',
    'mutation ($id: ID!) { approveLiveRequest(id: $id) { production_merchant_id } }',
    { id },
  );
  const { present: account } = await findBankAccounts(api.database.db(), production_merchant_id);
  if (!account) throw new Error('there is none');
  const { number, bank, number_sealed, ...purpose } = account;
  expect([bank, number]).toEqual([business.bank_account.bank, 'XXXXXXX8901']);
  expect(unseal(vault, number_sealed, { ...purpose, what: 'account' })).toBe('12345678901');
});
