import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

// npm run prose: checks the language of comments, messages and docs, and the subject of the last commit (STYLE.md, section 1).

/** A rule of STYLE.md that a sentence can break. */
interface ProseRule {
  name: string;
  isBrokenBy: (sentence: string) => boolean;
}

const pattern = (name: string, broken: RegExp): ProseRule => ({
  name,
  isBrokenBy: (sentence) => broken.test(sentence),
});

const wordsMax = 30;

/** Rules that no sentence may break. */
export const strictRules: readonly ProseRule[] = [
  pattern(
    "starts with a clause",
    /^(?:What|Who|Whoever|Whatever|Where|That which|Of [a-z ]+,)\b(?!.*\?$)/,
  ),
  pattern(
    "translated or old wording",
    /\b(?:no more\b(?! than)|mend(?:s|ed|ing)?|besides|thereby|thereof|whence|wherein|lest|whoever|(?:is|are|was) told|goes on|comes of|for good|is there already|lets nobody|of (?:its|their) own(?= accord)|what is (?:more|less))\b/i,
  ),
  pattern(
    "treats a thing as a person",
    /\b(?:file|row|table|request|service|function|query|test|line|key|lock|job|answer|list)s? (?:who|knows?|wants?|asks? nobody|tells?|hears?|rests?|meets?)\b/i,
  ),
];

/** Few sentences may break this one, because lists and exact conditions can need more words. */
export const lengthRule: ProseRule = {
  name: `has more than ${wordsMax} words`,
  isBrokenBy: (sentence) => sentence.split(/\s+/).length > wordsMax,
};

/** Splits a text into sentences. Code in backticks counts as one word. */
export const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/`[^`]*`/g, "code")
    .split(/(?<=[.!?])\s+(?=[A-Z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");

/** A comment, a paragraph, or the text of a log line or error. */
interface Passage {
  /** The line that it starts on, from 1. */
  line: number;
  text: string;
}

const commentLine = /^\s*(?:\/\*\*?|\*\/?|\/\/)\s?(.*?)(?:\*\/)?\s*$/;
const directive = /^(?:@|oxlint|ts-)/;
const loggedText = /\b(?:logger|log)\.(?:info|warn|error|debug)\([^"`]*["`]([^"`]{12,})["`]/;
const errorText = /new \w*Error\(\s*["`]([^"`]{20,})["`]/;

/** Joins the lines that follow each other and have a text; a line without one ends a passage. */
const joinLines = (lines: readonly (string | undefined)[]): Passage[] => {
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
    const message = loggedText.exec(line)?.[1] ?? errorText.exec(line)?.[1];
    return message === undefined ? [] : [{ line: index + 1, text: message }];
  });
  return [...joinLines(lines.map(commentOf)), ...said];
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
  return joinLines(lines.flat()).map(({ line, text: passage }) => ({
    line: numbers[line - 1] ?? line,
    text: passage,
  }));
};

/** Reads what people read in a file: comments, log and error texts, or paragraphs. */
export const readPassages = (path: string, text: string): Passage[] =>
  path.endsWith(".md") ? readMarkdown(text) : readSource(text);

/** Words of docs/glossary.md's section on retired words that have no other meaning here. */
const retiredWords: readonly RegExp[] = [
  /\bhouses?\b(?!-)/,
  /\bdoors?\b/,
  /\b(?:talk|Talk)(?:s|ing)?\b/,
  /\bconverses?\b/,
  /\bfolk\b/,
  /\bmend(?:s|ed|ing)?\b/,
  /\bbrought id token/,
  /\blone token/i,
  /\bLoneToken\b/,
  // In English only: other languages of the texts write it so.
  /\be-mail (?:address|verification)|\b(?:an?|by|of|the) e-mail\b/i,
  /take-over|[tT]akeOver|\btakeover/,
];

const root = join(import.meta.dirname, "..");
const longShareMax = 0.05;
const subjectMax = 72;
const subjectShape = /^[a-z][\w-]*(?:, [a-z][\w-]*)*: [^A-Z\s].*[^.]$/;

const git = async (...args: string[]): Promise<string[]> => {
  const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.split("\n").filter((line) => line !== "");
};

/** These files define or list the words, or belong to saved releases. */
const isExempt = (path: string): boolean =>
  path.startsWith("scripts/prose.") || path === "docs/glossary.md" || path.includes("/releases/");

const checkProse = async (): Promise<void> => {
  const problems: string[] = [];
  let sentenceCount = 0;
  let longCount = 0;

  const report = (path: string, line: number, rule: string, text: string): void => {
    problems.push(`${path}:${line} ${rule}: ${text.slice(0, 140)}`);
  };

  const checkSentence = (sentence: string): ProseRule | undefined => {
    sentenceCount += 1;
    if (lengthRule.isBrokenBy(sentence)) longCount += 1;
    return strictRules.find(({ isBrokenBy }) => isBrokenBy(sentence));
  };

  for (const path of await git("ls-files", "*.ts", "*.tsx", "*.md")) {
    if (isExempt(path)) continue;
    const text = await readFile(join(root, path), "utf8");
    for (const { line, text: passage } of readPassages(path, text))
      for (const sentence of sentencesOf(passage)) {
        const rule = checkSentence(sentence);
        if (rule) report(path, line, rule.name, sentence);
      }
    for (const [index, line] of text.split("\n").entries())
      if (retiredWords.some((word) => word.test(line)))
        report(path, index + 1, "uses a retired word (docs/glossary.md)", line.trim());
  }
  if (longCount > sentenceCount * longShareMax)
    problems.push(`${longCount} of ${sentenceCount} sentences have more than 30 words`);

  const [subject = ""] = await git("log", "-1", "--no-merges", "--format=%s");
  if (subject.length > subjectMax || !subjectShape.test(subject))
    problems.push(
      `the subject of the last commit must be "area: imperative", at most ${subjectMax} characters: ${subject}`,
    );

  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${sentenceCount} sentences, ${longCount} of them long\n`);
  if (problems.length > 0) process.exitCode = 1;
};

// Tests import the rules only.
if (import.meta.main) await checkProse();
