const HEAD = `# Guards

A guard is a line of the source that keeps a promise: take it out, and the program still runs, but something can be lost, doubled or wrong. Each guard here names a test that fails without it. \`npm run guards\` takes one guard after the other out of a private copy of the tree and expects its test to turn red; \`npm run test:all\` does so too. \`npm run guards -- --only fence\` tries those whose name holds the word, \`--list\` names them, \`--verbose\` shows what the tests say, \`--at-once 2\` tries two at a time.

The page is made from [test/guards](../test/guards) by \`npm run guards -- --write\`; \`npm test\` compares, and looks whether each guard and each test still stands where the list says.
`;

export function guardsPage(groups) {
  const parts = groups.map(({ title, guards }) => `## ${title}\n\n${table(guards)}\n`);
  return [HEAD, ...parts].join('\n');
}

function table(guards) {
  const rows = guards.map(({ name, promise, file, test }) => [
    link(name, file),
    promise,
    `${titleOf(test)} (${link(nameOf(test.file), test.file)})`,
  ]);
  const cells = [['guard', 'what holds because of it', 'the test that fails without it'], ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', '\\|')),
  );
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => [...row[column]].length)));
  const lines = cells.map((row) => row.map((cell, column) => cell + ' '.repeat(widths[column] - [...cell].length)));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const titleOf = ({ title, row }) => (row === undefined ? title : title.replace(/%s|\$name/, row));
const nameOf = (file) => file.replace(/^(test|src)\//, '').replace(/\.(test|spec)\.ts$/, '');
const link = (text, file) => `[${text}](../${file})`;
