const MAX_CHANGE_ID = 1_000_000_000;

let last = 0;

/** Tells two changes of the same row apart when one statement writes both: the first one wins, and each caller learns which it was. */
export const nextChangeId = (): number => {
  last = (last + 1) % MAX_CHANGE_ID;
  return last;
};
