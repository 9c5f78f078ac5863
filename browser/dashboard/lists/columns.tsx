/** Columns of amounts. */
import { Moment, Money } from '../../shared/ui/Figures';
import type { Column } from './definition';

export const moneyColumn = <Row,>(
  key: string,
  name: string,
  amountOf: (row: Row) => number,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  key,
  name,
  isNumber: true,
  cell: row => <Money amount={amountOf(row)} />,
  text: amountOf,
  ...more,
});

interface Costing {
  amount: number;
  cost: number;
  cost_tax: number;
  net: number;
}

/** Amount, cost and net; those in `further` are hidden by default. */
export const costingColumns = <Row extends Costing>(
  t: { amount: string; cost: string; costTax: string; net: string },
  ...further: (keyof Costing)[]
): Column<Row>[] => {
  const column = (key: keyof Costing, name: string): Column<Row> =>
    moneyColumn(key, name, row => row[key], { isFurther: further.includes(key) });
  return [column('amount', t.amount), column('cost', t.cost), column('cost_tax', t.costTax), column('net', t.net)];
};

export const momentColumn = <Row,>(
  key: string,
  name: string,
  momentOf: (row: Row) => string | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  key,
  name,
  cell: row => {
    const at = momentOf(row);
    return at && <Moment at={at} />;
  },
  text: momentOf,
  ...more,
});

export const textColumn = <Row,>(
  key: string,
  name: string,
  textOf: (row: Row) => string | number | null | undefined,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, name, cell: textOf, text: textOf, ...more });
