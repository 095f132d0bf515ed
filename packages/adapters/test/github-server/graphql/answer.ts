import { type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { jsonReply, type Reply, refusal } from '../rest/reply.js';

/** What a query asked for, after it was found valid. */
interface Prepared {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
}

/** Errors in the host's form: the `type` is beside the message. */
const shown = (error: GraphQLError) => {
  const { type, ...extensions } = error.extensions;
  const field = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(error.message);
  if (field !== null) {
    return {
      path: ['query'],
      extensions: { code: 'undefinedField', typeName: field[2], fieldName: field[1] },
      locations: error.locations,
      message: `Field '${field[1]}' doesn't exist on type '${field[2]}'`,
    };
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
    locations: error.locations,
    message: error.message,
  };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers queries by a schema: with status 200 for any fault of the query itself. */
export const queryAnswers = (schema: GraphQLSchema) => {
  // Checking a query against a schema of this size costs more than answering it.
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    let result: Prepared;
    try {
      const document = parse(text);
      result = { document, errors: validate(schema, document) };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      result = { document: undefined, errors: [error] };
    }
    prepared.set(text, result);
    return result;
  };

  return async (body: string, root: object): Promise<Reply> => {
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      return refusal(400, 'Problems parsing JSON');
    }
    if (!isRecord(request) || typeof request.query !== 'string')
      return refusal(400, 'A query attribute must be specified');
    const { document, errors } = prepare(request.query);
    if (document === undefined || errors.length > 0) return jsonReply(200, { errors: errors.map(shown) });
    const result = await execute({
      schema,
      document,
      rootValue: root,
      ...(isRecord(request.variables) ? { variableValues: request.variables } : {}),
      ...(typeof request.operationName === 'string' ? { operationName: request.operationName } : {}),
    });
    const { data = null, errors: faults } = result;
    return jsonReply(200, faults === undefined ? { data } : { data, errors: faults.map(shown) });
  };
};
