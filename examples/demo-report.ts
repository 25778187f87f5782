const INDENT = '   ';

/** The printed account: numbered headings, calm lines, tables with aligned columns; bold only on a terminal. */
export class DemoReport {
  private chapter = 0;

  constructor(
    private readonly write: (text: string) => void,
    private readonly isTerminal: boolean,
  ) {}

  title(text: string): void {
    this.write(`${this.bold(text)}\n`);
  }

  heading(text: string): void {
    this.chapter += 1;
    this.write(`\n${this.bold(`${this.chapter}  ${text}`)}\n`);
  }

  line(text = ''): void {
    this.write(text === '' ? '\n' : `${INDENT}${text}\n`);
  }

  table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
    const texts = rows.map((row) => row.map(String));
    const widths = columns.map((name, column) => widest([name, ...texts.map((row) => row[column] ?? '')]));
    this.line(this.bold(aligned(columns, widths)));
    for (const row of texts) this.line(aligned(row, widths));
  }

  /** What is counted, and how many there are. */
  counts(rows: readonly (readonly [string, number])[]): void {
    const width = widest(rows.map(([what]) => what));
    for (const [what, count] of rows) this.line(`${what.padEnd(width)}  ${String(count).padStart(4)}`);
  }

  private bold(text: string): string {
    return this.isTerminal ? `\u001b[1m${text}\u001b[22m` : text;
  }
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
