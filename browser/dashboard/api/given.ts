type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Without what is not given. */
export const given = <Values extends object>(values: Values): Given<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
