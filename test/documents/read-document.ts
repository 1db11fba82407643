import { readFile } from "node:fs/promises";

/** A fenced block of a document. */
export interface Block {
  document: string;
  /** The line of its opening fence, from 1. */
  line: number;
  language: string;
  text: string;
  /** The comment directly above the block, such as `not run: needs Docker`. */
  mark: string | undefined;
  /** The output that the document shows: the next block, if it follows directly. */
  shown: string | undefined;
}

/** A page of the documentation. */
export interface Document {
  path: string;
  blocks: Block[];
  /** The text outside of blocks. */
  prose: string;
}

const fence = /^```(\w*)$/;
const comment = /^<!-- (.+) -->$/;
const outputs = new Set(["text", "json"]);

interface Open {
  line: number;
  language: string;
  mark: string | undefined;
  text: string[];
}

const close = (document: string, open: Open): Block => ({
  ...open,
  document,
  text: `${open.text.join("\n")}\n`,
  shown: undefined,
});

/** Parses a page of Markdown. Fences must begin at the start of a line, as in all pages here. */
export const readDocument = async (path: string): Promise<Document> => {
  const lines = (await readFile(path, "utf8")).split("\n");
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: Open | undefined;
  for (const [index, line] of lines.entries()) {
    const language = fence.exec(line)?.[1];
    if (open === undefined && language === undefined) prose.push(line);
    else if (open === undefined) {
      const mark = comment.exec(lines[index - 1] ?? "")?.[1];
      open = { line: index + 2, language: language ?? "", mark, text: [] };
    } else if (language === "") {
      const block = close(path, open);
      const before = blocks.at(-1);
      const isNext = before && before.line + before.text.split("\n").length + 1 === open.line;
      if (isNext && before.language === "sh" && outputs.has(block.language))
        before.shown = block.text;
      blocks.push(block);
      open = undefined;
    } else open.text.push(line);
  }
  if (open) throw new Error(`${path}:${open.line}: the block has no end`);
  return { path, blocks, prose: prose.join("\n") };
};
