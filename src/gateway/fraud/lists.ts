/** Allow and block lists. Each list is parsed once, so that lookup time does not depend on its length. */
import type { IPv4, IPv6 } from 'ipaddr.js';
import { parseNetwork } from '../../platform/networks';
import type { FraudFacts, RuleParameters } from './rule';

type Matches = (facts: FraudFacts) => boolean;

const matchers = new WeakMap<RuleParameters, Matches>();

export function listMatcher(parameters: RuleParameters): Matches {
  const known = matchers.get(parameters) ?? createMatcher(parameters);
  matchers.set(parameters, known);
  return known;
}

/** First six and last four digits of a masked number such as `411111XXXXXX1111`. */
export function visibleDigits(text: string): string | undefined {
  const [, first, last] = /^(\d{6})[X*•.]+(\d{4})$/i.exec(text.trim()) ?? [];
  return first && last && `${first} ${last}`;
}

function createMatcher({ scope, values = [], cards = {} }: RuleParameters): Matches {
  const exact = new Set(values);
  switch (scope) {
    case 'card': {
      const hashes = new Set(Object.values(cards));
      const ends = new Set(values.flatMap(value => visibleDigits(value) ?? []));
      return ({ card = '', listed_card = card, card_number = '' }) =>
        hashes.has(listed_card) || ends.has(visibleDigits(card_number) ?? '');
    }
    case 'email':
      return ({ email }) => {
        const address = email?.trim().toLowerCase() ?? '';
        return exact.has(address) || exact.has(address.slice(address.lastIndexOf('@')));
      };
    case 'address': {
      const networks = new Set<string>();
      const lengths = new Set<number>();
      for (const [network, bits] of values.flatMap(value => asList(parseNetwork(value)))) {
        networks.add(prefixOf(network, bits));
        lengths.add(bits);
      }
      return ({ address }) => {
        const [parsed] = parseNetwork(address ?? '') ?? [];
        return parsed !== undefined && [...lengths].some(bits => networks.has(prefixOf(parsed, bits)));
      };
    }
    case 'customer':
      return ({ customer_id }) => exact.has(customer_id ?? '');
    default:
      return ({ device }) => exact.has(device ?? '');
  }
}

const asList = <T>(item: T | undefined): T[] => (item === undefined ? [] : [item]);

/** A text that is equal for all addresses of the network. */
function prefixOf(address: IPv4 | IPv6, bits: number): string {
  const bytes = address.toByteArray();
  const whole = bytes.slice(0, bits >> 3);
  const rest = (bytes[bits >> 3] ?? 0) >> (8 - (bits & 7));
  return `${address.kind()} ${bits} ${whole.join('.')} ${bits & 7 ? rest : ''}`;
}
