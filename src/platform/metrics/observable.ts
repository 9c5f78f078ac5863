import { channel } from 'node:diagnostics_channel';

/** A fact that other parts of the process may observe, as metrics do. Publishing is free where nothing observes. */
export function observable<Fact extends object>(name: string) {
  const facts = channel(name);
  return {
    publish: (fact: Fact): void => facts.publish(fact),
    observe: (observer: (fact: Fact) => void): void => facts.subscribe(fact => observer(fact as Fact)),
  };
}
