import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useNamedUser } from "../users/use-named-user.ts";
import { actorName, sentenceOf, someParty } from "./audit-words.ts";
import type { AuditEntry } from "./read-audit.ts";
import { useNamedThing } from "./use-named-thing.ts";
import { t } from "../../texts.ts";
import { richText } from "../rich-text.tsx";

/** Returns the name of a user, organization, API key or webhook. Undefined while unknown and for other kinds. */
const useNameOf = ({ kind, id }: { kind: string; id: string | null }): string | undefined => {
  const { user } = useNamedUser(kind === "user" ? (id ?? undefined) : undefined);
  const thing = useNamedThing(kind, id ?? "");
  if (user === null) return t("audit.formerUser");
  return (user ? user.name || showEmail(user.email) : thing) || undefined;
};

const capitalized = (text: string) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

/** Says in a sentence who did what to whom, without links. */
export const AuditSentence = ({ entry }: { entry: AuditEntry }) => {
  const { actor, subject } = entry;
  const { path, text } = sentenceOf(entry);
  const by = useNameOf(actor) ?? (actor.kind === "user" ? t("audit.aUser") : actorName(actor));
  const about = <bdi>{useNameOf(subject) ?? someParty(subject.kind)}</bdi>;
  if (path === undefined)
    return subject.kind === "user" ? richText("audit.refusedOf", { text, subject: about }) : text;
  return richText(path, { actor: <bdi>{capitalized(by)}</bdi>, subject: about });
};
