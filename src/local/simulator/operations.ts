/** Operations of the simulated acquirer, also those of the payment methods that it issues. */
import type { SettlementType } from '../../gateway/acquirer/settlementReport';
import { ISSUED_METHODS, type IssueOperation, type MethodDefinition } from '../../payments/methods/methods';

interface SimulatedOperation {
  /** Field that the order requires in addition to its key and amount. */
  requires: 'card' | 'of' | 'account' | 'expires' | 'return_url';
  /** Item type in settlement reports; other operations move no money. */
  settledAs?: SettlementType;
  /** Set if no money moves until the payer pays. */
  instructions?: NonNullable<MethodDefinition['issue']>['instructions'];
}

const immediate = {
  verify: { requires: 'card' },
  charge: { requires: 'card', settledAs: 'charge' },
  authorize: { requires: 'card' },
  capture: { requires: 'of', settledAs: 'charge' },
  refund: { requires: 'of', settledAs: 'refund' },
  payout: { requires: 'account', settledAs: 'payout' },
} as const satisfies Record<string, SimulatedOperation>;

export type OrderedOperation = keyof typeof immediate | IssueOperation;

const issued = ISSUED_METHODS.map(({ operation, instructions }): [string, SimulatedOperation] => [
  operation,
  { requires: instructions === 'references' ? 'expires' : 'return_url', settledAs: 'charge', instructions },
]);

export const OPERATIONS = { ...immediate, ...Object.fromEntries(issued) } as Readonly<
  Record<OrderedOperation, SimulatedOperation>
>;

export const isPaidLater = (operation: OrderedOperation): boolean => OPERATIONS[operation].instructions !== undefined;
