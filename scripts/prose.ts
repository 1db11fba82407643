import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { lengthRule, type ProseRule, sentencesOf, strictRules } from "./prose/prose-rules.ts";
import { readPassages } from "./prose/read-passages.ts";
import { retiredWords } from "./prose/retired-words.ts";

// npm run prose: checks the language of comments, messages and docs, and the subject of the last commit (STYLE.md, section 1).

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
  path.startsWith("scripts/prose/") || path === "docs/glossary.md" || path.includes("/releases/");

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
