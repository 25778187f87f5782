const CUSTOMERS = 10_000;

/**
 * The body of event number `index`, about 300 bytes of payload. Neighbours belong to different customers, every key is
 * new, and the versions of a customer rise. The text is plain ASCII, so that its length is its Content-Length.
 */
export function sampleEvent(index: number): string {
  const customerId = `C-${String(10_000 + (index % CUSTOMERS))}`;
  const version = String(Math.floor(index / CUSTOMERS) + 1);
  return (
    `{"idempotency_key":"customer:${customerId}:v${version}","event_type":"customer.updated",` +
    `"entity":{"type":"customer","external_id":"${customerId}"},"version":${version},` +
    `"payload":{"customer_id":"${customerId}","full_name":"Customer ${customerId} of Shenzhen Trading",` +
    `"contact":{"email":"${customerId}.v${version}@example.com","phone":"+86 755 2345 6789"},` +
    `"address":{"street":"88 Keyuan Road","city":"Shenzhen","postcode":"518057","country":"CN"},` +
    `"credit_limit":129900.00,"segment":"wholesale","updated_at":"2025-01-01T12:00:00.000+08:00"}}`
  );
}
