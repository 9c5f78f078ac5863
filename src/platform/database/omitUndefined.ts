type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Prisma ignores undefined properties, but its types require them to be absent. */
export function omitUndefined<T extends object>(properties: T): Given<T>;
export function omitUndefined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
