const MAX_CHANGE_ID = 1_000_000_000;

let lastChangeId = 0;

/** Tells two changes of one row in a statement apart: the first one wins, and each caller learns whether it was it. */
export const nextChangeId = (): number => {
  lastChangeId = (lastChangeId + 1) % MAX_CHANGE_ID;
  return lastChangeId;
};
