/** Compares the GraphQL schema with the last release: CHANGELOG.md must name every breaking change by its path. */
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import type { GraphQLSchema } from 'graphql';

const HEADING = 'Breaking in GraphQL';

/** The text below this heading in the unreleased section. */
function announced(changelog: string): string {
  const [, unreleased = ''] = changelog.split(/^## /m);
  return unreleased.split(/^### /m).find(section => section.startsWith(`${HEADING}\n`)) ?? '';
}

/** The unannounced breaking changes, each with its description. */
export async function unannounced(before: GraphQLSchema, after: GraphQLSchema, changelog: string): Promise<string[]> {
  const text = announced(changelog);
  return (await diff(before, after))
    .filter(
      ({ criticality, path = '' }) => criticality.level === CriticalityLevel.Breaking && !text.includes(`\`${path}\``),
    )
    .map(({ path, message }) => `${path}: ${message}`);
}
