/** The harness (test/harness/api) checks that the description of a mutation lists every error that a test receives. */
import { assertListed, listedErrors } from '../../harness/api/listedErrors';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const url = () => `${api.origin()}/v1/${api.merchants().own.id}`;
const error = (error_code: number) => ({ error_code, http_code: 412 });

it('an error that the mutation does not list is reported, over REST and GraphQL', () => {
  expect(listedErrors('createPlan')).toEqual([]);
  expect(() => assertListed('POST', `${url()}/plans`, error(3006))).toThrow('createPlan answered not_allowed');
  const graphql = { errors: [{ path: ['createPlan'], extensions: { error_code: 3006 } }] };
  expect(() => assertListed('POST', `${api.origin()}/graphql`, graphql)).toThrow('createPlan answered not_allowed');
});

it('listed errors, general errors and declined charges are accepted', () => {
  assertListed('DELETE', `${url()}/cards/k9s8d7f6g5h4j3k2l1q0`, error(3006));
  assertListed('POST', `${url()}/plans`, error(1003));
  assertListed('GET', `${url()}/charges/t9s8d7f6g5h4j3k2l1q0`, error(3001));
  assertListed('POST', `${url()}/charges`, { error_code: 4001 });
});

it('mutations over GraphQL are checked too', async () => {
  const query = 'mutation { deletePlan(plan_id: "p0000000000000000000") { id } }';
  expect(errorOf(await api.graphql(query))).toBe(1005);
  expect(listedErrors('deletePlan')).toContain('not_found');
});
