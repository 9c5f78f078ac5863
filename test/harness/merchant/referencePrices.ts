/**
 * The prices of a subscription, written a second time from the description: it keeps every bill ever made and derives
 * coupons, extras and credit from them, where the program keeps only the present state.
 */
type Day = string;
type Unit = 'week' | 'month' | 'year';

export interface Price {
  amount: bigint;
  quantity: number;
  every: number;
  unit: Unit;
}
export interface Coupon {
  /** Hundredths of a percent. */
  percent: bigint | null;
  off: bigint | null;
  /** Null: forever. */
  periods: number | null;
}
export interface Bill {
  period: number;
  day: Day;
  /** The first day of the next period. */
  end: Day;
  price: Price;
  full: bigint;
  discount: bigint;
  coupon: Coupon | null;
  /** The billed amount of each extra. */
  extras: { id: string; amount: bigint }[];
  creditGiven: bigint;
  creditUsed: bigint;
  charge: bigint;
  isPaid: boolean;
  /** The day on which a change ended it early. */
  replaced?: Day;
}
/** A change made now: null keeps the coupon, `none` removes it. */
export interface ChangeNow {
  day: Day;
  price: Price;
  coupon: Coupon | 'none' | null;
  credit: boolean;
  /** The refunds and chargebacks of the present period. */
  returned: bigint;
}

export const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
/** Rounds to the nearest; a half goes up. Not for negative amounts. */
const ratio = (amount: bigint, part: bigint, whole: bigint): bigint => {
  const down = (amount * part) / whole;
  return (amount * part - down * whole) * 2n >= whole ? down + 1n : down;
};
const number = (day: Day): bigint => BigInt(Date.parse(day)) / 86_400_000n;
const daysBetween = (from: Day, to: Day): bigint => number(to) - number(from);

/** The day `times` intervals after an anchor; the 31st becomes the last day of a shorter month. */
function later(anchor: Day, times: number, { every, unit }: Pick<Price, 'every' | 'unit'>): Day {
  const date = new Date(`${anchor}T00:00:00Z`);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 7 * every * times);
  else {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + every * times * (unit === 'year' ? 12 : 1));
    const wanted = date.getUTCMonth();
    date.setUTCDate(day);
    if (date.getUTCMonth() !== wanted) date.setUTCDate(0);
  }
  return date.toISOString().slice(0, 10);
}

export class ReferencePrices {
  readonly bills: Bill[] = [];
  planned: Price | null = null;
  /** The subscription ended, and no charge of it is open. */
  isOver = false;
  private readonly added: { id: string; amount: bigint }[] = [];
  private readonly removed = new Set<string>();
  cleared = 0n;
  /** The day from which the following periods are counted, and their number since then. */
  private anchor: Day | null = null;
  private since = 0;

  constructor(
    public price: Price,
    public coupon: Coupon | null,
    /** The first charge day. */
    private start: Day,
  ) {}

  get last(): Bill | undefined {
    return this.bills.at(-1);
  }
  /** A bill that remains unpaid used no credit. */
  get balance(): bigint {
    const used = this.bills.filter(({ isPaid }) => isPaid || !this.isOver).map(({ creditUsed }) => creditUsed);
    return sum(this.bills.map(({ creditGiven }) => creditGiven)) - sum(used) - this.cleared;
  }
  /** A period that was replaced on its first day took nothing from the coupon. */
  private left(coupon: Coupon, replacedToday?: Bill): number {
    const used = this.bills.filter(
      bill => bill.coupon === coupon && bill.replaced !== bill.day && bill !== replacedToday,
    ).length;
    return (coupon.periods ?? Infinity) - used;
  }
  get couponPeriodsLeft(): number | null {
    return this.coupon && Number.isFinite(this.left(this.coupon)) ? this.left(this.coupon) : null;
  }
  /** Extras that wait for the next bill; of a courtesy, what is left of it. */
  get waiting(): { id: string; amount: bigint }[] {
    return this.added
      .filter(({ id }) => !this.removed.has(id))
      .filter(({ id, amount }) => amount < 0n || !this.bills.some(({ extras }) => extras.some(each => each.id === id)))
      .map(({ id, amount }) => ({ id, amount: amount - this.billed(id) }))
      .filter(({ amount }) => amount !== 0n);
  }
  private billed(id: string): bigint {
    return sum(this.bills.flatMap(({ extras }) => extras.filter(each => each.id === id).map(({ amount }) => amount)));
  }
  add(id: string, amount: bigint): void {
    this.added.push({ id, amount });
  }
  remove(id: string): void {
    this.removed.add(id);
  }
  clear(): bigint {
    const { balance } = this;
    this.cleared += balance;
    return balance;
  }
  /** Before the first bill: a trial that ends on another day. */
  startOn(day: Day): void {
    [this.start, this.anchor] = [day, null];
  }
  /** A pause that is over: the next period opens today, and the following ones are counted from it. */
  resumeOn(day: Day): void {
    [this.anchor, this.since] = [day, -1];
    if (!this.last) this.start = day;
  }

