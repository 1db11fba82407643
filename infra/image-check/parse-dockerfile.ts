/** An instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals: `COPY`. */
  keyword: string;
  /** For example `from` and its value. */
  flags: Readonly<Record<string, string>>;
  /** The rest of the instruction. Arguments of earlier `ARG`s are replaced, except in text for a shell. */
  text: string;
  /** The words of the text, or the elements if it is JSON. */
  words: readonly string[];
}

/** The part of a Dockerfile that one `FROM` begins. */
export interface Stage {
  /** Its name, or its number without a name. */
  name: string;
  from: string;
  instructions: readonly Instruction[];
}

/** Returns the lines of instructions, without comments and with continued lines joined. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const wordsOf = (text: string): string[] => {
  if (text.startsWith("[")) return JSON.parse(text) as string[];
  return text.split(/\s+/).filter((word) => word !== "");
};

const readInstruction = (line: string, known: ReadonlyMap<string, string>): Instruction => {
  const [, keyword = "", after = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
  const flags: Record<string, string> = {};
  let rest = after;
  for (
    let flag = /^--([\w-]+)=(\S+)\s*/.exec(rest);
    flag;
    flag = /^--([\w-]+)=(\S+)\s*/.exec(rest)
  ) {
    flags[flag[1] ?? ""] = flag[2] ?? "";
    rest = rest.slice(flag[0].length);
  }
  const isShell = keyword.toUpperCase() === "RUN";
  const text = isShell ? rest : rest.replaceAll(/\$\{(\w+)\}/g, (_, name) => known.get(name) ?? "");
  return { keyword: keyword.toUpperCase(), flags, text, words: wordsOf(text) };
};

/** Reads the stages of a Dockerfile in the subset that ours uses: no escapes except continued lines, and arguments with their defaults. */
export const parseDockerfile = (dockerfile: string): Stage[] => {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const variables = new Map<string, string>();
  for (const line of linesOf(dockerfile)) {
    const instruction = readInstruction(line, variables);
    const { keyword, words } = instruction;
    if (keyword === "ARG") {
      const [name = "", value = ""] = words.join(" ").split("=");
      variables.set(name, value);
    }
    if (keyword === "FROM") {
      const [from = "", , name = String(stages.length)] = words;
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
};
