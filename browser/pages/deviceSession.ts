/** The id of a browser's visit to a merchant's pages: the `device_session_id` of its payments. */
const ID_LENGTH = 20;
/** The largest multiple of 36 in a byte, so that all characters are equally likely. */
const BYTE_LIMIT = 252;

/** Values that survive until the visit ends. It returns null if the browser has no storage. */
export type VisitStorage = (name: string, value?: string) => string | null;

interface DeviceSession {
  id: string;
  /** Resolves to the id after the attempt to report the device. */
  reported: Promise<string>;
}

export function newSessionId(): string {
  let id = 'v';
  while (id.length < ID_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(32)))
      if (byte < BYTE_LIMIT && id.length < ID_LENGTH) id += (byte % 36).toString(36);
  return id;
}

/**
 * Pages of a site that name the same merchant share the id. `report` runs until it has succeeded once, and returns
 * whether it has.
 */
export function openSession(
  stored: VisitStorage,
  merchant: string,
  address: string,
  report: (id: string) => Promise<boolean>,
): DeviceSession {
  const name = `recaudo device ${merchant}`;
  const id = stored(name) || newSessionId();
  stored(name, id);
  const isReported = stored(`${name} told`) === address;
  const reporting = isReported ? Promise.resolve(false) : report(id);
  return { id, reported: reporting.then(ok => ok && stored(`${name} told`, address)).then(() => id) };
}
