import type { Mapping } from '../../flow/id-map/mapping.js';
import type { Renderable } from '../../platform/http/render-json.js';

/** One link of the map as the API shows it; the id in the spelling of its system, null while it is being created. */
export function mappingView(mapping: Mapping): { readonly [name: string]: Renderable } {
  return {
    system: mapping.system,
    external_id: mapping.raw_external_id ?? mapping.external_id,
    role: mapping.role,
    state: mapping.state,
    since: mapping.updated_at,
  };
}
