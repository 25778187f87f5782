/** A fixed text, or something of the request. `form_sorted`: each name and value of a form, by name, nothing between. */
export type SignedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'body' | 'timestamp' | 'method' | 'url' | 'form_sorted' };
