import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useNamedUser } from "../users/use-named-user.ts";
import { actorName, sentenceOf, withArticle } from "./audit-words.ts";
import type { AuditEntry } from "./read-audit.ts";
import { useNamedThing } from "./use-named-thing.ts";

/** Returns the name of a user, organization, API key or webhook. Undefined while unknown and for other kinds. */
const useNameOf = ({ kind, id }: { kind: string; id: string | null }): string | undefined => {
  const { user } = useNamedUser(kind === "user" ? (id ?? undefined) : undefined);
  const thing = useNamedThing(kind, id ?? "");
  if (user === null) return "a former user";
  return (user ? user.name || showEmail(user.email) : thing) || undefined;
};

const capitalized = (text: string) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

/** Says in a sentence who did what to whom, without links. */
export const AuditSentence = ({ entry }: { entry: AuditEntry }) => {
  const { actor, subject } = entry;
  const { hasActor, text, rest } = sentenceOf(entry);
  const by = useNameOf(actor) ?? (actor.kind === "user" ? "a user" : actorName(actor));
  const about = <bdi>{useNameOf(subject) ?? withArticle(subject.kind)}</bdi>;
  if (!hasActor)
    return subject.kind === "user" ? (
      <>
        {`${text} (`}
        {about})
      </>
    ) : (
      text
    );
  return (
    <>
      <bdi>{capitalized(by)}</bdi> {text}
      {rest !== undefined && about}
      {rest}
    </>
  );
};
