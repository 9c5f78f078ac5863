/** GraphQL enum values have no dots: `charge_succeeded` stands for `charge.succeeded`. Browsers load this file too. */
export type EnumName<T extends string> = T extends `${infer Head}.${infer Rest}` ? `${Head}_${EnumName<Rest>}` : T;

export const enumName = <T extends string>(name: T): EnumName<T> => name.replaceAll('.', '_') as EnumName<T>;
