import type { Permission } from "../../access/access.ts";

export interface PersonAction {
  /** Before the name of the person. */
  readonly label: string;
  /** The dialog of the screen of a user that it opens. */
  readonly dialog: string;
  readonly needs: Permission;
  /** Whether it is for banned users only, or for others only. */
  readonly isForBanned?: boolean;
}

/** The actions on a person that the palette starts. Each opens a dialog, which explains and confirms it. */
const personActions: readonly PersonAction[] = [
  { label: "Impersonate", dialog: "impersonate", needs: "user:impersonate", isForBanned: false },
  { label: "Send password reset to", dialog: "reset", needs: "user:update" },
  { label: "Sign out", dialog: "sign-out", needs: "session:revoke" },
  { label: "Change roles of", dialog: "roles", needs: "user:set-role" },
  { label: "Ban", dialog: "ban", needs: "user:ban", isForBanned: false },
  { label: "Unban", dialog: "unban", needs: "user:ban", isForBanned: true },
];

interface PersonRequest {
  readonly actions: readonly PersonAction[];
  /** The words that name the person. */
  readonly person: string;
}

/** Long enough that the beginning of a name is rarely taken for that of a verb. */
const verbLengthMin = 3;

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the actions that a text begins with or contains, and the words that remain for the person, in any order: "ada ban". */
export const readPersonRequest = (text: string): PersonRequest => {
  const words = wordsOf(text);
  const named = (label: string) =>
    words.filter(
      (word) =>
        word.length >= verbLengthMin && wordsOf(label).some((part) => part.startsWith(word)),
    );
  const most = Math.max(0, ...personActions.map(({ label }) => named(label).length));
  if (most === 0) return { actions: [], person: "" };
  const actions = personActions.filter(({ label }) => named(label).length === most);
  const used = new Set(actions.flatMap(({ label }) => named(label)));
  return { actions, person: words.filter((word) => !used.has(word)).join(" ") };
};

/** Returns the actions that an admin may take on a user in this state. */
export const actionsOn = (
  actions: readonly PersonAction[] | undefined,
  isBanned: boolean,
  may: (permission: Permission) => boolean,
): PersonAction[] =>
  (actions ?? personActions).filter(
    ({ needs, isForBanned }) => may(needs) && (isForBanned ?? isBanned) === isBanned,
  );
