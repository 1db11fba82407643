interface Rule {
  pattern: RegExp;
  /** Includes again what an earlier rule excludes. */
  isException: boolean;
}

const escaped = (text: string) => text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);

/** `**` matches any number of folders, `*` and `?` match within one name. A rule for a folder applies to its contents. */
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

/**
 * Returns a function that reports whether a `.dockerignore` with this text excludes a path from the build. The last matching rule decides.
 */
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
