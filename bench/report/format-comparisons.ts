import type { Comparison, Spread } from './comparison.js';

const HEADINGS = ['', 'Crosswalk', 'the blog-post way', 'ratio'];

/** A table of the comparisons, each figure with its spread over the rounds, and below it what became of the targets. */
export function formatComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => [
    comparison.better === 'less' ? `${comparison.name} (less is better)` : comparison.name,
    formatSpread(comparison.crosswalk),
    formatSpread(comparison.blogPost),
    formatSpread(comparison.ratio),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = [HEADINGS, ...rows].map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  return [...lines.map((cells) => cells.join('   ')), ...comparisons.flatMap(formatTarget)].join('\n');
}

function formatTarget({ name, ratio, target }: Comparison): string[] {
  if (target === undefined) return [];
  const verdict = target.isReached ? 'reached' : 'NOT reached';
  return [
    '',
    `Target: ${name} at least ${String(target.ratio)} times the blog-post way: ${verdict} (${digits(ratio.median)}).`,
  ];
}

export function formatSpread({ median, min, max }: Spread): string {
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}

/** Three significant digits, or whole numbers: more would be noise. */
function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
