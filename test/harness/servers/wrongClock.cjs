/** Loaded before a program: its clock is wrong by CLOCK_AHEAD_MS, while durations are correct. */
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RightDate = Date;
globalThis.Date = class extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RightDate.now() + ahead] : args));
  }

  static now() {
    return RightDate.now() + ahead;
  }
};
