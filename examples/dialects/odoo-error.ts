/** An exception of Odoo, by the name that its answer gives. */
export class OdooError extends Error {
  constructor(
    readonly exception: string,
    message: string,
  ) {
    super(message);
  }
}

/** The `error` of an answer, as a text of JSON. Its `debug` holds a traceback; here too it is long and tells too much. */
export function refusalOf({ exception, message }: OdooError): string {
  return JSON.stringify({
    code: 200,
    message: 'Odoo Server Error',
    data: {
      name: exception,
      debug: `Traceback (most recent call last):\n  File "/odoo/http.py", line 1764, in _serve_db\n${exception}: ${message}`,
      message,
      arguments: [message],
      context: {},
    },
  });
}

export function missingRecord(model: string, id: string): OdooError {
  const text = `Record does not exist or has been deleted.\n(Record: ${model}(${id},), User: 2)`;
  return new OdooError('odoo.exceptions.MissingError', text);
}
