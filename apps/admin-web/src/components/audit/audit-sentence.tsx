import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useNamedUser } from "../users/use-named-user.ts";
import type { AuditEntry } from "./read-audit.ts";
import { partyName } from "./audit-party.tsx";
import { predicateOf } from "./predicate-of.ts";
import { useNamedThing } from "./use-named-thing.ts";

interface Party {
  readonly kind: string;
  readonly id: string | null;
}

/** Names a party in a sentence, without links. */
const usePartyText = ({ kind, id }: Party): string => {
  const { user } = useNamedUser(kind === "user" ? (id ?? undefined) : undefined);
  const thing = useNamedThing(kind, id ?? "");
  if (user) return user.name || showEmail(user.email);
  if (user === null) return "a former user";
  if (kind === "anonymous") return "somebody";
  const kindName = partyName(kind);
  return thing ? `${kindName.toLowerCase()} ${thing}` : kindName.toLowerCase();
};

const capitalized = (text: string) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

/** Says in a sentence who did what to whom. */
export const AuditSentence = ({ entry: { action, actor, subject } }: { entry: AuditEntry }) => {
  const by = usePartyText(actor);
  const about = usePartyText(subject);
  const isOnOneself = actor.kind === subject.kind && actor.id === subject.id;
  const [before, after] = predicateOf(action, isOnOneself).split("$");
  return (
    <>
      <bdi>{capitalized(by)}</bdi> {before}
      {after !== undefined && <bdi>{about}</bdi>}
      {after}
    </>
  );
};
