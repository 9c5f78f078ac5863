import { toCsv } from '../../../src/api/rest/csv';
import { StatementMovement } from '../../../src/payments/statement/fields';

it.each(['=', '+', '-', '@', '\t', '\r'])('%j begins no formula in CSV, and numbers stay numbers', start => {
  const csv = toCsv(StatementMovement, [{ description: `${start}1;${start}2`, amount: -5.5, balance: -1 }]);
  expect(csv).toContain(`'${start}1;'${start}2`);
  expect(csv).toMatch(/,-5\.5,,,,-1,\r\n$/);
});
