import type { Place } from '../reading/place.js';

/** What stands at a place as one text: keys in order, numbers as spelt. Equal texts are equal contents. */
export function written(place: Place): string {
  if (place.isBlock()) {
    const members = place.entries().map(([key, member]): [string, string] => [key, written(member)]);
    members.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  }
  if (place.isList()) return `[${place.items().map(written).join(',')}]`;
  return place.number() === undefined ? JSON.stringify(place.plain()) : (place.spelling() ?? 'null');
}

/** The same for people: a text stands without its quotes. */
export function shown(place: Place): string {
  return place.text() ?? written(place);
}
