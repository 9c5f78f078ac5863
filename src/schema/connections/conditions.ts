/** Converts Prisma-style conditions to SQL for lists that Prisma cannot query. */
import { Prisma } from '../../../prisma/generated/client';

type Comparable = string | number | bigint | boolean | Date;

interface Comparison {
  equals?: Comparable;
  not?: Comparable;
  in?: readonly Comparable[];
  gte?: Comparable;
  lte?: Comparable;
  lt?: Comparable;
}

/** Conditions by column. */
export type Conditions = { [column: string]: Comparable | null | Comparison };

export function toSql(conditions: Conditions, alias?: string): Prisma.Sql {
  const terms = Object.entries(conditions).flatMap(([name, condition]) => {
    const column = Prisma.raw(alias === undefined ? `"${name}"` : `${alias}."${name}"`);
    if (condition === null) return [Prisma.sql`${column} is null`];
    if (typeof condition !== 'object' || condition instanceof Date) return [Prisma.sql`${column} = ${condition}`];
    return Object.entries(condition).map(
      ([operator, value]) => Prisma.sql`${column} ${compare(operator as keyof Comparison, value)}`,
    );
  });
  return terms.length > 0 ? Prisma.join(terms, ' and ') : Prisma.sql`true`;
}

function compare(operator: keyof Comparison, value: unknown): Prisma.Sql {
  switch (operator) {
    case 'equals':
      return Prisma.sql`= ${value}`;
    case 'not':
      return Prisma.sql`<> ${value}`;
    case 'in':
      return Prisma.sql`= any(${value})`;
    case 'gte':
      return Prisma.sql`>= ${value}`;
    case 'lte':
      return Prisma.sql`<= ${value}`;
    case 'lt':
      return Prisma.sql`< ${value}`;
  }
}
