import { t, findText, lowerText, messageOf } from "../../texts.ts";
import type { AdminText } from "@latchkey/i18n/admin.ts";
import { refusalTexts, timesText } from "../users/sign-in-words.ts";

interface Party {
  readonly kind: string;
  readonly id: string | null;
}

/** The members of an audit entry that its sentence needs. */
interface Event {
  readonly action: string;
  readonly actor: Party;
  readonly subject: Party;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The text of a sentence with its actor, and mostly its subject. */
type SentencePath = Extract<AdminText, `audit.phrases.${string}`>;

/** A sentence whose actor and subject a screen may link. */
export interface Sentence {
  /** Absent if the sentence needs no actor. */
  readonly path?: SentencePath;
  /** The sentence, if it needs no actor. */
  readonly text: string;
  readonly namesSubject: boolean;
}

/** Describes an action that only another version knows by the parts of its name. */
const wordsOf = (action: string): string => {
  const words = action.replaceAll(/[.-]+/g, " ").trim();
  return words ? words[0]?.toUpperCase() + words.slice(1) : "–";
};

const refusalText = ({ after }: Event): string => {
  const { reason, count } = after ?? {};
  const reasonText = Object.entries(refusalTexts).find(([name]) => name === reason)?.[1];
  const text = reasonText
    ? t("audit.refusedFor", { reason: lowerText(reasonText) })
    : t("audit.refused");
  return typeof count === "number"
    ? t("audit.refusedTimes", { text, times: timesText(count) })
    : text;
};

const isOwn = ({ actor, subject }: Event): boolean =>
  subject.kind !== "user" || (actor.kind === "user" && actor.id === subject.id);

/** Acts on oneself and on what is no user may have another text than acts on another user. */
const pathOf = (event: Event): SentencePath | undefined => {
  const path = `audit.phrases.${event.action}`;
  const paths = [path, `${path}.${isOwn(event) ? "own" : "others"}`];
  return paths.find((one): one is SentencePath => messageOf(one) !== undefined);
};

/** Says in a sentence what happened. */
export const sentenceOf = (event: Event): Sentence => {
  const { action } = event;
  if (action === "sign-in.refused") return { text: refusalText(event), namesSubject: false };
  const path = pathOf(event);
  if (!path) return { text: wordsOf(action), namesSubject: false };
  return { path, text: "", namesSubject: messageOf(path)?.includes("{subject}") === true };
};

/** Names the kind of an actor or a subject. */
export const partyName = (kind: string): string => findText(`parties.names.${kind}`) ?? kind;

/** Names a kind in a sentence: "an API key", "a signing key". */
export const someParty = (kind: string): string => findText(`parties.some.${kind}`) ?? kind;

/** Names an actor whose own name is not known, at the beginning of a sentence. */
export const actorName = ({ kind, id }: Party): string => {
  if (kind === "user") return t("audit.actors.admin");
  if (kind === "service" && id !== null) return t("audit.actors.service", { id });
  return kind === "anonymous" ? t("audit.actors.anonymous") : t("audit.actors.system");
};

/** Japanese and Chinese have spaces beside names in Latin letters only. */
const withoutGaps = (text: string): string =>
  text.replaceAll(
    /(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]) (?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])/gu,
    "",
  );

/** Says in plain text what happened to or by a user. Names nobody else, because that would need another request. */
export const sentenceText = (event: Event, user: { id: string; name: string }): string => {
  const { path, text } = sentenceOf(event);
  if (path === undefined) return text;
  const { actor, subject } = event;
  const person = user.name || t("audit.actors.user");
  const other = subject.kind === "user" ? t("duplicates.anotherUser") : someParty(subject.kind);
  return withoutGaps(
    t(path, {
      actor: actor.id === user.id ? person : actorName(actor),
      subject: subject.id === user.id ? person : other,
    }),
  );
};
