import { actionVerbs } from "../../components/users/user-actions.ts";

interface PersonRequest {
  /** The verbs of the actions that a text may name. */
  readonly verbs: readonly string[];
  /** The words that name the person. */
  readonly person: string;
}

/** Long enough that the beginning of a name is rarely taken for that of a verb. */
const verbLengthMin = 3;

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the verbs that a text begins with or contains, and the words that remain for the person, in any order: "ada ban". */
export const readPersonRequest = (text: string): PersonRequest => {
  const words = wordsOf(text);
  const named = (verb: string) =>
    words.filter(
      (word) => word.length >= verbLengthMin && wordsOf(verb).some((part) => part.startsWith(word)),
    );
  const most = Math.max(0, ...actionVerbs.map((verb) => named(verb).length));
  if (most === 0) return { verbs: [], person: "" };
  const verbs = actionVerbs.filter((verb) => named(verb).length === most);
  const used = new Set(verbs.flatMap(named));
  return { verbs, person: words.filter((word) => !used.has(word)).join(" ") };
};
