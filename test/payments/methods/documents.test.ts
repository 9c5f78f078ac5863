import { openapi } from '../../../src/api/rest/openapi';
import { ISSUED_METHODS, METHOD_NAMES, METHODS } from '../../../src/payments/methods/methods';
import { Contract } from '../../harness/api/contract';
import { pendingCharge, refusals } from '../../harness/api/pendingCharge';

const { sampler, document } = new Contract(openapi('sandbox'));
const { CreateCharge } = document.components.schemas;

describe.each(METHOD_NAMES)('the OpenAPI document of charges by %s', method => {
  it('accepts a body with the fields that the method requires', () => {
    expect(CreateCharge.oneOf.map(({ title }: { title: string }) => title)).toContain(METHODS[method].title);
    expect(sampler.differences(CreateCharge, pendingCharge(method))).toEqual([]);
  });

  it.each(refusals)('refuses a body that violates %s if the method has this requirement', (requirement, _, bodyOf) => {
    const isAccepted = sampler.differences(CreateCharge, bodyOf(method)).length === 0;
    expect(isAccepted).toBe(METHODS[method][requirement] !== true);
  });
});

it('every two methods have different operations at the acquirer', () => {
  const operations = ISSUED_METHODS.map(({ operation }) => operation);
  expect(new Set(operations).size).toBe(operations.length);
});
