/** Requests to go live in each state, and the values that a person enters on their page. */
import { business, testOperators } from '../merchant/operators';
import type { testApi } from '../servers/api';

export const typed = {
  legal_name: 'Flores & Macetas S.A.S.',
  nit: '900.123.456-8',
  expected_monthly_volume: '$ 50.000.000',
  website: 'flores.co',
  'representative.name': 'María Gómez',
  'representative.document': '52123456',
  'representative.email': 'maria@flores.co',
  'representative.phone': '300 123 4567',
  'bank_account.bank': 'Bancolombia',
  'bank_account.type': 'savings',
  'bank_account.number': '123-456789-01',
  support_email: 'ayuda@flores.co',
  support_phone: '601 123 4567',
};

export function testLivePages(api: ReturnType<typeof testApi>) {
  const operators = testOperators(api);
  const { operate, runAs, newMerchant, requestLive } = operators;
  const newDraft = async (name = 'Flores') => {
    const merchant = await newMerchant(name);
    const { id, url } = (await requestLive(merchant.private_key, null)).body.data.requestLive;
    return { merchant, id: id as string, url: url as string };
  };
  const newSubmitted = async () => {
    const draft = await newDraft();
    await runAs(draft.merchant.private_key, 'mutation ($b: BusinessInput!) { updateLiveRequest(request: $b) { id } }', {
      b: business,
    });
    return draft;
  };
  const decide = (how: 'return' | 'refuse', id: string, reason: string) =>
    operate('support', `mutation ($r: String!) { ${how}LiveRequest(id: "${id}", reason: $r) { id } }`, { r: reason });
  const approve = (id: string) =>
    operate('admin', `mutation { approveLiveRequest(id: "${id}") { production_merchant_id } }`);
  const newApproved = async () => {
    const request = await newSubmitted();
    const { production_merchant_id } = await approve(request.id);
    return { ...request, production: production_merchant_id as string };
  };
  return {
    ...operators,
    newDraft,
    newSubmitted,
    newApproved,
    decide,
    statusOf: async (id: string) => (await api.database.db().liveRequest.findUniqueOrThrow({ where: { id } })).status,
  };
}
