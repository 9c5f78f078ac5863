import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { MAX_TOKENS } from './documentSize';

const MAX_DOCUMENT_ERRORS = 10;

/** Validates a document once. Introspection is allowed in the sandbox only. */
export class DocumentValidator {
  private readonly validDocuments = new WeakSet<DocumentNode>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly isSandbox: boolean,
  ) {}

  /** Without a document, the errors of the text that cannot be parsed. */
  errorsOf(query: string, document: DocumentNode | undefined): readonly GraphQLError[] {
    if (document && this.validDocuments.has(document)) return [];
    const rules = this.isSandbox ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    // Suggestions take longer than the rest of the validation.
    const options = { maxErrors: MAX_DOCUMENT_ERRORS, hideSuggestions: !this.isSandbox };
    try {
      const parsed = document ?? parse(query, { maxTokens: MAX_TOKENS });
      const errors = validate(this.schema, parsed, rules, options);
      if (errors.length === 0) this.validDocuments.add(parsed);
      return errors;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }
}
