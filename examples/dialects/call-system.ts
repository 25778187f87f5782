/** What came back, as text and, where it is JSON, as its value. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export type Caller = (
  method: string,
  path: string,
  rest?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
) => Promise<Called>;

/** Calls one system over HTTP; text is sent as it stands, anything else as JSON. Redirects are not followed. */
export function callerOf(url: string, always: Readonly<Record<string, string>> = {}): Caller {
  return async (method, path, { body, headers = {} } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { accept: 'application/json', ...always, ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const answered = await answer.text();
    return { status: answer.status, headers: answer.headers, text: answered, json: valueOf(answered) };
  };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
