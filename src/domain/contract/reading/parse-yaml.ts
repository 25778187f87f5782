import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Position } from '../mistake.js';
import type { Mistakes } from './mistakes.js';
import { Place, type PlaceContent } from './place.js';

/** Aliases of aliases can make a gigabyte of a kilobyte; no honest contract comes near this many values. */
const PLACES_MAX = 100_000;
const NOTHING: PlaceContent = { kind: 'scalar', plain: null, source: '' };

/**
 * Reads the text into places. Returns undefined when it holds nothing to look at; a text with broken syntax is not
 * looked at either, because everything found in it after the break would be guesswork.
 */
export function parseYaml(text: string, mistakes: Mistakes): Place | undefined {
  const lines = new LineCounter();
  // The parser's pretty errors quote the line, which may hold a secret; its duplicate check does not name the key.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, merge: true };
  const document = parseDocument(text.replace(/^\uFEFF/, ''), options);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  for (const problem of [...document.errors, ...document.warnings]) {
    mistakes.atPosition(positionAt(problem.pos[0]), syntaxMessage(problem.code, problem.message));
  }
  if (document.errors.some((error) => error.code !== 'MULTIPLE_DOCS')) return undefined;
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    mistakes.atPosition({ line: 1, column: 1 }, 'the contract is empty; expected `systems`, `entities` and `events`');
    return undefined;
  }
  return new TreeBuilder(document, positionAt, mistakes).root();
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a second YAML document starts here; a contract is one document';
  if (code === 'TAG_RESOLVE_FAILED') return 'YAML tags (`!…`) have no meaning in a contract';
  return `this is not valid YAML: ${message}`;
}

interface Spot {
  readonly steps: readonly string[];
  readonly keyPosition: Position | undefined;
}

class TreeBuilder {
  private placeCount = 0;
  private readonly open = new Set<Node>();

  constructor(
    private readonly document: Document.Parsed,
    private readonly positionAt: (offset: number) => Position,
    private readonly mistakes: Mistakes,
  ) {}

  root(): Place {
    const start = { line: 1, column: 1 };
    const root = this.place(this.document.contents, { steps: [], keyPosition: undefined }, start);
    if (this.placeCount > PLACES_MAX) this.mistakes.atPosition(start, 'the aliases make this file grow beyond measure');
    return root;
  }

  private place(written: unknown, spot: Spot, fallback: Position): Place {
    this.placeCount += 1;
    const node = this.resolved(written);
    const position = this.positionOf(node) ?? this.positionOf(written) ?? fallback;
    const keyPosition = spot.keyPosition ?? position;
    const fault = this.aliasFault(written, node);
    const content = fault === undefined ? this.content(node, spot.steps, position) : NOTHING;
    const place = new Place(spot.steps, position, keyPosition, content);
    if (fault !== undefined) this.mistakes.atValue(place, fault);
    return place;
  }

  private aliasFault(written: unknown, node: Node | undefined): string | undefined {
    if (!isAlias(written)) return undefined;
    if (node === undefined) return `no anchor \`&${written.source}\` stands before this`;
    return this.open.has(node) ? `\`*${written.source}\` is used inside itself` : undefined;
  }

  private content(node: Node | undefined, steps: readonly string[], position: Position): PlaceContent {
    if (isScalar(node)) return { kind: 'scalar', plain: scalarPlain(node.value), source: node.source ?? '' };
    if (node === undefined || this.placeCount > PLACES_MAX) return NOTHING;
    this.open.add(node);
    const content = this.collection(node, steps, position);
    this.open.delete(node);
    return content;
  }

  private collection(node: Node, steps: readonly string[], position: Position): PlaceContent {
    if (isMap(node)) return { kind: 'map', members: this.members(node, steps, position) };
    const written: readonly unknown[] = isSeq(node) ? node.items : [];
    const items = written.map((item, index) =>
      this.place(item, { steps: [...steps, String(index)], keyPosition: undefined }, position),
    );
    return { kind: 'list', items };
  }

  private members(node: YAMLMap, steps: readonly string[], position: Position): Map<string, Place> {
    const members = new Map<string, Place>();
    for (const pair of node.items.filter((item) => !isMergePair(item))) {
      const keyPosition = this.positionOf(pair.key) ?? position;
      const key = keyText(pair.key);
      const first = members.get(key ?? '');
      if (key === undefined) this.mistakes.atPosition(keyPosition, 'a key must be plain text');
      else if (first === undefined)
        members.set(key, this.place(pair.value, { steps: [...steps, key], keyPosition }, keyPosition));
      else
        this.mistakes.atPosition(keyPosition, `\`${key}\` stands twice here, first in line ${first.keyPosition.line}`);
    }
    for (const pair of node.items.filter(isMergePair)) this.mergeInto(members, pair, steps, position);
    return members;
  }

  /** `<<` gives what the block does not say itself; of several sources the first wins. */
  private mergeInto(members: Map<string, Place>, pair: Pair, steps: readonly string[], position: Position): void {
    const value = this.resolved(pair.value);
    for (const source of isSeq(value) ? value.items : [pair.value]) {
      const merged = this.place(source, { steps, keyPosition: undefined }, position);
      if (!merged.isBlock()) this.mistakes.atPosition(merged.position, '`<<` takes the keys of a block; this is none');
      for (const [key, place] of merged.entries()) if (!members.has(key)) members.set(key, place);
    }
  }

  private resolved(written: unknown): Node | undefined {
    if (isAlias(written)) return written.resolve(this.document);
    return isScalar(written) || isMap(written) || isSeq(written) ? written : undefined;
  }

  private positionOf(node: unknown): Position | undefined {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
    return range ? this.positionAt(range[0]) : undefined;
  }
}

function isMergePair(pair: Pair): boolean {
  return isScalar(pair.key) && typeof pair.key.value === 'symbol';
}

function scalarPlain(value: unknown): null | boolean | number | string {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : null;
}

function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}
