import { elementsOf, mergedText, objectOf } from '../json-text.js';
import { rowsAfter, withoutRow } from './child-rows.js';
import { missingRecord, OdooError } from './odoo-error.js';

const ID = { idName: 'id' };

/**
 * Rows after Odoo's commands: `[0, 0, values]` adds, `[1, id, values]` changes, `[2, id]` removes.
 *
 * @param former The rows as a text of JSON; undefined where there are none yet.
 */
export function rowsAfterCommands(former: string | undefined, commands: string, nextId: () => string): string {
  return elementsOf(commands).reduce((rows, command) => rowsAfterOne(rows, command, nextId), former ?? '[]');
}

function rowsAfterOne(rows: string, command: string, nextId: () => string): string {
  const [code, id = '0', values = '{}'] = elementsOf(command);
  if (code === '2') return withoutRow(rows, id, ID);
  if (code !== '0' && code !== '1')
    throw new OdooError('builtins.ValueError', `Wrong value for order_line: ${command}`);
  const row = code === '0' ? values : mergedText(values, objectOf([['id', id]]));
  const after = rowsAfter(rows, `[${row}]`, { ...ID, nextId });
  if (after === undefined) throw missingRecord('sale.order.line', id);
  return after;
}
