type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

export const omitUndefined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
