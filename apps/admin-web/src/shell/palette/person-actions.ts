import type { UserAction } from "../../components/users/user-actions.ts";
import { language, t } from "../../texts.ts";

/** The actions on users that the palette offers. */
const paletteActions = [
  "impersonate",
  "roles",
  "reset",
  "sign-out",
  "unban",
  "ban",
] as const satisfies readonly UserAction[];
type PaletteAction = (typeof paletteActions)[number];

export const isPaletteAction = (action: UserAction): action is PaletteAction =>
  paletteActions.some((name) => name === action);

/** Says what an action does to a user: "Ban Ada". */
export const actionText = (action: PaletteAction, name: string): string =>
  t(`palette.acts.${action}`, { name });

interface PersonRequest {
  /** The actions that a text may name. */
  readonly actions: readonly UserAction[];
  /** The words that name the person. */
  readonly person: string;
}

/** Long enough that the beginning of a name is rarely taken for that of a verb, which has two characters in Chinese. */
const verbLengthMin = ["ja", "zh-Hans"].includes(language) ? 2 : 3;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Returns the actions whose words a text begins with or contains, and the words that remain for the person, in any order: "ada ban". */
export const readPersonRequest = (text: string): PersonRequest => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const named = (action: PaletteAction) => {
    const verb = wordsOf(actionText(action, ""));
    return words.filter(
      (word) => word.length >= verbLengthMin && verb.some((part) => part.startsWith(word)),
    );
  };
  const most = Math.max(0, ...paletteActions.map((action) => named(action).length));
  if (most === 0) return { actions: [], person: "" };
  const actions = paletteActions.filter((action) => named(action).length === most);
  const used = new Set(actions.flatMap(named));
  return { actions, person: words.filter((word) => !used.has(word)).join(" ") };
};
