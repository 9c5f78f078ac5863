/** Lists of allowed and blocked values. What a list holds is read once, so that a long one costs no more than a short one. */
import type { IPv4, IPv6 } from 'ipaddr.js';
import { parseNetwork } from '../platform/networks';
import type { FraudFacts, RuleParameters } from './rule';

type Matches = (facts: FraudFacts) => boolean;

const matchers = new WeakMap<RuleParameters, Matches>();

export function listMatcher(parameters: RuleParameters): Matches {
  const known = matchers.get(parameters) ?? createMatcher(parameters);
  matchers.set(parameters, known);
  return known;
}

/** `411111XXXXXX1111`, with any sign for what is hidden, as its first six and last four digits. */
export function endsOfMask(text: string): string | undefined {
  const [, first, last] = /^(\d{6})[X*•.]+(\d{4})$/i.exec(text.trim()) ?? [];
  return first && last && `${first} ${last}`;
}

function createMatcher({ scope, values = [], cards = {} }: RuleParameters): Matches {
  const exact = new Set(values);
  switch (scope) {
    case 'card': {
      const hashes = new Set(Object.values(cards));
      const ends = new Set(values.flatMap(value => endsOfMask(value) ?? []));
      return ({ card = '', listed_card = card, card_number = '' }) =>
        hashes.has(listed_card) || ends.has(endsOfMask(card_number) ?? '');
    }
    case 'email':
      return ({ email }) => {
        const address = email?.trim().toLowerCase() ?? '';
        return exact.has(address) || exact.has(address.slice(address.lastIndexOf('@')));
      };
    case 'address': {
      const networks = values.flatMap(value => [parseNetwork(value) ?? []].filter(({ length }) => length > 0));
      return ({ address }) => {
        const [parsed] = parseNetwork(address ?? '') ?? [];
        return parsed !== undefined && networks.some(network => isIn(parsed, network as [IPv4 | IPv6, number]));
      };
    }
    case 'customer':
      return ({ customer_id }) => exact.has(customer_id ?? '');
    default:
      return ({ device }) => exact.has(device ?? '');
  }
}

const isIn = (address: IPv4 | IPv6, [network, bits]: [IPv4 | IPv6, number]): boolean =>
  network.kind() === address.kind() && address.match([network, bits] as [IPv4, number]);