  /** The day on which the next period opens. */
  get nextDay(): Day {
    return this.anchor === null ? this.start : later(this.anchor, this.since + 1, this.price);
  }

  /** The bill of the next period; `resumed` is the day on which a pause ended, if that is later. */
  nextBill(resumed: Day | null = null): Bill {
    const regular = this.nextDay;
    const isAnchor = resumed !== null && resumed > regular;
    return this.bill(isAnchor ? resumed : regular, this.planned ?? this.price, this.coupon, 0n, isAnchor);
  }
  open(resumed: Day | null = null): Bill {
    const bill = this.nextBill(resumed);
    const isAnchor = bill.day !== this.nextDay;
    const isOtherInterval = bill.price.every !== this.price.every || bill.price.unit !== this.price.unit;
    if (this.anchor === null || isAnchor || isOtherInterval) [this.anchor, this.since] = [bill.day, 0];
    else this.since += 1;
    [this.price, this.planned] = [bill.price, null];
    this.bills.push(bill);
    return bill;
  }

  /** The last bill was never sent: what it took is there again. New terms stay. */
  withdraw(): void {
    this.bills.pop();
    this.since -= 1;
  }

  /** The credit for the days of the present period that are not used, today being one of them. */
  creditFor({ day, credit, returned }: Pick<ChangeNow, 'day' | 'credit' | 'returned'>): bigint {
    const { last } = this;
    if (!credit || !last || day >= last.end) return 0n;
    const worth = last.full - last.discount - returned;
    return worth <= 0n ? 0n : ratio(worth, daysBetween(day, last.end), daysBetween(last.day, last.end));
  }
  /** The bill of a change made now, which is charged at once. */
  changeBill(change: ChangeNow): Bill {
    const coupon = change.coupon === null ? this.coupon : change.coupon === 'none' ? null : change.coupon;
    return { ...this.bill(change.day, change.price, coupon, this.creditFor(change), true), isPaid: true };
  }
  /** Makes a change whose charge was paid. */
  change(change: ChangeNow): Bill {
    const bill = this.changeBill(change);
    if (this.last) this.last.replaced = change.day;
    if (change.coupon !== null) this.coupon = change.coupon === 'none' ? null : change.coupon;
    [this.price, this.planned, this.anchor, this.since] = [change.price, null, change.day, 0];
    this.bills.push(bill);
    return bill;
  }

  private bill(day: Day, price: Price, present: Coupon | null, creditGiven: bigint, anchored: boolean): Bill {
    const full = price.amount * BigInt(price.quantity);
    const today = anchored && this.last?.day === day ? this.last : undefined;
    const coupon = present && this.left(present, today) > 0 ? present : null;
    const discount = coupon === null ? 0n : least(full, coupon.off ?? ratio(full, coupon.percent ?? 0n, 10_000n));
    const surcharges = this.waiting.filter(({ amount }) => amount > 0n);
    let rest = full - discount + sum(surcharges.map(({ amount }) => amount));
    const courtesies: Bill['extras'] = [];
    for (const { id, amount } of this.waiting.filter(each => each.amount < 0n)) {
      const taken = least(rest, -amount);
      if (taken > 0n) courtesies.push({ id, amount: -taken });
      rest -= taken;
    }
    const creditUsed = least(rest, this.balance + creditGiven);
    const isAnchor =
      anchored || this.anchor === null || price.every !== this.price.every || price.unit !== this.price.unit;
    return {
      period: (this.last?.period ?? 0) + 1,
      day,
      end: isAnchor || this.anchor === null ? later(day, 1, price) : later(this.anchor, this.since + 2, price),
      price,
      full,
      discount,
      coupon,
      extras: [...surcharges, ...courtesies],
      creditGiven,
      creditUsed,
      charge: rest - creditUsed,
      isPaid: false,
    };
  }
}
