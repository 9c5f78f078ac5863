type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The properties that have a value. Prisma takes one that is undefined as absent, but by its types it must be absent. */
export function omitUndefined<T extends object>(properties: T): Given<T>;
export function omitUndefined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
