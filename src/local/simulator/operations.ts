/** Operations of the simulated acquirer, also those of the payment methods that it issues. */
import type { SettlementType } from '../../gateway/acquirer/settlementReport';
import { type Instructions, ISSUED_METHODS, type IssueOperation } from '../../payments/methods/methods';

interface SimulatedOperation {
  /** Fields that the order requires in addition to its key and amount. */
  requires: readonly ('card' | 'of' | 'account' | 'expires' | 'return_url')[];
  /** Item type in settlement reports; other operations move no money. */
  settledAs?: SettlementType;
  /** Set if no money moves until the payer pays. */
  instructions?: Instructions;
}

const immediate = {
  verify: { requires: ['card'] },
  charge: { requires: ['card'], settledAs: 'charge' },
  authorize: { requires: ['card'] },
  capture: { requires: ['of'], settledAs: 'charge' },
  refund: { requires: ['of'], settledAs: 'refund' },
  payout: { requires: ['account'], settledAs: 'payout' },
} as const satisfies Record<string, SimulatedOperation>;

export type OrderedOperation = keyof typeof immediate | IssueOperation;

const ORDER_FIELDS = {
  references: ['expires'],
  url: ['return_url'],
  qr: ['return_url', 'expires'],
} as const satisfies Record<Instructions, SimulatedOperation['requires']>;

const issued = ISSUED_METHODS.map(({ operation, instructions }): [IssueOperation, SimulatedOperation] => [
  operation,
  { requires: ORDER_FIELDS[instructions], settledAs: 'charge', instructions },
]);

export const OPERATIONS: Readonly<Record<OrderedOperation, SimulatedOperation>> = {
  ...immediate,
  ...(Object.fromEntries(issued) as Record<IssueOperation, SimulatedOperation>),
};

export const isPaidLater = (operation: OrderedOperation): boolean => OPERATIONS[operation].instructions !== undefined;
