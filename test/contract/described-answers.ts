/** As much of an OpenAPI document as these tests read. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

export interface ApiOperation {
  readonly summary?: string;
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiResponse {
  readonly content?: Readonly<
    Record<string, { readonly example?: unknown; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
  >;
}

/**
 * Whether a route may answer a question so, by its description: a status that is listed, and for a problem its code
 * under that status. Routes that the document does not know are not its matter.
 */
export function describedAnswers(document: ApiDocument): (route: string, status: number, code: unknown) => boolean {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      // A path without holes is meant before one with: `/v1/events/batch` is no event.
      holes: path.split('{').length - 1,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(\\?.*)?$`, 's'),
      operation,
    })),
  );
  operations.sort((a, b) => a.holes - b.holes);
  return (route, status, code) => {
    const operation = operations.find(({ pattern }) => pattern.test(route))?.operation;
    if (operation === undefined) return true;
    const response = operation.responses[String(status)];
    if (code === undefined) return response !== undefined;
    const examples = response?.content?.['application/problem+json']?.examples ?? {};
    // A fault of ours is not part of any promise.
    return code === 'internal.error' || (typeof code === 'string' && code in examples);
  };
}
