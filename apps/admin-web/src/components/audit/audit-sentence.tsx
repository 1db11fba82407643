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

/** Names a kind in a sentence: "an API key", "a signing key". */
const withArticle = (kindName: string): string => {
  const isAcronym = /^[A-Z]{2}/.test(kindName);
  const noun = isAcronym ? kindName : `${kindName[0]?.toLowerCase() ?? ""}${kindName.slice(1)}`;
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
};

/** Names a party in a sentence, without links. */
const usePartyText = ({ kind, id }: Party): string => {
  const { user } = useNamedUser(kind === "user" ? (id ?? undefined) : undefined);
  const thing = useNamedThing(kind, id ?? "");
  if (user) return user.name || showEmail(user.email);
  if (user === null) return "a former user";
  if (thing) return thing;
  if (kind === "anonymous") return "somebody";
  if (kind === "system") return "the system";
  return kind === "service" && id !== null ? `the service ${id}` : withArticle(partyName(kind));
};

const capitalized = (text: string) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

/** Says in a sentence who did what to whom. */
export const AuditSentence = ({ entry: { action, actor, subject } }: { entry: AuditEntry }) => {
  const by = usePartyText(actor);
  const about = usePartyText(subject);
  const isOneself = actor.kind === subject.kind && actor.id === subject.id;
  const isSession = subject.kind === "session";
  const on = isOneself ? "oneself" : isSession ? "session" : "other";
  const [before, after] = predicateOf(action, on).split("$");
  return (
    <>
      <bdi>{capitalized(by)}</bdi> {before}
      {after !== undefined && <bdi>{about}</bdi>}
      {after}
    </>
  );
};
