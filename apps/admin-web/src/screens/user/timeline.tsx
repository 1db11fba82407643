import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Timeline, TimelineItem } from "@latchkey/ui/components/timeline.tsx";
import {
  Building2,
  Dot,
  Fingerprint,
  KeyRound,
  Link2,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  ShieldCheck,
  UserRound,
} from "lucide-react";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { EntryDifference } from "../../components/audit/entry-difference.tsx";
import { entryKey } from "../../components/audit/entry-key.ts";
import type { AuditEntry } from "../../components/audit/read-audit.ts";
import { actorName, sentenceOf } from "../../components/audit/audit-words.ts";
import type { User } from "./use-user.ts";
import { useTimeline } from "./use-timeline.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

interface PartyProps {
  party: { readonly kind: string; readonly id: string | null };
  user: User;
}

/** Names a party. The user whose timeline it is needs no link. */
const Party = ({ party: { kind, id }, user }: PartyProps) =>
  kind === "user" && id === user.id ? (
    <bdi>{user.name || showEmail(user.email)}</bdi>
  ) : (
    <AuditParty kind={kind} id={id} />
  );

/** The marks of actions, by the first part of their names. */
const icons: Readonly<Record<string, LucideIcon>> = {
  session: MonitorSmartphone,
  user: UserRound,
  account: Link2,
  password: KeyRound,
  "two-factor": ShieldCheck,
  passkey: Fingerprint,
  "api-key": KeyRound,
  organization: Building2,
  member: Building2,
  invitation: Mail,
};

const iconOf = ({ action }: AuditEntry): LucideIcon => icons[action.split(".")[0] ?? ""] ?? Dot;

/** Says in a sentence what happened, with links to whom and what it concerns. */
const EventSentence = ({ entry, user }: { entry: AuditEntry; user: User }) => {
  const { path, text } = sentenceOf(entry);
  const { actor, subject } = entry;
  const by = actor.kind === "user" ? <Party party={actor} user={user} /> : actorName(actor);
  const isRefused = entry.outcome !== "success" && !entry.action.endsWith(".refused");
  return (
    <p className="min-w-0 break-words">
      {path === undefined
        ? text
        : richText(path, { actor: by, subject: <Party party={subject} user={user} /> })}
      {isRefused && (
        <>
          {" "}
          <Badge tone="warning">{t("outcomes.refused")}</Badge>
        </>
      )}
    </p>
  );
};

/** Says what the sentence does not: who did something without a phrase, on what, and from where. */
const Circumstances = ({ entry, user }: { entry: AuditEntry; user: User }) => {
  const { path, namesSubject } = sentenceOf(entry);
  const { actor, subject, address } = entry;
  const showsActor = path === undefined && actor.kind !== "anonymous";
  const showsSubject = !namesSubject && subject.kind !== "session" && subject.id !== user.id;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-muted">
      <RelativeTime at={entry.occurredAt} />
      {showsActor && richText("timeline.by", { party: <Party party={actor} user={user} /> })}
      {showsSubject && richText("timeline.on", { party: <Party party={subject} user={user} /> })}
      {address && <span>{t("timeline.from", { address })}</span>}
    </div>
  );
};

const Entry = ({ entry, user }: { entry: AuditEntry; user: User }) => (
  <TimelineItem Icon={iconOf(entry)} isFailure={entry.outcome !== "success"}>
    <EventSentence entry={entry} user={user} />
    <Circumstances entry={entry} user={user} />
    {(entry.before ?? entry.after) && (
      <details className="mt-1">
        <summary className="w-fit cursor-pointer rounded-sm text-xs text-muted">
          {t("audit.whatChanged")}
        </summary>
        <EntryDifference entry={entry} />
      </details>
    )}
  </TimelineItem>
);

/** Shows the actions of a user and on a user in all services. */
export const UserTimeline = ({ user }: { user: User }) => {
  const timeline = useTimeline(user.id);
  const { data, hasNextPage, fetchNextPage, isFetchNextPageError } = timeline;
  if (!data) return <Unread reading={timeline} className="h-80 w-full" />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <EmptyState title={t("timeline.none")} />;
  return (
    <Card title={t("timeline.title")} actions={<AuditLink subjectId={user.id} />}>
      {!isFetchNextPageError && <StaleNotice reading={timeline} />}
      <Timeline label={t("timeline.title")}>
        {entries.map((entry) => (
          <Entry key={entryKey(entry)} entry={entry} user={user} />
        ))}
      </Timeline>
      {isFetchNextPageError ? (
        <StaleNotice reading={{ ...timeline, refetch: fetchNextPage }} />
      ) : (
        hasNextPage && (
          <Button
            className="mt-3"
            isBusy={timeline.isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t("timeline.earlier")}
          </Button>
        )
      )}
    </Card>
  );
};
