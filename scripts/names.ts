import { readSources } from "./read-sources.ts";

// npm run names: checks that declared names use no retired words (docs/glossary.md).

/** Participles and pronouns that say nothing alone. */
const emptyNames: ReadonlySet<string> = new Set(
  "given known told asked kept held spared found taken left so it of".split(" "),
);

/** Verbs for which the glossary has another word. `notes` is a noun. */
const retiredVerb = /^(?:ask|asks|hear|hears|tell|tells|note)(?=[A-Z]|$)/;

/** Texts and comments, in which words such as "type of" declare nothing. A text of several lines is not recognized. */
const prose = /"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|(?<=^|\s)\/\*[\s\S]*?\*\/|\/\/.*/g;

const declaration =
  /\b(?:const|let|function|class|interface|type)\s+(?:(\w+)|[{[]([^}\]=]*)[}\]]\s*=)/g;

/** Returns the declared names of a text that say nothing, or use a retired verb. */
export const findRetiredNames = (text: string): string[] =>
  [...text.replaceAll(prose, "").matchAll(declaration)]
    .flatMap(([, name, pattern = ""]) => (name === undefined ? pattern.split(",") : [name]))
    .map((entry) => entry.split("=")[0]?.split(":").at(-1)?.trim() ?? "")
    .filter((name) => emptyNames.has(name) || retiredVerb.test(name));

const checkNames = (): void => {
  const sources = readSources().filter(({ path }) => !/\/releases\/|^scripts\/names\./.test(path));
  for (const { path, text } of sources) {
    const names = findRetiredNames(text);
    if (names.length === 0) continue;
    process.stderr.write(
      `${path} declares retired names (docs/glossary.md): ${names.join(", ")}\n`,
    );
    process.exitCode = 1;
  }
};

// Tests import the function only.
if (import.meta.main) checkNames();
