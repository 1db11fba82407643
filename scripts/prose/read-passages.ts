/** A comment, a paragraph, or the text of a log line or error. */
export interface Passage {
  /** The line that it starts on, from 1. */
  line: number;
  text: string;
}

const commentLine = /^\s*(?:\/\*\*?|\*\/?|\/\/)\s?(.*?)(?:\*\/)?\s*$/;
const directive = /^(?:@|oxlint|ts-)/;
const loggedText = /\b(?:logger|log)\.(?:info|warn|error|debug)\([^"`]*["`]([^"`]{12,})["`]/;
const errorText = /new \w*Error\(\s*["`]([^"`]{20,})["`]/;

/** Joins the lines that follow each other and have a text; a line without one ends a passage. */
const join = (lines: readonly (string | undefined)[]): Passage[] => {
  const passages: Passage[] = [];
  let open: Passage | undefined;
  for (const [index, text] of lines.entries()) {
    if (text === undefined) open = undefined;
    else if (open) open.text += ` ${text}`;
    else passages.push((open = { line: index + 1, text }));
  }
  return passages;
};

const commentOf = (line: string): string | undefined => {
  const text = commentLine.exec(line)?.[1];
  return text === undefined || directive.test(text) ? undefined : text.trim();
};

/** Reads the comments, log texts and error texts of TypeScript. */
const readSource = (text: string): Passage[] => {
  const lines = text.split("\n");
  const said = lines.flatMap((line, index): Passage[] => {
    if (commentOf(line) !== undefined) return [];
    const found = loggedText.exec(line)?.[1] ?? errorText.exec(line)?.[1];
    return found === undefined ? [] : [{ line: index + 1, text: found }];
  });
  return [...join(lines.map(commentOf)), ...said];
};

const listItem = /^\s*(?:[-*]|\d+\.)\s+/;
const notProse = /^\s*(?:\||#|```|<!--)/;

/** Reads the paragraphs and list items of Markdown, without tables, headings and code. */
const readMarkdown = (text: string): Passage[] => {
  let isCode = false;
  const lines = text.split("\n").flatMap((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || notProse.test(line) || line.trim() === "") return [[undefined]];
    const item = listItem.test(line) ? [undefined] : [];
    return [[...item, line.replace(listItem, "").trim()]];
  });
  // A list item has two entries, the first of which ends the passage before.
  const numbers = lines.flatMap((entries, index) => entries.map(() => index + 1));
  return join(lines.flat()).map(({ line, text: passage }) => ({
    line: numbers[line - 1] ?? line,
    text: passage,
  }));
};

/** Reads what people read in a file: comments, log and error texts, or paragraphs. */
export const readPassages = (path: string, text: string): Passage[] =>
  path.endsWith(".md") ? readMarkdown(text) : readSource(text);
