import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces a piece that stands once in its line; lines count from 1. */
export type Edit = readonly [line: number, piece: string, replacement: string];

/** @throws Error where a piece does not stand in its line exactly once: the row is about another contract */
export function edited(lines: readonly string[], edits: readonly Edit[]): string {
  const changed = [...lines];
  for (const [line, piece, replacement] of edits) {
    const before = changed[line - 1] ?? '';
    if (before.split(piece).length !== 2) throw new Error(`Line ${String(line)} does not hold ${piece} once.`);
    changed[line - 1] = before.replace(piece, () => replacement);
  }
  return changed.join('\n');
}

export interface SpoilingRow {
  readonly edit: Edit;
  readonly expected: readonly string[];
}

const ROW = /^(\d+) `(.*)` → `(.*)`\n((?: {2}.*\n)*)/gm;

/** A file of rows, each an edit of one contract and the lines that come of it. */
export class GoldenMistakes {
  constructor(
    private readonly file: URL,
    private readonly mistakesOf: (edit: Edit) => readonly string[],
  ) {}

  rows(): readonly SpoilingRow[] {
    return [...this.text().matchAll(ROW)].map(([, line, piece, replacement, expected]) => ({
      edit: editOf(line, piece, replacement),
      expected: (expected ?? '').trim().split(/\n */),
    }));
  }

  /** As many as there should be rows; another number than of rows means that one has another shape. */
  arrows(): number {
    return this.text().split('` → `').length - 1;
  }

  /** UPDATE_MISTAKES=1 writes what comes now; read the difference before you commit it. */
  updateIfAsked(): void {
    if (process.env['UPDATE_MISTAKES'] === undefined) return;
    const golden = this.text().replaceAll(ROW, (_row, line: string, piece: string, replacement: string) => {
      const lines = this.mistakesOf(editOf(line, piece, replacement)).map((mistake) => `  ${mistake}\n`);
      return `${line} \`${piece}\` → \`${replacement}\`\n${lines.join('')}`;
    });
    writeFileSync(this.file, golden);
  }

  private text(): string {
    return readFileSync(this.file, 'utf8');
  }
}

function editOf(line = '', piece = '', replacement = ''): Edit {
  return [Number(line), piece, replacement.replaceAll('\\n', '\n').replaceAll('\\t', '\t')];
}
