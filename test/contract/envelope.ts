/** An envelope of the protocol about a customer of the shop; parts can be replaced, and `undefined` takes one away. */
export function customerEnvelope(externalId: string, parts: Readonly<Record<string, unknown>> = {}): object {
  const version = typeof parts['version'] === 'number' ? parts['version'] : 1;
  return {
    idempotency_key: `customer:${externalId}:v${version}`,
    event_type: 'customer.updated',
    entity: { type: 'customer', external_id: externalId },
    version,
    payload: { name: `${externalId} v${version}` },
    ...parts,
  };
}
