interface Rule {
  pattern: RegExp;
  /** Lets in again what an earlier rule keeps out. */
  isException: boolean;
}

const escaped = (text: string) => text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);

/** `**` is any number of folders, `*` and `?` stay within one name. What lies in a folder goes with the folder. */
const compile = (pattern: string): RegExp => {
  const source = pattern
    .split("/")
    .map((part) =>
      part === "**"
        ? "(?:.*/)?"
        : `${escaped(part).replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}/`,
    )
    .join("")
    .replace(/\/$/, "");
  return new RegExp(`^${source}(/|$)`);
};

/** Tells, as a `.dockerignore` of this text does, whether a path stays out of what an image is built of: the last rule counts. */
export const compileDockerIgnore = (text: string): ((path: string) => boolean) => {
  const rules: Rule[] = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      pattern: compile(line.replace(/^!/, "")),
      isException: line.startsWith("!"),
    }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isException === false;
};
